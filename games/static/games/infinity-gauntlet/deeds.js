// What each seat did since the reader's last turn, as briefly as it can be shown: a card and what came of it.

import { kindOf } from "../core/texts.js";

/** @typedef {{ card: string | null, sign?: string, number?: number, mark?: string, tone?: string }} Deed */

/** @type {Record<string, (event: InfinityGauntlet.Event, actor: number) => Partial<Deed>>} What an event adds to the deed of the seat on turn. */
const ADDS = {
  "guessed-thanos": ({ number }) => ({ sign: "guess", number }),
  "guessed-hero": ({ number }) => ({ sign: "guess", number }),
  "guessed-all": ({ number }) => ({ sign: "guess", number }),
  peeked: () => ({ sign: "peek" }),
  "took-power": () => ({ sign: "power" }),
  fought: () => ({ sign: "fight" }),
  looked: () => ({ sign: "look" }),
  declined: () => ({ sign: "hold" }),
  missed: () => ({ mark: "✕", tone: "low" }),
  spared: () => ({ mark: "✕", tone: "low" }),
  tied: () => ({ mark: "=", tone: "" }),
  // Good for who is on turn if it fell on the other side: Thanos sits in seat 0, the heroes in all others.
  defeated: ({ seat }, actor) => ((seat === 0) === (actor === 0) ? { mark: "✕", tone: "low" } : { mark: "✓", tone: "high" }),
};

/** @typedef {{ latest: number | null, by: Record<number, Deed> }} Deeds */

/** @type {Deeds} */
export const NO_DEEDS = { latest: null, by: {} };

/**
 * The deeds after an event. A card that is played begins the deed of its seat; what follows belongs to it. The reader's
 * own card ends what was before.
 * @param {Deeds} deeds
 * @param {InfinityGauntlet.Event} event
 * @param {number | null} reader
 * @returns {Deeds}
 */
export const addDeed = ({ latest, by }, event, reader) => {
  const kind = kindOf(event);
  if (kind === "played" && event.seat !== undefined) {
    const before = event.seat === reader ? {} : by;
    return { latest: event.seat, by: { ...before, [event.seat]: { card: event.card ?? null } } };
  }
  if (latest === null || !ADDS[kind]) return { latest, by };
  return { latest, by: { ...by, [latest]: { ...by[latest], ...ADDS[kind](event, latest) } } };
};
