// A match on the page: keeps the latest view, closes gaps, sends moves, shows clocks, log and talk.
// It knows no rule: it shows what the server says is legal and sends one of it.

import { isOpen, send as transmit } from "../live.js";
import { Log } from "./log.js";
import { SeatBar } from "./seats.js";
import { raise, show } from "./stage.js";
import { Talk } from "./talk.js";
import { loadWords } from "./words.js";

// How often the page says that it is looked at, and how far it is: what it missed without knowing comes as the answer.
const PRESENCE_EVERY = { player: 8_000, spectator: 20_000 };
const ANSWER_WITHIN = 5_000;
const LONGEST_QUEUE = 6;

const state = JSON.parse(document.getElementById("table-state").textContent);
const find = (id) => document.getElementById(id);
const token = () => document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";

let names = state.seats;
let arrived = state.v ?? 0; // the newest ply that has reached the page, shown or waiting to be
let view = state.view;
let waiting = null; // the timer of a move on its way
let restarting = false;
let showing = false;
let ending = false; // the match is over, and the page has not said so yet
const queue = [];

const words = await loadWords(state.words);
const log = new Log(find("log"), words);
const bar = new SeatBar(find("seat-bar"), state);
const element = await raise(find("stage"), { game: state.game, words, seat: state.seat, onMove: (move) => play(move), onHelp: explain });

// -- speaking with the server

async function post(url, data, json = false) {
  const body = json ? JSON.stringify(data) : new URLSearchParams(data);
  const headers = { "X-CSRFToken": token(), ...(json && { "Content-Type": "application/json" }) };
  const answer = await fetch(url, { method: "POST", headers, body });
  const said = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null;
  if (said?.event === "refused") refuse(said);
  else if (said?.event === "match") receive(said);
  return said;
}

function speak(message, otherwise) {
  if (isOpen()) transmit(state.topic, message);
  else otherwise?.();
}

async function catchUp() {
  if (isOpen()) return transmit(state.topic, { after: arrived });
  try {
    const answer = await fetch(`${state.links.state}?after=${arrived}`);
    if (answer.ok) receive(await answer.json());
  } catch { /* the page is offline and says so; the next connection asks again */ }
}

function play(move) {
  if (waiting || !element.interactive) return;
  complain("");
  waiting = setTimeout(() => { release(); catchUp(); }, ANSWER_WITHIN);
  element.busy = true;
  const message = { ply: view.ply, move };
  speak(message, () => post(state.links.move, message, true));
}

function release() {
  clearTimeout(waiting);
  waiting = null;
  element.busy = false;
}

// -- hearing from it

function receive(frame) {
  if (frame.key !== state.key) return;
  surround(frame);
  if (frame.v <= arrived) { settle(); return; }
  if (frame.since > arrived) { catchUp(); return; }
  const events = frame.events.filter((event) => event.ply > arrived);
  arrived = frame.v;
  queue.push({ ...frame, events });
  if (!showing) work();
}

async function work() {
  showing = true;
  while (queue.length) {
    const hurry = document.hidden || queue.length > LONGEST_QUEUE;
    const frame = queue.shift();
    view = frame.view;
    release();
    log.strike(frame.undone);
    log.add(frame.events, names);
    describe();
    await show(element, { view: shown(), events: frame.events, names, interactive: mayPlay(), hurry });
  }
  showing = false;
  if (restarting) restart();
  if (ending) finish();
}

/** What changed without a move, shown at once unless moves are still to be seen. */
function settle() {
  if (showing || !view) return;
  element.interactive = mayPlay();
  element.view = shown();
  if (ending) finish();
}

function surround({ seats, clock, status }) {
  names = seats;
  ending ||= state.status === "playing" && status === "finished";
  state.status = status;
  bar.update({ seats, clock });
  element.names = seats;
  describe();
}

/** The last move has been seen, or there was none: the result takes its place, and everyone may talk. */
function finish() {
  ending = false;
  document.body.dispatchEvent(new CustomEvent("table:finished"));
  talk.open();
}

function refuse({ code, detail, key = state.key }) {
  if (key !== state.key) return;
  release();
  restarting = false;
  complain(detail);
  if (code === "stale") catchUp();
}

const complain = (text) => {
  const line = find("refusal");
  line.textContent = text;
  line.hidden = !text;
  if (text) find("controls").hidden = false;
};

const talk = new Talk(document, state, post, speak);
const on = (event, act) => document.body.addEventListener(`live:${event}`, ({ detail }) => act(detail));
on("match", receive);
on("refused", refuse);
on("resync", () => { catchUp(); here(true); });
on("online", () => here(true));
on("table", (frame) => {
  if (frame.key !== state.key) return;
  surround(frame);
  settle();
});
on("presence", (frame) => { if (frame.key === state.key) bar.present(frame.seat, frame.here); });
on("chat", (frame) => { if (frame.key === state.key) talk.add(frame.line); });

// -- what surrounds the table

const isPlaying = () => state.status === "playing";
const isSeated = () => state.may_play && isPlaying() && !names[state.seat]?.left;
const mayPlay = () => isSeated() && view.legal.length > 0;

/** The view as it is drawn: a match that was resigned or ran out of time waits for nobody, whatever its last position. */
const shown = () => (isPlaying() || view.outcome ? view : { ...view, to_act: null, legal: [], can_undo: false });

function describe() {
  const toAct = isPlaying() ? view.to_act : null;
  const isMine = toAct !== null && toAct === state.seat && isSeated();
  const badge = find("status");
  badge.textContent = state.ui.status[state.status];
  badge.classList.toggle("badge-ok", isPlaying());
  bar.turn(toAct);
  const line = find("turn-line");
  if (toAct === null) line.textContent = "";
  else line.textContent = isMine ? state.ui.your_turn : state.ui.turn_of.replace("{name}", names[toAct]?.name ?? "");
  line.classList.toggle("is-mine", isMine);
  document.title = `${isMine ? "● " : ""}${state.title} · Gauntlet`;
  find("call-off")?.toggleAttribute("hidden", view.ply > 0);
  find("controls").hidden = !isSeated() && !find("refusal").textContent;
  find("undo").hidden = find("restart").hidden = !isSeated();
  find("undo").disabled = find("restart").disabled = !(view.can_undo && isSeated());
}

const undo = () => { if (!find("undo").disabled) { element.interactive = true; play("undo"); } };
function restart() {
  restarting = !find("undo").disabled;
  if (restarting) undo();
}
find("undo").addEventListener("click", undo);
find("restart").addEventListener("click", restart);

function explain(id) {
  const dialog = find("card-help");
  find("card-help-name").textContent = words.names[id] ?? words.terms[id] ?? id;
  find("card-help-text").textContent = words.texts[id] ?? "";
  dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  const typing = event.composedPath()[0].matches?.("input, textarea, select, [contenteditable]");
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const act = {
    u: undo,
    r: restart,
    l: () => find("log").focus(),
    t: () => find("talk-text")?.focus(),
    "?": () => { const rules = find("rules"); if (rules) { rules.open = !rules.open; rules.scrollIntoView(); } },
  }[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

const here = (present) => transmit(state.topic, { here: present, after: arrived });
setInterval(() => { if (!document.hidden) here(true); }, PRESENCE_EVERY[state.may_play ? "player" : "spectator"]);
document.addEventListener("visibilitychange", () => here(!document.hidden));
addEventListener("pagehide", () => here(false));

// -- the first look

if (view) {
  const first = state.events;
  log.add(first, names);
  log.strike(state.undone);
  log.list.scrollTop = log.list.scrollHeight;
  describe();
  await show(element, { view: shown(), events: [], names, interactive: mayPlay(), hurry: true });
} else {
  find("stage").textContent = state.ui.old_rules;
}
here(true);
// What was pushed while this page was still being put together went unheard.
catchUp();
document.documentElement.dataset.table = "ready";
