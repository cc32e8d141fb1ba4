// A finished match, move by move: step, play at any speed, jump by slider, key or log line, and see it from any seat,
// or with all hands open. The address names the move, so that a link leads to it.

import { isTypedInto, need, readState } from "./dom.js";
import { Drawer } from "./drawer.js";
import { Pointer } from "./pointer.js";
import { RulesPanel } from "./rules-panel.js";
import { Log } from "./log.js";
import { Playback, beatsOf } from "./playback.js";
import { SPEEDS, choose, speed } from "./settings.js";
import { raise, reducedMotion, show } from "./stage.js";
import { belongTogether, loadWords, sayAll } from "./texts.js";

const PACE = 1100;
const QUICKEST = 120;
const OPEN = "open";

/** @typedef {number | null | "open"} Reader a seat, a spectator, or all hands open */

/** @type {Page.ReplayState} */
const state = readState();
const playButton = need("play-pause", HTMLButtonElement);
const slider = need("ply", HTMLInputElement);
const fromSeat = need("from-seat", HTMLSelectElement);
const words = await loadWords(state.words);
const element = await raise(need("stage", HTMLElement), { game: state.game, words, seat: state.seat });
const log = new Log(need("log", HTMLElement), words, { element, onMoment: (ply) => { pause(); go(ply); } });
const drawer = new Drawer(() => element.shadowRoot?.querySelector("[data-must=question]"));
const playback = new Playback({ speed });
const pointer = new Pointer(element);

/** @type {Reader} */
let reader = state.seat;
let at = 0;
/** @type {Reader | undefined} */
let shown; // whose view and log are on the page, once there is one
let logged = -1; // how far the log goes
let asked = 0; // how often something was asked for: only the answer to the last one is shown
/** @type {{ ply: number, seat: number, move: string, words: string } | null} the better move that is pointed out, and where */
let better = null;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;
/** @type {Map<string, Page.Ply>} */
const known = new Map(); // by "reader:ply"

/** @type {(whose: Reader, plies: Page.Ply[]) => void} */
const keep = (whose, plies) => { for (const one of plies) known.set(`${whose}:${one.v}`, one); };
keep(reader, state.plies);

/** @type {(number: number, whose: Reader) => Promise<Page.Ply | undefined>} */
const ply = async (number, whose) => {
  if (!known.has(`${whose}:${number}`)) {
    if (whose === OPEN) return openHands(number);
    const query = new URLSearchParams({ from: String(number), ...(whose !== null && { seat: String(whose) }) });
    const answer = await fetch(`${state.links.plies}?${query}`);
    if (answer.ok) keep(whose, (await answer.json()).plies);
  }
  return known.get(`${whose}:${number}`);
};

/**
 * The table with every seat's part as that seat saw it.
 * @param {number} number
 */
const openHands = async (number) => {
  const [common, ...own] = await Promise.all([ply(number, null), ...state.seats.map((_, seat) => ply(number, seat))]);
  if (!common) return undefined;
  /** @type {Record<string, any>} */
  const table = { ...common.view.table };
  for (const part of ["seats", "teams"]) {
    if (Array.isArray(table[part])) table[part] = table[part].map((plain, seat) => /** @type {any} */ (own[seat]?.view.table)?.[part][seat] ?? plain);
  }
  const whole = { ...common, view: { ...common.view, table } };
  keep(OPEN, [whole]);
  return whole;
};

/**
 * The log as this reader knows it, at least to a ply.
 * @param {number} target
 * @param {Reader} whose
 * @param {() => boolean} isWanted
 */
const writeLog = async (target, whose, isWanted) => {
  for (let each = whose === shown ? logged + 1 : 0; each <= target; each += 1) {
    const one = await ply(each, whose === OPEN ? null : whose);
    if (!isWanted()) return;
    if (whose !== shown) { log.clear(); logged = -1; shown = whose; }
    if (each === logged + 1) { log.add(one?.events ?? [], state.seats); logged = each; }
  }
};

/** @param {number} number */
const go = async (number, { hurry = true } = {}) => {
  asked += 1;
  playback.skip();
  playback.rest();
  const [turn, whose, target] = [asked, reader, Math.max(0, Math.min(state.last, number))];
  const forward = target === at + 1 && whose === shown;
  const [before, current] = [forward ? await ply(at, whose) : undefined, await ply(target, whose)];
  if (!current || turn !== asked) return;
  at = target;
  slider.value = String(at);
  need("ply-number", HTMLElement).textContent = `${at} / ${state.last}`;
  const tip = better?.ply === at && better.seat === whose ? better : null;
  need("caption", HTMLElement).textContent = tip ? state.ui.frame.better.replace("{move}", tip.words) : caption(current.events);
  location.replace(`#${at}`);
  const isStaged = !hurry && before && element.stageBeat && speed() !== "instant";
  if (isStaged) {
    const beats = beatsOf(current.events, { seat: null, isOwnMove: false, belongTogether, touches: () => false, beatTime: element.beatTime && ((event) => element.beatTime?.(event)) });
    await playback.play(beats, { tell: () => {}, stage: (beat) => element.stageBeat?.(beat), more: { view: before.view, next: current.view, still: reducedMotion() } });
    if (turn !== asked) return;
  }
  // The choices are drawn to point at one of them, and nothing can be pressed.
  need("stage", HTMLElement).inert = Boolean(tip);
  await show(element, { view: current.view, events: forward && !isStaged ? current.events : [], names: state.seats, interactive: Boolean(tip), hurry: hurry || speed() === "instant" });
  await pointer.point(tip?.move || null);
  // The log of a long match is longer in coming than its last position.
  await writeLog(target, whose, () => turn === asked);
  if (turn === asked) log.point(at);
};

/** @param {Page.Event[]} events */
const caption = (events) => events.map((event) => sayAll(words, state.seats, [event])).filter(Boolean).join(" ");

const pause = () => {
  clearTimeout(timer);
  timer = undefined;
  playback.skip();
  playButton.setAttribute("aria-pressed", "false");
  playButton.textContent = playButton.dataset.play ?? "";
};

const pace = () => Math.max(QUICKEST, PACE * SPEEDS[speed()]);

const run = async () => {
  playButton.setAttribute("aria-pressed", "true");
  playButton.textContent = playButton.dataset.pause ?? "";
  if (at >= state.last) await go(0);
  const step = async () => {
    await go(at + 1, { hurry: false });
    if (timer === undefined) return;
    if (at >= state.last) pause();
    else timer = setTimeout(step, pace());
  };
  timer = setTimeout(step, pace() / 2);
};

/** @type {Record<string, () => Promise<void>>} */
const moves = {
  first: () => go(0),
  back: () => go(at - 1),
  next: () => go(at + 1, { hurry: false }),
  last: () => go(state.last),
};
const toggle = () => (timer === undefined ? run() : pause());
for (const button of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-go]"))) {
  button.addEventListener("click", () => { pause(); moves[button.dataset.go ?? ""](); });
}
playButton.addEventListener("click", toggle);
slider.addEventListener("input", () => { pause(); go(Number(slider.value)); });
fromSeat.addEventListener("change", () => {
  reader = fromSeat.value === "" ? null : fromSeat.value === OPEN ? OPEN : Number(fromSeat.value);
  go(at);
});
addEventListener("hashchange", () => {
  const number = Number(location.hash.slice(1)) || 0;
  if (number !== at) { pause(); go(number); }
});

const rules = new RulesPanel(need("panel-rules", HTMLElement), need("rules", HTMLElement));

// The whole match can be read, and every line of it leads to its move.
drawer.onOpen = async (/** @type {string} */ name) => {
  if (name === "rules") rules.load();
  if (name !== "log") return;
  const [turn, whose] = [asked, reader];
  await writeLog(state.last, whose, () => whose === reader && turn === asked);
  log.point(at);
};

// -- the analysis, which is loaded again when it is done

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("a[data-better]") : null;
  if (!(link instanceof HTMLAnchorElement)) return;
  event.preventDefault();
  pause();
  const { seat = "0", better: move = "", words: said = "" } = link.dataset;
  better = { ply: Number(link.hash.slice(1)), seat: Number(seat), move, words: said };
  reader = better.seat;
  fromSeat.value = seat;
  go(better.ply);
});
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLSelectElement) || target.id !== "curve-of") return;
  const curve = document.querySelector(".analysis-curve");
  if (curve instanceof SVGElement) curve.dataset.known = target.value;
});

// -- playing on from here

document.getElementById("play-on")?.addEventListener("submit", ({ currentTarget }) => {
  const form = /** @type {HTMLFormElement} */ (currentTarget);
  for (const [name, value] of [["ply", at], ["seat", typeof reader === "number" ? reader : ""]]) {
    const field = form.elements.namedItem(String(name));
    if (field instanceof HTMLInputElement) field.value = String(value);
  }
});

// -- speed, link and keys

const speedField = need("replay-speed", HTMLSelectElement);
speedField.value = speed();
speedField.addEventListener("change", () => choose("speed", speedField.value));
const PACES = Object.keys(SPEEDS);
/** @param {number} step */
const changeSpeed = (step) => {
  speedField.value = PACES[Math.max(0, Math.min(PACES.length - 1, PACES.indexOf(speed()) + step))];
  choose("speed", speedField.value);
};

const copyButton = need("copy-moment", HTMLButtonElement);
copyButton.addEventListener("click", async () => {
  await navigator.clipboard?.writeText(location.href);
  need("copy-word", HTMLElement).textContent = copyButton.dataset.copied ?? "";
});

const nextSeat = () => {
  fromSeat.selectedIndex = (fromSeat.selectedIndex + 1) % fromSeat.options.length;
  fromSeat.dispatchEvent(new Event("change"));
};

/** @type {Record<string, () => unknown>} */
const KEYS = { ArrowLeft: moves.back, ArrowRight: moves.next, Home: moves.first, End: moves.last, " ": toggle };
/** @type {Record<string, () => unknown>} these do not stop it */
const OTHER_KEYS = { "-": () => changeSpeed(-1), "+": () => changeSpeed(1), l: () => drawer.toggle("log"), f: nextSeat, Escape: () => drawer.close() };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || isTypedInto(event, "input, textarea, select")) return;
  if (event.key === " " && isTypedInto(event, "button, a")) return;
  const act = KEYS[event.key] ?? OTHER_KEYS[event.key];
  if (!act) return;
  event.preventDefault();
  if (event.key !== " " && KEYS[event.key]) pause();
  act();
});

await go(Number(location.hash.slice(1)) || 0);
document.documentElement.dataset.table = "ready";
