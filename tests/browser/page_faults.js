/* Returns, in words, what is wrong with the page that is open: run by test_every_page.py. */
async () => {
  // Charts turn to the size that the page was just given one frame after it.
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

  const faults = [];
  const shown = (element) => element.outerHTML.replace(/\s+/g, " ").slice(0, 140);
  const all = (selector) => [...document.querySelectorAll(selector)];

  if (!document.title.trim()) faults.push("no title");
  if (all("h1").length !== 1) faults.push(`${all("h1").length} h1`);
  else if (!document.querySelector("h1").textContent.trim()) faults.push("an empty h1");
  if (all("main").length !== 1) faults.push(`${all("main").length} main`);
  const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  if (over > 0) {
    const wide = all("body *").filter((e) => e.getBoundingClientRect().right > innerWidth + 1);
    faults.push(`scrolls sideways by ${over} px: ${wide.slice(0, 3).map(shown).join(" | ")}`);
  }

  const ids = new Map();
  for (const { id } of all("[id]")) ids.set(id, (ids.get(id) ?? 0) + 1);
  for (const [id, times] of ids) if (times > 1) faults.push(`id ${id} is there ${times} times`);

  const finds = (element, selector) => {
    const [word, ...rest] = selector.split(" ");
    if (["this", "none", "body", "next", "previous", "unset", "inherit"].includes(selector)) return true;
    if (word === "closest") return element.closest(rest.join(" ")) !== null;
    if (word === "find") return element.querySelector(rest.join(" ")) !== null;
    if (word === "inherit,") return finds(element, rest.join(" "));
    if (["next", "previous"].includes(word)) return document.querySelector(rest.join(" ")) !== null;
    return document.querySelector(selector) !== null;
  };
  for (const attribute of ["hx-target", "hx-include", "hx-indicator", "data-copy-from"]) {
    for (const element of all(`[${attribute}]`)) {
      if (!finds(element, element.getAttribute(attribute))) faults.push(`${attribute} finds nothing: ${shown(element)}`);
    }
  }
  for (const attribute of ["for", "aria-controls", "aria-labelledby", "aria-describedby", "list"]) {
    for (const element of all(`[${attribute}]`)) {
      for (const id of element.getAttribute(attribute).split(/\s+/).filter(Boolean)) {
        if (!ids.has(id)) faults.push(`${attribute} names no element: ${shown(element)}`);
      }
    }
  }

  const textOf = (id) => document.getElementById(id)?.textContent.trim() ?? "";
  const named = (element) =>
    element.getAttribute("aria-label")?.trim() || element.getAttribute("title")?.trim() ||
    (element.getAttribute("aria-labelledby") ?? "").split(/\s+/).map(textOf).join("") ||
    element.textContent.trim() || [...element.querySelectorAll("img")].some((image) => image.alt);
  for (const element of all("a[href], button, summary, [role=button]")) {
    if (!named(element)) faults.push(`has no name: ${shown(element)}`);
  }
  for (const image of all("img, canvas, [role=img]")) {
    if (!image.hasAttribute("alt") && !image.getAttribute("aria-label")) faults.push(`has no name: ${shown(image)}`);
  }
  for (const input of all("input:not([type=hidden], [type=submit], [type=button]), select, textarea")) {
    const label = [...(input.labels ?? [])].map((l) => l.textContent.trim()).join("");
    if (!label && !named({ ...input, getAttribute: (n) => input.getAttribute(n), textContent: "", querySelectorAll: () => [] })) {
      faults.push(`has no label: ${shown(input)}`);
    }
  }
  for (const th of all("th")) {
    if (!th.textContent.trim() && !th.getAttribute("aria-label")) faults.push(`an empty th: ${shown(th)}`);
  }

  const sprites = new Map();
  for (const use of all("use")) {
    const [file, id] = (use.getAttribute("href") ?? "").split("#");
    if (!sprites.has(file)) sprites.set(file, await (await fetch(file)).text());
    if (!sprites.get(file).includes(`id="${id}"`)) faults.push(`no icon ${id}`);
  }
  return faults;
}
