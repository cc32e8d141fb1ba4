// The drawings of Infinity Gauntlet: what is on a card, the gauntlet, and the small signs. All are ours.

import { html, svg } from "../../vendor/lit.js";
import { addressOf } from "../emblems/infinity-gauntlet.js";
import { picture, smallPicture } from "../board/parts.js";
import { cut, gem } from "../board/stones.js";

/** @type {Record<string, string>} The colour of each stone. */
const STONES = { "mind-stone": "yellow", "soul-stone": "orange", "space-stone": "blue", "power-stone": "purple", "reality-stone": "red", "time-stone": "green" };

/**
 * What is drawn on a card: a stone, or the figure's emblem.
 * @param {string} id
 */
export const emblem = (id) => (STONES[id] ? html`<span class="emblem stone">${gem(STONES[id])}</span>` : picture(addressOf(id)));

/**
 * The same where the board's styles do not reach.
 * @param {string} id
 */
export const smallEmblem = (id) => (STONES[id] ? gem(STONES[id]) : smallPicture(addressOf(id)));

/** @param {string} name */
const sign = (name, drawing) => html`<svg class="sign ${name}" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${drawing}</svg>`;

export const heart = () => sign("heart", svg`<path d="M12 21C5 15 2 11.5 2 7.8A5.3 5.3 0 0 1 12 5.5a5.3 5.3 0 0 1 10 2.3C22 11.5 19 15 12 21z" fill="currentColor"/>`);
export const power = () => sign("power", svg`<path d="M12 1l9.5 5.5v11L12 23l-9.5-5.5v-11z" fill="currentColor" fill-opacity=".25" stroke="currentColor" stroke-width="1.5"/><path d="M13 5l-6 8.5h4L10 19l7-8.5h-4.5z" fill="currentColor"/>`);
export const eye = () => sign("eye", svg`<path d="M2 12c4-6 16-6 20 0-4 6-16 6-20 0z" fill="none" stroke="currentColor" stroke-width="2"/><circle cx="12" cy="12" r="3" fill="currentColor"/>`);
export const shield = () => sign("shield", svg`<path d="M12 2l8 3v6c0 6-4 9-8 11-4-2-8-5-8-11V5z" fill="currentColor" fill-opacity=".25" stroke="currentColor" stroke-width="2" stroke-linejoin="round"/>`);
export const clash = () => sign("clash", svg`<path d="M12 1l2.2 6.2L20 4l-3.2 5.8L23 12l-6.2 2.2L20 20l-5.8-3.2L12 23l-2.2-6.2L4 20l3.2-5.8L1 12l6.2-2.2L4 4l5.8 3.2z" fill="currentColor"/>`);
export const lamp = () => sign("lamp", svg`<path d="M12 3a6 6 0 0 0-3.5 10.9V17h7v-3.1A6 6 0 0 0 12 3zM9.5 20h5" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>`);

export const then = () => sign("then", svg`<path d="M8 4l8 8-8 8" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/>`);

/** @type {[string, number, number, number][]} Where each stone sits. */
const SOCKETS = [
  ["power-stone", 37, 45, 8.5], ["space-stone", 54, 40, 8.5], ["reality-stone", 71, 40, 8.5],
  ["soul-stone", 88, 45, 8.5], ["time-stone", 21, 72, 8.5], ["mind-stone", 62, 74, 13],
];

/** @type {(place: [string, number, number, number], words: InfinityGauntlet.Words, lit: string[], held: string[]) => unknown} */
const socket = ([id, x, y, r], words, lit, held) => {
  const isLit = lit.includes(id);
  return svg`<circle class="socket ${held.includes(id) ? `held k-${STONES[id]}` : ""}" cx=${x} cy=${y} r=${r}/>
    ${isLit ? svg`<svg x=${x - r - 1.5} y=${y - r - 1.5} width=${2 * r + 3} height=${2 * r + 3} viewBox="-.7 -.7 25.4 25.4">${cut(STONES[id])}</svg>`
      : svg`<text x=${x} y=${y} dy=".36em" text-anchor="middle">${words.cards[id].number}</text>`}`;
};

/**
 * The gauntlet: a stone that lies faceup is lit, one in the reader's own hand is ringed.
 * @param {InfinityGauntlet.Words} words
 * @param {string[]} lit
 * @param {string[]} [held]
 */
export const gauntlet = (words, lit, held = []) => html`<svg class="gauntlet" viewBox="4 4 112 126" aria-hidden="true" focusable="false">
  <path class="cuff" d="M30 96h64l8 32H22z"/><path class="glove" d="M28 48a8 8 0 0 1 8-8h52a8 8 0 0 1 8 8v38a14 14 0 0 1-14 14H42a14 14 0 0 1-14-14z"/>
  ${[29, 46, 63, 80].map((x, place) => svg`<rect class="glove" x=${x} y=${place % 3 ? 12 : 18} width="16" height="36" rx="7"/>`)}
  <path class="glove" d="M28 58c-9 0-16 5-17 13s4 15 11 17l8 4z"/><path class="seam" d="M26 110h72M24 119h76M34 54h56"/>
  ${SOCKETS.map((one) => socket(one, words, lit, held))}
</svg>`;
