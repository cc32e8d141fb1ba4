// Stones, costs, cards and tiles: what lies on the table, drawn from the facts in `words.cards`.

import { html, nothing, svg } from "../vendor/lit.js";
import { emblem, signOf } from "./splendor-marvel-emblem.js";
import { nameOf, termOf } from "./words.js";

export const COLOURS = ["yellow", "blue", "purple", "red", "orange"];
const LEVEL_MARKS = ["", "Ⅰ", "Ⅱ", "Ⅲ"];

const SHAPES = {
  yellow: { d: "M12 1.2 21.4 6.6v10.8L12 22.8 2.6 17.4V6.6Z", y: 16 },
  blue: { d: "M5 2.5h14A2.5 2.5 0 0 1 21.5 5v14a2.5 2.5 0 0 1-2.5 2.5H5A2.5 2.5 0 0 1 2.5 19V5A2.5 2.5 0 0 1 5 2.5Z", y: 16 },
  purple: { d: "M12 1.2a10.8 10.8 0 1 0 .1 0Z", y: 16 },
  red: { d: "M12 .6 23.4 12 12 23.4.6 12Z", y: 16 },
  orange: { d: "M12 .8 23.6 21.8H.4Z", y: 19.2 },
  green: { d: "M4.5 1.5h15c0 6-3 8-5.5 10.5 2.5 2.5 5.5 4.5 5.5 10.5h-15c0-6 3-8 5.5-10.5C7.5 9.5 4.5 7.5 4.5 1.5Z", y: 0 },
  grey: { d: "M12 .8 21.6 4.2V11c0 6.2-4 10-9.6 12.2C6.4 21 2.4 17.2 2.4 11V4.2Z", y: 0 },
};

/** A term with its blanks filled in. */
export const fill = (words, term, values = {}) =>
  (words.terms[term] ?? term).replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");

/** A stone: every colour has its own outline and letter; green and grey have an outline that needs none. */
export const gem = (words, colour, { hollow = false, ticked = false } = {}) => html`
  <svg class="gem ${colour} ${hollow ? "hollow" : ""}" viewBox="0 0 24 24" aria-hidden="true">
    <path d=${SHAPES[colour].d}></path>
    ${SHAPES[colour].y ? svg`<text x="12" y="${SHAPES[colour].y}">${ticked ? "✓" : words.terms[`ui-letter-${colour}`]}</text>` : nothing}
  </svg>`;

/** The stones that there are any of, always in the same order. */
const present = (counts) => [...COLOURS, "green", "grey"].filter((colour) => counts[colour]).map((colour) => [colour, counts[colour]]);

/** Stones in words: "2 red, 1 blue". */
export const counted = (words, counts) => present(counts).map(([colour, count]) => `${count} ${termOf(words, colour)}`).join(", ");

const covers = (bonuses, colour, count) => bonuses !== undefined && bonuses[colour] >= count;

/** A price in stones; what the reader's bonuses cover is ticked. */
export const pips = (words, counts, bonuses) => html`
  <span class="pips" aria-hidden="true">${present(counts).map(([colour, count]) => {
    const ticked = covers(bonuses, colour, count);
    return html`<span class="pip ${ticked ? "covered" : ""}">${gem(words, colour, { ticked })}<b>${count}</b></span>`;
  })}</span>`;

const tags = (count) => (count ? html`<span class="tags" aria-hidden="true">${Array.from({ length: count }, () => html`<span class="tag"></span>`)}</span>` : nothing);

/** All that a card shows, in words. */
export const cardLabel = (words, id, bonuses) => {
  const card = words.cards[id];
  const costs = present(card.cost).map(([colour, count]) => {
    const price = `${count} ${termOf(words, colour)}`;
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

/** The face of a card. Its name for readers of the screen is `cardLabel`, on whatever holds it. */
export const face = (words, id, bonuses) => {
  const card = words.cards[id];
  return html`
    <span class="face ${card.bonus}" aria-hidden="true">
      ${emblem(id)}
      <span class="top">
        <span class="points">${card.points || nothing}</span>
        ${id[0] === "3" ? html`<span class="stone">${gem(words, "green")}</span>` : nothing}
        ${tags(card.avengers)}
        <span class="bonus">${gem(words, card.bonus)}</span>
      </span>
      <span class="name">${nameOf(words, id)}</span>
      ${pips(words, card.cost, bonuses)}
    </span>`;
};

/** The back of a deck or of a card that only its owner knows. */
export const back = (level, inside = nothing) => html`
  <span class="back level-${level}" aria-hidden="true"><span class="numeral">${LEVEL_MARKS[level]}</span>${inside}</span>`;

/** A card that another has reserved, on one line: its face where it was seen, its back where it was not. */
export const slip = (words, { card, level }) => {
  if (!card) return html`<span class="slip back grey" aria-hidden="true"><span class="numeral">${LEVEL_MARKS[level]}</span><span>?</span></span>`;
  const { bonus, points, cost, avengers } = words.cards[card];
  return html`
    <span class="slip ${bonus}" aria-hidden="true">
      <span class="name">${nameOf(words, card)}</span><b class="points">${points || nothing}</b>${tags(avengers)}${gem(words, bonus)}${pips(words, cost)}
    </span>`;
};

/** A recruited card as a slim tab of its column. */
export const tab = (words, id) => {
  const card = words.cards[id];
  return html`<li class="tab ${card.bonus}" title=${nameOf(words, id)}>
    ${signOf(id)}<span class="name">${nameOf(words, id)}</span>${tags(card.avengers)}<b class="points">${card.points || nothing}</b>
  </li>`;
};

export const locationLabel = (words, id) => {
  const site = words.cards[id];
  return [
    nameOf(words, id),
    fill(words, "ui-points", { count: site.points }),
    fill(words, "ui-needs", { cost: counted(words, site.requires) }),
  ].join("; ");
};

/** The face of a location tile. */
export const place = (words, id, bonuses) => {
  const site = words.cards[id];
  return html`
    <span class="face place" aria-hidden="true">
      ${signOf(id)}
      <span class="top"><span class="points">${site.points}</span></span>
      <span class="name">${nameOf(words, id)}</span>
      ${pips(words, site.requires, bonuses)}
    </span>`;
};
