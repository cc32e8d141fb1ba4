// What the rules of Infinity Gauntlet show beside their words.

import { css, html } from "../../vendor/lit.js";
import { definePieces } from "../core/rule-pieces.js";
import { back, shownCard } from "./cards.js";
import { clash, eye, gauntlet, heart, power } from "./emblems.js";
import { styles } from "./styles.js";

const sizes = css`
  .shown { width: 76px; height: 100px; border-radius: 10px; }
  .shown .number { font-size: 20px; left: 7px; }
  .mark { font-size: 26px; line-height: 40px; min-width: 40px; height: 40px; }
  .sign { width: 44px; height: 44px; }
  .power { color: var(--power); } .clash { color: var(--soul); } .eye { color: var(--ink); }
  .gauntlet { width: 92px; height: 104px; }
`;

/** @type {Record<string, (words: any, what: string[]) => unknown>} */
const DRAWINGS = {
  card: (words, [id]) => shownCard(words, id),
  back: (words, [side]) => back(words, side, { shape: "shown" }),
  heart: () => heart(),
  power: () => power(),
  clash: () => clash(),
  eye: () => eye(),
  gauntlet: (words, [stones = ""]) => gauntlet(words, stones.split(",")),
};

definePieces((words, kind, what) => DRAWINGS[kind]?.(words, what) ?? html``, [...styles, sizes]);
