// The screen of a club evening: its clock, its pages that take turns, and what has just changed.

const TURN = 12_000;
const at = { tables: 0, standings: 0 };
const seen = new Map();
// The clock of the television may be wrong; the server says what time it was when the page was made.
let ahead = 0;

const two = (number) => String(number).padStart(2, "0");

/** Seconds as 32:10, 1:05:00 or 2 d 03:00. */
const inWords = (seconds, days) => {
  const [day, hour] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600) % 24];
  const [minute, second] = [Math.floor(seconds / 60) % 60, seconds % 60];
  if (day) return `${day} ${days} ${two(hour)}:${two(minute)}`;
  return hour ? `${hour}:${two(minute)}:${two(second)}` : `${two(minute)}:${two(second)}`;
};

const tick = () => {
  const box = document.querySelector("[data-clock]");
  if (!box) return;
  const now = Date.now() + ahead;
  const [since, until] = [Date.parse(box.dataset.since), Date.parse(box.dataset.until)];
  const left = Math.ceil((until - now) / 1000);
  const shown = Number.isNaN(until) ? Math.max(0, Math.floor((now - since) / 1000)) : Math.max(0, left);
  box.querySelector("[data-clock-time]").textContent = inWords(shown, box.dataset.days);
  box.classList.toggle("is-late", left > 0 && left <= 300);
  box.classList.toggle("is-over", left <= 0);
  if (left <= 0) box.querySelector("[data-clock-words]").textContent = box.dataset.over;
  const bar = box.querySelector("[data-clock-bar]");
  if (bar) bar.value = Math.min(1, Math.max(0, (now - since) / (until - since)));
};

const showPages = () => {
  for (const box of document.querySelectorAll("[data-pages]")) {
    const pages = [...box.querySelectorAll("[data-page]")];
    const shown = at[box.dataset.pages] % Math.max(1, pages.length);
    pages.forEach((page, number) => { page.hidden = number !== shown; });
    const of = document.querySelector(`[data-of="${box.dataset.pages}"]`);
    if (of) of.textContent = `${shown + 1}/${pages.length}`;
  }
};

/** Marks the tables whose state has changed since the page was last made, and turns to the page of the first. */
const mark = () => {
  const known = seen.size > 0;
  let turned = false;
  for (const table of document.querySelectorAll("[data-table]")) {
    const [number, state] = [table.dataset.table, table.className];
    if (known && seen.get(number) !== state) {
      table.classList.add("is-new");
      if (!turned) {
        const page = table.closest("[data-page]");
        at.tables = [...page.parentElement.children].indexOf(page);
        turned = true;
      }
    }
    seen.set(number, state);
  }
};

const fresh = () => {
  const box = document.querySelector("[data-clock]");
  if (box) ahead = Date.parse(box.dataset.now) - Date.now();
  mark();
  showPages();
  tick();
};

fresh();
document.body.addEventListener("htmx:afterSwap", fresh);
setInterval(tick, 500);
setInterval(() => {
  at.tables += 1;
  at.standings += 1;
  showPages();
}, TURN);

// A television that is on all evening must not go dark.
const stayAwake = async () => {
  try { await navigator.wakeLock?.request("screen"); } catch { /* Not every browser allows it. */ }
};
document.addEventListener("visibilitychange", () => { if (!document.hidden) void stayAwake(); });
void stayAwake();
