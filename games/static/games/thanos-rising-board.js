// The middle of the table: how the match stands, the three sectors, Thanos among them, the stones and his gauntlet.

import { classMap, html, ifDefined, nothing, repeat, svg } from "../vendor/lit.js";
import { pressable, wholeCard } from "./thanos-rising-cards.js";
import { STONE_TONES, gauntlet, gem, stoneDie, thanosDie, titan } from "./thanos-rising-pieces.js";

const BEARING = 58; // degrees between two sectors of the drawn zone; the styles turn the beam by as much

const MOST_PIPS = 12; // more would be too small to count, and the number stands beside them
const pips = (count, limit) => limit > MOST_PIPS ? nothing :
  html`<span class="pips" aria-hidden="true">${Array.from({ length: Math.max(limit, count) }, (_, place) => html`<i class=${place < count ? "on" : ""}></i>`)}</span>`;

const tally = (table, kind, count, limit, end) => html`<div class="tally tally-${kind}">
  <span class="tally-name">${table.t(kind)}</span><span class="tally-count"><b>${count}</b> / ${limit}</span>${pips(count, limit)}<span class="tally-end">${table.t(end)}</span></div>`;

export const standing = (table) => {
  const { defeated, goal, lost, heroes_lost_limit: limit, stones, stones_to_lose: enough, turn } = table.view.table;
  const taken = stones.filter(({ collected }) => collected).length;
  return html`<section class="standing" aria-label=${table.t("standing")}>
    ${tally(table, "villains", defeated.length, goal, "wins")}
    ${tally(table, "heroes", lost.length, limit, "loses")}
    ${tally(table, "stones", taken, enough, "loses")}
    <p class="turn-number">${table.t("turn", { number: turn })}</p></section>`;
};

// -- the sectors

export const sectors = (table) => {
  const { sectors: all, deployed } = table.view.table;
  const order = all.map((cards, place) => ({ cards, place }));
  if (table.narrow && deployed !== null) order.sort((one, two) => Number(two.place === deployed) - Number(one.place === deployed));
  return html`<div class="sectors" role="group" aria-label=${table.t("sectors")} tabindex=${ifDefined(table.narrow ? 0 : undefined)}>${repeat(order, ({ place }) => place, ({ cards, place }) => sector(table, cards, place))}</div>`;
};

const sector = (table, cards, place) => {
  const { thanos, deployed, active } = table.view.table;
  const choice = table.choice(`sector ${place}`);
  const title = table.t("sector", { number: place + 1 });
  return html`<section class=${classMap({ sector: true, "is-faced": thanos === place, "is-deployed": deployed === place, open: Boolean(choice) })} aria-label=${title}>
    <header><h2>${title}</h2>
      ${deployed === place ? html`<span class="flag seat-${active}">${banner(active)}${table.seatName(active)}</span>` : nothing}
      ${thanos === place ? html`<span class="flag flag-thanos"><svg viewBox="-34 -36 68 68" aria-hidden="true">${titan()}</svg>${table.t("thanos-here")}</span>` : nothing}
    </header>
    ${choice ? html`<button type="button" class="act" data-move=${choice.move} @click=${() => table.press(`sector ${place}`)}>${table.t("deploy-here", { number: place + 1 })}</button>` : nothing}
    <ul>${repeat(cards, (card, slot) => card?.id ?? slot, (card) => html`<li>${card ? wholeCard(table, card) : html`<span class="gap">${table.t("gap")}</span>`}</li>`)}</ul>
  </section>`;
};

const banner = (seat) => html`<svg class="banner seat-${seat}" viewBox="0 0 20 24" aria-hidden="true"><path d="M2 2h16v13l-8 7-8-7z"/></svg>`;

// -- Thanos in the middle

const point = (degrees, radius) => {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return [Math.cos(angle) * radius, Math.sin(angle) * radius];
};
const wedge = (degrees, radius, half) => {
  const [x, y] = point(degrees - half, radius);
  const [u, v] = point(degrees + half, radius);
  return `M0 0 ${x} ${y}A${radius} ${radius} 0 0 1 ${u} ${v}z`;
};

export const zone = (table) => {
  const { thanos, deployed, active } = table.view.table;
  const bearings = [-BEARING, 0, BEARING];
  return html`<div class="zone"><svg class="dial" viewBox="-112 -106 224 142" role="img" aria-label=${table.t("thanos-faces", { number: thanos + 1 })}>
    ${bearings.map((degrees, place) => svg`<path class="wedge ${thanos === place ? "is-faced" : ""}" d=${wedge(degrees, 100, 27)}/>`)}
    <path class="beam beam-${thanos}" d=${wedge(0, 94, 19)}/>
    ${bearings.map((degrees, place) => {
      const [x, y] = point(degrees, 82);
      return svg`<text class="wedge-number" x=${x} y=${y + 6}>${place + 1}</text>`;
    })}
    ${deployed === null ? nothing : svg`<g class="deployed seat-${active}" transform="translate(${point(bearings[deployed], 54).join(" ")})"><path d="M-9-10H9V3L0 11-9 3z"/></g>`}
    <circle class="plinth" r="36"/>${titan()}</svg>${omens(table)}</div>`;
};

/** What the stone die and the Thanos die showed this turn, as far as the page has seen it. */
const omens = (table) => {
  const { stones, face } = table.omens;
  if (!stones.length) return nothing;
  return html`<ul class="omens">
    ${stones.map((stone) => html`<li>${stoneDie(stone)}<span>${table.stoneName(stone)}</span></li>`)}
    ${face ? html`<li>${thanosDie(face)}<span>${table.term(face)}</span></li>` : nothing}</ul>`;
};

// -- the stones

export const stones = (table) => {
  const { stones: all, stone_limit: limit } = table.view.table;
  return html`<section class="stones" aria-label=${table.t("gauntlet")}>${gauntlet(all)}
    <ul>${all.map((stone) => html`<li>${oneStone(table, stone, limit)}</li>`)}</ul></section>`;
};

const oneStone = (table, { id, counters, collected }, limit) => {
  const key = `stone ${id}`;
  const choice = table.choice(key);
  const state = collected ? table.t("taken") : table.t("counters", { count: counters, limit });
  const label = [table.name(id), state, table.words.texts[id], choice?.move && table.label(choice.move)].filter(Boolean).join(". ");
  return pressable(table, key, {
    kind: `stone tone-${STONE_TONES[id] ?? "power"}${collected ? " is-taken" : ""}`,
    label,
    help: id,
    stone: id,
    content: html`${gem(id)}<span class="stone-name">${table.stoneName(id)}</span>${collected ? html`<span class="stone-state">${table.t("taken-short")}</span>` : pips(counters, limit)}`,
  });
};

/** What lies face down. */
export const piles = (table) => {
  const { deck, tokens } = table.view.table;
  const pile = (kind, count, words) => html`<li class="pile" title=${words}><span class="back back-${kind}" aria-hidden="true"></span><span><b>${count}</b> <span>${words}</span></span></li>`;
  return html`<ul class="piles">${deck === null ? nothing : pile("card", deck, table.t("deck"))}${pile("token", tokens.face_down, table.t("supply"))}</ul>`;
};
