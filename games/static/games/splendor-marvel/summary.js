// A turn as briefly as it can be shown: what was taken, kept or recruited, and the points it brought. The pictures say
// all of it, because the words are the first to go where there is little room.

import { html, nothing } from "../../vendor/lit.js";
import { addressOf } from "../emblems/splendor-marvel.js";
import { smallPicture } from "../board/parts.js";
import { smallPlace } from "./emblems.js";
import { cardFacts, locationFacts, smallBack, smallStone, smallTag } from "./pieces.js";
import { kindOf, sayAll } from "../core/texts.js";

/** @typedef {SplendorMarvel.Element} Table */

const TILE_POINTS = 3;

/**
 * The sentence of an event without the name before it, which the chip has, and without its full stop.
 * @type {(table: Table, event: SplendorMarvel.Event) => string}
 */
const deed = ({ words, names }, event) => {
  const name = names?.[event.seat ?? -1]?.name ?? "";
  const text = sayAll(words, names ?? [], [event]).replace(/(?<![A-Z])\.$/, "");
  return name && text.startsWith(`${name} `) ? text.slice(name.length + 1) : text;
};

/**
 * @param {Table} table
 * @param {SplendorMarvel.Event[]} events
 */
export const summary = (table, events) => {
  /** @param {string} kind */
  const of = (kind) => events.filter((event) => kindOf(event) === kind);
  const [recruited] = of("recruited");
  const [unseen] = of("reserved-unseen");
  const reserved = of("reserved")[0] ?? unseen;
  const places = of("location").map(({ location = "" }) => location);
  const tiles = [...of("got-tile"), ...of("won-tile")];
  const points = places.reduce((sum, id) => sum + locationFacts(table.words, id).points, tiles.length * TILE_POINTS)
    + (recruited?.card ? cardFacts(table.words, recruited.card).points : 0);
  const more = html`${places.map(smallPlace)}${tiles.map(smallTag)}${of("time-stone").map(() => smallStone("green"))}`;
  const tone = points ? "big" : "";
  if (recruited?.card) {
    return {
      icons: html`<span class="pair">${smallPicture(addressOf(recruited.card))}${points ? html`<b class="mark high">+${points}</b>` : nothing}</span>${more}`,
      words: deed(table, recruited), tone,
    };
  }
  if (reserved) {
    return {
      icons: html`<span class="pair"><span class="kept">${unseen ? smallBack(unseen.level ?? 1) : smallPicture(addressOf(reserved.card ?? ""))}</span>${of("got-grey").length ? smallStone("grey") : nothing}</span>`,
      words: deed(table, reserved), tone,
    };
  }
  const taken = of("took");
  return taken.length ? { icons: html`<span class="pair fan">${taken.map(({ token = "grey" }) => smallStone(token))}</span>`, words: "", tone } : null;
};
