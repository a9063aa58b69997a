/* The search dialog: Ctrl-K opens it, arrows choose, Enter goes there, Escape closes it.
   The focus stays in the box; aria-activedescendant says which hit is chosen. */
(() => {
  "use strict";
  const dialog = document.getElementById("search-dialog");
  if (!dialog?.showModal) return;
  const input = document.getElementById("search-input");
  const results = document.getElementById("search-results");
  const hits = () => [...results.querySelectorAll("[role=option]")];
  let opener = null;

  function choose(hit) {
    for (const one of hits()) one.setAttribute("aria-selected", String(one === hit));
    if (hit) { input.setAttribute("aria-activedescendant", hit.id); hit.scrollIntoView({ block: "nearest" }); }
    else input.removeAttribute("aria-activedescendant");
  }
  const chosen = () => results.querySelector('[role=option][aria-selected="true"]');

  function open() {
    if (dialog.open) { input.select(); return; }
    opener = document.activeElement;
    dialog.showModal();
    input.focus();
    input.select();
    htmx.trigger(input, "opened");
  }

  function move(step) {
    const all = hits();
    if (!all.length) return;
    const at = all.indexOf(chosen());
    choose(all[at < 0 ? (step > 0 ? 0 : all.length - 1) : (at + step + all.length) % all.length]);
  }

  document.addEventListener("keydown", (event) => {
    const isK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    if (!isK || event.altKey || event.shiftKey) return;
    event.preventDefault();
    open();
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest("[data-search-open]");
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) { event.preventDefault(); open(); }
    // A click beside the dialog lands on the dialog itself.
    else if (event.target === dialog || event.target.closest("[data-search-close]")) dialog.close();
  });

  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter") {
      // What is shown may still be of what was typed before: then the page is asked.
      const shown = results.querySelector("[role=listbox]")?.dataset.query;
      const hit = shown === input.value.trim() ? chosen() : null;
      if (!hit) return;
      hit.click();
    } else return;
    event.preventDefault();
  });

  results.addEventListener("htmx:afterSwap", () => {
    const all = hits();
    input.setAttribute("aria-expanded", String(all.length > 0));
    choose(input.value.trim() ? all[0] : null);
  });
  dialog.addEventListener("close", () => {
    input.setAttribute("aria-expanded", "false");
    if (opener?.isConnected) opener.focus();
    opener = null;
  });
})();
