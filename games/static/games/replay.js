// A finished match, move by move: step, play, jump, and see it from any seat.

import { Log } from "./log.js";
import { raise, show } from "./stage.js";
import { loadWords } from "./words.js";

const PACE = 1100;

const state = JSON.parse(document.getElementById("table-state").textContent);
const find = (id) => document.getElementById(id);
const words = await loadWords(state.words);
const log = new Log(find("log"), words);
const element = await raise(find("stage"), { game: state.game, words, seat: state.seat });

let seat = state.seat;
let at = 0;
let shown; // the seat whose view and log are on the page, once there is one
let asked = 0; // how often something was asked for: only the answer to the last one is shown
let timer = null;
const known = new Map(); // "seat:ply" → what the server told

const keep = (whose, plies) => { for (const one of plies) known.set(`${whose}:${one.v}`, one); };
keep(seat, state.plies);

const ply = async (number, whose) => {
  if (!known.has(`${whose}:${number}`)) {
    const query = new URLSearchParams({ from: number, ...(whose !== null && { seat: whose }) });
    const answer = await fetch(`${state.links.plies}?${query}`);
    if (answer.ok) keep(whose, (await answer.json()).plies);
  }
  return known.get(`${whose}:${number}`);
};

const go = async (number, { hurry = true } = {}) => {
  asked += 1;
  const [turn, whose, target] = [asked, seat, Math.max(0, Math.min(state.last, number))];
  const forward = target === at + 1 && whose === shown;
  const told = [];
  for (let each = forward ? target : 0; each <= target; each += 1) told.push(await ply(each, whose));
  const found = told.at(-1);
  if (!found || turn !== asked) return;
  if (!forward) log.clear();
  for (const one of told) log.add(one?.events ?? [], state.seats);
  at = target;
  shown = whose;
  find("ply").value = String(at);
  find("ply-number").textContent = `${at} / ${state.last}`;
  location.replace(`#${at}`);
  await show(element, { view: found.view, events: forward ? found.events : [], names: state.seats, interactive: false, hurry });
};

const pause = () => {
  clearTimeout(timer);
  timer = null;
  const button = find("play-pause");
  button.setAttribute("aria-pressed", "false");
  button.textContent = button.dataset.play;
};

const run = async () => {
  const button = find("play-pause");
  button.setAttribute("aria-pressed", "true");
  button.textContent = button.dataset.pause;
  if (at >= state.last) await go(0);
  const step = async () => {
    await go(at + 1, { hurry: false });
    if (timer === null) return;
    if (at >= state.last) pause();
    else timer = setTimeout(step, PACE);
  };
  timer = setTimeout(step, PACE / 2);
};

const moves = {
  first: () => go(0),
  back: () => go(at - 1),
  next: () => go(at + 1, { hurry: false }),
  last: () => go(state.last),
};
for (const button of document.querySelectorAll("[data-go]")) {
  button.addEventListener("click", () => { pause(); moves[button.dataset.go](); });
}
find("play-pause").addEventListener("click", () => (timer === null ? run() : pause()));
find("ply").addEventListener("input", ({ target }) => { pause(); go(Number(target.value)); });
find("from-seat").addEventListener("change", ({ target }) => {
  seat = target.value === "" ? null : Number(target.value);
  go(at);
});
document.addEventListener("keydown", (event) => {
  if (event.composedPath()[0].matches?.("input, textarea, select, button")) return;
  const act = { ArrowLeft: moves.back, ArrowRight: moves.next, Home: moves.first, End: moves.last, " ": () => (timer === null ? run() : pause()) }[event.key];
  if (!act) return;
  event.preventDefault();
  if (event.key !== " ") pause();
  act();
});

await go(Number(location.hash.slice(1)) || 0);
document.documentElement.dataset.table = "ready";
