// How a card of Infinity Gauntlet looks: large in the own hand, small on the table, hidden as a back.

import { html, nothing } from "../vendor/lit.js";
import { emblem, eye } from "./infinity-gauntlet-emblems.js";

export const THANOS = "thanos_deck";
export const HEROES = "hero_deck";

/** A term with its places filled in. */
export const text = (words, key, values = {}) =>
  (words.terms[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => String(values[name] ?? ""));

export const numberOf = (words, id) => words.cards[id].number;
export const sideOf = (words, id) => (words.cards[id].part === THANOS ? "thanos" : "heroes");
export const titleOf = (words, id) => `${numberOf(words, id)} ${words.names[id]}`;

/** The ids of a deck, each once, by ascending number. */
export const deckOf = (words, part) =>
  Object.keys(words.cards).filter((id) => words.cards[id].part === part).sort((a, b) => numberOf(words, a) - numberOf(words, b));

export const copiesOf = (words, id) => words.cards[id].copies ?? 1;

const face = (words, id) => html`
  <span class="art" aria-hidden="true">${emblem(id)}</span>
  <span class="number">${numberOf(words, id)}</span>
  <span class="name">${words.names[id]}</span>
  <span class="text">${words.texts[id]}</span>`;

/** A card to read; with a move it is a choice, and says which. */
export const bigCard = (words, id, { move = "", verb = "", seenBy = "", fresh = false, busy = false, choose } = {}) => {
  const look = `card big ${sideOf(words, id)} n${numberOf(words, id)} ${fresh ? "fresh" : ""}`;
  const seen = seenBy ? html`<span class="seen">${eye()} ${seenBy}</span>` : nothing;
  if (!move) return html`<article class=${look}>${face(words, id)}${seen}</article>`;
  return html`<button type="button" class="${look} choice" data-move=${move} ?disabled=${busy} @click=${() => choose(move)}>
    ${face(words, id)}${seen}<span class="verb">${verb}</span></button>`;
};

/** A faceup card, small; pressing it asks what it does. */
export const miniCard = (words, id, { help, fresh = false, known = "" }) => html`
  <button type="button" class="mini ${sideOf(words, id)} n${numberOf(words, id)} ${fresh ? "fresh" : ""} ${known ? "known" : ""}"
    title=${known || words.names[id]} aria-label=${known ? `${titleOf(words, id)}: ${known}` : titleOf(words, id)} @click=${() => help(id)}>
    <span class="number" aria-hidden="true">${numberOf(words, id)}</span>${emblem(id)}${known ? eye() : nothing}
  </button>`;

/** A card of middling size, for what is happening on the table. */
export const shownCard = (words, id, { motion = "", look = "" } = {}) => html`
  <span class="shown ${sideOf(words, id)} n${numberOf(words, id)} ${look}" data-motion=${motion}>
    <span class="number">${numberOf(words, id)}</span>${emblem(id)}<span class="name">${words.names[id]}</span>
  </span>`;

/** A card nobody here may see. */
export const back = (words, side, { shape = "mini", motion = "", look = "" } = {}) => html`
  <span class="${shape} back ${side} ${look}" data-motion=${motion} role="img" aria-label=${text(words, "ui-hidden-card")} title=${text(words, "ui-hidden-card")}>
    <span aria-hidden="true">?</span>
  </span>`;

/** How many cards of each number this seat has not seen: what is left to fear or to hope for. */
export const counting = (words, part, unseen) => {
  const totals = new Map();
  for (const id of deckOf(words, part)) totals.set(numberOf(words, id), (totals.get(numberOf(words, id)) ?? 0) + copiesOf(words, id));
  return [...totals].map(([number, total]) => ({
    number,
    total,
    left: unseen.filter((id) => numberOf(words, id) === number),
  }));
};

/** The unseen hero cards that may be in these hands: those from the shuffles that the cards there come from. */
export const possibleIn = ({ decks: { heroes } }, seats) => {
  const isThere = ({ hands }) => hands.some((seat) => seats.includes(seat));
  const there = heroes.shuffles.filter(isThere);
  const reordered = heroes.among.filter(isThere);
  const from = reordered.flatMap(({ shuffles }) => shuffles.map(({ rebuilt }) => rebuilt));
  return heroes.shuffles.filter((one) => there.includes(one) || from.includes(one.rebuilt)).flatMap(({ cards }) => cards)
    .concat(reordered.flatMap(({ cards }) => cards));
};

export const counter = (words, part, unseen, label = text(words, "ui-unseen")) => html`
  <div class="counter">
    <p class="label">${label}</p>
    <ul>${counting(words, part, unseen).map(({ number, total, left }) => html`
      <li class="n${number} ${left.length ? "" : "none"}" title=${left.map((id) => words.names[id]).join(", ")}>
        <span class="visually-hidden">${text(words, "ui-unseen-of", { number, count: left.length, total })}</span>
        <span class="number" aria-hidden="true">${number}</span>
        <span class="pips" aria-hidden="true">${pips(left.length, total)}</span>
      </li>`)}</ul>
  </div>`;

export const pips = (filled, total) =>
  Array.from({ length: total }, (_, place) => html`<i class=${place < filled ? "" : "spent"}></i>`);

/** Every card of a deck and what it does: cards that do the same share a line. */
export const reference = (words, part) => {
  const lines = new Map();
  for (const id of deckOf(words, part)) {
    const said = words.texts[id];
    lines.set(said, { number: numberOf(words, id), ids: [...(lines.get(said)?.ids ?? []), id] });
  }
  const named = (id) => `${words.names[id]}${copiesOf(words, id) > 1 ? ` ×${copiesOf(words, id)}` : ""}`;
  return html`<ul class="reference">${[...lines].map(([said, { number, ids }]) => html`
    <li class="n${number}"><span class="number">${number}</span><span><strong>${ids.map(named).join(", ")}</strong> ${said}</span></li>`)}</ul>`;
};
