// What the rules of Splendor: Marvel show beside their words.

import { css, html } from "../../vendor/lit.js";
import { definePieces } from "../core/rule-pieces.js";
import { back, face, place, tag, token } from "./pieces.js";
import { styles } from "./styles.js";

const sizes = css`
  .box { display: block; position: relative; width: 104px; height: 142px; }
  .box.wide { width: 132px; height: 84px; }
  .box.low { width: 76px; height: 100px; }
  .face, .deck-back { display: block; width: 100%; height: 100%; }
  .face .name { font-size: 12px; }
  :host([what='tag']) .tag { width: 40px; height: 40px; fill: var(--ink); stroke: none; }
  .tok { width: 48px; height: 52px; }
`;

/** @type {Record<string, (words: any, what: any[]) => unknown>} */
const DRAWINGS = {
  card: (words, [id]) => html`<span class="box">${face(words, id)}</span>`,
  place: (words, [id]) => html`<span class="box wide">${place(words, id)}</span>`,
  back: (_words, [level]) => html`<span class="box low">${back(Number(level))}</span>`,
  token: (words, [colour]) => token(words, colour),
  tag: () => tag(),
};

definePieces((words, kind, what) => DRAWINGS[kind]?.(words, what) ?? html``, [...styles, sizes]);
