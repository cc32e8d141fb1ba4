// Small comforts. Every page works without them.

const closeMenus = (except) => {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu !== except) menu.open = false;
  }
};

document.addEventListener("click", async (event) => {
  closeMenus(event.target.closest("details.menu"));
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const source = document.getElementById(button.dataset.copy);
  source.select();
  await navigator.clipboard.writeText(source.value);
  const label = button.querySelector("[data-label]") ?? button;
  const before = label.textContent;
  label.textContent = button.dataset.copied;
  setTimeout(() => { label.textContent = before; }, 2000);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const open = document.querySelector("details.menu[open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
});

// The server has stored the choice; show it without loading the page again.
document.addEventListener("theme", (event) => {
  const { theme } = event.detail;
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  for (const button of document.querySelectorAll("button[name=theme]")) {
    button.setAttribute("aria-pressed", String(button.value === theme));
  }
});

// Copying needs a script, so its buttons appear only with one.
for (const button of document.querySelectorAll("[data-copy][hidden]")) {
  button.hidden = !navigator.clipboard;
}
