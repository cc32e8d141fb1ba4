// What a careful player remembers of a hand or a deck, in short notes. The server says what is known; this only words it.

import { html, nothing } from "../../vendor/lit.js";
import { avatar } from "../board/parts.js";
import { lamp } from "./emblems.js";
import { HEROES, THANOS, back, copiesOf, counter, deckOf, miniCard, numberOf, text } from "./cards.js";

/** @typedef {InfinityGauntlet.Element} Table */

/**
 * Cards as briefly as can be said: a number where it stands for all its hidden cards, else names.
 * @param {InfinityGauntlet.Words} words
 */
const briefly = (words, part, ids, faceup) => {
  const hidden = deckOf(words, part).filter((id) => faceup.filter((one) => one === id).length < copiesOf(words, id));
  const named = [];
  for (const number of new Set(ids.map((id) => numberOf(words, id)))) {
    const all = hidden.filter((id) => numberOf(words, id) === number);
    if (all.every((id) => ids.includes(id))) named.push(number);
    else named.push(...all.filter((id) => ids.includes(id)).map((id) => words.names[id]));
  }
  return named;
};

const tieNote = (words, names, { seat, difference }) => {
  const key = difference === 0 ? "ui-tie-same" : difference > 0 ? "ui-tie-more" : "ui-tie-less";
  return text(words, key, { name: names[seat].name, count: Math.abs(difference) });
};

/**
 * What is known of a player's hidden cards, beyond those known by sight.
 * @param {Table} table
 * @param {number} seat
 */
export const notesOn = ({ words, names, view }, seat) => {
  const { seats } = view.table;
  const one = seats[seat];
  const part = seat ? HEROES : THANOS;
  const faceup = seat ? seats.slice(1).flatMap((hero) => hero.faceup) : one.faceup;
  const notes = [];
  const note = (key, ids, alone = key) => {
    if (!ids.length) return;
    const named = briefly(words, part, ids, faceup);
    notes.push(text(words, named.length > 1 ? key : alone, { cards: named.join(", ") }));
  };
  const others = one.not_held.filter((id) => !one.ruled_out.includes(numberOf(words, id)));
  const excluded = [one.ruled_out.join(", "), others.length ? briefly(words, part, others, faceup).join(", ") : ""].filter(Boolean).join(", ");
  if (excluded) notes.push(text(words, "ui-not", { cards: excluded }));
  // With one card in hand "at most one" says nothing.
  if (one.hand > 1) note("ui-one-at-most", one.one_at_most, "ui-one-at-most-alone");
  note("ui-one-of", one.holds_one_of ?? [], "ui-holds");
  for (const tie of one.ties ?? []) notes.push(tieNote(words, names, tie));
  for (const { card } of one.hand_or_bottom ?? []) notes.push(text(words, "ui-hand-or-bottom", { card: words.names[card] }));
  return notes;
};

export const noteList = (notes) =>
  notes.length ? html`<ul class="notes" title=${notes.join("\n")}>${notes.map((note) => html`<li>${lamp()}<span>${note}</span></li>`)}</ul>` : nothing;

/**
 * How many hero cards of each number are unseen, kept apart by the shuffle they are from: held since, or in the deck.
 * @param {Table} table
 */
export const heroCounters = ({ words, names, view }) => {
  const { shuffles, among } = view.table.decks.heroes;
  if (shuffles.length < 2) return counter(words, HEROES, view.table.unseen.heroes);
  const places = ({ rebuilt, hands, deck }) => [
    ...hands.map((seat) => text(words, "ui-hand-of", { name: names[seat].name })),
    ...(deck.length ? [text(words, "ui-in-deck", { count: deck.length })] : []),
    ...(among.some((one) => one.shuffles.some((part) => part.rebuilt === rebuilt)) ? [text(words, "ui-reordered")] : []),
  ].join(", ");
  return shuffles.map((one) => {
    const label = text(words, "ui-unseen-in", { places: places(one) });
    return counter(words, HEROES, one.cards, html`<span class="visually-hidden">${label}</span><span class="unseen-in" aria-hidden="true" title=${label}>${text(words, "ui-unseen")}
      ${[...new Set(one.hands)].map((seat) => avatar(names, seat))}${one.deck.length ? html`<span class="back heroes deck-mark">${one.deck.length}</span>` : nothing}</span>`);
  });
};

/**
 * @param {InfinityGauntlet.Words} words
 * @param {InfinityGauntlet.Side} side
 */
const places = (words, side, ids) =>
  html`<span class="places">${ids.map((id) => (id ? miniCard(words, id, { known: text(words, "ui-known") }) : back(words, side)))}</span>`;

/**
 * What this seat knows of a deck.
 * @param {Table} table
 * @param {InfinityGauntlet.Side} side
 */
export const deckNotes = ({ words, names, view }, side) => {
  const { heroes, thanos } = view.table.decks;
  const known = side === "heroes" ? heroes.top : thanos.bottom;
  const label = side === "heroes" ? "ui-top" : "ui-bottom";
  const among = (side === "heroes" ? heroes.among : []).filter(({ cards }) => cards.length).map(({ cards, hands, deck: depths }) => text(words, "ui-among", {
    cards: cards.map((id) => words.names[id]).join(", "),
    places: [
      ...hands.map((seat) => text(words, "ui-hand-of", { name: names[seat].name })),
      ...depths.map((place) => text(words, "ui-deck-place", { number: place + 1 })),
    ].join(", "),
  }));
  return html`
    ${known.length ? html`<div class="deck-known"><span class="label">${text(words, label)}</span>${places(words, side, known)}</div>` : nothing}
    ${noteList(among)}`;
};
