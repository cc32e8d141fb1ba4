// The near edge of the table: what is asked, the dice, and the answers that have no place on the board.

import { html, nothing } from "../vendor/lit.js";
import { healthOf, pressable } from "./thanos-rising-cards.js";
import { coin, die, gem } from "./thanos-rising-pieces.js";

const ACTS = ["roll", "stop", "pass"];
// Questions that are not about dice: on a phone the answers need the room.
const WITHOUT_DICE = new Set(["damage-hero", "heal-hero", "damage-villain", "remove-counter", "keep-token"]);

export const dock = (table) => {
  const { question } = table.view.table;
  const mine = table.view.to_act === table.seat && table.seat !== null;
  return html`<section class="dock ${mine && table.interactive ? "is-mine" : ""}" aria-label=${table.t("question")}>
    ${table.view.outcome ? ending(table) : html`${asked(table, question, mine)}${table.narrow && mine && WITHOUT_DICE.has(question) ? nothing : tray(table)}${table.picked && table.interactive ? counterparts(table) : answers(table)}`}
  </section>`;
};

const ending = (table) => {
  const { winners, reason } = table.view.outcome;
  return html`<h2 class="question">${table.t(winners.length ? "won" : "lost")}</h2><p class="hint">${table.term(reason)}</p>`;
};

// -- the question

const asked = (table, question, mine) => {
  const { asking, healing_forbidden: noHealing, dice, active } = table.view.table;
  const helping = !mine && table.interactive && table.choices.onlyTokens;
  const isForfeit = question === "assign" && table.view.legal.some((move) => move.startsWith("forfeit "));
  const isLastTokens = mine && question === "resolve" && !table.view.legal.some((move) => move.startsWith("use "));
  const words = table.t(isForfeit ? "ask-forfeit" : isLastTokens ? "ask-last-tokens" : `ask-${question}`);
  return html`<div class="asked">
    <h2 class="question">${mine ? words : html`<span class="who seat-${table.view.to_act}">${table.seatName(table.view.to_act)}</span>: ${words}`}</h2>
    ${asking ? html`<p class="hint"><b>${whose(table, asking)}</b> ${table.words.texts[asking] ?? ""}</p>` : nothing}
    ${dice.this_roll_on && question === "assign" ? html`<p class="hint">${table.t("roll-goes-on", { card: table.name(dice.this_roll_on) })}</p>` : nothing}
    ${dice.to_lose ? html`<p class="hint">${table.t("to-lose", { count: dice.to_lose })}</p>` : nothing}
    ${noHealing ? html`<p class="hint warning">${table.t("no-healing")}</p>` : nothing}
    ${helping ? html`<p class="hint helping">${table.t("help-out", { name: table.seatName(active) })}</p>` : nothing}</div>`;
};

const whose = (table, id) => (table.words.names[id] ?? table.term(id));

// -- the dice

const tray = (table) => {
  const { unassigned, hand, rolls } = table.view.table.dice;
  const rolled = unassigned.flatMap(({ colour, face, count }) => Array.from({ length: count }, () => ({ colour, face })));
  const waiting = rolls ? [] : Object.entries(hand).flatMap(([colour, count]) => Array.from({ length: count }, () => ({ colour })));
  const dice = rolled.length ? rolled : waiting;
  if (!dice.length) return nothing;
  return html`<ul class="tray" aria-label=${table.t("dice")}>${dice.map(({ colour, face }) => html`<li>${pressable(table, `die ${colour} ${face}`, {
    kind: "die",
    label: face ? `${table.term(colour)} ${table.term(face)}` : table.term(colour),
    content: die(colour, face),
  })}</li>`)}</ul>`;
};

// -- what can be answered here

const answers = (table) => {
  if (!table.interactive) return nothing;
  const { all } = table.choices;
  const of = (kind) => all.filter(({ source, target }) => !source && target.startsWith(`${kind} `)).map((choice) => ({ ...choice, id: choice.target.split(" ")[1] }));
  return html`<div class="answers">
    ${of("sector").map(({ target, id }) => plain(table, target, table.t("sector", { number: Number(id) + 1 })))}
    ${of("colour").map(({ target, id, move }) => button(table, target, move, html`${die(id)}${table.label(move)}`))}
    ${of("face").map(({ target, id, move }) => button(table, target, move, html`${die(table.turning, id)}${table.label(move)}`))}
    ${of("kept").map(({ target, id, move }) => button(table, target, move, html`${coin(id)}${table.label(move)}`))}
    ${of("base").map(({ target, id }) => leader(table, target, id))}
    ${of("card").map(({ target, id, move }) => plain(table, target, move.startsWith("use ") ? table.label(move) : html`${table.name(id)}${healthOf(table, id)}`))}
    ${of("stone").map(({ target, id }) => plain(table, target, html`${gem(id)}${table.stoneName(id)}`))}
    ${playable(table)}
    ${ACTS.filter((act) => table.choices.has(act)).map((act) => html`<button type="button" class="act ${act === "roll" ? "" : "quiet"}" data-move=${act} @click=${() => table.press(act)}>${table.term(act)}</button>`)}
  </div>`;
};

const button = (table, key, move, content) =>
  html`<button type="button" class="answer-button" data-move=${move} @click=${() => table.press(key)}>${content}</button>`;

const plain = (table, key, words) => button(table, key, table.choice(key)?.move, words);

const leader = (table, key, id) => {
  const facts = table.words.cards[id];
  return html`<button type="button" class="answer-button base-choice" data-move=${table.choice(key)?.move} @click=${() => table.press(key)}>
    <b>${table.name(id)}</b><span>${facts ? table.name(facts.leader) : nothing}</span>
    <span class="base-dice">${Object.entries(facts?.dice ?? {}).map(([colour, count]) => Array.from({ length: count }, () => die(colour)))}</span>
    <span class="text">${table.words.texts[id] ?? ""}</span></button>`;
};

const playable = (table) => {
  const kinds = [...new Set(table.choices.all.filter(({ source }) => source?.startsWith("token ")).map(({ source }) => source))];
  return kinds.map((key) => html`<button type="button" class="answer-button token-button" data-pick=${key} @click=${() => table.press(key)}>
    ${coin(key.slice(6))}${table.t("play", { what: table.term(key.slice(6)) })}</button>`);
};

// -- the second click

const counterparts = (table) => {
  const [kind, ...rest] = table.picked.split(" ");
  const what = rest.join(" ");
  const [first] = table.choices.counterparts;
  const ask = kind === "die" ? "put-where" : first?.target === "play" ? "play" : "play-where";
  const title = kind === "card" ? table.t("put-here", { card: table.name(what) }) : table.t(ask, { what: table.term(what) });
  return html`<div class="picked-up"><p class="hint"><b>${title}</b></p><div class="answers">
    ${table.choices.counterparts.map(({ move, source, target }) => {
      const other = kind === "card" ? source : target;
      return html`<button type="button" class="answer-button" data-move=${move} @click=${() => table.press(other)}>${counterpart(table, other)}</button>`;
    })}
    <button type="button" class="act quiet" @click=${() => table.drop()}>${table.t("cancel")}</button></div></div>`;
};

const counterpart = (table, key) => {
  const [kind, first, second] = key.split(" ");
  if (kind === "die") return html`${die(first, second)}${table.term(first)} ${table.term(second)}`;
  if (kind === "colour") return html`${die(first)}${table.term(first)}`;
  if (kind === "stone") return html`${gem(first)}${table.stoneName(first)}`;
  if (kind === "card") return html`${table.name(first)}${table.picked.startsWith("token ") ? healthOf(table, first) : nothing}`;
  return table.t(kind === "forfeit" ? "forfeit" : "play-now");
};
