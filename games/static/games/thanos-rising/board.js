// The middle of the table: how the match stands, the stones and the gauntlet, and the three sectors with Thanos before one.

import { classMap, html, nothing, repeat } from "../../vendor/lit.js";
import { addressOf } from "../emblems/thanos-rising.js";
import { avatar, picture } from "../board/parts.js";
import { pressable, sectorCard } from "./cards.js";
import { gauntlet, gem, heart, skull, stoneDie, thanosDie } from "./pieces.js";

/** @typedef {ThanosRising.Element} Table */

const MOST_PIPS = 7; // more would be too small to count, and the number stands beside them

/** @type {Record<string, () => unknown>} */
const SIGNS = { villains: skull, heroes: heart, stones: () => gem("yellow") };

/**
 * @param {Table} table
 * @param {string} kind
 * @param {number} count
 * @param {number} limit
 * @param {string} end
 */
const tally = (table, kind, count, limit, end) => html`<div class="tally tally-${kind}" title="${table.t(kind)} ${count} / ${limit} ${table.t(end)}">
  ${SIGNS[kind]()}<b>${count}</b><small>/ ${limit}</small><span class="tally-words">${table.t(kind)} ${table.t(end)}</span></div>`;

/** @param {Table} table */
export const standing = (table) => {
  const { defeated, goal, lost, heroes_lost_limit: limit, stones, stones_to_lose: enough, turn, deck, tokens } = table.view.table;
  const taken = stones.filter(({ collected }) => collected).length;
  return html`<section class="standing" data-must="standing" aria-label=${table.t("standing")}>
    ${tally(table, "villains", defeated.length, goal, "wins")}
    ${tally(table, "heroes", lost.length, limit, "loses")}
    ${tally(table, "stones", taken, enough, "loses")}
    ${omens(table)}
    <p class="tally piles" title="${deck ?? 0} ${table.t("deck")}, ${tokens.face_down} ${table.t("supply")}"><span class="card-back" aria-hidden="true"></span><b>${deck ?? "–"}</b><span class="visually-hidden">${table.t("deck")}</span>
      <span class="token-back" aria-hidden="true"></span><b>${tokens.face_down}</b><span class="visually-hidden">${table.t("supply")}</span></p>
    <p class="tally turn-number">${table.t("turn", { number: turn })}</p></section>`;
};

/**
 * What the stone die and the Thanos die showed this turn, as far as the page has seen it; else the dice lie blank.
 * @param {Table} table
 */
const omens = (table) => {
  const { stones, face } = table.omens;
  const label = [...stones.map((stone) => table.stoneName(stone)), face ? table.term(face) : ""].filter(Boolean).join(", ");
  return html`<p class="tally omens" role="img" aria-label="${table.t("omens")}: ${label || "–"}" title=${label || nothing}>${stones.length ? stones.map(stoneDie) : stoneDie("")}${thanosDie(face ?? "")}</p>`;
};

// -- the sectors

/** @param {Table} table */
export const sectors = (table) => html`<div class="sectors" data-must="board" role="group" aria-label=${table.t("sectors")}>${table.view.table.sectors.map((cards, place) => sector(table, cards, place))}</div>`;

/**
 * @param {Table} table
 * @param {(ThanosRising.Asset | null)[]} cards
 * @param {number} place
 */
const sector = (table, cards, place) => {
  const { thanos, deployed, active } = table.places;
  const choice = table.choice(`sector ${place}`);
  const isHere = deployed === place;
  return html`<section class=${classMap({ sector: true, mat: true, "is-faced": thanos === place, "is-here": isHere, "is-far": deployed !== null && !isHere, [`s${active}`]: isHere })} data-sector=${place} aria-label=${table.t("sector", { number: place + 1 })}>
    <header><h2><span class="sector-word">${table.t("sector", { number: "" })}</span>${place + 1}</h2>
      ${thanos === place ? html`<span class="titan" role="img" aria-label=${table.t("thanos-faces", { number: place + 1 })}>${picture(addressOf("thanos"))}</span>` : nothing}
      ${isHere ? html`<span class="flag">${avatar(table.names, active)}<span class="who">${table.seatName(active)}</span></span>` : nothing}
      ${choice ? html`<button type="button" class="btn go deploy" data-move=${choice.move} aria-label=${table.t("deploy-here", { number: place + 1 })} @click=${() => table.press(`sector ${place}`)}>${table.t("deploy-short", { number: place + 1 })}</button>` : nothing}
    </header>
    <ul>${repeat(cards, (card, slot) => card?.id ?? slot, (card) => html`<li>${card ? sectorCard(table, card) : html`<span class="gap" role="img" aria-label=${table.t("gap")}></span>`}</li>`)}</ul>
  </section>`;
};

// -- the stones

/** @param {Table} table */
export const stones = (table) => {
  const { stones: all, stone_limit: limit } = table.view.table;
  return html`<section class="stones panel" data-must="stones" aria-label=${table.t("gauntlet")}><span class="glove-box">${gauntlet(all)}</span>
    ${all.map((stone) => oneStone(table, stone, limit))}</section>`;
};

/**
 * @param {Table} table
 * @param {ThanosRising.Stone} stone
 * @param {number} limit
 */
const oneStone = (table, { id, counters, collected }, limit) => {
  const key = `stone ${id}`;
  const choice = table.choice(key);
  const state = collected ? table.t("taken") : table.t("counters", { count: counters, limit });
  const label = [table.name(id), state, table.words.texts[id], table.words.stand_ins[id]?.text, choice?.move && table.label(choice.move)].filter(Boolean).join(". ");
  const pips = limit > MOST_PIPS ? html`<span class="number">${counters}/${limit}</span>` : html`<span class="counters">${Array.from({ length: Math.max(limit, counters) }, (_, place) => html`<i class=${place < counters ? "on" : ""}></i>`)}</span>`;
  return pressable(table, key, {
    kind: `stone${collected ? " is-taken" : ""}`,
    label,
    help: id,
    stone: id,
    content: html`${gem(id)}<span class="stone-name">${table.stoneName(id)}</span>${collected ? html`<b class="taken">${table.t("taken-short")}</b>` : pips}<span class="short">${collected ? "✕" : `${counters}/${limit}`}</span>`,
  });
};
