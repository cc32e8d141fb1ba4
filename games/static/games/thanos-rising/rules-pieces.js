// What the rules of Thanos Rising show beside their words.

import { css, html } from "../../vendor/lit.js";
import { definePieces } from "../core/rule-pieces.js";
import { artOf, wants } from "./cards.js";
import { coin, die, gem, stoneDie, thanosDie } from "./pieces.js";
import { styles } from "./styles.js";

const sizes = css`
  .box { display: grid; grid-template: minmax(0, 1fr) auto / minmax(0, 1fr); width: 76px; height: 100px; border-radius: 10px; overflow: hidden; background: var(--surface); box-shadow: inset 0 0 0 1px var(--line-strong), 0 2px 0 var(--edge); }
  .box .emblem { width: 58px; height: 58px; }
  .box .wants { justify-content: center; padding: 3px; margin: 0; }
  .box .want { width: 16px; height: 16px; } .box .want .glyph { width: 11px; height: 11px; }
  .die-block { width: 46px; height: 46px; }
  .gem-picture { width: 46px; height: 46px; }
  .coin { width: 46px; height: 46px; } .coin .glyph { width: 27px; height: 27px; }
  .bases { display: flex; gap: 4px; flex-wrap: wrap; width: 96px; }
  .bases .die-block { width: 42px; height: 42px; }
`;

/** @type {(words: any, id: string) => unknown} */
const card = (words, id) => {
  const facts = words.cards[id];
  return html`<span class="box">${artOf(id, facts.type)}${wants(facts.symbols, {})}</span>`;
};

/** @type {(words: any, id: string) => unknown} */
const base = (words, id) => html`<span class="bases">${Object.entries(words.cards[id].dice).flatMap(([colour, count]) =>
  Array.from({ length: Number(count) }, () => die(colour)))}</span>`;

/** @type {Record<string, (words: any, what: string[]) => unknown>} */
const DRAWINGS = {
  card: (words, [id]) => card(words, id),
  base: (words, [id]) => base(words, id),
  die: (_words, [colour, face]) => die(colour, face),
  "thanos-die": (_words, [face]) => thanosDie(face),
  "stone-die": (_words, [stone]) => stoneDie(stone),
  gem: (_words, [stone]) => gem(stone),
  coin: (_words, [kind]) => coin(kind),
};

definePieces((words, kind, what) => DRAWINGS[kind]?.(words, what) ?? html``, [...styles, sizes]);
