// What happened, beat after beat, at a pace that people can follow. A beat is one event, or several that belong
// together. Nothing that concerns the reader is dropped or cut short, except by the reader: Skip, or the speed.

import { SPEEDS } from "./settings.js";

/** The shortest time for what concerns the reader, at normal speed. */
export const SHORTEST = 900;
const REST = 150;
const MANY_TURNS = 3; // with more waiting, what does not concern the reader is shown at double speed
const TOO_MANY_TURNS = 6; // with more, it goes to strip and log only

/** How long a kind of event is shown at normal speed; others are told in the log only. @type {Record<string, number>} */
const TIMES = {
  took: 1200, returned: 900, reserved: 900, "reserved-unseen": 900, "time-stone": 900,
  recruited: 1200, location: 1200, "got-tile": 1200, "won-tile": 1200, assembled: 1200, lapsed: 900,
  played: 1200, passed: 900, "guessed-thanos": 1600, "guessed-hero": 1600, "guessed-all": 1600, missed: 900, spared: 900,
  defeated: 1600, fought: 1600, "fought-cards": 1600, tied: 1200, declined: 900, peeked: 900, "peeked-card": 1200,
  rebuilt: 1200, "took-power": 900, looked: 900, copied: 1200, snapped: 1600,
  "ended-snap": 1600, "ended-heroes-out": 1600, "ended-thanos-out": 1600, ended: 1600, stalled: 1600, "no-recruits": 1600,
  deployed: 900, "stone-rolled": 900, "counter-added": 600, "stone-power": 1200, "thanos-rolled": 900, "thanos-turned": 900,
  "thanos-attacked": 1400, "villain-acted": 1400, damaged: 600, healed: 600, "hero-lost": 1200, "villain-defeated": 1400,
  "stone-collected": 1600, rolled: 1100, "re-rolled": 1100, turned: 900, assigned: 600, "ability-used": 900,
  "team-ability": 900, "token-played": 1200, won: 1600, lost: 1600,
};

/** Whether an event is worth a moment of its own. @param {string} kind */
export const isNews = (kind) => kind in TIMES;

const SEAT_FIELDS = ["seat", "target", "loser", "winner", "owner", "from", "to", "by", "other", "player"];

/**
 * Whether an event concerns a seat: it names the seat, or a card that lies on the seat's side of the table.
 * @param {Page.Event} event
 * @param {number | null} seat
 * @param {Page.View | undefined} view
 */
export const concerns = (event, seat, view) => {
  if (seat === null) return false;
  if (SEAT_FIELDS.some((field) => event[field] === seat)) return true;
  const sides = /** @type {any} */ (view?.table)?.teams ?? /** @type {any} */ (view?.table)?.seats;
  return typeof event.card === "string" && JSON.stringify(sides?.[seat] ?? null).includes(`"${event.card}"`);
};

/**
 * @typedef {object} Reading
 * @property {number | null} seat the reader's
 * @property {boolean} isOwnMove the reader made this move: nobody waits for what they did themselves
 * @property {(one: Page.Event, two: Page.Event) => boolean} belongTogether
 * @property {(event: Page.Event) => boolean} touches
 * @property {(event: Page.Event) => number | undefined} [beatTime]
 */

/**
 * Events as beats, each with the time it is shown at normal speed.
 * @param {Page.Event[]} events
 * @param {Reading} reading
 * @returns {Page.Beat[]}
 */
export const beatsOf = (events, { seat, isOwnMove, belongTogether, touches, beatTime }) => {
  /** @type {Page.Beat[]} */
  const beats = [];
  for (const event of events) {
    const last = beats.at(-1);
    const isOwn = isOwnMove && event.seat === seat;
    const touching = !isOwn && touches(event);
    if (last && belongTogether(last.events[0], event)) {
      last.events.push(event);
      last.touches ||= touching;
      continue;
    }
    const given = isOwn ? 0 : beatTime?.(event) ?? TIMES[event.event] ?? 0;
    beats.push({ events: [event], kind: event.event, seat: event.seat, touches: touching, time: given });
  }
  for (const beat of beats) if (beat.touches && beat.time) beat.time = Math.max(beat.time, SHORTEST);
  return beats;
};

/**
 * How long a beat is held now.
 * @param {Page.Beat} beat
 * @param {{ speed: import("./settings.js").Speed, waiting: number }} now `waiting`: turns that wait to be shown
 */
export const heldFor = (beat, { speed, waiting }) => {
  if (!beat.touches && waiting > TOO_MANY_TURNS) return 0;
  const haste = !beat.touches && waiting > MANY_TURNS ? 0.5 : 1;
  return Math.round(beat.time * SPEEDS[speed] * haste);
};

/**
 * @param {number} time
 * @param {AbortSignal} [signal]
 */
export const sleep = (time, signal) => new Promise((done) => {
  if (signal?.aborted || time <= 0) { done(undefined); return; }
  const timer = setTimeout(done, time);
  signal?.addEventListener("abort", () => { clearTimeout(timer); done(undefined); }, { once: true });
});

export class Playback {
  #skipping = new AbortController();

  /** @param {{ speed: () => import("./settings.js").Speed, untilSeen?: () => Promise<unknown> | undefined }} page */
  constructor({ speed, untilSeen }) {
    this.speed = speed;
    this.untilSeen = untilSeen; // somebody looks at the page
  }

  /** Finish all that waits at once. */
  skip() { this.#skipping.abort(); }

  /** All has been shown: the next beat takes its time again. */
  rest() { if (this.#skipping.signal.aborted) this.#skipping = new AbortController(); }

  get isSkipping() { return this.#skipping.signal.aborted; }

  /** Whether things are shown at once. */
  get isInstant() { return this.isSkipping || this.speed() === "instant"; }

  /**
   * Show beats one after another.
   * @param {Page.Beat[]} beats
   * @param {object} how
   * @param {(beat: Page.Beat) => void} how.tell in log and strip, as the beat begins
   * @param {(beat: Page.StagedBeat) => unknown} [how.stage] on the table; the beat lasts at least as long
   * @param {() => number} [how.waiting] how many turns wait behind these
   * @param {Partial<Page.StagedBeat>} [how.more] what else the table is told
   */
  async play(beats, { tell, stage, waiting = () => 0, more = {} }) {
    for (const [at, beat] of beats.entries()) {
      if (beat.touches && beat.time) await this.untilSeen?.();
      tell(beat);
      const { signal } = this.#skipping;
      const time = heldFor(beat, { speed: this.speed(), waiting: waiting() });
      if (!time || signal.aborted) continue;
      const staged = { ...more, ...beat, time, signal, speed: SPEEDS[this.speed()], isLast: at === beats.length - 1 };
      // A beat that the table cannot show is told all the same, and the match goes on.
      const shown = (async () => stage?.(/** @type {Page.StagedBeat} */ (staged)))().catch((error) => globalThis.reportError?.(error));
      await Promise.all([shown, sleep(time, signal)]);
      await sleep(REST * SPEEDS[this.speed()], signal);
    }
  }
}
