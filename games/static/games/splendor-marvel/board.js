// A team's board: how far it is from the Gauntlet, its bonuses and tokens, its reserved cards, its tiles.

import { classMap, html, nothing, repeat } from "../../vendor/lit.js";
import { avatar } from "../board/parts.js";
import { emblem } from "./emblems.js";
import { COLOURS, LEVEL_MARKS, back, cardFacts, cardLabel, counted, fill, locationLabel, mini, pip, tag } from "./pieces.js";
import { nameOf, termOf } from "../core/texts.js";

/** @typedef {SplendorMarvel.Element} Table */

const RESERVE_LIMIT = 3;
const MOST_FANNED = 4; // more cards of one colour lie under the others
/** @type {(SplendorMarvel.Colour | "grey")[]} */
const HELD = [...COLOURS, "grey"];

/** @param {Record<string, number>} counts */
const total = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** @type {(team: SplendorMarvel.Team, colour: SplendorMarvel.Token) => boolean} */
const has = (team, colour) => (colour === "green" ? team.tokens.green > 0 : team.bonuses[/** @type {SplendorMarvel.Colour} */ (colour)] > 0);
/** @type {SplendorMarvel.Token[]} */
const STONES = [...COLOURS, "green"];

/** @type {(words: SplendorMarvel.Words, team: SplendorMarvel.Team) => string} */
const missing = (words, team) => STONES.filter((colour) => !has(team, colour))
  .map((colour) => (colour === "green" ? fill(words, "ui-time-stone") : termOf(words, colour))).join(", ");

/**
 * The three conditions of the Gauntlet in words: points, a bonus of each colour, the Time Stone.
 * @type {(words: SplendorMarvel.Words, team: SplendorMarvel.Team, goal: number) => string}
 */
const progress = (words, team, goal) => [
  fill(words, "ui-gauntlet"),
  fill(words, "ui-points-of", { points: team.points, goal }),
  missing(words, team) ? fill(words, "ui-missing", { stones: missing(words, team) }) : fill(words, "ui-all-stones"),
].join("; ");

/** @type {(words: SplendorMarvel.Words, one: SplendorMarvel.Reserved) => string} */
const reservedLabel = (words, { card, level, hidden }) => {
  if (!card) return fill(words, "ui-hidden-card", { level });
  return `${cardLabel(words, card)}${hidden ? `; ${fill(words, "ui-only-you")}` : ""}`;
};

/** @param {string} label */
const won = (label) => html`<span class="badge won" role="img" aria-label=${label} title=${label}><span class="label">${label}</span></span>`;

/** @type {(table: Table, seat: number) => unknown} */
const badges = ({ words, view }, seat) => {
  if (view.outcome?.winners.includes(seat)) return won(fill(words, "ui-winner"));
  if (view.table.teams[seat].assembled) return won(fill(words, "ui-assembled"));
  return view.to_act === seat ? html`<span class="badge acts" role="img" aria-label=${fill(words, "ui-acts")}></span>` : nothing;
};

/** @type {(table: Table, seat: number) => Record<string, boolean>} */
const state = ({ view, names }, seat) => ({
  "is-to-act": view.to_act === seat,
  "is-away": names[seat]?.here === false && !names[seat]?.is_bot,
  [`s${seat}`]: true,
});

/** @type {(words: SplendorMarvel.Words, team: SplendorMarvel.Team) => string} */
const meansLabel = (words, team) => {
  const held = { ...Object.fromEntries(COLOURS.map((colour) => [colour, team.tokens[colour]])), grey: team.tokens.grey };
  return `${fill(words, "ui-bonuses")}: ${counted(words, team.bonuses) || 0}; ${fill(words, "ui-tokens")}: ${counted(words, held) || 0}`;
};

/** @type {(table: Table, seat: number) => unknown} */
const tiles = ({ words, view }, seat) => {
  const team = view.table.teams[seat];
  const tagged = fill(words, "ui-tags", { count: team.tags });
  return html`
    <span class="tags ${view.table.avengers === seat ? "tile-held" : ""}" data-tags role="img" aria-label="${tagged}${view.table.avengers === seat ? `; ${fill(words, "ui-tile")} +3` : ""}">${tag()}${team.tags}</span>
    ${team.locations.length ? html`<span class="won-site" role="img" aria-label=${team.locations.map((id) => locationLabel(words, id)).join(". ")} title=${team.locations.map((id) => nameOf(words, id)).join(", ")}>+${team.locations.reduce((sum, id) => sum + /** @type {SplendorMarvel.Location} */ (words.cards[id]).points, 0)}</span>` : nothing}`;
};

/**
 * Another's board, as small as it can be read.
 * @param {Table} table
 * @param {number} seat
 */
export const rival = (table, seat) => {
  const { words, view, names } = table;
  const team = view.table.teams[seat];
  const { goal } = view.table;
  return html`
    <section class=${classMap({ panel: true, board: true, rival: true, ...state(table, seat) })} data-board=${seat} aria-label=${names[seat]?.name ?? String(seat + 1)}>
      <header>${avatar(names, seat)}<h2 class="who">${names[seat]?.name ?? seat + 1}</h2>${badges(table, seat)}
        <b class="pts" role="img" aria-label=${progress(words, team, goal)}>${team.points}<small>/${goal}</small></b></header>
      <div class="means" role="img" aria-label=${meansLabel(words, team)}>${COLOURS.map((colour) => html`
        <span class="mean"><span class="gives k-${colour} ${team.bonuses[colour] ? "" : "none"}">${team.bonuses[colour]}</span><span class="has" data-held=${colour}>${pip(colour, team.tokens[colour], team.tokens[colour] ? "" : "hollow")}</span></span>`)}</div>
      <div class="extras">
        <span class="has" data-held="grey" aria-hidden="true">${pip("grey", team.tokens.grey, team.tokens.grey ? "" : "hollow")}</span>
        <span class="time" aria-hidden="true">${pip("green", "", team.tokens.green ? "" : "hollow")}</span>
        ${tiles(table, seat)}
        <ul class="kept" aria-label=${fill(words, "ui-reserved")}>${team.reserved.map((one) => html`<li><span role="img" data-help=${one.card ?? nothing} aria-label=${reservedLabel(words, one)}>${mini(words, one)}</span></li>`)}</ul>
      </div>
    </section>`;
};

/**
 * One colour of the own board: its cards, what they give, the tokens. Where a token is asked for, it is the answer.
 * @param {Table} table
 * @param {SplendorMarvel.Colour | "grey"} colour
 */
const column = (table, colour) => {
  const { words, view } = table;
  const team = view.table.teams[/** @type {number} */ (table.seat)];
  const cards = colour === "grey" ? [] : team.cards.filter((id) => cardFacts(words, id).bonus === colour);
  const count = team.tokens[colour];
  const giveBack = table.move(`return ${colour}`);
  const grey = table.move(`grey for ${colour}`);
  const move = giveBack ?? grey;
  const bonuses = colour === "grey" ? null : team.bonuses[colour];
  const label = [termOf(words, colour), bonuses === null ? "" : `${fill(words, "ui-bonuses")}: ${bonuses}`, `${fill(words, "ui-tokens")}: ${count}`].filter(Boolean).join("; ");
  const inside = html`
    <span class="pile" aria-hidden="true">${colour === "grey" ? html`<span class="all">${total(team.tokens)}/10</span>` : cards.length ? cards.slice(-MOST_FANNED).map((id) => html`<i class="cardbg k-${colour}">${emblem(id)}</i>`) : html`<i class="none"></i>`}</span>
    <span class="sum" aria-hidden="true">${bonuses === null ? nothing : html`<span class="gives k-${colour} ${bonuses ? "" : "none"}">${bonuses}</span>`}
    <span class="has" data-held=${colour}>${pip(colour, count, count ? "" : "hollow")}</span></span>
    ${move ? html`<span class="sign" aria-hidden="true">${giveBack ? "−" : pip("grey")}</span>` : nothing}`;
  if (!move) return html`<li><span class="column" role="img" aria-label=${label}>${inside}</span></li>`;
  const verb = giveBack ? `${termOf(words, "return")}: ${fill(words, "ui-you-have", { token: termOf(words, colour), count })}` : fill(words, "ui-grey-for", { colour: termOf(words, colour) });
  return html`<li><button type="button" class="column can" data-move=${move} aria-label=${verb} @click=${() => table.choose(move)}>${inside}</button></li>`;
};

/**
 * A reserved card in hand; unknown only for the moment in which a replay changes the seat it looks from.
 * @type {(table: Table, one: SplendorMarvel.Reserved, choosable: (id: string) => unknown) => unknown}
 */
const kept = ({ words }, one, choosable) => html`<li class="slot">
  ${one.card ? choosable(one.card) : html`<span class="card-holder" role="img" aria-label=${reservedLabel(words, one)}>${back(one.level)}</span>`}
  ${one.hidden && one.card ? html`<span class="secret" title=${fill(words, "ui-only-you")}><span class="visually-hidden">${fill(words, "ui-only-you")}</span><span aria-hidden="true">${LEVEL_MARKS[one.level]}</span></span>` : nothing}</li>`;

/**
 * One's own board.
 * @param {Table} table
 * @param {(id: string) => unknown} choosable
 */
export const mine = (table, choosable) => {
  const { words, view } = table;
  const seat = /** @type {number} */ (table.seat);
  const team = view.table.teams[seat];
  const places = Array.from({ length: Math.max(RESERVE_LIMIT, team.reserved.length) }, (_, at) => team.reserved[at]);
  return html`
    <section class=${classMap({ panel: true, board: true, mine: true, ...state(table, seat) })} data-board=${seat} data-must="own" aria-label=${fill(words, "ui-yours")}>
      <div class="score">
        <b class="pts" role="img" aria-label=${progress(words, team, view.table.goal)}>${team.points}<small>/${view.table.goal}</small></b>
        <span class="stones" aria-hidden="true">${STONES.map((colour) => pip(colour, "", has(team, colour) ? "" : "hollow"))}</span>
        <span class="line">${badges(table, seat)}${tiles(table, seat)}</span>
      </div>
      <ul class="columns">${HELD.map((colour) => column(table, colour))}</ul>
      <ul class="hand" aria-label=${fill(words, "ui-reserved")}>
        ${repeat(places, (one, at) => `${at} ${one?.card ?? one?.level}`, (one, at) => (one ? kept(table, one, choosable) : html`<li class="free" aria-hidden="true">${at === team.reserved.length ? LEVEL_MARKS[0] : nothing}</li>`))}
      </ul>
    </section>`;
};

