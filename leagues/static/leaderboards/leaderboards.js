// Rows of a leaderboard walk to their new places, and a curve is read with the arrow keys.

const calm = matchMedia("(prefers-reduced-motion: reduce)");
const rows = () => document.querySelectorAll("#board-rows tr[id]");
let before = new Map();

document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target.id !== "board-rows") return;
  before = new Map([...rows()].map((row) => [row.id, { top: row.getBoundingClientRect().top, number: row.dataset.number }]));
});

document.body.addEventListener("htmx:afterSettle", () => {
  if (!before.size) return;
  for (const row of rows()) {
    const old = before.get(row.id);
    if (old?.number === row.dataset.number) row.classList.remove("has-moved");
    else row.classList.add("has-moved");
    const way = old ? old.top - row.getBoundingClientRect().top : 0;
    if (calm.matches || !way) continue;
    row.animate([{ transform: `translateY(${way}px)` }, { transform: "none" }], { duration: 500, easing: "ease-in-out" });
  }
  before = new Map();
});

// One stop for the Tab key a curve; the arrows go from game to game.
const say = (dot) => {
  const says = dot.closest("[data-curve]").querySelector("[data-says]");
  if (says) says.textContent = dot.getAttribute("aria-label");
};

const prepare = (root) => {
  for (const curve of root.querySelectorAll("[data-curve]")) {
    const dots = [...curve.querySelectorAll("a")];
    dots.forEach((dot, at) => dot.setAttribute("tabindex", at === dots.length - 1 ? 0 : -1));
  }
};

document.addEventListener("keydown", (event) => {
  const dot = event.target.closest?.(".curve a");
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!dot || !step) return;
  const dots = [...dot.closest("[data-curve]").querySelectorAll("a")];
  const next = dots[dots.indexOf(dot) + step];
  if (!next) return;
  event.preventDefault();
  dot.setAttribute("tabindex", -1);
  next.setAttribute("tabindex", 0);
  next.focus();
});
for (const type of ["pointerover", "focusin"]) {
  document.addEventListener(type, ({ target }) => {
    const dot = target.closest?.(".curve a");
    if (dot) say(dot);
  });
}
document.body.addEventListener("htmx:load", ({ target }) => prepare(target));
prepare(document);

// The place that an address points at is in the middle of the window, not under the page's head.
if (location.hash.startsWith("#p-")) document.getElementById(location.hash.slice(1))?.scrollIntoView({ block: "center" });
