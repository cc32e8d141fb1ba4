// The teams: one's own as cards at the near side of the table, the others small.

import { classMap, html, nothing, repeat } from "../../vendor/lit.js";
import { avatar } from "../board/parts.js";
import { ownCard, pressable, smallCard } from "./cards.js";
import { coin } from "./pieces.js";

/** @typedef {ThanosRising.Element} Table */

/** @param {ThanosRising.Team} team */
const held = (team) => [
  ...Object.entries(team.tokens).map(([kind, count]) => ({ kind, count: count - (team.new_tokens[kind] ?? 0), isNew: false })).filter(({ count }) => count > 0),
  ...Object.entries(team.new_tokens).map(([kind, count]) => ({ kind, count, isNew: true })),
];

/** @type {(table: Table, token: { kind: string, count: number, isNew: boolean }) => string} */
const inWords = (table, { kind, count, isNew }) => [count > 1 ? `${count} ×` : "", table.term(kind), isNew ? `(${table.t("new")})` : ""].filter(Boolean).join(" ");

/**
 * One's own bonus tokens; pressing one picks it up where it may be played.
 * @param {Table} table
 * @param {ThanosRising.Team} team
 * @param {boolean} mine
 */
const ownTokens = (table, team, mine) => {
  const all = held(team);
  return html`<ul class="tokens" aria-label=${table.t("tokens")}>${all.map((token) => html`<li>${pressable(table, mine && !token.isNew ? `token ${token.kind}` : `shown ${token.kind}`, {
    kind: `token${token.isNew ? " is-new" : ""}`,
    label: `${inWords(table, token)}. ${table.words.texts[token.kind] ?? ""}`,
    help: token.kind,
    why: mine ? table.why(`play ${token.kind}`) : "",
    content: html`${coin(token.kind)}${token.count > 1 ? html`<b class="times">${token.count}</b>` : nothing}`,
  })}</li>`)}${all.length ? nothing : html`<li class="none">${table.t("no-tokens")}</li>`}</ul>`;
};

/**
 * @param {Table} table
 * @param {number} seat
 */
const state = (table, seat) => ({
  [`s${seat}`]: true,
  "is-active": table.view.table.active === seat,
  "is-away": table.names?.[seat]?.here === false && !table.names[seat].is_bot,
});

/**
 * @param {Table} table
 * @param {number} seat
 */
const marks = (table, seat) => {
  const { active, deployed } = table.view.table;
  if (active !== seat) return "";
  return deployed === null ? table.t("active") : table.t("deployed", { number: deployed + 1 });
};

/**
 * @param {Table} table
 * @param {number} seat
 */
export const ownTeam = (table, seat) => {
  const team = table.view.table.teams[seat];
  return html`<section class=${classMap({ team: true, own: true, panel: true, ...state(table, seat) })} data-team=${seat} data-must="own" aria-label=${table.t("team-of", { name: table.seatName(seat) })}>
    <div class="team-head"><h2>${avatar(table.names, seat)}<span class="who">${table.seatName(seat)}</span></h2>
      ${team.base ? html`<p class="base" data-help=${team.base}>${table.name(team.base)}</p>` : nothing}${ownTokens(table, team, seat === table.seat)}</div>
    <ul class="heroes">${repeat(team.heroes, ({ id }, place) => `${place} ${id}`, (card) => html`<li>${ownCard(table, card)}</li>`)}</ul></section>`;
};

/**
 * @param {Table} table
 * @param {number} home
 */
export const otherTeams = (table, home) => {
  const { teams } = table.view.table;
  return html`<div class="others of-${teams.length - 1}" data-must="others">${teams.map((team, seat) => {
    if (seat === home) return nothing;
    const tokens = held(team);
    return html`<section class=${classMap({ team: true, mate: true, panel: true, ...state(table, seat) })} data-team=${seat} aria-label=${table.t("team-of", { name: table.seatName(seat) })}>
      <h2>${avatar(table.names, seat)}<span class="who">${table.seatName(seat)}</span><span class="visually-hidden">${marks(table, seat)}</span>
        <span class="tokens" role="img" aria-label="${table.t("tokens")}: ${tokens.map((token) => inWords(table, token)).join(", ") || 0}">${tokens.map(({ kind }) => coin(kind))}</span></h2>
      ${team.base ? html`<p class="base" data-help=${team.base}>${table.name(team.base)}</p>` : nothing}
      <ul class="small-cards">${repeat(team.heroes, ({ id }, place) => `${place} ${id}`, (card) => html`<li>${smallCard(table, card)}</li>`)}</ul></section>`;
  })}</div>`;
};
