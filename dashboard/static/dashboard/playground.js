/* The playground and the policy tester: Ctrl+Enter in the form tries what was typed, and the result
   comes into view where it is below. */
(() => {
  "use strict";
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    const form = event.target.closest("#try");
    if (!form) return;
    event.preventDefault();
    form.requestSubmit();
  });

  document.body.addEventListener("htmx:afterSwap", () => {
    const result = document.querySelector("#result");
    const title = document.querySelector("#result-title");
    if (result && title && result.getBoundingClientRect().top > innerHeight * 0.7) result.scrollIntoView();
  });
})();
