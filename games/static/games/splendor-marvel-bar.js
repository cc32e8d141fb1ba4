// The bar between market and own board: what is asked, the supply, and the answers that need more than a card.

import { html, nothing } from "../vendor/lit.js";
import { means } from "./splendor-marvel-board.js";
import { COLOURS, counted, face, fill, gem, locationLabel, pips, place } from "./splendor-marvel-pieces.js";
import { nameOf, termOf } from "./words.js";

const held = (team) => Object.values(team.tokens).reduce((sum, count) => sum + count, 0);

const question = ({ words, view, names, seat, interactive }) => {
  const { question: asked, teams } = view.table;
  if (!asked || view.to_act === null) return fill(words, "ui-over");
  if (!interactive) return fill(words, "ui-wait", { name: names[view.to_act]?.name ?? "" });
  if (asked.ask === "choose" && view.legal.includes("pass")) return fill(words, "ui-ask-pass");
  return fill(words, `ui-ask-${asked.ask}`, {
    card: asked.card ? nameOf(words, asked.card) : "",
    count: held(teams[seat]),
  });
};

const token = (table, colour) => {
  const { words, view } = table;
  const count = view.table.supply[colour];
  const move = table.move(`take ${colour}`);
  const inside = html`${gem(words, colour)}<b>${count}</b>`;
  const label = fill(words, "ui-supply-of", { token: termOf(words, colour), count });
  if (!move) return html`<li><span class="token ${count ? "" : "none"}" data-supply=${colour} role="img" aria-label=${label}>${inside}</span></li>`;
  return html`
    <li><button type="button" class="token can" data-supply=${colour} data-move=${move} aria-label="${termOf(words, "take")}: ${label}" @click=${() => table.choose(move)}>
      ${inside}<span class="plus" aria-hidden="true">+</span>
    </button></li>`;
};

const supply = (table) => html`
  <ul class="supply" aria-label=${fill(table.words, "ui-supply")}>${[...COLOURS, "grey", "green"].map((colour) => token(table, colour))}</ul>`;

const tray = ({ words, view }) => {
  const { taken } = view.table.question ?? {};
  if (!taken) return nothing;
  return html`<p class="tray" data-tray role="img" aria-label="${fill(words, "ui-taken")}: ${counted(words, taken)}">
    <span>${fill(words, "ui-taken")}</span>
    ${COLOURS.flatMap((colour) => Array.from({ length: taken[colour] }, () => gem(words, colour)))}
  </p>`;
};

const STALL_WARNING = 5; // so many rounds before a match without recruits ends, the players are told

const stalling = ({ words, view }) => {
  const { rounds_without_recruit: count, stall_rounds: limit } = view.table;
  if (view.to_act === null || count === 0 || limit - count > STALL_WARNING) return nothing;
  return html`<p class="stalling" role="status">${fill(words, "ui-stalling", { count, limit })}</p>`;
};

const plain = (table, move, words, first = false) => html`
  <button type="button" class="answer ${first ? "first" : ""}" data-move=${move} @click=${() => table.choose(move)}>${words}</button>`;

const paying = (table) => {
  const { words, view } = table;
  const { card, price } = view.table.question;
  return html`
    <div class="paying">
      <span class="mini" aria-hidden="true">${face(words, card)}</span>
      <div class="answers">
        ${plain(table, "pay", html`<span class="quiet">${fill(words, "ui-pay")}: ${counted(words, price)}</span><span aria-hidden="true">${fill(words, "ui-pay")}</span>${pips(words, price)}`, true)}
        ${view.legal.filter((move) => move !== "pay").map((move) => {
          const colour = move.split(" ").at(-1);
          return plain(table, move, html`<span class="quiet">${fill(words, "ui-grey-for", { colour: termOf(words, colour) })}</span>${gem(words, "grey")}<span aria-hidden="true">→</span>${gem(words, colour)}`);
        })}
      </div>
    </div>`;
};

const returning = (table) => {
  const { words, view, seat } = table;
  return html`<ul class="supply returning">${view.legal.map((move) => {
    const colour = move.split(" ").at(-1);
    const count = view.table.teams[seat].tokens[colour];
    const label = fill(words, "ui-you-have", { token: termOf(words, colour), count });
    return html`
      <li><button type="button" class="token can" data-move=${move} aria-label="${termOf(words, "return")}: ${label}" @click=${() => table.choose(move)}>
        ${gem(words, colour)}<b>${count}</b><span class="plus" aria-hidden="true">−</span>
      </button></li>`;
  })}</ul>`;
};

const visiting = (table) => html`
  <ul class="visits">${table.view.legal.map((move) => {
    const id = move.split(" ").at(-1);
    return html`<li><button type="button" class="visit" data-move=${move} aria-label=${locationLabel(table.words, id)} @click=${() => table.choose(move)}>${place(table.words, id)}</button></li>`;
  })}</ul>`;

const PANELS = { pay: paying, return: returning, location: visiting };

/** What is asked and how to answer it. The supply stays in sight unless the answer lies elsewhere. */
export const bar = (table) => {
  const { words, view, interactive } = table;
  const asked = interactive ? view.table.question?.ask : null;
  const panel = PANELS[asked] ?? supply;
  const others = interactive ? ["stop", "pass"].filter((move) => view.legal.includes(move)) : [];
  const undo = interactive && view.can_undo;
  const team = view.table.teams[table.seat];
  return html`
    <section class="bar ${asked ? "asking" : ""}" aria-label=${fill(words, "ui-supply")}>
      <h2 class="ask" tabindex="-1">${question(table)}</h2>
      ${stalling(table)}
      ${team ? html`<div class="purse"><span aria-hidden="true">${fill(words, "ui-yours")}</span>${means(words, team)}</div>` : nothing}
      <div class="panel">
        ${panel(table)}
        ${tray(table)}
        ${others.length || undo ? html`<div class="answers">
          ${others.map((move) => plain(table, move, termOf(words, move), true))}
          ${undo ? plain(table, "undo", html`<span aria-hidden="true">↶</span> ${fill(words, "ui-undo")}`) : nothing}
        </div>` : nothing}
      </div>
    </section>`;
};
