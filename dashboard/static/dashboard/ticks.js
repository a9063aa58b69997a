/* A table whose rows can be ticked: the box in its head ticks the page, Shift ticks a range. */
(() => {
  "use strict";
  document.querySelectorAll("table[data-ticks]").forEach((table) => {
    const whole = table.querySelector("[data-tick-all]");
    if (!whole) return;  // who only reads ticks nothing
    const boxes = [...table.querySelectorAll(`input[name="${CSS.escape(table.dataset.ticks)}"]`)];
    let anchor = null;  // where a range begins: the box ticked last

    function show() {
      const count = boxes.filter((box) => box.checked).length;
      whole.checked = count === boxes.length;
      whole.indeterminate = count > 0 && count < boxes.length;
      boxes.forEach((box) => box.closest("tr").classList.toggle("table-active", box.checked));
    }

    table.addEventListener("click", ({ target, shiftKey }) => {
      if (target === whole) boxes.forEach((box) => { box.checked = whole.checked; });
      const at = boxes.indexOf(target);
      if (at >= 0) {
        const from = shiftKey && anchor !== null ? anchor : at;
        boxes.slice(Math.min(from, at), Math.max(from, at) + 1).forEach((box) => { box.checked = target.checked; });
        anchor = at;
      }
      show();
    });
    whole.hidden = false;
    show();
  });
})();
