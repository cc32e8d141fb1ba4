// The question and the supply: what is asked, the tokens that can be taken, and the answers that are no card.

import { html, nothing, repeat } from "../../vendor/lit.js";
import { COLOURS, counted, fill, pips, token } from "./pieces.js";
import { nameOf, termOf } from "../core/texts.js";

/** @typedef {SplendorMarvel.Element} Table */

const STALL_WARNING = 5; // so many rounds before a match without recruits ends, the players are told
const MOST_TAKEN = 3;
const LONG_SENTENCE = 40; // letters that a phone has room for at full size

/** @param {SplendorMarvel.Team} team */
const held = (team) => Object.values(team.tokens).reduce((sum, count) => sum + count, 0);

/** @param {Table} table */
const question = ({ words, view, names, seat, interactive }) => {
  const { question: asked, teams } = view.table;
  if (!asked || view.to_act === null) return fill(words, "ui-over");
  if (!interactive) return fill(words, "ui-wait", { name: names[view.to_act]?.name ?? "" });
  if (asked.ask === "choose" && view.legal.includes("pass")) return fill(words, "ui-ask-pass");
  return fill(words, `ui-ask-${asked.ask}`, {
    card: asked.card ? nameOf(words, asked.card) : "",
    count: held(teams[/** @type {number} */ (seat)]),
  });
};

/**
 * @param {Table} table
 * @param {SplendorMarvel.Token} colour
 */
const pile = (table, colour) => {
  const { words, view } = table;
  const count = view.table.supply[colour];
  const move = table.move(`take ${colour}`);
  const why = table.why(`take ${colour}`);
  const inside = html`${token(words, colour)}<b>${count}</b>`;
  const label = fill(words, "ui-supply-of", { token: termOf(words, colour), count });
  if (move) {
    return html`<li><button type="button" class="pile-of can" data-supply=${colour} data-move=${move} aria-label="${termOf(words, "take")}: ${label}" @click=${() => table.choose(move)}>
      ${inside}<span class="plus" aria-hidden="true">+</span></button></li>`;
  }
  if (why) return html`<li><button type="button" class="pile-of" aria-disabled="true" data-why=${why} data-supply=${colour} aria-label="${label}; ${why}">${inside}</button></li>`;
  return html`<li><span class="pile-of ${count ? "" : "none"}" data-supply=${colour} role="img" aria-label=${label}>${inside}</span></li>`;
};

/** @type {SplendorMarvel.Token[]} */
const SHOWN = [...COLOURS, "grey", "green"];

/** @param {Table} table */
export const supply = (table) => html`
  <ul class="supply mat" data-must="supply" aria-label=${fill(table.words, "ui-supply")}>${SHOWN.map((colour) => pile(table, colour))}</ul>`;

/** @param {Table} table */
const slots = ({ words, view }) => {
  const { taken } = view.table.question ?? {};
  const tokens = taken ? COLOURS.flatMap((colour) => Array.from({ length: taken[colour] }, () => colour)) : [];
  const places = Array.from({ length: MOST_TAKEN }, (_, at) => html`<span class="slot-of ${tokens[at] ? "on" : ""}">${tokens[at] ? token(words, tokens[at]) : nothing}</span>`);
  if (!taken || !tokens.length) return html`<div class="slots" aria-hidden="true">${places}</div>`;
  return html`<div class="slots" data-tray role="img" aria-label="${fill(words, "ui-taken")}: ${counted(words, taken)}">${places}</div>`;
};

/** @param {Table} table */
const price = ({ view }) => html`<div class="slots price">${pips(view.table.question?.price ?? {})}</div>`;

/** @param {Table} table */
const stalling = ({ words, view }) => {
  const { rounds_without_recruit: count, stall_rounds: limit } = view.table;
  if (view.to_act === null || count === 0 || limit - count > STALL_WARNING) return nothing;
  return html`<p class="stalling" role="status">${fill(words, "ui-stalling", { count, limit })}</p>`;
};

/** @type {Record<string, (words: SplendorMarvel.Words) => string>} The answers that are no place on the table. */
const ANSWERS = {
  pay: (words) => fill(words, "ui-pay"),
  stop: (words) => termOf(words, "stop"),
  pass: (words) => termOf(words, "pass"),
};

/** @type {(table: Table, move: string) => unknown} */
const answer = (table, move) => {
  const { words, view } = table;
  const label = ANSWERS[move](words);
  const spoken = move === "pay" ? `${label}: ${counted(words, view.table.question?.price ?? {})}` : nothing;
  return html`<button type="button" class="btn go" data-move=${move} aria-label=${spoken} @click=${() => table.choose(move)}>${label}</button>`;
};

/**
 * What is asked and how to answer it. Answers that are things are where the things are. Words, slots, undo and answer
 * have a place each; another sentence is drawn anew, so that nothing of the one before slides about.
 * @param {Table} table
 */
export const bar = (table) => {
  const { words, view, interactive, seat } = table;
  const asked = interactive ? view.table.question?.ask : null;
  const answers = interactive ? Object.keys(ANSWERS).filter((move) => view.legal.includes(move)) : [];
  const undo = interactive && view.can_undo;
  const sentence = question(table);
  return html`
    <section class="bar panel ${asked ? "asks" : ""}" data-must="question" aria-label=${fill(words, "ui-question")}>
      <div class="words">${repeat([sentence], () => `${sentence} ${view.table.rounds_without_recruit}`, () => html`
        <h2 class="ask ${sentence.length > LONG_SENTENCE ? "is-long" : ""}" tabindex="-1">${sentence}</h2>${stalling(table)}`)}</div>
      ${seat === null ? nothing : asked === "pay" ? price(table) : slots(table)}
      <div class="answers">
        ${undo ? html`<button type="button" class="btn" data-move="undo" aria-label=${fill(words, "ui-undo")} title=${fill(words, "ui-undo")} @click=${() => table.choose("undo")}><span aria-hidden="true">↶</span></button>` : nothing}
        ${answers.map((move) => answer(table, move))}
      </div>
    </section>`;
};

