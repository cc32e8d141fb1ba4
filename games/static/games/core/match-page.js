// A match on the page: keeps the latest view, closes gaps, shows what happens at the reader's pace, sends moves.
// It knows no rule: it shows what the server says is legal and sends one of it.

import { isLost, isOpen, reconnect, send as transmit } from "../../js/live.js";
import { Coach } from "./coach.js";
import { isTypedInto, need, readState } from "./dom.js";
import { Drawer } from "./drawer.js";
import { FrameQueue } from "./frame-queue.js";
import { HelpWindow } from "./help-window.js";
import { Hints } from "./hints.js";
import { Log } from "./log.js";
import { Moments } from "./moments.js";
import { PendingMove } from "./pending-move.js";
import { Playback, beatsOf, concerns } from "./playback.js";
import { Preview } from "./preview.js";
import { RulesPanel } from "./rules-panel.js";
import { SeatBar, initial } from "./seats.js";
import { bindSettings, isOn, speed } from "./settings.js";
import { play as sound, playEvent } from "./sound.js";
import { raise, reducedMotion, show } from "./stage.js";
import { Strip } from "./strip.js";
import { Talk } from "./chat.js";
import * as texts from "./texts.js";
import { allowNotices, notifyTurn } from "./turn-notice.js";
import { sinceOwnTurn, turnsOf } from "./turns.js";

// How often the page says that it is looked at, and how far it is: what it missed without knowing comes as the answer.
const PRESENCE_EVERY = { player: 4_000, spectator: 20_000 };
const SENT_FOR = 2_000;
const SHORT_TIME = 30_000;
const VERY_SHORT_TIME = 10_000;

/** @type {Page.MatchState} */
const state = readState();
const ui = state.ui.frame;
/** @param {string} id */
const find = (id) => document.getElementById(id);
/** @param {string} id */
const button = (id) => need(id, HTMLButtonElement);
const refusal = need("refusal", HTMLElement);
const token = () => {
  const field = document.querySelector("[name=csrfmiddlewaretoken]");
  return field instanceof HTMLInputElement ? field.value : "";
};

let names = state.seats;
let view = state.view; // as it is shown; none of a match by older rules
let newest = view; // as it has arrived
let restarting = false;
let ending = false; // the match is over, and the page has not said so yet
/** @type {Page.Event[]} */
let history = []; // what happened and holds
const tempo = find("set-tempo");
const queue = new FrameQueue(state.v ?? 0);

const { words, element } = await (async () => {
  const loaded = await texts.loadWords(state.words);
  const onStage = await raise(need("stage", HTMLElement), { game: state.game, words: loaded, seat: state.seat, onMove: (move) => choose(move), onHelp: explain });
  return { words: loaded, element: onStage };
})();
/** @param {Page.Event} event */
const touches = (event) => state.seat !== null && !names[state.seat]?.left && (view && element.touches ? element.touches(event, view) : concerns(event, state.seat, view));

const log = new Log(need("log", HTMLElement), words, { element, onMoment: (ply) => moments.look(ply) });
const bar = new SeatBar(need("seat-bar", HTMLElement), need("turn-clock", HTMLElement), state);
const strip = new Strip(need("strip", HTMLElement), { words, element, touches, onMoment: (ply) => openLogAt(ply) });
const drawer = new Drawer(() => element.shadowRoot?.querySelector("[data-must=question]"));
const moments = new Moments({ link: state.links.past, draw: (past) => drawPast(past), onChange: describeMoment });
const playback = new Playback({ speed, untilSeen: () => (document.hidden ? untilVisible() : undefined) });
const pending = new PendingMove({ onChange: describePending, transmit: deliver, isConnected: () => !isLost(), onSilence: () => { catchUp(); } });
const preview = new Preview(element);
const hints = find("hint") && new Hints({ element, link: state.links.hint, ui, post, confirm: wanted, complain: (text) => complain(text) });
const coach = state.coach && new Coach({ element, lesson: state.coach, pointer: hints?.pointer });
const helpWindow = new HelpWindow({ seat: state.seat, ui, onAnswer: (message) => speak(message, () => post(state.links.help, /** @type {any} */ (message), true)) });

const untilVisible = () => new Promise((done) => {
  document.addEventListener("visibilitychange", function seen() {
    if (document.hidden) return;
    document.removeEventListener("visibilitychange", seen);
    done(undefined);
  });
});

// -- messages to the server

/**
 * @param {string} url
 * @param {Record<string, string | number>} data
 */
async function post(url, data, json = false) {
  const body = json ? JSON.stringify(data) : new URLSearchParams(Object.entries(data).map(([key, value]) => [key, String(value)]));
  const headers = { "X-CSRFToken": token(), ...(json && { "Content-Type": "application/json" }) };
  const answer = await fetch(url, { method: "POST", headers, body });
  const frame = answer.headers.get("Content-Type")?.includes("json") ? await answer.json() : null;
  if (frame?.event === "refused") refuse(frame);
  else if (frame?.event === "match") receive(frame);
  return frame;
}

/**
 * @param {object} message
 * @param {() => void} otherwise how it is sent without a socket
 */
function speak(message, otherwise) {
  if (isOpen()) transmit(state.topic, message);
  else otherwise();
}

async function catchUp() {
  if (isOpen()) return transmit(state.topic, { after: queue.arrived });
  try {
    const answer = await fetch(`${state.links.state}?after=${queue.arrived}`);
    if (answer.ok) receive(await answer.json());
  } catch { /* the page is offline and says so; the next connection asks again */ }
}

/** @param {import("./pending-move.js").MoveMessage} message */
function deliver(message) {
  speak(message, () => post(state.links.move, { ...message }, true).catch(() => pending.keep()));
}

/**
 * A choice of the reader; asked once more where they want that and it cannot be taken back.
 * @param {string} move
 */
async function choose(move) {
  if (pending.isPending || !element.interactive || !view) return;
  const ply = view.ply;
  if (isOn("confirm") && move !== "undo" && await isFinal(move) && !await confirmed(move)) return;
  if (ply === view.ply) play(move);
}

/** @param {string} move */
async function isFinal(move) {
  try {
    const answer = await fetch(state.links.final);
    if (!answer.ok) return true;
    return (await answer.json()).final.includes(move);
  } catch { return true; }
}

/** @type {((isWanted: boolean) => void) | null} */
let answerQuestion = null;

/** @param {string} move */
const confirmed = (move) => wanted(ui.confirm.replace("{move}", () => texts.moveLabel(words, move, names)));

/**
 * Ask the reader, in the strip's row.
 * @param {string} question
 * @returns {Promise<boolean>}
 */
function wanted(question) {
  answerQuestion?.(false);
  need("ask-text", HTMLElement).textContent = question;
  need("ask", HTMLElement).hidden = false;
  button("ask-yes").focus();
  return new Promise((done) => {
    answerQuestion = (isWanted) => {
      answerQuestion = null;
      need("ask", HTMLElement).hidden = true;
      done(isWanted);
    };
  });
}
button("ask-yes").addEventListener("click", () => answerQuestion?.(true));
button("ask-no").addEventListener("click", () => answerQuestion?.(false));

/** @param {string} move */
function play(move) {
  if (pending.isPending || !view) return;
  complain("");
  pending.start({ ply: view.ply, move });
}

/** The move on its way, or kept: said in the strip's row. */
function describePending() {
  if (!element) return;
  const wasKept = !need("kept", HTMLElement).hidden;
  element.busy = pending.isPending;
  element.unsent = pending.isKept ? pending.message?.move : null;
  need("kept", HTMLElement).hidden = !pending.isKept;
  if (pending.isKept) need("kept-move", HTMLElement).textContent = texts.moveLabel(words, pending.message?.move ?? "", names);
  if (!wasKept || pending.isPending) return;
  need("sent", HTMLElement).hidden = false;
  setTimeout(() => { need("sent", HTMLElement).hidden = true; }, SENT_FOR);
}
button("kept-drop").addEventListener("click", () => { need("kept", HTMLElement).hidden = true; pending.end(); });
for (const again of document.querySelectorAll("[data-reconnect]")) again.addEventListener("click", reconnect);

// -- hearing from it

/** @param {Page.MatchFrame} frame */
function receive(frame) {
  if (frame.key !== state.key) return;
  surround(frame);
  const kind = queue.accept(frame);
  if (kind === "known") settle();
  else if (kind === "gap") catchUp();
  else {
    announceTurn(frame.view);
    work();
  }
}

/** It has become the reader's turn: for a tab in the background at once, whatever is still to be shown. @param {Page.View} latest */
function announceTurn(latest) {
  if (isSeated() && latest.to_act === state.seat && newest?.to_act !== state.seat) notifyTurn(state.title, state.ui.your_turn, state.key);
  newest = latest;
}

async function work() {
  if (!await queue.showAll(showFrame)) return;
  const skipped = playback.isSkipping;
  playback.rest();
  recall();
  settle();
  if (restarting) restart();
  if (ending) finish();
  else if (mayPlay() && view?.to_act === state.seat && !skipped) yourTurn();
}

let toldTurn = -1;
/** Heard once a turn. */
function yourTurn() {
  const turn = history.findLastIndex((event) => event.seat !== undefined && event.seat !== state.seat);
  if (turn === toldTurn) return;
  toldTurn = turn;
  sound("turn");
}

/** @param {Page.MatchFrame} frame */
async function showFrame(frame) {
  await moments.closed;
  const before = view;
  const isOwnMove = before !== undefined && state.seat !== null && frame.v - before.ply === 1 && (before.to_act === state.seat || pending.message?.ply === before.ply);
  if (pending.message && frame.v > pending.message.ply) pending.end();
  log.strike(frame.undone);
  const gone = new Set(frame.undone);
  history = history.filter(({ ply }) => !gone.has(ply));
  const beats = beatsOf(frame.events, {
    seat: state.seat, isOwnMove, belongTogether: texts.belongTogether, touches, beatTime: element.beatTime && ((event) => element.beatTime?.(event)),
  });
  const isStaged = Boolean(element.stageBeat) && before !== undefined;
  const isSlow = !playback.isInstant && beats.some(({ time }) => time);
  if (isSlow) {
    element.interactive = false;
    need("strip", HTMLElement).toggleAttribute("data-playing", true);
  }
  const told = playback.play(beats, {
    tell,
    stage: isStaged ? (beat) => element.stageBeat?.(beat) : undefined,
    // Whoever is asked to respond sees first what it is about: what does not concern them goes to strip and log only.
    waiting: () => (isAskedToHelp ? Infinity : queue.waiting),
    more: { view: before, next: frame.view, still: reducedMotion() },
  });
  if (isStaged) await told;
  view = frame.view;
  describe();
  const lands = /** @type {any} */ (element.constructor).landsEvents;
  await show(element, {
    view: shown(view), events: isStaged && !lands && isSlow ? [] : frame.events, names,
    interactive: mayPlay() && !queue.waiting && !(isSlow && !isStaged), hurry: playback.isInstant || document.hidden,
  });
  await told;
  need("strip", HTMLElement).toggleAttribute("data-playing", false);
}

/** A beat begins: in log and strip, and to be heard. @param {Page.Beat} beat */
function tell(beat) {
  log.add(beat.events, names);
  history.push(...beat.events);
  if (playback.isInstant) return;
  if (beat.time) strip.tell(beat);
  playEvent(beat.kind);
}

function recall() {
  strip.names = names;
  strip.recall(sinceOwnTurn(turnsOf(history, words.sentences), state.seat, names.length));
}

/** What changed without a move, shown at once unless moves are still to be seen. */
function settle() {
  if (queue.isShowing || !view || moments.isOpen) return;
  element.interactive = mayPlay();
  element.view = shown(view);
  describe();
  if (ending) finish();
}

/** @param {Page.MatchFrame | Page.TableFrame} frame */
function surround(frame) {
  const { seats, clock, status } = frame;
  if (tempo instanceof HTMLSelectElement) tempo.value = frame.tempo;
  ending ||= state.status === "playing" && status === "finished";
  state.status = status;
  bar.update({ seats, clock });
  names = element.names = strip.names = bar.seats;
  element.surroundings = frame;
  showHelp(frame.help);
  describe();
}

let isAskedToHelp = false;
/** @param {Page.Help | null | undefined} help */
function showHelp(help) {
  helpWindow.update(isPlaying() ? help ?? null : null, names);
  const wasAsked = isAskedToHelp;
  isAskedToHelp = Boolean(help?.window && state.seat !== null && help.window.waiting.includes(state.seat));
  if (isAskedToHelp && !wasAsked) sound("ask");
}

/** The last move has been seen, or there was none: the result takes its place, and everyone may talk. */
function finish() {
  ending = false;
  describe();
  wantsEnding = true;
  document.body.dispatchEvent(new CustomEvent("table:finished"));
  if (state.seat !== null && view?.outcome) sound(view.outcome.winners.includes(state.seat) ? "won" : "lost");
  talk.open();
}

/** @param {Page.RefusedFrame} frame */
function refuse({ code, detail, key = state.key }) {
  if (key !== state.key) return;
  need("kept", HTMLElement).hidden = true; // it was sent, and not accepted
  pending.end();
  restarting = false;
  complain(detail);
  if (code === "stale") catchUp();
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let complaint;
/** @param {string} text */
const complain = (text) => {
  clearTimeout(complaint);
  refusal.textContent = text;
  refusal.hidden = !text;
  if (text) complaint = setTimeout(() => { refusal.hidden = true; }, 8_000);
};
refusal.addEventListener("click", () => complain(""));

const talk = new Talk(state, post, speak);
/**
 * @param {string} event
 * @param {(detail: any) => void} act
 */
const on = (event, act) => document.body.addEventListener(`live:${event}`, (heard) => act(/** @type {CustomEvent} */ (heard).detail));
on("match", receive);
on("refused", refuse);
on("resync", () => { catchUp(); here(true); pending.resend(); });
on("online", () => { here(true); showLag(null); pending.resend(); });
on("offline", () => { pending.keep(); showLag(null); });
on("lag", ({ time }) => {
  showLag(time);
  if (bar.beat()) showPresence();
});
on("table", (/** @type {Page.TableFrame} */ frame) => {
  if (frame.key !== state.key) return;
  surround(frame);
  settle();
});
on("help", (/** @type {Page.HelpFrame} */ frame) => {
  if (frame.key !== state.key) return;
  bar.update({ seats: names, clock: frame.clock });
  // An act that waits for the others' answers has arrived.
  if (frame.help?.window && frame.help.window.act === pending.message?.move && frame.help.active === state.seat) pending.end();
  showHelp(frame.help);
});
on("hint", (/** @type {Page.HintFrame} */ frame) => { if (frame.key === state.key) hints?.fetch(); });
on("presence", (/** @type {Page.PresenceFrame} */ frame) => {
  if (frame.key !== state.key) return;
  bar.present(frame.seat, frame.here);
  showPresence();
});
on("chat", (/** @type {Page.ChatFrame} */ frame) => {
  if (frame.key !== state.key) return;
  talk.add(frame.line);
  if (drawer.shown !== "talk") unread(1);
});

// -- what surrounds the table

const isPlaying = () => state.status === "playing";
const isSeated = () => state.may_play && isPlaying() && state.seat !== null && !names[state.seat]?.left;
const mayPlay = () => isSeated() && view !== undefined && view.legal.length > 0;

/**
 * The view as it is drawn: a match that was resigned or ran out of time waits for nobody, whatever its last position.
 * @param {Page.View} latest
 */
const shown = (latest) => (isPlaying() || latest.outcome ? latest : { ...latest, to_act: null, legal: [], can_undo: false });

function describe() {
  const badge = need("status", HTMLElement);
  const status = ending ? "playing" : state.status; // the end is not told before it is shown
  badge.textContent = state.ui.status[status];
  badge.classList.toggle("badge-ok", status === "playing");
  describeAbsent();
  if (!view) return;
  const toAct = status === "playing" ? view.to_act : null;
  const isMine = toAct !== null && toAct === state.seat && isSeated();
  // A bot is to act and nothing else is being shown: it thinks.
  const isThinking = toAct !== null && !isMine && Boolean(bar.seats[toAct]?.level) && !queue.isShowing;
  bar.turn(toAct);
  const pill = need("turn", HTMLElement);
  const line = need("turn-line", HTMLElement);
  if (toAct === null) line.textContent = state.ui.status[status];
  else line.textContent = isMine ? state.ui.your_turn : (isThinking ? state.ui.thinks : state.ui.turn_of).replace("{name}", names[toAct]?.name ?? "");
  line.classList.toggle("is-mine", isMine);
  pill.classList.toggle("is-mine", isMine);
  pill.classList.toggle("is-thinking", isThinking);
  need("turn-word", HTMLElement).textContent = toAct === null ? state.ui.status[status] : isMine ? ui.your_turn : names[toAct]?.name ?? "";
  need("turn-sign", HTMLElement).replaceChildren(...(toAct === null ? [] : [initial(toAct, names[toAct]?.name)]));
  document.title = `${isMine ? "● " : ""}${state.title} · Gauntlet`;
  find("call-off")?.toggleAttribute("hidden", view.ply > 0);
  // After the end they keep their room: nothing beside them moves.
  need("controls", HTMLElement).style.visibility = isSeated() ? "" : "hidden";
  for (const one of [button("undo"), button("restart")]) one.disabled = !(view.can_undo && isSeated());
  hints?.update(view.ply, isMine && mayPlay() && !coach?.guides(view.ply));
  coach?.update(view, isMine && mayPlay() && !queue.isShowing && !moments.isOpen, isPlaying());
}

/** Somebody came or went. */
function showPresence() {
  names = bar.seats;
  element.names = [...names];
  describe();
}

/** Who plays and is not here, in words. */
function describeAbsent() {
  const absent = isPlaying() ? bar.absent : [];
  const note = need("absent", HTMLElement);
  note.hidden = !absent.length;
  note.textContent = absent.length ? ui.absent.replace("{names}", absent.map(({ name }) => name).join(", ")) : "";
}

/** @param {number | null} time */
function showLag(time) {
  const net = need("net", HTMLElement);
  net.dataset.state = isLost() ? "lost" : time === null ? "" : time < 150 ? "good" : time < 600 ? "fair" : "poor";
  need("lag", HTMLElement).textContent = isLost() ? ui.offline : time === null ? "" : `${time} ms`;
}

let unreadLines = 0;
/** @param {number} more */
function unread(more) {
  unreadLines = more ? unreadLines + more : 0;
  const count = need("talk-unread", HTMLElement);
  count.textContent = unreadLines ? String(unreadLines) : "";
  count.hidden = !unreadLines;
  if (unreadLines) need("open-talk", HTMLElement).hidden = false;
}
const rules = new RulesPanel(need("panel-rules", HTMLElement), need("rules", HTMLElement));
drawer.onOpen = (/** @type {string} */ name) => {
  if (name === "talk") unread(0);
  if (name === "rules") rules.load();
};

/** @param {string} id */
function openRulesAt(id) {
  preview.hide();
  drawer.open("rules");
  rules.showCard(id);
}
// Against bots there is nobody to talk to: it stays in the drawer.
need("open-talk", HTMLElement).hidden = state.seat !== null && !state.talk.lines.length && names.every((seat) => seat.is_bot || seat.index === state.seat);

const undo = () => { if (!button("undo").disabled && !pending.isPending) play("undo"); };
function restart() {
  restarting = !button("undo").disabled;
  if (restarting) undo();
}
button("undo").addEventListener("click", undo);
button("restart").addEventListener("click", restart);

need("preview-rules", HTMLElement).addEventListener("click", () => openRulesAt(preview.shown));

/** @param {string} id */
function explain(id) {
  need("card-help-name", HTMLElement).textContent = words.names[id] ?? words.terms[id] ?? id;
  need("card-help-text", HTMLElement).textContent = words.texts[id] ?? "";
  need("card-help-stand-in", HTMLElement).textContent = words.stand_ins[id]?.text ?? "";
  need("card-help-rules", HTMLElement).dataset.card = id;
  need("card-help", HTMLDialogElement).showModal();
}
need("card-help-rules", HTMLElement).addEventListener("click", ({ currentTarget }) => {
  need("card-help", HTMLDialogElement).close();
  openRulesAt(/** @type {HTMLElement} */ (currentTarget).dataset.card ?? "");
});

// -- looking back

/** @param {Page.View} past */
const drawPast = (past) => show(element, { view: { ...past, legal: [], can_undo: false }, events: [], names, interactive: false, hurry: true });

function describeMoment() {
  need("moment", HTMLElement).hidden = !moments.isOpen;
  log.point(moments.ply);
  if (moments.isOpen) need("moment-text", HTMLElement).textContent = ui.moment.replace("{ply}", String(moments.ply));
  else if (view) show(element, { view: shown(view), events: [], names, interactive: mayPlay() && !queue.isShowing, hurry: true });
  describe();
}
button("moment-now").addEventListener("click", () => { playback.skip(); moments.leave(); });

/** @param {number} ply */
function openLogAt(ply) {
  drawer.open("log");
  moments.look(ply);
}

/** The round since the reader's last turn once more, at the reader's speed. */
async function showAgain() {
  if (queue.isShowing || moments.isOpen || !view) return;
  const turns = sinceOwnTurn(turnsOf(history, words.sentences), state.seat, names.length);
  const first = turns[0]?.events[0].ply;
  if (first === undefined) return;
  const last = turns.at(-1)?.events.at(-1)?.ply ?? first;
  moments.enter(first);
  for (let ply = first; ply <= last && moments.isOpen; ply += 1) {
    const [past, next] = [await moments.find(ply - 1), await moments.find(ply)];
    if (!past || !next) break;
    moments.enter(ply);
    await drawPast(past.view);
    const beats = beatsOf(next.events, { seat: state.seat, isOwnMove: false, belongTogether: texts.belongTogether, touches });
    await playback.play(beats, {
      tell: (beat) => { if (beat.time) strip.tell(beat); },
      stage: element.stageBeat && ((beat) => element.stageBeat?.(beat)),
      more: { view: past.view, next: next.view, still: reducedMotion() },
    });
    await drawPast(next.view);
  }
  playback.rest();
  moments.leave();
  recall();
}
button("again").addEventListener("click", showAgain);
button("skip").addEventListener("click", () => playback.skip());

// -- the end of the match, over the table

const endingBox = need("ending", HTMLElement);
let wantsEnding = !isPlaying(); // until the reader has closed it
const openEnding = () => { endingBox.hidden = !document.querySelector("#outcome .result"); };
const closeEnding = () => { wantsEnding = false; endingBox.hidden = true; };
let asksForResult = 0;
document.body.addEventListener("htmx:afterSettle", () => {
  if (wantsEnding) openEnding();
  // The part was being fetched while the match ended: fetched once more it has the result.
  if (state.status !== "finished" || document.querySelector("#outcome .result") || asksForResult > 4) return;
  asksForResult += 1;
  document.body.dispatchEvent(new CustomEvent("table:finished"));
});
endingBox.addEventListener("click", ({ target }) => { if (target instanceof Element && (target === endingBox || target.closest("[data-close-ending]"))) closeEnding(); });
need("turn", HTMLElement).addEventListener("click", () => {
  if (document.querySelector("#outcome .result")) openEnding();
  else drawer.toggle("table", need("turn", HTMLElement));
});
if (wantsEnding) openEnding();

// -- settings and keys

bindSettings(need("table-settings", HTMLElement), async (name, value) => {
  if (name === "sound") sound("turn");
  if (name === "notify" && value === "on" && !await allowNotices()) need("set-notify", HTMLInputElement).checked = false;
});
if (tempo instanceof HTMLSelectElement) {
  tempo.value = state.tempo;
  tempo.addEventListener("change", () => transmit(state.topic, { tempo: tempo.value }));
}

/** @type {Record<string, () => void>} */
const KEYS = {
  u: undo,
  r: restart,
  l: () => { drawer.open("log"); need("log", HTMLElement).focus(); },
  t: () => { drawer.open("talk"); find("talk-text")?.focus(); },
  "?": () => { if (preview.shown) openRulesAt(preview.shown); else drawer.toggle("rules"); },
  Escape: () => { if (answerQuestion) answerQuestion(false); else if (!endingBox.hidden) closeEnding(); else drawer.close(); },
};

document.addEventListener("keydown", (event) => {
  const isTyping = isTypedInto(event, "input, textarea, select, [contenteditable]");
  if (isTyping || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === " " && queue.isShowing && !isTypedInto(event, "button, a, summary")) {
    event.preventDefault();
    playback.skip();
  }
  const act = KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  act();
});

// The last seconds of the own clock are heard.
let ticked = Infinity;
setInterval(() => {
  const left = state.seat !== null && bar.clock?.running === state.seat ? bar.left(state.seat) ?? Infinity : Infinity;
  const step = left < VERY_SHORT_TIME ? Math.floor(left / 2000) : left < SHORT_TIME ? 99 : Infinity;
  if (step < ticked) sound("tick");
  ticked = step;
}, 500);

/** @param {boolean} present */
const here = (present) => transmit(state.topic, { here: present, after: queue.arrived });
setInterval(() => { if (!document.hidden) here(true); }, PRESENCE_EVERY[state.may_play ? "player" : "spectator"]);
document.addEventListener("visibilitychange", () => here(!document.hidden));
addEventListener("pagehide", () => here(false));

// -- the first look

if (view) {
  log.add(state.events ?? [], names);
  log.strike(state.undone ?? []);
  const gone = new Set(state.undone ?? []);
  history = (state.events ?? []).filter(({ ply }) => !gone.has(ply));
  log.list.scrollTop = log.list.scrollHeight;
  describe();
  recall();
  showHelp(state.help);
  await show(element, { view: shown(view), events: [], names, interactive: mayPlay(), hurry: true });
} else {
  need("stage", HTMLElement).textContent = state.ui.old_rules;
}
here(true);
// What was pushed while this page was still being put together went unheard.
catchUp();
document.documentElement.dataset.table = "ready";
