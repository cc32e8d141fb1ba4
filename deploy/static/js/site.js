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
  const before = [...button.childNodes];
  button.textContent = button.dataset.copied;
  setTimeout(() => button.replaceChildren(...before), 2000);
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

// A photograph is cut to its middle here: it travels fast, and where it was taken never leaves the device.
const SIDE = 512;
document.addEventListener("change", async (event) => {
  const input = event.target;
  if (!input.matches?.("input[type=file][data-shrink]") || !input.files.length) return;
  const [file] = input.files;
  try {
    const photo = await createImageBitmap(file);
    const side = Math.min(photo.width, photo.height);
    if (side <= SIDE || input.files[0] !== file) return;
    const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
    const corner = [(photo.width - side) / 2, (photo.height - side) / 2];
    canvas.getContext("2d").drawImage(photo, ...corner, side, side, 0, 0, SIDE, SIDE);
    const made = await new Promise((done) => canvas.toBlob(done, "image/png"));
    const chosen = new DataTransfer();
    chosen.items.add(new File([made], "picture.png", { type: "image/png" }));
    input.files = chosen.files;
  } catch {
    // No picture that this browser reads: the site says what is wrong with it.
  }
});

// A step that cannot be undone asks once more.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.dataset.confirm) return;
  const { submitter } = event;
  const dialog = document.getElementById("confirm");
  event.preventDefault();
  dialog.querySelector("p").textContent = form.dataset.confirm;
  dialog.returnValue = "";
  dialog.addEventListener("close", () => {
    if (dialog.returnValue !== "yes") return;
    const question = form.dataset.confirm;
    delete form.dataset.confirm;
    form.requestSubmit(submitter);
    form.dataset.confirm = question;
  }, { once: true });
  dialog.showModal();
});

// On a phone the tab of this page may stand beyond the edge of the bar.
const showTabs = (within) => {
  for (const tab of within.querySelectorAll(".tabs [aria-current]")) {
    const bar = tab.closest(".tabs");
    bar.scrollLeft = tab.offsetLeft - bar.offsetLeft - (bar.clientWidth - tab.offsetWidth) / 2;
  }
};
showTabs(document);
document.addEventListener("htmx:afterSettle", (event) => showTabs(event.target));

// A part that fetches itself anew leaves open what was opened, and closed what was closed.
const nameOf = (details) => details.id || details.querySelector("summary")?.textContent.replace(/[\s\d]+/g, " ");
const unfolded = new Map();
document.addEventListener("htmx:beforeSwap", ({ detail: { target } }) => {
  if (!target?.id) return;
  const parts = [...target.querySelectorAll("details:not(.menu)")];
  unfolded.set(target.id, new Map(parts.map((details) => [nameOf(details), details.open])));
});
document.addEventListener("htmx:afterSwap", () => {
  for (const [id, known] of unfolded) {
    for (const details of document.getElementById(id)?.querySelectorAll("details:not(.menu)") ?? []) {
      details.open = known.get(nameOf(details)) ?? details.open;
    }
  }
  unfolded.clear();
});

// The sign-up form takes the browser's own clock along.
for (const field of document.querySelectorAll("[data-time-zone]")) {
  field.value = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "";
}
