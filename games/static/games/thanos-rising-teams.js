// The teams: one's own as cards at the near side of the table, the others as lines.

import { html, nothing, repeat } from "../vendor/lit.js";
import { lineCard, pressable, wholeCard } from "./thanos-rising-cards.js";
import { coin, die } from "./thanos-rising-pieces.js";

/** A bonus token of this kind; pressing it picks it up where it may be played. */
const token = (table, kind, count, { mine, isNew }) => {
  const words = [count > 1 ? `${count} ×` : "", table.term(kind), isNew ? `(${table.t("new")})` : ""].filter(Boolean).join(" ");
  const key = mine && !isNew ? `token ${kind}` : `shown ${kind}`;
  return html`<li>${pressable(table, key, {
    kind: `token${isNew ? " is-new" : ""}`,
    label: `${words}. ${table.words.texts[kind] ?? ""}`,
    help: kind,
    content: html`${coin(kind)}<span class="token-name">${count > 1 ? html`<b>${count}×</b> ` : nothing}${table.term(kind)}</span>`,
  })}</li>`;
};

const tokens = (table, team, mine) => {
  const fresh = Object.entries(team.new_tokens);
  const held = Object.entries(team.tokens).map(([kind, count]) => [kind, count - (team.new_tokens[kind] ?? 0)]).filter(([, count]) => count > 0);
  return html`<ul class="tokens" aria-label=${table.t("tokens")}>
    ${held.map(([kind, count]) => token(table, kind, count, { mine }))}
    ${fresh.map(([kind, count]) => token(table, kind, count, { mine, isNew: true }))}
    ${held.length || fresh.length ? nothing : html`<li class="none">${table.t("no-tokens")}</li>`}</ul>`;
};

const base = (table, id, isWhole) => {
  if (!id) return nothing;
  const facts = table.words.cards[id];
  return html`<button type="button" class="base" @click=${() => table.explain(id)}>
    <span class="base-name">${table.name(id)}</span>
    <span class="base-dice">${Object.entries(facts?.dice ?? {}).map(([colour, count]) => Array.from({ length: count }, () => die(colour)))}</span>
    ${isWhole ? html`<span class="text">${table.words.texts[id] ?? ""}</span>` : nothing}</button>`;
};

const heading = (table, seat) => {
  const { active, deployed } = table.view.table;
  return html`<h2 class="seat-${seat}"><span class="seat-mark" aria-hidden="true"></span>${table.seatName(seat)}${active === seat
    ? html`<span class="tag">${deployed === null ? table.t("active") : table.t("deployed", { number: deployed + 1 })}</span>` : nothing}</h2>`;
};

export const ownTeam = (table, seat) => {
  const team = table.view.table.teams[seat];
  return html`<section class="team own seat-${seat}" data-team=${seat} aria-label=${table.t("team-of", { name: table.seatName(seat) })}>
    <div class="team-head">${heading(table, seat)}${base(table, team.base, true)}${tokens(table, team, seat === table.seat)}</div>
    <ul class="heroes">${repeat(team.heroes, ({ id }) => id, (card) => html`<li>${wholeCard(table, card)}</li>`)}</ul></section>`;
};

export const otherTeams = (table, home) => html`<div class="others">${table.view.table.teams.map((team, seat) =>
  seat === home ? nothing : html`<section class="team seat-${seat}" data-team=${seat} aria-label=${table.t("team-of", { name: table.seatName(seat) })}>
    ${heading(table, seat)}${base(table, team.base, false)}
    <ul class="lines">${repeat(team.heroes, ({ id }) => id, (card) => html`<li>${lineCard(table, card)}</li>`)}</ul>
    ${tokens(table, team, false)}</section>`)}</div>`;
