// What is drawn on a card or location: a figure's emblem, or the sign of a place.

import { html } from "../../vendor/lit.js";
import { addressOf } from "../emblems/splendor-marvel.js";
import { picture } from "../board/parts.js";

/** @type {Record<string, string>} */
const PLACES = {
  "1a": "M24 10a14 14 0 1 0 .1 0ZM3 32c11 3 33-5 42-15",
  "1b": "M4 18c5-9 9-9 14 0s8 9 13 0 8-9 13 0M4 32c5-9 9-9 14 0s8 9 13 0 8-9 13 0",
  "2a": "M17 44V20l7-16 7 16v24ZM17 26h14M17 34h14M9 44h30",
  "2b": "m24 3 13 13-7 28H18l-7-28ZM11 16h26M24 3l-6 13 6 28 6-28Z",
  "3a": "M3 36h42M8 36V14M40 36V14M8 16c8 14 24 14 32 0M16 25v11M24 27v9M32 25v11",
  "3b": "m3 40 15-28 8 14 5-8 14 22ZM12 24l6 3 5-3",
  "4a": "M3 42V22h8v-8h9v28M20 42V6h10v36M30 42V18h8v6h7v18ZM14 20v2M14 28v2M25 14v2M25 22v2M34 26v2",
  "4b": "M24 5a19 19 0 1 0 .1 0ZM24 13a11 11 0 1 0 .1 0ZM5 24h8M35 24h8M24 5v8M24 35v8",
};

/** @param {string} id */
export const placeSign = (id) => html`<svg class="sign" viewBox="0 0 48 48" aria-hidden="true"><path d=${PLACES[id]}></path></svg>`;

/**
 * The same where the styles of the board do not reach.
 * @param {string} id
 */
export const smallPlace = (id) => html`<svg viewBox="0 0 48 48" width="22" height="22" aria-hidden="true"><path d=${PLACES[id]} fill="none" stroke="currentColor" stroke-width="3.500" stroke-linejoin="round"></path></svg>`;

/** @param {string} id */
export const emblem = (id) => picture(addressOf(id));
