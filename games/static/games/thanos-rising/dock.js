// What is asked, the dice, and the answers that have no place of their own on the table.

import { html, nothing, repeat } from "../../vendor/lit.js";
import { addressOf } from "../emblems/thanos-rising.js";
import { picture } from "../board/parts.js";
import { damage, findCard, pressable } from "./cards.js";
import { coin, die, gem } from "./pieces.js";

/** @typedef {ThanosRising.Element} Table */

const ACTS = ["pass", "stop", "roll"]; // the likeliest last: it keeps the right end of the row
const NO_DICE_LEFT = new Set(["resolve", "over"]);
const MOST_GAPS = 8;

/** @param {Table} table */
export const dock = (table) => {
  const { question } = table.view.table;
  const mine = table.view.to_act === table.seat && table.seat !== null;
  const isBase = question === "choose-base" && table.interactive;
  return html`<section class="dock panel ${mine && table.interactive ? "asks" : ""} ${isBase ? "of-bases" : ""}" data-must="question" aria-label=${table.t("question")}>
    ${table.view.outcome ? ending(table) : html`${asked(table, question, mine)}${isBase ? nothing : tray(table)}${table.picked && table.interactive ? counterparts(table) : answers(table)}`}
  </section>`;
};

/** @param {Table} table */
const ending = (table) => {
  const { winners, reason } = /** @type {Page.Outcome} */ (table.view.outcome);
  return html`<h2 class="question">${table.t(winners.length ? "won" : "lost")}</h2><p class="hint">${table.term(reason)}</p>`;
};

// -- the question

/**
 * @param {Table} table
 * @param {string} question
 * @param {boolean} mine
 */
const asked = (table, question, mine) => {
  const { deployed, active } = table.told;
  // What is asked in the view is answered already: it is being shown.
  if (deployed !== undefined && question === "deploy") return html`<h2 class="question">${table.seatName(active ?? 0)}: ${table.t("deployed", { number: deployed + 1 })}</h2>`;
  const isForfeit = question === "assign" && table.view.legal.some((move) => move.startsWith("forfeit "));
  const isLastTokens = mine && question === "resolve" && !table.view.legal.some((move) => move.startsWith("use "));
  const words = table.picked && table.interactive ? pickedWords(table) : table.t(isForfeit ? "ask-forfeit" : isLastTokens ? "ask-last-tokens" : `ask-${question}`);
  return html`<h2 class="question">${mine || table.picked ? words : html`${table.seatName(table.view.to_act ?? 0)}: ${words}`}</h2>`;
};

/** @param {Table} table */
const hints = (table) => {
  const { asking, question, healing_forbidden: noHealing, dice, active } = table.view.table;
  const helping = table.view.to_act !== table.seat && table.interactive && table.choices.onlyTokens;
  return html`<div class="hints">
    ${noHealing ? html`<p class="warning">${table.t("no-healing")}</p>` : nothing}
    ${dice.to_lose ? html`<p class="warning">${table.t("to-lose", { count: dice.to_lose })}</p>` : nothing}
    ${asking ? html`<p title=${table.words.texts[asking] ?? nothing}><b>${table.words.names[asking] ?? table.term(asking)}</b> <span class="long">${table.words.texts[asking] ?? ""}</span></p>` : nothing}
    ${dice.this_roll_on && question === "assign" ? html`<p>${table.t("roll-goes-on", { card: table.name(dice.this_roll_on) })}</p>` : nothing}
    ${question === "deploy" && table.interactive ? html`<p>${table.t("hint-deploy")}</p>` : nothing}
    ${helping ? html`<p>${table.t("help-out", { name: table.seatName(active) })}</p>` : nothing}</div>`;
};

// -- the dice

/** @param {Table} table */
const tray = (table) => {
  const { question, dice: { unassigned, hand } } = table.view.table;
  /** @type {{ colour: string, face?: string }[]} */
  const rolled = unassigned.flatMap(({ colour, face, count }) => Array.from({ length: count }, () => ({ colour, face })));
  /** @type {{ colour: string, face?: string }[]} */
  const blank = NO_DICE_LEFT.has(question) ? [] : Object.entries(hand).flatMap(([colour, count]) => Array.from({ length: count }, () => ({ colour })));
  const dice = rolled.length ? rolled : blank;
  // Beside dice and in place of them the hints stand elsewhere: these are two, and none of them moves.
  return dice.length ? html`<div class="tray"><ul class="dice ${dice.length > MOST_GAPS ? "many" : ""}" aria-label=${table.t("dice")}>${dice.map(({ colour, face }) => html`<li>${pressable(table, `die ${colour} ${face}`, {
    kind: "die",
    label: face ? `${table.term(colour)} ${table.term(face)}` : table.term(colour),
    content: die(colour, face),
  })}</li>`)}</ul>${hints(table)}</div>` : html`<div class="tray">${hints(table)}</div>`;
};

// -- what can be answered here

/** @param {Table} table */
const answers = (table) => {
  if (!table.interactive) return html`<div class="answers"></div>`;
  const { all } = table.choices;
  const acts = ACTS.filter((act) => table.choices.has(act));
  const of = (kind) => all.filter(({ source, target }) => !source && target.startsWith(`${kind} `)).map((choice) => ({ ...choice, id: choice.target.split(" ")[1] }));
  return html`<div class="answers" role="group" aria-label=${table.t("question")}>
    ${of("colour").map(({ target, id, move }) => button(table, target, move, html`${die(id)}${table.term(id)}`))}
    ${of("face").map(({ target, id, move }) => button(table, target, move, die(table.turning, id)))}
    ${of("kept").map(({ target, id, move }) => button(table, target, move, html`${coin(id)}<span class="wrapped">${table.term(id)}</span>`))}
    ${of("base").map(({ target, id, move }) => leader(table, target, id, move))}
    ${of("card").filter(({ id }) => !isInReach(table, id)).map(({ target, id, move }) => button(table, target, move, cardChip(table, id)))}
    ${playable(table)}
    ${repeat([acts.join()], (row) => row, () => acts.map((act) => html`<button type="button" class="btn ${act === "roll" ? "go" : ""} act" data-move=${act} @click=${() => table.press(act)}>${table.term(act)}</button>`))}
  </div>`;
};

/**
 * Whether a card is pressed where it lies: on a phone the heroes of other teams are too small for a finger.
 * @param {Table} table
 * @param {string} id
 */
const isInReach = (table, id) => !table.narrow || !table.view.table.teams.some(({ heroes }, seat) => seat !== table.home && heroes.some((hero) => hero.id === id));

/**
 * @param {Table} table
 * @param {string} id
 */
const cardChip = (table, id) => {
  const card = findCard(table, id);
  return html`${picture(addressOf(id))}<span class="chip-name"><span class="label">${table.name(id)}</span>${card ? damage(card) : nothing}</span>`;
};

/**
 * @param {Table} table
 * @param {string} key
 * @param {string} move
 * @param {unknown} content
 */
const button = (table, key, move, content) =>
  html`<button type="button" class="btn answer-button" data-move=${move} aria-label=${table.label(move)} title=${table.label(move)} @click=${() => table.press(key)}>${content}</button>`;

/**
 * @param {Table} table
 * @param {string} key
 * @param {string} id
 * @param {string} move
 */
const leader = (table, key, id, move) => {
  const facts = /** @type {ThanosRising.BaseFacts | undefined} */ (table.words.cards[id]);
  const label = [table.name(id), facts ? table.name(facts.leader) : "", table.words.texts[id] ?? "", table.words.stand_ins[id]?.text ?? ""].filter(Boolean).join(". ");
  return html`<button type="button" class="btn base-choice" data-move=${move} data-help=${id} aria-label=${label} @click=${() => table.press(key)}>
    ${facts ? picture(addressOf(facts.leader)) : nothing}<b>${table.name(id)}</b>
    <span class="base-dice">${Object.entries(facts?.dice ?? {}).map(([colour, count]) => Array.from({ length: count }, () => die(colour)))}</span></button>`;
};

/** @param {Table} table */
const playable = (table) => {
  const kinds = [...new Set(table.choices.all.filter(({ source }) => source?.startsWith("token ")).map(({ source }) => source))];
  return kinds.map((key) => html`<button type="button" class="btn answer-button" data-pick=${key} aria-label=${table.t("play", { what: table.term(key.slice(6)) })} @click=${() => table.press(key)}>
    ${coin(key.slice(6))}${table.term("play")}</button>`);
};

// -- the second press

/** @param {Table} table */
const pickedWords = (table) => {
  const [kind, ...rest] = (table.picked ?? "").split(" ");
  const what = rest.join(" ");
  const [first] = table.choices.counterparts;
  const ask = kind === "die" ? "put-where" : first?.target === "play" ? "play" : "play-where";
  return kind === "card" ? table.t("put-here", { card: table.name(what) }) : table.t(ask, { what: table.term(what) });
};

/** @param {Table} table */
const counterparts = (table) => {
  const [kind] = (table.picked ?? "").split(" ");
  return html`<div class="answers picked-up" role="group" aria-label=${pickedWords(table)}>
    <button type="button" class="btn act" @click=${() => table.drop()}>${table.t("cancel")}</button>
    ${table.choices.counterparts.map(({ move, source, target }) => {
      const other = kind === "card" ? source : target;
      return html`<button type="button" class="btn answer-button" data-move=${move} @click=${() => table.press(other)}>${counterpart(table, other)}</button>`;
    })}</div>`;
};

/**
 * @param {Table} table
 * @param {string} key
 */
const counterpart = (table, key) => {
  const [kind, first, second] = key.split(" ");
  if (kind === "die") return html`${die(first, second)}<span class="visually-hidden">${table.term(first)} ${table.term(second)}</span>`;
  if (kind === "colour") return html`${die(first)}${table.term(first)}`;
  if (kind === "stone") return html`${gem(first)}${table.stoneName(first)}`;
  if (kind === "card") return cardChip(table, first);
  return table.t(kind === "forfeit" ? "forfeit" : "play-now");
};
