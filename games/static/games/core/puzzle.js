// A puzzle: the table as one seat saw it, one choice or the choices of a turn, and what every answer was worth. How good
// they are comes with the verdict, never before.

import { listAnswers } from "./answers.js";
import { need, readState } from "./dom.js";
import { Drawer } from "./drawer.js";
import { Log } from "./log.js";
import { Pointer } from "./pointer.js";
import { RulesPanel } from "./rules-panel.js";
import { raise, show } from "./stage.js";
import { loadWords } from "./texts.js";

/** @type {Page.PuzzleState} */
const state = readState();
const words = await loadWords(state.words);
const element = await raise(need("stage", HTMLElement), { game: state.game, words, seat: state.seat, onMove: (move) => choose(move) });
const pointer = new Pointer(element);
const drawer = new Drawer(() => element.shadowRoot?.querySelector("[data-must=question]"));
const log = new Log(need("log", HTMLElement), words, { element, onMoment: () => {} });
const rules = new RulesPanel(need("panel-rules", HTMLElement), need("rules", HTMLElement));
drawer.onOpen = (/** @type {string} */ name) => { if (name === "rules") rules.load(); };

let isJudged = false;

/** @param {string} move */
async function choose(move) {
  if (element.busy || isJudged) return;
  element.busy = true;
  const token = document.querySelector("[name=csrfmiddlewaretoken]");
  const headers = { "X-CSRFToken": token instanceof HTMLInputElement ? token.value : "" };
  const body = new URLSearchParams([["move", move], ...state.moves.map((each) => ["before", each])]);
  const answer = await fetch(state.answer, { method: "POST", headers, body });
  const told = await answer.json();
  element.busy = false;
  if (!answer.ok) return say(told.detail, "worse");
  if (told.goes_on) return goOn(move, /** @type {Page.Solved} */ (told));
  await explain(/** @type {Page.Solved} */ (told));
}

/**
 * The next question of a whole turn.
 * @param {string} move
 * @param {Page.Solved} told
 */
async function goOn(move, { position, words: said }) {
  if (!position) return;
  state.moves.push(move);
  const events = position.events.slice(state.events.length);
  Object.assign(state, position);
  need("task-more", HTMLElement).textContent = said;
  log.add(events, state.seats);
  await show(element, { view: state.view, events, names: state.seats, interactive: true, hurry: false });
}

/** @type {(text: string, verdict: string) => void} */
const say = (text, verdict) => {
  const box = need("verdict", HTMLElement);
  box.dataset.verdict = verdict;
  need("verdict-text", HTMLElement).textContent = text;
  need("task", HTMLElement).hidden = true;
  box.hidden = false;
};

/**
 * Why: every answer with what it is worth, and the best one on the board. One choice is all one has.
 * @param {Page.Solved} told
 */
async function explain(told) {
  isJudged = true;
  say(told.words, told.solved ? "best" : "worse");
  const list = need("answers", HTMLElement);
  const { best, yours, missed, worlds } = list.dataset;
  listAnswers(list, told.answers, (answer) => [answer.is_best && best, answer.is_yours && yours, answer.is_missed && missed]);
  const choices = need("choices", HTMLElement);
  choices.replaceChildren(...told.choices.map(({ words: said, lost }) => {
    const row = document.createElement("li");
    row.textContent = lost ? `${said} (−${lost})` : said;
    return row;
  }));
  need("your-turn", HTMLElement).hidden = !told.choices.length;
  need("worlds", HTMLElement).textContent = (worlds ?? "").replace("{count}", String(told.worlds));
  need("rating", HTMLElement).textContent = told.rating_words;
  need("small-budget", HTMLElement).hidden = !told.is_small;
  need("why", HTMLElement).hidden = false;
  need("why-later", HTMLElement).hidden = true;
  await pointer.point(told.best);
  if (matchMedia("(min-width: 701px)").matches) drawer.open("analysis");
}

need("explain", HTMLButtonElement).addEventListener("click", () => drawer.open("analysis"));
log.add(state.events, state.seats);
await show(element, { view: state.view, events: [], names: state.seats, interactive: true, hurry: true });
document.documentElement.dataset.table = "ready";
