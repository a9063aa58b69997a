/* Enter in a picker's search box searches; it does not send the form around it. */
(() => {
  "use strict";
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && event.target.matches?.("[data-pick-search]")) event.preventDefault();
  });
})();
