/* Light or dark, set before the first paint: so this is the one script that blocks the page.
   The choice is kept in localStorage under "theme"; without one the system decides. */
(() => {
  "use strict";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const chosen = () => {
    try { return localStorage.getItem("theme"); } catch { return null; }
  };
  const apply = () => {
    const choice = chosen();
    const theme = choice === "light" || choice === "dark" ? choice : system.matches ? "dark" : "light";
    root.setAttribute("data-bs-theme", theme);
    document.dispatchEvent(new CustomEvent("themechange", { detail: theme }));
  };

  root.classList.add("js");
  apply();
  system.addEventListener("change", apply);
  addEventListener("storage", (event) => { if (event.key === "theme") apply(); });
  document.addEventListener("click", (event) => {
    if (!event.target.closest("[data-theme-toggle]")) return;
    const next = root.getAttribute("data-bs-theme") === "dark" ? "light" : "dark";
    try { localStorage.setItem("theme", next); } catch { root.setAttribute("data-bs-theme", next); return; }
    apply();
  });
})();
