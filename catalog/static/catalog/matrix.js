/* The table of tools against groups: every tick is saved at once, arrow keys move, Shift ticks a
   range. Without this file the table is a form with a button.

   htmx sends the requests of #assignment one after the other (hx-sync), those of searches and page
   links too, so that figures arrive in the order of the ticks and no list is drawn before the ticks
   that were made on the one before it are saved. */
(() => {
  "use strict";
  const assignment = document.getElementById("assignment");
  const texts = assignment.dataset;
  let anchor = null;  // where a range begins: the cell ticked last
  let waiting = 0;    // requests that are not answered yet
  let saves = 0;      // ticks made here so far
  const LOOK_EVERY_MS = 15000;

  const boxesOf = (row) => [...row.querySelectorAll("input[name=cell]")];
  const rows = () => [...assignment.querySelectorAll(".matrix tbody tr")];
  const byValue = (value) => assignment.querySelector(`input[name=cell][value="${value}"]`);

  function placeOf(box) {
    const row = box.closest("tr");
    return { row: rows().indexOf(row), column: boxesOf(row).indexOf(box) };
  }

  function boxAt(row, column) {
    const all = rows();
    const line = all[Math.min(Math.max(row, 0), all.length - 1)];
    const boxes = line ? boxesOf(line) : [];
    return boxes[Math.min(Math.max(column, 0), boxes.length - 1)];
  }

  function rangeBetween(first, last) {
    const a = placeOf(first), b = placeOf(last);
    const lines = rows().slice(Math.min(a.row, b.row), Math.max(a.row, b.row) + 1);
    return lines.flatMap((line) =>
      boxesOf(line).slice(Math.min(a.column, b.column), Math.max(a.column, b.column) + 1));
  }

  /* Only one box is a tab stop, so that Tab leaves the table; arrows reach the others. */
  function makeTabStop(box) {
    assignment.querySelectorAll(".matrix input[tabindex='0']").forEach((other) => { other.tabIndex = -1; });
    if (box) box.tabIndex = 0;
  }

  function begin() {
    const table = assignment.querySelector(".matrix");
    if (!table || table.getAttribute("role") === "grid") return;
    table.setAttribute("role", "grid");
    table.querySelectorAll("input[name=cell]").forEach((box) => { box.tabIndex = -1; });
    makeTabStop(boxAt(0, 0));
    if (anchor && !anchor.isConnected) anchor = byValue(anchor.value);
  }

  function clearRefusals() {
    assignment.querySelectorAll(".matrix-theirs").forEach((cell) => cell.classList.remove("matrix-theirs"));
    assignment.querySelectorAll(".cell-refusal").forEach((note) => note.remove());
  }

  function refuse(box, reason) {
    const note = document.createElement("span");
    note.className = "cell-refusal";
    note.id = "cell-refusal";
    note.setAttribute("role", "alert");
    note.textContent = reason;
    box.closest("td").append(note);
    box.setAttribute("aria-describedby", note.id);
  }

  /* Set boxes and save them in one request, which names a rectangle by its groups and its tools.
     What each box was before is kept beside it, for the case that the server refuses. */
  function save(boxes, on, before = (box) => box.checked) {
    clearRefusals();
    boxes.forEach((box) => {
      if (!box.classList.contains("saving")) box.dataset.before = before(box) ? "1" : "0";
      box.checked = on;
    });
    const pairs = boxes.map((box) => box.value.split("-"));
    const unique = (index) => [...new Set(pairs.map((pair) => pair[index]))];
    boxes.forEach((box) => box.classList.add("saving"));
    waiting += 1;
    saves += 1;
    htmx.ajax("POST", texts.cellsUrl, {
      source: assignment, target: "#matrix-status", swap: "innerHTML",
      values: { group: unique(0), tool: unique(1), on: on ? "1" : "0" },
    });
  }

  const isTick = (config) => config.verb === "post" && config.path === texts.cellsUrl;

  function reasonOf(xhr) {
    if (xhr.status !== 422) return texts.notSaved;
    return new DOMParser().parseFromString(xhr.responseText, "text/html").body.textContent.trim();
  }

  assignment.addEventListener("htmx:afterRequest", (event) => {
    const { requestConfig: config, xhr } = event.detail;
    if (!isTick(config)) return;
    waiting -= 1;
    const sent = config.formData;
    const refused = xhr.status !== 200;
    const boxes = sent.getAll("group").flatMap((group) =>
      sent.getAll("tool").map((tool) => byValue(`${group}-${tool}`))).filter(Boolean);
    boxes.forEach((box) => {
      box.classList.remove("saving");
      box.removeAttribute("aria-describedby");
      if (refused) box.checked = box.dataset.before === "1";
    });
    if (refused && boxes.length) refuse(boxes[boxes.length - 1], reasonOf(xhr));
  });

  assignment.addEventListener("change", (event) => {
    if (event.target.name !== "cell") return;
    save([event.target], event.target.checked, (box) => !box.checked);
    anchor = event.target;
  });

  function tickRange(box, on) {
    save(rangeBetween(anchor, box), on);
    anchor = box;
  }

  assignment.addEventListener("click", (event) => {
    const box = event.target.closest("input[name=cell]") ??
      event.target.closest(".matrix td")?.querySelector("input[name=cell]");
    if (!box) return;
    if (event.shiftKey && anchor?.isConnected && anchor !== box) {
      event.preventDefault();
      // The browser puts a prevented tick back after this event.
      setTimeout(() => tickRange(box, anchor.checked));
    } else if (box !== event.target) {
      box.focus();
      box.click();
    }
  });
  assignment.addEventListener("mousedown", (event) => {
    if (event.shiftKey && event.target.closest(".matrix td")) event.preventDefault();  // selects no text
  });

  assignment.addEventListener("focusin", (event) => {
    if (event.target.name === "cell") makeTabStop(event.target);
  });

  const MOVES = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  const FAR = 100000;

  assignment.addEventListener("keydown", (event) => {
    if (event.target.name !== "cell") return;
    const { row, column } = placeOf(event.target);
    let next = null;
    if (event.key in MOVES) next = boxAt(row + MOVES[event.key][0], column + MOVES[event.key][1]);
    else if (event.key === "Home") next = boxAt(event.ctrlKey ? 0 : row, 0);
    else if (event.key === "End") next = boxAt(event.ctrlKey ? FAR : row, FAR);
    else if (event.key === "PageUp") next = boxAt(row - 10, column);
    else if (event.key === "PageDown") next = boxAt(row + 10, column);
    else if (event.key === " " && event.shiftKey && anchor?.isConnected && anchor !== event.target) {
      event.preventDefault();
      tickRange(event.target, anchor.checked);
      return;
    } else if (event.key === "Enter") {
      event.preventDefault();  // it would send the form that is there for want of JavaScript
      event.target.click();
      return;
    }
    if (!next) return;
    event.preventDefault();
    next.focus();
  });

  /* What somebody else ticks meanwhile is shown, beside what is ticked here. */
  function showTheirs(page) {
    const changed = [...page.querySelectorAll("input[name=cell]")].flatMap((theirs) => {
      const own = byValue(theirs.value);
      if (!own || own.checked === theirs.checked) return [];
      own.checked = theirs.checked;
      own.closest("td").classList.add("matrix-theirs");
      return [own];
    });
    if (!changed.length) return;
    page.querySelectorAll(".matrix-figures, .matrix-count").forEach((figure) => {
      document.getElementById(figure.id)?.replaceChildren(...figure.childNodes);
    });
    const { theirsOne, theirsMany } = texts;
    document.getElementById("matrix-status").textContent =
      changed.length === 1 ? theirsOne : theirsMany.replace("N", changed.length);
  }

  async function look() {
    if (waiting || document.visibilityState !== "visible") return;
    const before = saves;
    const headers = { "HX-Request": "true", "HX-Target": "matrix" };
    const answer = await fetch(location.href, { headers }).catch(() => null);  // the next one may work
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (before === saves) showTheirs(page);  // else it may be older than a tick made here
  }

  window.addEventListener("focus", look);
  setInterval(look, LOOK_EVERY_MS);
  document.body.addEventListener("htmx:load", begin);
  window.addEventListener("beforeunload", (event) => {
    if (waiting > 0) event.preventDefault();
  });
  begin();
})();
