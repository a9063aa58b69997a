/* What every page shares: toasts for failed requests, toasts that leave, buttons that copy.
   Texts come from data attributes of <body>, so that they are translated. */
(() => {
  "use strict";
  const texts = document.body.dataset;
  const LEAVE_AFTER_MS = 6000;
  // What can be undone stays for as long as it takes to think again.
  const LEAVE_WITH_BUTTON_AFTER_MS = 20000;

  function leaveLater(toast) {
    if (!["success", "info"].includes(toast.dataset.level) || toast.dataset.leaving) return;
    toast.dataset.leaving = "yes";
    setTimeout(() => {
      // One that is being read, or has the focus, stays.
      if (toast.matches(":hover, :focus-within")) { delete toast.dataset.leaving; leaveLater(toast); }
      else toast.remove();
    }, toast.querySelector("form") ? LEAVE_WITH_BUTTON_AFTER_MS : LEAVE_AFTER_MS);
  }

  function showError(text) {
    const toast = document.createElement("div");
    toast.className = "toast show message";
    toast.dataset.level = "error";
    const row = document.createElement("div");
    row.className = "d-flex align-items-start";
    const body = document.createElement("div");
    body.className = "toast-body";
    body.textContent = text;
    const close = document.createElement("button");
    close.type = "button";
    close.className = "btn-close m-2 ms-auto flex-shrink-0";
    close.dataset.bsDismiss = "toast";
    close.setAttribute("aria-label", texts.close);
    row.append(body, close);
    toast.append(row);
    document.getElementById("messages")?.append(toast);
  }

  /* The page of a refusal says which role is needed. */
  function reasonOf(xhr) {
    if (xhr.status !== 403) return "";
    const page = new DOMParser().parseFromString(xhr.responseText, "text/html");
    return page.querySelector(".empty-subtitle")?.textContent.trim() ?? "";
  }

  document.body.addEventListener("htmx:responseError", ({ detail: { xhr } }) => {
    showError(`${texts.failed} ${xhr.status}. ${reasonOf(xhr)}`.trim());
  });
  document.body.addEventListener("htmx:sendError", () => showError(texts.unreachable));
  document.body.addEventListener("htmx:timeout", () => showError(texts.unreachable));

  const messages = document.getElementById("messages");
  if (messages) {
    const look = () => messages.querySelectorAll(".message").forEach(leaveLater);
    messages.addEventListener("hidden.bs.toast", (event) => event.target.remove());
    new MutationObserver(look).observe(messages, { childList: true });
    look();
  }

  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const source = button.dataset.copy.startsWith("#")
      ? document.querySelector(button.dataset.copy)?.textContent ?? ""
      : button.dataset.copy;
    try {
      await navigator.clipboard.writeText(source);
    } catch {
      // Plain http away from localhost has no clipboard: select the text for the person instead.
      const shown = button.dataset.copy.startsWith("#")
        ? document.querySelector(button.dataset.copy)
        : button.previousElementSibling;
      if (shown) getSelection().selectAllChildren(shown);
      return;
    }
    const label = button.getAttribute("aria-label");
    button.classList.add("copied");
    button.setAttribute("aria-label", texts.copied);
    setTimeout(() => {
      button.classList.remove("copied");
      if (label) button.setAttribute("aria-label", label);
    }, 1500);
  });
})();
