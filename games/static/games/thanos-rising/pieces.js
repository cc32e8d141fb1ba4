// The drawings of Thanos Rising: symbols, dice, stones, tokens and the gauntlet.
// All are ours; they are decoration, the words beside them say the same.

import { html, nothing, svg } from "../../vendor/lit.js";
import { cut, gem } from "../board/stones.js";

export { gem };

/** @type {Record<string, string>} */
const TONES = { battle: "reality", technology: "space", mystic: "time", cosmic: "power" };
/** @type {Record<string, string>} */
const DIE_TONES = { red: "reality", blue: "space", green: "time", purple: "power" };
/** @type {Record<string, string>} */
const DIE_SYMBOLS = { red: "battle", blue: "technology", green: "mystic", purple: "cosmic" };

const BLADE = svg`<path d="M2.5 2.5h3.7l10.9 10.9-3.7 3.7L2.5 6.2z"/><path d="m12.4 19 6.6-6.6 1.7 1.7-2.3 2.3 3.1 3.1-2 2-3.1-3.1-2.3 2.3z"/>`;
/** @type {Record<string, unknown>} */
const SYMBOLS = {
  battle: svg`${BLADE}<g transform="matrix(-1 0 0 1 24 0)">${BLADE}</g>`,
  technology: svg`<path fill-rule="evenodd" d="m12 1.5 9.1 5.2v10.6L12 22.5l-9.1-5.2V6.7zm0 4.4L6.8 8.9v6.2l5.2 3 5.2-3V8.900z"/><circle cx="12" cy="12" r="2.7"/>`,
  mystic: svg`<path fill-rule="evenodd" d="M1 12c3.6-5.4 7.2-7.5 11-7.500s7.4 2.1 11 7.500c-3.6 5.4-7.2 7.5-11 7.500S4.6 17.4 1 12zm11-5a5 5 0 1 0 0 10 5 5 0 0 0 0-10z"/><circle cx="12" cy="12" r="2.5"/>`,
  cosmic: svg`<path d="M12 1c1.1 6.5 4.5 9.9 11 11-6.5 1.1-9.9 4.5-11 11-1.1-6.5-4.5-9.9-11-11 6.5-1.1 9.9-4.5 11-11z"/><circle cx="19.5" cy="4.5" r="2"/><circle cx="4.5" cy="19.5" r="1.6"/>`,
};
/** @type {Record<string, unknown>} */
const OTHERS = {
  heal: svg`<path d="M9 2h6v7h7v6h-7v7H9v-7H2V9h7z"/>`,
  stone: svg`<path fill-rule="evenodd" d="M7 2h10l5 7-10 13L2 9zm.5 3L5 8.500h14L16.5 5z"/><path d="M2 20.5 20.5 2l1.5 1.500L3.5 22z"/>`,
  die: svg`<path fill-rule="evenodd" d="M5 2h14a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3V5a3 3 0 0 1 3-3zm6 5v4H7v2h4v4h2v-4h4v-2h-4V7z"/>`,
  "rotate-cw": svg`<path d="M12 4a8 8 0 1 0 8 8h-3a5 5 0 1 1-5-5v3.500L18.5 5.5 12 .5z"/>`,
  "rotate-ccw": svg`<path d="M12 4a8 8 0 1 1-8 8h3a5 5 0 1 0 5-5v3.500L5.5 5.5 12 .5z"/>`,
  "activate-other-villains": svg`<path d="M2 5.5 9 10l3-8 3 8 7-4.5-3.5 9 2 7.5-8.5-4-8.5 4 2-7.500z"/>`,
  "roll-stone-die-again": svg`<path d="M7 3h10l4 6-9 13L3 9z"/>`,
};

const drawn = (paths, kind = "glyph") => html`<svg class=${kind} viewBox="0 0 24 24" width="18" height="18" fill="currentColor" aria-hidden="true">${paths}</svg>`;

/** A symbol, or the sign of a token or of a Thanos die's face. */
export const glyph = (name) => drawn(SYMBOLS[name] ?? OTHERS[name] ?? (name.endsWith("-die") ? OTHERS.die : svg`<circle cx="12" cy="12" r="7"/>`));

// -- dice: a block with a top and a side. The front is blank until it is rolled; the side bears the colour's own symbol.

/** @type {Record<string, [string, string, string]>} Top, front and side. */
const BLOCKS = {
  red: ["#ec5a6b", "#d02f45", "#8d1529"], blue: ["#6b9df2", "#2b6be4", "#16408f"], green: ["#4fbd85", "#168750", "#0a4f2e"],
  purple: ["#a777f0", "#7a3fd0", "#48208a"], gold: ["#f7d878", "#d9a520", "#8a6410"], night: ["#5a516e", "#2c2738", "#15121c"], plain: ["#b9b3c6", "#7d7691", "#4b4559"],
};

/** @param {string} symbol */
const small = (symbol, x, y, size) => svg`<svg x=${x} y=${y} width=${size} height=${size} viewBox="0 0 24 24">${SYMBOLS[symbol]}</svg>`;

const faceOf = (face) => {
  if (!face) return nothing;
  const symbol = face.replace("double-", "");
  return face === symbol ? small(symbol, 10, 19, 29) : svg`${small(symbol, 6, 15, 20)}${small(symbol, 23, 32, 20)}`;
};

const block = (tone, front, side) => {
  const [top, face, shade] = BLOCKS[tone] ?? BLOCKS.plain;
  return html`<svg class="die-block" viewBox="0 0 60 60" width="28" height="28" aria-hidden="true">
    <path d="M5 13 15 3h40l-8 10Z" fill=${top} stroke=${top} stroke-width="4" stroke-linejoin="round"/>
    <path d="M47 13l9-9v39l-9 11Z" fill=${shade} stroke=${shade} stroke-width="4" stroke-linejoin="round"/>
    <rect x="2" y="11" width="46" height="46" rx="9" fill=${face}/>
    <rect x="3.5" y="12.5" width="43" height="43" rx="8" fill="none" stroke="#fff" stroke-opacity=".35" stroke-width="1.5"/>
    <path d="M4 20c0-4 3-7 7-7h28c-12 4-26 14-35 28Z" fill="#fff" fill-opacity=".16"/>
    ${side ? svg`<g transform="matrix(.62 -.45 0 1 48.6 33)" fill="#fff" fill-opacity=".85">${small(side, 0, 0, 13)}</g>` : nothing}
    <g fill="#fff">${front}</g></svg>`;
};

/**
 * A power die; without a face it is not rolled yet.
 * @param {string | null} colour
 * @param {string} [face]
 */
export const die = (colour, face) => block(colour ?? "plain", faceOf(face), DIE_SYMBOLS[colour ?? ""]);

export const thanosDie = (face) => block("gold", face ? svg`<svg x="10" y="19" width="29" height="29" viewBox="0 0 24 24">${OTHERS[face]}</svg>` : nothing, null);
/** @param {string} stone */
export const stoneDie = (stone) => block("night", stone ? svg`<svg x="9" y="18" width="32" height="32" viewBox="0 0 24 24">${cut(stone)}</svg>` : nothing, null);

/** A bonus token, in the colour of what it brings. */
export const coin = (kind) => html`<span class="coin coin-${TONES[kind] ?? DIE_TONES[kind.replace("-die", "")] ?? (kind === "heal" ? "soul" : "mind")}">${glyph(kind)}</span>`;

/** @type {Record<string, [number, number, number]>} */
const SOCKETS = { purple: [37, 45, 8.5], blue: [54, 40, 8.5], red: [71, 40, 8.5], orange: [88, 45, 8.5], green: [21, 72, 8.5], yellow: [62, 74, 12] };

/** The gauntlet: a glove with six settings, and in them the stones that Thanos has. */
export const gauntlet = (stones) => html`<svg class="gauntlet" viewBox="4 4 112 126" aria-hidden="true">
  <path class="cuff" d="M30 96h64l8 32H22z"/><path class="glove" d="M28 48a8 8 0 0 1 8-8h52a8 8 0 0 1 8 8v38a14 14 0 0 1-14 14H42a14 14 0 0 1-14-14z"/>
  ${[29, 46, 63, 80].map((x, place) => svg`<rect class="glove" x=${x} y=${place % 3 ? 12 : 18} width="16" height="36" rx="7"/>`)}
  <path class="glove" d="M28 58c-9 0-16 5-17 13s4 15 11 17l8 4z"/><path class="seam" d="M26 110h72M24 119h76M34 54h56"/>
  ${stones.map(({ id, collected }) => {
    const [x, y, r] = SOCKETS[id] ?? SOCKETS.yellow;
    return svg`<circle class="socket" cx=${x} cy=${y} r=${r}/>${collected ? svg`<svg x=${x - r - 1} y=${y - r - 1} width=${2 * r + 2} height=${2 * r + 2} viewBox="-.7 -.7 25.4 25.4">${cut(id)}</svg>` : nothing}`;
  })}</svg>`;

/** What stands for a villain: a skull of our own, and a whole heart for heroes. */
export const skull = () => drawn(svg`<path fill-rule="evenodd" d="M12 2c6 0 9.500 4 9.500 9 0 3.200-1.400 5.400-3.500 6.800V22h-3v-2.500h-1.500V22h-3v-2.500H9V22H6v-4.200C3.900 16.400 2.500 14.200 2.500 11c0-5 3.500-9 9.500-9zM8.300 9.200a2.300 2.300 0 1 0 0 4.600 2.300 2.300 0 0 0 0-4.600zm7.400 0a2.300 2.300 0 1 0 0 4.600 2.300 2.300 0 0 0 0-4.600z"/>`);
export const heart = () => drawn(svg`<path d="M12 21C5 15 2 11.500 2 7.800A5.300 5.300 0 0 1 12 5.500a5.300 5.300 0 0 1 10 2.300C22 11.500 19 15 12 21z"/>`);
