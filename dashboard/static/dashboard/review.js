/* The review queue: a key presses the button or link in sight that names it, unless somebody types. */
(() => {
  "use strict";
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (event.target.closest("input:not([type=checkbox]), textarea, select, dialog, [contenteditable]")) return;
    const all = document.querySelectorAll(`[data-review-key="${CSS.escape(event.key.toLowerCase())}"]`);
    const named = [...all].find((one) => one.checkVisibility());
    if (!named) return;
    event.preventDefault();
    named.click();
    if (named.matches("summary")) named.parentElement.querySelector("textarea, input")?.focus();
  });
})();
