// Results that wait for a connection. A report is kept in the browser before it is sent, and forgotten once the server has
// answered. It carries a key of its own, so that the server writes it once, however often it is sent.

const STORE = "unsent-reports";
const AGAIN = 15_000;
const PATIENCE = 15_000;
const box = document.querySelector("[data-unsent]");
const person = box?.dataset.person ?? "";

const all = () => {
  try { return JSON.parse(localStorage.getItem(STORE) ?? "[]"); } catch { return []; }
};
const own = () => all().filter((item) => item.person === person);

/** Whether the browser keeps it: a private window may refuse. */
const keep = (item) => {
  try {
    localStorage.setItem(STORE, JSON.stringify([...all().filter((other) => other.key !== item.key), item]));
    return true;
  } catch { return false; }
};
const forget = (item) => {
  try { localStorage.setItem(STORE, JSON.stringify(all().filter((other) => other.key !== item.key))); } catch { /* as in keep */ }
};

const newKey = () => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** What became of it: sent, refused (with words), lost (no answer), or login. */
const send = async (item, later) => {
  const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
  const body = new URLSearchParams([...item.fields, ["key", item.key], ["csrfmiddlewaretoken", token]]);
  if (later) body.set("later", "yes");
  let answer;
  try {
    answer = await fetch(item.url, {
      method: "POST", body, redirect: "manual", headers: { Accept: "application/json" }, signal: AbortSignal.timeout(PATIENCE),
    });
  } catch { return { state: "lost" }; }
  if (answer.type === "opaqueredirect" || answer.status === 403) return { state: "login" };
  if (answer.status === 429 || answer.status >= 500) return { state: "lost" };
  let words = "";
  try { ({ words } = await answer.json()); } catch { /* An error page of the site: it says nothing about the result. */ }
  return { state: answer.ok ? "sent" : "refused", words };
};

const button = (words, act) => {
  const made = Object.assign(document.createElement("button"), { type: "button", className: "btn btn-small", textContent: words });
  made.addEventListener("click", act);
  return made;
};

const line = (item) => {
  const row = document.createElement("li");
  const title = Object.assign(document.createElement("a"), { href: item.page, textContent: item.title });
  const said = Object.assign(document.createElement("span"), { className: "grow" });
  const words = { sent: item.words, refused: `${box.dataset.refused} ${item.words ?? ""}`, login: box.dataset.login }[item.state];
  said.append(title, `: ${words ?? box.dataset.waiting}`);
  row.append(said);
  if (item.state !== "sent" && item.state !== "refused") row.append(button(box.dataset.now, () => void retry()));
  row.append(button(item.state === "sent" || item.state === "refused" ? box.dataset.seen : box.dataset.discard, () => { forget(item); show(); }));
  row.className = `is-${item.state ?? "lost"}`;
  return row;
};

const show = () => {
  if (!box) return;
  const items = own();
  box.hidden = items.length === 0;
  box.querySelector("ul").replaceChildren(...items.map(line));
  for (const form of document.querySelectorAll("form[data-report]")) {
    const url = form.getAttribute("action");
    form.classList.toggle("is-unsent", items.some((item) => item.url === url && item.state !== "sent" && item.state !== "refused"));
  }
};

let busy = false;
const retry = async () => {
  if (busy) return;
  busy = true;
  for (const item of own().filter((one) => one.state !== "sent" && one.state !== "refused")) {
    const { state, words } = await send(item, true);
    // Somebody may have discarded it meanwhile, in another window.
    if (all().some((other) => other.key === item.key)) keep({ ...item, state, words });
    if (state === "lost") break;
  }
  busy = false;
  show();
};

const report = async (form) => {
  const fields = [...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken");
  const url = form.getAttribute("action");
  const item = { key: newKey(), person, url, page: form.dataset.page, title: form.dataset.title, fields, state: "lost" };
  for (const before of own()) if (before.url === url) forget(before);
  if (!keep(item)) { form.submit(); return; }
  form.setAttribute("aria-busy", "true");
  busy = true;
  const { state } = await send(item, false);
  busy = false;
  form.removeAttribute("aria-busy");
  if (state === "sent") { forget(item); location.assign(item.page); return; }
  // The page itself shows what is wrong, beside the fields.
  if (state === "refused") { forget(item); form.submit(); return; }
  keep({ ...item, state });
  show();
  box.scrollIntoView({ block: "nearest" });
};

if (box && person) {
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.matches?.("form[data-report]") || form.getAttribute("aria-busy")) return;
    event.preventDefault();
    void report(form);
  });
  show();
  void retry();
  addEventListener("online", () => void retry());
  addEventListener("storage", show);
  document.body.addEventListener("live:online", () => void retry());
  document.body.addEventListener("htmx:afterSwap", show);
  setInterval(() => { if (own().some((item) => item.state === "lost")) void retry(); }, AGAIN);
}
