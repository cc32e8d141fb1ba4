// What happens on the table, shown as it happens: cards and stones travel, new cards turn up.

import { fly, lift, pointOut } from "../board/staging.js";

/** @typedef {import("../board/staging.js").Beat} Beat */

/** @type {(token: string | undefined) => string} */
const SUPPLY = (token) => `[data-supply="${token}"] .gem`;
/** @type {(seat: number | undefined, token: string | undefined) => string} */
const HELD = (seat, token) => `[data-board="${seat}"] [data-held="${token}"] .gem`;
/** @type {(seat: number | undefined) => string} */
const SCORE = (seat) => `[data-board="${seat}"] .pts`;

/**
 * Where an event's piece lies before it moves.
 * @param {SplendorMarvel.Event} event
 * @returns {string | undefined}
 */
const origin = (event) => ({
  took: SUPPLY(event.token),
  recruited: `[data-card="${event.card}"]`,
  reserved: `[data-card="${event.card}"]`,
  "reserved-unseen": `[data-deck="${event.level}"]`,
  "got-grey": SUPPLY("grey"),
  "time-stone": SUPPLY("green"),
  returned: HELD(event.seat, event.token),
  location: `[data-place="${event.location}"]`,
  "got-tile": "[data-tile]",
  "won-tile": `[data-board="${event.loser}"] [data-tags]`,
}[event.event]);

/**
 * Where it goes.
 * @param {SplendorMarvel.Event} event
 */
const goal = (event) => ({
  took: HELD(event.seat, event.token),
  returned: SUPPLY(event.token),
  "got-grey": HELD(event.seat, "grey"),
  "time-stone": `[data-board="${event.seat}"] :is(.time, .stones) .green`,
  "got-tile": `[data-board="${event.seat}"] [data-tags]`,
  "won-tile": `[data-board="${event.seat}"] [data-tags]`,
  reserved: `[data-board="${event.seat}"] :is(.kept, .hand)`,
  "reserved-unseen": `[data-board="${event.seat}"] :is(.kept, .hand)`,
}[event.event] ?? SCORE(event.seat));

const LEAVES = new Set(["recruited", "reserved", "location"]);
const STEP = 90;

/**
 * Show events on the table as it stands: their pieces leave it, until the next view is drawn.
 * @param {HTMLElement | DocumentFragment} root
 * @param {HTMLElement | undefined} sky
 * @param {SplendorMarvel.Event[]} events
 * @param {Beat} beat
 * @param {Set<HTMLElement>} left what has left its place
 */
export const stage = (root, sky, events, beat, left) => Promise.all(events.map((event, at) => {
  const selector = origin(event);
  const piece = selector ? /** @type {HTMLElement | null} */ (root.querySelector(selector)) : null;
  const target = root.querySelector(goal(event));
  if (!piece) return pointOut(target?.closest("[data-board]"), beat, { scale: ["1", "1.02", "1"] });
  const copy = lift(piece);
  if (LEAVES.has(event.event) && !beat.still) {
    piece.style.visibility = "hidden";
    left.add(piece);
  }
  return fly(sky, copy, target, { ...beat, delay: at * STEP });
}));

/**
 * The pieces of events that are drawn at once, as they lie before.
 * @param {HTMLElement | DocumentFragment} root
 * @param {SplendorMarvel.Event[]} events
 */
export const liftAll = (root, events) => events.flatMap((event) => {
  const selector = origin(event);
  const piece = selector ? lift(root.querySelector(selector)) : null;
  return piece ? [{ event, piece }] : [];
});

/**
 * Let the lifted pieces fly to where they belong now; done when all have landed.
 * @param {HTMLElement | DocumentFragment} root
 * @param {HTMLElement} sky
 * @param {ReturnType<typeof liftAll>} lifted
 */
export const land = (root, sky, lifted) =>
  Promise.allSettled(lifted.map(({ event, piece }, at) => fly(sky, piece, root.querySelector(goal(event)), { time: 700, delay: at * STEP })));

/**
 * Cards that were not there before turn up.
 * @param {HTMLElement | DocumentFragment} root
 * @param {string[]} cards
 */
export const turnUp = (root, cards) => Promise.allSettled(cards.map((card) => root.querySelector(`.market [data-card="${card}"]`)
  ?.animate([{ transform: "rotateY(90deg)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 320, easing: "ease-out", fill: "backwards" }).finished));
