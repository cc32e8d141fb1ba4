// Parts that the boards of all games share.

import { html } from "../../vendor/lit.js";
import { reasonText } from "../core/texts.js";

/**
 * A seat's sign: a colour, an initial and an outline of its own.
 * @param {Page.Seat[]} names
 * @param {number} seat
 */
export const avatar = (names, seat) =>
  html`<span class="av s${seat}" aria-hidden="true">${[...(names?.[seat]?.name ?? String(seat + 1))][0]?.toUpperCase()}</span>`;

/**
 * A figure's picture.
 * @param {string} address
 */
export const picture = (address) => html`<img class="emblem" alt="" src=${address} draggable="false">`;

/**
 * The same where the board's styles do not reach: in the log and in the strip.
 * @param {string} address
 */
export const smallPicture = (address) => html`<img alt="" src=${address} width="22" height="22">`;

/**
 * Why a move cannot be chosen, as the server says it; empty where it says nothing.
 * @param {Page.Words} words
 * @param {Page.View} view
 * @param {string} move
 */
export const whyNot = (words, view, move) => {
  const reason = view.why_not?.[move];
  return reason ? reasonText(words, reason) : "";
};

/**
 * One of five grounds, always the same for a card: cards that lie side by side differ in more than their emblem.
 * @param {string} id
 */
export const ground = (id) => `p${[...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 5}`;
