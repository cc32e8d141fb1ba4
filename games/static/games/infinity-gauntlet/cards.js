// How a card of Infinity Gauntlet looks: large in the own hand, small on the table, hidden as a back.

import { html, nothing } from "../../vendor/lit.js";
import { ground } from "../board/parts.js";
import { emblem, eye } from "./emblems.js";

export const THANOS = "thanos_deck";
export const HEROES = "hero_deck";

/**
 * A term with its places filled in.
 * @param {InfinityGauntlet.Words} words
 * @param {string} key
 */
export const text = (words, key, values = {}) =>
  (words.terms[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));

/**
 * @param {InfinityGauntlet.Words} words
 * @param {string} id
 */
export const numberOf = (words, id) => words.cards[id].number;
/**
 * @param {InfinityGauntlet.Words} words
 * @param {string} id
 */
export const sideOf = (words, id) => (words.cards[id].part === THANOS ? "thanos" : "heroes");
/**
 * @param {InfinityGauntlet.Words} words
 * @param {string} id
 */
export const titleOf = (words, id) => `${numberOf(words, id)} ${words.names[id]}`;

/**
 * The ids of a deck, each once, by ascending number.
 * @param {InfinityGauntlet.Words} words
 */
export const deckOf = (words, part) =>
  Object.keys(words.cards).filter((id) => words.cards[id].part === part).sort((a, b) => numberOf(words, a) - numberOf(words, b));

/**
 * @param {InfinityGauntlet.Words} words
 * @param {string} id
 */
export const copiesOf = (words, id) => {
  const facts = words.cards[id];
  return facts.part === THANOS ? facts.copies : 1;
};

/**
 * @param {InfinityGauntlet.Words} words
 * @param {string} id
 */
export const isStone = (words, id) => {
  const facts = words.cards[id];
  return facts.part === THANOS && facts.stone;
};

const TONES = ["", "yellow", "orange", "blue", "purple", "red", "green", "grey"];

/**
 * The ground of a number: the same on cards, counters and guesses.
 * @param {number} number
 */
export const toneOf = (number) => `k-${TONES[number] ?? "grey"}`;

/**
 * A card to read; with a move it is a choice, and says which.
 * @param {InfinityGauntlet.Words} words
 * @param {string} id
 * @param {{ move?: string, verb?: string, seenBy?: string, fresh?: boolean, busy?: boolean, choose?: (move: string) => void }} [options]
 */
export const bigCard = (words, id, { move = "", verb = "", seenBy = "", fresh = false, busy = false, choose } = {}) => {
  const look = `card cardbg ${toneOf(numberOf(words, id))} ${ground(id)} ${fresh ? "fresh" : ""}`;
  const inside = html`<span class="art" aria-hidden="true">${emblem(id)}</span><b class="number">${numberOf(words, id)}</b>
    <span class="print"><b class="name">${words.names[id]}</b><span class="text">${words.texts[id]}</span></span>
    ${seenBy ? html`<span class="seen" title=${seenBy}>${eye()}<span class="visually-hidden">${seenBy}</span></span>` : nothing}`;
  if (!move) return html`<article class=${look} data-help=${id}>${inside}</article>`;
  return html`<button type="button" class="${look} choice" data-help=${id} data-move=${move} ?disabled=${busy} @click=${() => choose?.(move)}>${inside}<span class="verb">${verb}</span></button>`;
};

/** A card that lies open or is known, small. */
export const miniCard = (words, id, { fresh = false, known = "" } = {}) => html`
  <span class="mini face cardbg ${toneOf(numberOf(words, id))} ${fresh ? "fresh" : ""} ${known ? "known" : ""}" role="img" data-help=${id}
    title=${known ? `${words.names[id]}: ${known}` : words.names[id]} aria-label=${known ? `${titleOf(words, id)}: ${known}` : titleOf(words, id)}>
    <b class="number" aria-hidden="true">${numberOf(words, id)}</b>${emblem(id)}</span>`;

/** A card of middling size, for what is happening on the table. */
export const shownCard = (words, id, { motion = "", look = "" } = {}) => html`
  <span class="shown cardbg ${toneOf(numberOf(words, id))} ${look}" data-motion=${motion} role="img" aria-label=${titleOf(words, id)} title=${words.names[id]}>
    <b class="number" aria-hidden="true">${numberOf(words, id)}</b>${emblem(id)}</span>`;

/** A card nobody here may see. */
export const back = (words, side, { shape = "mini", motion = "", look = "" } = {}) => html`
  <span class="${shape} back ${side} ${look}" data-motion=${motion} role="img" aria-label=${text(words, "ui-hidden-card")} title=${text(words, "ui-hidden-card")}><b class="mark" aria-hidden="true">?</b></span>`;

/**
 * How many cards of each number this seat has not seen: what is left to fear or to hope for.
 * @param {InfinityGauntlet.Words} words
 */
export const counting = (words, part, unseen) => {
  const totals = new Map();
  for (const id of deckOf(words, part)) totals.set(numberOf(words, id), (totals.get(numberOf(words, id)) ?? 0) + copiesOf(words, id));
  return [...totals].map(([number, total]) => ({
    number,
    total,
    left: unseen.filter((id) => numberOf(words, id) === number),
  }));
};

/**
 * The unseen hero cards that may be in these hands: those from the shuffles that the cards there come from.
 * @param {InfinityGauntlet.Table} table
 * @param {number[]} seats
 */
export const possibleIn = ({ decks: { heroes } }, seats) => {
  /** @param {{ hands: number[] }} part */
  const isThere = ({ hands }) => hands.some((seat) => seats.includes(seat));
  const there = heroes.shuffles.filter(isThere);
  const reordered = heroes.among.filter(isThere);
  const from = reordered.flatMap(({ shuffles }) => shuffles.map(({ rebuilt }) => rebuilt));
  return heroes.shuffles.filter((one) => there.includes(one) || from.includes(one.rebuilt)).flatMap(({ cards }) => cards)
    .concat(reordered.flatMap(({ cards }) => cards));
};

/**
 * @param {InfinityGauntlet.Words} words
 * @param {unknown} [label]
 */
export const counter = (words, part, unseen, label = text(words, "ui-unseen")) => html`
  <div class="counter">
    <p class="label">${label}</p>
    <ul>${counting(words, part, unseen).map(({ number, total, left }) => html`
      <li class="${toneOf(number)} ${left.length ? "" : "none"}" title=${left.map((id) => words.names[id]).join(", ")}>
        <span class="visually-hidden">${text(words, "ui-unseen-of", { number, count: left.length, total })}</span>
        <span class="number" aria-hidden="true">${number}</span>
        <span class="pips" aria-hidden="true">${pips(left.length, total)}</span>
      </li>`)}</ul>
  </div>`;

export const pips = (filled, total) =>
  Array.from({ length: total }, (_, place) => html`<i class=${place < filled ? "" : "spent"}></i>`);

/**
 * Every card of a deck and what it does: cards that do the same share a line.
 * @param {InfinityGauntlet.Words} words
 */
export const reference = (words, part) => {
  const lines = new Map();
  for (const id of deckOf(words, part)) {
    const effect = words.texts[id];
    lines.set(effect, { number: numberOf(words, id), ids: [...(lines.get(effect)?.ids ?? []), id] });
  }
  const named = (id) => `${words.names[id]}${copiesOf(words, id) > 1 ? ` ×${copiesOf(words, id)}` : ""}`;
  return html`<ul class="reference">${[...lines].map(([effect, { number, ids }]) => html`
    <li><span class="number ${toneOf(number)}">${number}</span><span><strong>${ids.map(named).join(", ")}</strong> ${effect}</span></li>`)}</ul>`;
};
