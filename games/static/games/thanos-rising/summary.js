// A turn as briefly as it can be shown: pairs of a picture and a sign, what matters most first.

import { html } from "../../vendor/lit.js";
import { addressOf } from "../emblems/thanos-rising.js";
import { smallPicture } from "../board/parts.js";
import { die, gem } from "./pieces.js";
import { kindOf } from "../core/texts.js";

/** @typedef {ThanosRising.Element} Table */

/** What ends on a card, and the sign for it. @type {Record<string, { mark: string, tone: string }>} */
const ENDS = {
  "hero-lost": { mark: "✕", tone: "low" },
  "villain-defeated": { mark: "✓", tone: "high" },
  recruited: { mark: "+", tone: "high" },
};

/** @param {unknown} picture */
const pair = (picture, mark = "", tone = "") => html`<span class="pair">${picture}<b class="mark ${tone}">${mark}</b></span>`;

/**
 * @param {Table} table
 * @param {ThanosRising.Event[]} events
 */
export const summary = (table, events) => {
  /** @param {string} kind */
  const of = (kind) => events.filter((event) => kindOf(event) === kind);
  const limit = table.view?.table.stone_limit; // the first chips are drawn before the first view
  const ended = events.filter((event) => kindOf(event) in ENDS);
  const taken = of("stone-collected");
  // The dice of a turn that finished nothing: the card that most of them went to.
  const put = ended.length ? [] : of("assigned");
  const card = put.map((event) => event.card).sort((one, two) => count(put, two) - count(put, one))[0];
  const hurt = of("damaged").filter(({ card: id = "" }) => "type" in (table.words.cards[id] ?? {})).reduce((sum, { amount = 0 }) => sum + amount, 0);
  const grown = of("counter-added").at(-1);
  const [deployed] = of("deployed");
  const icons = [
    ...taken.map(({ stone = "" }) => pair(gem(stone), "✕", "low")),
    ...ended.map((event) => pair(smallPicture(addressOf(event.card ?? "")), ENDS[kindOf(event)].mark, ENDS[kindOf(event)].tone)),
    ...(card ? [pair(html`${die(put[0].colour ?? null)}${smallPicture(addressOf(card))}`, count(put, card) > 1 ? `×${count(put, card)}` : "")] : []),
    ...(hurt ? [pair(smallPicture(addressOf("thanos")), `−${hurt}`, "low")] : []),
    ...(grown && !taken.length ? [pair(gem(grown.stone ?? ""), limit ? `${grown.count}/${limit}` : String(grown.count))] : []),
  ];
  const named = ended.at(-1)?.card ?? card;
  const words = named ? table.name(named) : deployed ? table.t("sector", { number: Number(deployed.sector) + 1 }) : "";
  return { icons: html`${icons}`, words, tone: taken.length || ended.length ? "big" : "" };
};

/**
 * @param {ThanosRising.Event[]} put
 * @param {string | undefined} card
 */
const count = (put, card) => put.filter((event) => event.card === card).length;
