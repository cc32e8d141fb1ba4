// The drawings of Thanos Rising: symbols, power dice, stones, tokens, sigils of cards, the figure and the gauntlet.
// All are ours, in one ink or in the tokens' colours; they are decoration, the words beside them say the same.

import { html, nothing, svg } from "../vendor/lit.js";

export const TONES = { battle: "reality", technology: "space", mystic: "time", cosmic: "power" };
const DIE_TONES = { red: "reality", blue: "space", green: "time", purple: "power" };
const DIE_SYMBOLS = { red: "battle", blue: "technology", green: "mystic", purple: "cosmic" };
export const STONE_TONES = { red: "reality", orange: "soul", yellow: "mind", green: "time", blue: "space", purple: "power" };

const BLADE = svg`<path d="M2.5 2.5h3.7l10.9 10.9-3.7 3.7L2.5 6.2z"/><path d="m12.4 19 6.6-6.6 1.7 1.7-2.3 2.3 3.1 3.1-2 2-3.1-3.1-2.3 2.3z"/>`;
const SYMBOLS = {
  battle: svg`${BLADE}<g transform="matrix(-1 0 0 1 24 0)">${BLADE}</g>`,
  technology: svg`<path fill-rule="evenodd" d="m12 1.5 9.1 5.2v10.6L12 22.5l-9.1-5.2V6.7zm0 4.4L6.8 8.9v6.2l5.2 3 5.2-3V8.900z"/><circle cx="12" cy="12" r="2.7"/>`,
  mystic: svg`<path fill-rule="evenodd" d="M1 12c3.6-5.4 7.2-7.5 11-7.500s7.4 2.1 11 7.500c-3.6 5.4-7.2 7.5-11 7.500S4.6 17.4 1 12zm11-5a5 5 0 1 0 0 10 5 5 0 0 0 0-10z"/><circle cx="12" cy="12" r="2.5"/>`,
  cosmic: svg`<path d="M12 1c1.1 6.5 4.5 9.9 11 11-6.5 1.1-9.9 4.5-11 11-1.1-6.5-4.5-9.9-11-11 6.5-1.1 9.9-4.5 11-11z"/><circle cx="19.5" cy="4.5" r="2"/><circle cx="4.5" cy="19.5" r="1.6"/>`,
};
const OTHERS = {
  heal: svg`<path d="M9 2h6v7h7v6h-7v7H9v-7H2V9h7z"/>`,
  stone: svg`<path fill-rule="evenodd" d="M7 2h10l5 7-10 13L2 9zm.5 3L5 8.500h14L16.5 5z"/><path d="M2 20.5 20.5 2l1.5 1.500L3.5 22z"/>`,
  die: svg`<path fill-rule="evenodd" d="M5 2h14a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H5a3 3 0 0 1-3-3V5a3 3 0 0 1 3-3zm6 5v4H7v2h4v4h2v-4h4v-2h-4V7z"/>`,
  "rotate-cw": svg`<path d="M12 4a8 8 0 1 0 8 8h-3a5 5 0 1 1-5-5v3.500L18.5 5.5 12 .5z"/>`,
  "rotate-ccw": svg`<path d="M12 4a8 8 0 1 1-8 8h3a5 5 0 1 0 5-5v3.500L5.5 5.5 12 .5z"/>`,
  "activate-other-villains": svg`<path d="M2 5.5 9 10l3-8 3 8 7-4.5-3.5 9 2 7.5-8.5-4-8.5 4 2-7.500z"/>`,
  "roll-stone-die-again": svg`<path d="M7 3h10l4 6-9 13L3 9z"/>`,
};

const drawn = (paths, kind = "glyph") => html`<svg class=${kind} viewBox="0 0 24 24" aria-hidden="true">${paths}</svg>`;

/** A symbol, or the sign of a token or of a Thanos die's face. */
export const glyph = (name) => drawn(SYMBOLS[name] ?? OTHERS[name] ?? (name.endsWith("-die") ? OTHERS.die : svg`<circle cx="12" cy="12" r="7"/>`));

// -- dice: a block with a lit upper face, the symbol, and in the corner the symbol that this colour of die has most of

const small = (symbol, x, y, size) => svg`<svg x=${x} y=${y} width=${size} height=${size} viewBox="0 0 24 24">${SYMBOLS[symbol]}</svg>`;

const faceOf = (face) => {
  if (!face) return nothing;
  const symbol = face.replace("double-", "");
  return face === symbol ? small(symbol, 13, 11, 30) : svg`${small(symbol, 8, 8, 22)}${small(symbol, 26, 25, 22)}`;
};

const block = (tone, content) => html`<svg class="die-block tone-${tone}" viewBox="0 0 56 58" aria-hidden="true">
  <rect class="die-side" x="1" y="3" width="54" height="54" rx="12"/>
  <rect class="die-face" x="1" y="1" width="54" height="50" rx="12"/>
  <path class="die-light" d="M13 3h30a10 10 0 0 1 8.5 5C40 6 16 6 4.5 8A10 10 0 0 1 13 3z"/>
  <path class="die-light faint" d="M4 12c8-5 22-8 44-7L6 46a9 9 0 0 1-3-7V15z"/>
  <g class="die-mark">${content}</g></svg>`;

/** A power die showing a face, or none before it is rolled; `colour` may be unknown. */
export const die = (colour, face) =>
  block(DIE_TONES[colour] ?? "plain", svg`${faceOf(face)}${DIE_SYMBOLS[colour] && face !== `double-${DIE_SYMBOLS[colour]}`
    ? svg`<g class=${face ? "die-corner" : ""}>${face ? small(DIE_SYMBOLS[colour], 43, 39, 9) : small(DIE_SYMBOLS[colour], 18, 16, 20)}</g>` : nothing}`);

export const thanosDie = (face) => block("gold", svg`<svg x="13" y="11" width="30" height="30" viewBox="0 0 24 24">${OTHERS[face]}</svg>`);
export const stoneDie = (stone) => block("night", svg`<svg x="11" y="9" width="34" height="34" viewBox="0 0 24 24">${cut(stone)}</svg>`);

/** A bonus token, in the colour of what it brings. */
export const coin = (kind) => html`<span class="coin tone-${TONES[kind] ?? DIE_TONES[kind.replace("-die", "")] ?? (kind === "heal" ? "soul" : "mind")}">${glyph(kind)}</span>`;

// -- stones: every stone has a cut of its own

const CUTS = {
  red: ["M12 1.5 21 6.700v10.600l-9 5.2-9-5.200V6.700z", "M12 7v10M3 6.7 12 12l9-5.300M12 12v10.5"],
  orange: ["M12 1c5 6 8 9.5 8 13.500a8 8 0 0 1-16 0C4 10.5 7 7 12 1z", "M12 1 8 14.5 12 22.5 16 14.500z"],
  yellow: ["m12 .8 8.5 11.200L12 23.2 3.5 12z", "M3.5 12h17M12 .8 8.5 12 12 23.2 15.5 12z"],
  green: ["M8 1.500h8l6.5 6.500v8L16 22.500H8L1.5 16V8z", "M8 7.500h8v9H8zM8 7.5 1.5 8M16 7.500l6.5.500M8 16.500l0 6M16 16.500v6"],
  blue: ["M3 3h18v18H3z", "M8 8h8v8H8zM3 3l5 5M21 3l-5 5M3 21l5-5M21 21l-5-5"],
  purple: ["M12 1.500a10.5 10.5 0 1 1 0 21 10.5 10.5 0 0 1 0-21z", "m12 1.5-6 9 6 12 6-12zM1.5 11h21"],
};
const cut = (stone) => {
  const [shape, facets] = CUTS[stone] ?? CUTS.purple;
  return svg`<g class="gem tone-${STONE_TONES[stone] ?? "power"}"><path class="gem-body" d=${shape}/><path class="gem-facets" d=${facets}/></g>`;
};
export const gem = (stone) => drawn(cut(stone), "gem-picture");

const SOCKETS = { purple: [33, 30], blue: [47, 25], red: [61, 25], orange: [75, 30], green: [20, 62], yellow: [54, 62] };

/** The gauntlet: a glove with six settings, and in them the stones that Thanos has. */
export const gauntlet = (stones) => html`<svg class="gauntlet" viewBox="0 0 96 116" aria-hidden="true">
  <path class="glove" d="M28 74 12 66c-5-3-6-9-3-13 3-3 7-3 10 0l7 6V22a6 6 0 0 1 13-1V15a6.5 6.5 0 0 1 14 0v0a6.5 6.5 0 0 1 14 0v6a6 6 0 0 1 14 1v40c0 8-3 14-7 18v6H32v-6z"/>
  <path class="cuff" d="M28 88h50l6 25H22z"/><path class="glove-lines" d="M40 20v22M54 15v26M68 20v22M28 74c6 2 10 6 11 12M26 100h54"/>
  ${stones.map(({ id, collected }) => {
    const [x, y] = SOCKETS[id] ?? [54, 62];
    const size = id === "yellow" ? 20 : 13;
    return svg`<circle class="socket" cx=${x} cy=${y} r=${size / 2 + 1}/>${collected ? svg`<svg x=${x - size / 2} y=${y - size / 2} width=${size} height=${size} viewBox="0 0 24 24">${cut(id)}</svg>` : nothing}`;
  })}</svg>`;

// -- sigils: a turning pattern made from the letters of an id, so that each card has its own and keeps it

const PETALS = [
  "M0-44C12-30 12-16 0-6-12-16-12-30 0-44z", "M0-42 10-20 0-8-10-20z", "M-7-40H7L3-8h-6z", "M0-40a9 9 0 1 1 0 18 9 9 0 0 1 0-18z",
  "M0-45 5-28 16-24 4-18 0-6-4-18-16-24-5-28z", "M-12-40 0-30 12-40 8-14 0-22-8-14z", "M0-42C20-38 16-18 0-10 6-20 4-32 0-42z",
];
const CORES = ["M0-13 11 7h-22z", "M-10-10h20v20h-20z", "M0-13a13 13 0 1 1 0 26 13 13 0 0 1 0-26z", "M0-14 5-5 14 0 5 5 0 14-5 5-14 0-5-5z"];
const BLADES = ["M0-47 7-22 0-10-7-22z", "M-14-42 0-24 14-42 6-10h-12z", "M0-46 14-34 5-28 9-10 0-18-9-10-5-28-14-34z", "M0-47C4-34 16-30 14-14L0-24-14-14C-16-30-4-34 0-47z"];

const spread = (text) => {
  let value = 2166136261;
  for (const letter of text) value = Math.imul(value ^ letter.charCodeAt(0), 16777619) >>> 0;
  return value;
};

const around = (count, shape, layer, twist) =>
  Array.from({ length: count }, (_, place) => svg`<path class=${layer} d=${shape} transform="rotate(${twist + (place * 360) / count})"/>`);

export const sigil = (id, isVillain) => {
  const seed = spread(id);
  const shapes = isVillain ? BLADES : PETALS;
  const count = 3 + (seed % (isVillain ? 4 : 6));
  const twist = (seed >>> 4) % 60;
  return html`<svg class="sigil" viewBox="-50 -50 100 100" aria-hidden="true">
    ${around(count, PETALS[(seed >>> 9) % PETALS.length], "far", twist + 180 / count)}
    ${around(count, shapes[(seed >>> 14) % shapes.length], "near", twist)}
    <path class="core" d=${CORES[(seed >>> 20) % CORES.length]}/></svg>`;
};

// -- Thanos, and the zone he stands in: sectors one, two and three clockwise

export const titan = () => svg`<g class="titan">
  <path class="titan-armour" d="M-30 30c2-14 10-20 19-22h22c9 2 17 8 19 22z"/><path class="titan-gold" d="M-20 30c1-8 4-13 9-15l11 9 11-9c5 2 8 7 9 15z"/>
  <path class="titan-skin" d="M-14-14c0-9 6-14 14-14s14 5 14 14c0 6-1 12-3 17-2 6-6 9-11 9s-9-3-11-9c-2-5-3-11-3-17z"/>
  <path class="titan-gold" d="M-16-12c-1-13 6-20 16-20s17 7 16 20l-4-4c-1-6-5-9-12-9s-11 3-12 9z"/>
  <path class="titan-eyes" d="m-9-9 7 2-1 3-6-2zM9-9 2-7l1 3 6-2z"/><path class="titan-lines" d="M-5 2h10M-6 6v4M-2 7v5M2 7v5M6 6v4"/></g>`;
