// One mistake of a finished match, tried again: the table as the seat saw it then, a new choice, and what it was worth.
// How good the answers are comes with the verdict, never before.

import { listAnswers } from "./answers.js";
import { need, readState } from "./dom.js";
import { Drawer } from "./drawer.js";
import { Log } from "./log.js";
import { Pointer } from "./pointer.js";
import { RulesPanel } from "./rules-panel.js";
import { raise, show } from "./stage.js";
import { loadWords } from "./texts.js";

/** @type {Page.LearnState} */
const state = readState();
const words = await loadWords(state.words);
const element = await raise(need("stage", HTMLElement), { game: state.game, words, seat: state.seat, onMove: (move) => choose(move) });
const pointer = new Pointer(element);
const drawer = new Drawer(() => element.shadowRoot?.querySelector("[data-must=question]"));
const log = new Log(need("log", HTMLElement), words, { element, onMoment: () => {} });
const rules = new RulesPanel(need("panel-rules", HTMLElement), need("rules", HTMLElement));
drawer.onOpen = (/** @type {string} */ name) => { if (name === "rules") rules.load(); };

/** @type {Page.Tried | null} */
let tried = null;

const set = async () => {
  need("verdict", HTMLElement).hidden = true;
  need("task", HTMLElement).hidden = false;
  await show(element, { view: state.view, events: [], names: state.seats, interactive: true, hurry: true });
};

/** @param {string} move */
async function choose(move) {
  if (element.busy) return;
  element.busy = true;
  const token = document.querySelector("[name=csrfmiddlewaretoken]");
  const headers = { "X-CSRFToken": token instanceof HTMLInputElement ? token.value : "" };
  const body = new URLSearchParams({ seat: String(state.seat), number: String(state.number), move });
  const answer = await fetch(state.links.learn, { method: "POST", headers, body });
  const told = await answer.json();
  element.busy = false;
  if (!answer.ok) return say(told.detail, "worse");
  tried = /** @type {Page.Tried} */ (told);
  say(tried.words, tried.verdict);
  if (tried.verdict === "best") explain();
  else await pointer.point(null);
}

/** @type {(text: string, verdict: string) => void} */
const say = (text, verdict) => {
  const box = need("verdict", HTMLElement);
  box.dataset.verdict = verdict;
  need("verdict-text", HTMLElement).textContent = text;
  need("task", HTMLElement).hidden = true;
  box.hidden = false;
  need("again", HTMLButtonElement).hidden = verdict === "best";
  need("explain", HTMLButtonElement).hidden = verdict === "best" || !tried;
};

/** Why: every answer with what it was worth, and the best one on the board. */
function explain() {
  if (!tried) return;
  const list = need("answers", HTMLElement);
  const { best, yours, played } = list.dataset;
  listAnswers(list, tried.answers, (answer) => [answer.is_best && best, answer.is_yours && yours, answer.was_played && played]);
  need("worlds", HTMLElement).textContent = (list.dataset.worlds ?? "").replace("{count}", String(tried.worlds));
  need("why", HTMLElement).hidden = false;
  need("why-later", HTMLElement).hidden = true;
  pointer.point(tried.best);
  if (matchMedia("(min-width: 701px)").matches) drawer.open("analysis");
}

need("again", HTMLButtonElement).addEventListener("click", () => { pointer.point(null); set(); });
need("explain", HTMLButtonElement).addEventListener("click", explain);
const leave = document.getElementById("leave");
if (leave) {
  leave.hidden = !state.may_leave;
  leave.addEventListener("click", () => choose("leave"));
}

const gone = new Set(state.undone);
log.add(state.events.filter(({ ply }) => !gone.has(ply)), state.seats);
await set();
document.documentElement.dataset.table = "ready";
