/* Ticks in the list of tools: kept over pages, searches and reloads of this tab, Shift ticks a range,
   arrow keys move. Without this file a button keeps the ticks in the address. */
(() => {
  "use strict";
  const card = document.getElementById("choosing");
  const key = `toolcrib-ticked-${card.dataset.catalog}`;
  const IN_ADDRESS = ["chosen", "tool"];
  let anchor = null;  // where a range begins: the box ticked last

  const boxes = () => [...card.querySelectorAll("input[name=tool]")];
  const elsewhere = () => card.querySelector("input[name=chosen][type=hidden]");

  function withoutTicks(address) {
    const url = new URL(address, location.href);
    IN_ADDRESS.forEach((name) => url.searchParams.delete(name));
    return url.pathname + url.search;
  }

  /* An address that says what is ticked, or that nothing is, is right; otherwise this tab knows. */
  function begin() {
    const said = new URLSearchParams(location.search);
    if (!IN_ADDRESS.some((name) => said.has(name))) {
      return new Set((sessionStorage.getItem(key) ?? "").split(",").filter(Boolean));
    }
    history.replaceState(history.state, "", withoutTicks(location.href));
    const others = (elsewhere()?.value ?? "").split(",").filter(Boolean);
    return new Set([...others, ...boxes().filter((box) => box.checked).map((box) => box.value)]);
  }

  let ticked = begin();

  function show() {
    sessionStorage.setItem(key, [...ticked].join(","));
    const bar = document.getElementById("bulk");
    if (!bar) return;  // the list is empty
    const shown = boxes();
    shown.forEach((box) => {
      box.checked = ticked.has(box.value);
      box.closest("tr").classList.toggle("table-active", box.checked);
    });
    const here = new Set(shown.map((box) => box.value));
    elsewhere().value = [...ticked].filter((id) => !here.has(id)).join(",");
    const { none, one, many } = bar.dataset;
    const texts = [none, one, many.replace("N", ticked.size.toLocaleString(document.documentElement.lang))];
    document.getElementById("bulk-count").textContent = texts[Math.min(ticked.size, 2)];
    document.getElementById("bulk-edit").disabled = ticked.size === 0;
    document.getElementById("bulk-clear").disabled = ticked.size === 0;
    bar.classList.toggle("bulk-bar-on", ticked.size > 0);
    const whole = document.getElementById("tick-page");
    const count = shown.filter((box) => box.checked).length;
    whole.checked = count === shown.length;
    whole.indeterminate = count > 0 && count < shown.length;
  }

  function tick(some, on) {
    some.forEach((box) => (on ? ticked.add(box.value) : ticked.delete(box.value)));
    show();
  }

  function tickTo(box, on) {
    const all = boxes();
    const from = anchor?.isConnected ? all.indexOf(anchor) : all.indexOf(box);
    const to = all.indexOf(box);
    tick(all.slice(Math.min(from, to), Math.max(from, to) + 1), on);
    anchor = box;
  }

  card.addEventListener("click", ({ target, shiftKey }) => {
    if (target.id === "bulk-clear") { ticked.clear(); show(); }
    if (target.id === "tick-page") tick(boxes(), target.checked);
    if (target.name !== "tool") return;
    if (shiftKey) tickTo(target, target.checked);
    else { tick([target], target.checked); anchor = target; }
  });
  card.addEventListener("mousedown", (event) => {
    if (event.shiftKey && event.target.closest(".tick")) event.preventDefault();  // selects no text
  });

  card.addEventListener("keydown", (event) => {
    if (event.target.name !== "tool") return;
    const all = boxes(), place = all.indexOf(event.target);
    if (event.key === " " && event.shiftKey) {
      event.preventDefault();
      tickTo(event.target, !event.target.checked);
    } else if (event.key === "Enter") {
      event.preventDefault();  // it would send the ticks before they are all made
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      all[place + (event.key === "ArrowDown" ? 1 : -1)]?.focus();
    }
  });

  document.body.addEventListener("htmx:configRequest", ({ detail }) => {
    if (detail.verb === "get" && card.contains(detail.elt)) detail.path = withoutTicks(detail.path);
  });
  document.body.addEventListener("htmx:load", show);
  window.addEventListener("pageshow", ({ persisted }) => {
    if (persisted) ticked = begin();  // "back" to a page that was kept as it was left
    show();
  });
  show();
})();
