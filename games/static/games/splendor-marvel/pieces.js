// Stones, costs, cards and tiles: what lies on the table, drawn from the facts in `words.cards`.

import { html, nothing, svg } from "../../vendor/lit.js";
import { ground } from "../board/parts.js";
import { emblem, placeSign } from "./emblems.js";
import { countOf, nameOf, termOf } from "../core/texts.js";

/** @type {SplendorMarvel.Colour[]} */
export const COLOURS = ["yellow", "blue", "purple", "red", "orange"];
export const LEVEL_MARKS = ["", "I", "II", "III"];

/** @type {Record<SplendorMarvel.Token, { d: string, y: number, fill: string }>} The outline of each colour, where a number stands in it, its tone. */
const SHAPES = {
  yellow: { d: "M12 1.2 21.4 6.6v10.8L12 22.8 2.6 17.4V6.6Z", y: 17.8, fill: "#f2c230" },
  blue: { d: "M5 2.5h14A2.5 2.5 0 0 1 21.5 5v14a2.5 2.5 0 0 1-2.5 2.5H5A2.5 2.5 0 0 1 2.5 19V5A2.5 2.5 0 0 1 5 2.5Z", y: 17.8, fill: "#6aa2ff" },
  purple: { d: "M12 1.2a10.8 10.8 0 1 0 .1 0Z", y: 17.8, fill: "#b48bff" },
  red: { d: "M12 .2 23.8 12 12 23.8.2 12Z", y: 17.8, fill: "#ff7c8b" },
  orange: { d: "M12 0 24 22.500H0Z", y: 20.5, fill: "#ff9a4a" },
  green: { d: "M4.5 1.5h15c0 6-3 8-5.5 10.5 2.5 2.5 5.5 4.5 5.5 10.5h-15c0-6 3-8 5.5-10.5C7.5 9.5 4.5 7.5 4.5 1.5Z", y: 0, fill: "#3fd08a" },
  grey: { d: "M12 .8 21.6 4.2V11c0 6.2-4 10-9.6 12.2C6.4 21 2.4 17.2 2.4 11V4.2Z", y: 17, fill: "#bcb6cc" },
};

/**
 * A term with its blanks filled in.
 * @param {SplendorMarvel.Words} words
 * @param {string} term
 */
export const fill = (words, term, values = {}) =>
  (words.terms[term] ?? term).replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");

/**
 * A stone with what stands in it: a number, a tick, a letter or nothing. Every colour has an outline of its own.
 * @param {SplendorMarvel.Token} colour
 * @param {string | number} [inside]
 * @param {string} [look]
 */
export const pip = (colour, inside = "", look = "") => {
  const { d, y, fill: tone } = SHAPES[colour];
  return html`<svg class="pip gem ${colour} ${look}" viewBox="-.6 -.6 25.2 25.2" aria-hidden="true">
    <path d=${d} fill=${tone} stroke="#1a1225" stroke-width="1.2"></path>${y && inside !== "" ? svg`<text x="12" y=${y} text-anchor="middle">${inside}</text>` : nothing}</svg>`;
};

/**
 * A stone where the styles of the board do not reach.
 * @param {SplendorMarvel.Token} colour
 * @param {number} [count]
 */
export const smallStone = (colour, count = 0) => html`<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true">
  <path d=${SHAPES[colour].d} fill=${SHAPES[colour].fill} stroke="#1a1225" stroke-width="1.2"></path>
  ${count > 1 && SHAPES[colour].y ? svg`<text x="12" y=${SHAPES[colour].y} text-anchor="middle" font-size="16" font-weight="800" fill="#1a1225">${count}</text>` : nothing}</svg>`;

/**
 * The back of a card of a deck, there too.
 * @param {number} level
 */
export const smallBack = (level) => html`<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true">
  <rect x="3.500" y=".7" width="17" height="22.600" rx="3" fill="#2a2440" stroke="#8f86a8" stroke-width="1.2"></rect>
  <text x="12" y="16.500" text-anchor="middle" font-size="12" font-weight="800" fill="#f2c230">${LEVEL_MARKS[level]}</text></svg>`;

/**
 * A token: the stone as a thick piece that can be picked up, with the letter of its colour.
 * @param {SplendorMarvel.Words} words
 * @param {SplendorMarvel.Token} colour
 */
export const token = (words, colour) => {
  const { d, y, fill: tone } = SHAPES[colour];
  return html`<svg class="tok gem ${colour}" viewBox="-1 -1 26 28.5" aria-hidden="true">
    <path d=${d} transform="translate(0 2.6)" class="side" fill=${tone} stroke="#1a1225" stroke-width=".9"></path>
    <path d=${d} fill=${tone} stroke="#1a1225" stroke-width=".9"></path>
    <path d=${d} transform="translate(2.8 1.8) scale(.77)" fill="#fff" fill-opacity=".28"></path>
    ${y && colour !== "grey" ? svg`<text x="12" y=${y - 1} text-anchor="middle">${words.terms[`ui-letter-${colour}`]}</text>` : nothing}</svg>`;
};

/** @type {SplendorMarvel.Token[]} */
const TOKENS = [...COLOURS, "green", "grey"];

/**
 * The stones that there are any of, always in the same order.
 * @param {Partial<Record<SplendorMarvel.Token, number>>} counts
 * @returns {[SplendorMarvel.Token, number][]}
 */
export const present = (counts) => TOKENS.filter((colour) => counts[colour]).map((colour) => [colour, counts[colour] ?? 0]);

/**
 * Stones in words: "2 red, 1 blue".
 * @param {SplendorMarvel.Words} words
 * @param {Partial<Record<SplendorMarvel.Token, number>>} counts
 */
export const counted = (words, counts) => present(counts).map(([colour, count]) => countOf(words, count, colour)).join(", ");

/**
 * @param {SplendorMarvel.Colours | undefined} bonuses
 * @param {SplendorMarvel.Token} colour
 * @param {number} count
 */
const covers = (bonuses, colour, count) => bonuses !== undefined && colour in bonuses && bonuses[/** @type {SplendorMarvel.Colour} */ (colour)] >= count;

/**
 * A price in stones with numbers in them; what the reader's bonuses cover is ticked.
 * @param {Partial<Record<SplendorMarvel.Token, number>>} counts
 * @param {SplendorMarvel.Colours} [bonuses]
 */
export const pips = (counts, bonuses) => html`<span class="cost" aria-hidden="true">${present(counts).map(([colour, count]) =>
  (covers(bonuses, colour, count) ? pip(colour, "✓", "paid") : pip(colour, count)))}</span>`;

/** @type {(words: SplendorMarvel.Words, id: string) => SplendorMarvel.Card} */
export const cardFacts = (words, id) => /** @type {SplendorMarvel.Card} */ (words.cards[id]);

/** @type {(words: SplendorMarvel.Words, id: string) => SplendorMarvel.Location} */
export const locationFacts = (words, id) => /** @type {SplendorMarvel.Location} */ (words.cards[id]);

const TAG = "M12 2 22 22h-5.500l-1.7-4H9.200l-1.7 4H2Zm0 8-1.7 4.500h3.400Z";
export const tag = () => html`<svg class="tag" viewBox="0 0 24 24" aria-hidden="true"><path d=${TAG} fill-rule="evenodd"></path></svg>`;
/** The same where the styles of the board do not reach. */
export const smallTag = () => html`<svg viewBox="0 0 24 24" width="18" height="18" aria-hidden="true"><path d=${TAG} fill="currentColor" fill-rule="evenodd"></path></svg>`;

/**
 * All that a card shows, in words.
 * @param {SplendorMarvel.Words} words
 * @param {string} id
 * @param {SplendorMarvel.Colours} [bonuses]
 */
export const cardLabel = (words, id, bonuses) => {
  const card = cardFacts(words, id);
  const costs = present(card.cost).map(([colour, count]) => {
    const price = countOf(words, count, colour);
    return covers(bonuses, colour, count) ? fill(words, "ui-covered", { cost: price }) : price;
  });
  return [
    nameOf(words, id),
    fill(words, "ui-level", { level: id[0] }),
    card.points ? fill(words, "ui-points", { count: card.points }) : "",
    fill(words, "ui-gives", { colour: termOf(words, card.bonus) }),
    fill(words, "ui-costs", { cost: costs.join(", ") }),
    card.avengers ? fill(words, "ui-tags", { count: card.avengers }) : "",
    id[0] === "3" ? fill(words, "ui-time-stone") : "",
  ].filter(Boolean).join("; ");
};

/**
 * The face of a card. Its name for readers of the screen is `cardLabel`, on whatever holds it.
 * @param {SplendorMarvel.Words} words
 * @param {string} id
 * @param {SplendorMarvel.Colours} [bonuses]
 */
export const face = (words, id, bonuses) => {
  const card = cardFacts(words, id);
  return html`<span class="face cardbg k-${card.bonus} ${ground(id)}" aria-hidden="true">
    ${emblem(id)}
    <span class="corner"><b class="points">${card.points || nothing}</b><span class="marks">${id[0] === "3" ? pip("green") : nothing}${Array.from({ length: card.avengers }, tag)}</span></span>
    <span class="bonus">${pip(card.bonus)}</span>
    <span class="name">${nameOf(words, id)}</span>
    ${pips(card.cost, bonuses)}</span>`;
};

/**
 * The back of a deck or of a card that only its owner knows.
 * @param {number} level
 * @param {unknown} [inside]
 */
export const back = (level, inside = nothing) => html`<span class="deck-back back" aria-hidden="true"><b>${LEVEL_MARKS[level]}</b>${inside}</span>`;

/**
 * A card as small as it can be told: its emblem on its colour, or its level where it is hidden.
 * @param {SplendorMarvel.Words} words
 * @param {SplendorMarvel.Reserved} one
 */
export const mini = (words, { card, level }) => (card
  ? html`<span class="mini cardbg k-${cardFacts(words, card).bonus}" aria-hidden="true">${emblem(card)}</span>`
  : html`<span class="mini back" aria-hidden="true"><b>${LEVEL_MARKS[level]}</b></span>`);

/**
 * @param {SplendorMarvel.Words} words
 * @param {string} id
 */
export const locationLabel = (words, id) => {
  const site = locationFacts(words, id);
  return [
    nameOf(words, id),
    fill(words, "ui-points", { count: site.points }),
    fill(words, "ui-needs", { cost: counted(words, site.requires) }),
  ].join("; ");
};

/**
 * The face of a location tile.
 * @param {SplendorMarvel.Words} words
 * @param {string} id
 * @param {SplendorMarvel.Colours} [bonuses]
 */
export const place = (words, id, bonuses) => {
  const site = locationFacts(words, id);
  return html`<span class="site cardbg k-green p4" aria-hidden="true">${placeSign(id)}<b class="points">${site.points}</b><span class="name">${nameOf(words, id)}</span>${pips(site.requires, bonuses)}</span>`;
};
