// Our own drawings for Infinity Gauntlet: an abstract emblem for each card, the gauntlet, and the small signs.

import { html, nothing, svg } from "../vendor/lit.js";

const line = (d) => svg`<path d=${d} fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>`;
const solid = (d) => svg`<path d=${d} fill="currentColor"/>`;
const ring = (x, y, r) => svg`<circle cx=${x} cy=${y} r=${r} fill="none" stroke="currentColor" stroke-width="3"/>`;
const dot = (x, y, r) => svg`<circle cx=${x} cy=${y} r=${r} fill="currentColor"/>`;
const facets = (outline, inner) => svg`<path d=${outline} fill="currentColor" fill-opacity=".35"/>${line(outline)}${line(inner)}`;

// Each in a square of 48.
const EMBLEMS = {
  nebula: svg`${ring(24, 24, 17)}${solid("M24 7a17 17 0 0 1 0 34z")}${line("M11 18h9M9 26h11M12 33h8")}`,
  "spider-man": svg`${line("M24 4v40M4 24h40M10 10l28 28M38 10L10 38")}${line("M24 14l7 3 3 7-3 7-7 3-7-3-3-7 3-7z")}`,
  "star-lord": svg`${solid("M31 6l3 8 8 3-8 3-3 8-3-8-8-3 8-3z")}${line("M22 27L6 43M16 24L6 33M25 33l-8 9")}`,
  "black-widow": svg`${solid("M24 4l11 10-11 10-11-10z")}${line("M24 24l11 10-11 10-11-10z")}`,
  gamora: svg`${line("M40 6L16 30")}${line("M11 25l12 12M15 33l-8 8")}${line("M40 6l-5 13L22 31")}`,
  "ant-man-wasp": svg`${ring(30, 20, 13)}${dot(12, 37, 4)}${line("M16 33l4-4")}${solid("M30 12a8 8 0 0 1 8 8h-8z")}`,
  "captain-america": svg`${ring(24, 24, 19)}${ring(24, 24, 12)}${dot(24, 24, 5)}`,
  hulk: svg`${solid("M8 14h8v12H8zM18 10h8v16h-8zM28 10h8v16h-8zM38 15h4v11h-4z")}${solid("M8 28h34v6L34 42H16L8 34z")}`,
  thor: svg`${solid("M27 3L10 27h11l-4 18 21-26H26z")}`,
  "black-panther": svg`${line("M12 6c-1 12 0 24 6 36M23 5c-1 13 0 26 5 38M34 6c0 12 1 24 5 34")}`,
  falcon: svg`${line("M4 14c10 0 16 4 20 12 4-8 10-12 20-12")}${line("M9 24c7 0 12 4 15 11 3-7 8-11 15-11")}${dot(24, 16, 3)}`,
  "doctor-strange": svg`${ring(24, 24, 20)}${line("M24 8l16 16-16 16L8 24z")}${line("M13 13h22v22H13z")}${dot(24, 24, 3)}`,
  "scarlet-witch": svg`${line("M24 42c-12-4-18-14-14-24 3-7 12-9 17-4 5 4 4 12-2 14-4 1-7-2-6-5")}${line("M33 8c8 5 11 14 8 22")}`,
  vision: svg`${facets("M24 10l10 6v14l-10 8-10-8V16z", "M14 16l10 6 10-6M24 22v16")}${line("M24 2v3M42 10l-3 2M6 10l3 2")}`,
  "captain-marvel": svg`${solid("M24 2l4 14 12-8-8 12 14 4-14 4 8 12-12-8-4 14-4-14-12 8 8-12-14-4 14-4-8-12 12 8z")}`,
  "iron-man": svg`${ring(24, 24, 19)}${facets("M24 12l11 19H13z", "M24 12v9")}`,
  outrider: svg`${line("M6 16l9-8 9 8 9-8 9 8M6 28l9-8 9 8 9-8 9 8M6 40l9-8 9 8 9-8 9 8")}`,
  "corvus-glaive": svg`${line("M10 44L30 14")}${solid("M26 4c12 2 18 12 14 24-3-7-8-11-16-12z")}`,
  "black-dwarf": svg`${solid("M8 8h32v16H8z")}${line("M24 24v20M18 44h12")}`,
  "proxima-midnight": svg`${line("M24 44V6M10 10v8c0 7 5 11 14 11s14-4 14-11v-8")}${dot(24, 6, 3)}`,
  "ebony-maw": svg`${line("M24 24c3-4 9 0 7 5-3 7-14 6-16-2-3-10 7-18 17-15 12 4 14 20 4 28")}`,
  thanos: svg`${solid("M8 18C8 8 16 4 24 4s16 4 16 14v10L30 44H18L8 28z")}<path d="M18 32v8M22 33v9M26 33v9M30 32v8M15 20h6M27 20h6" fill="none" stroke="var(--surface)" stroke-width="2.4" stroke-linecap="round"/>`,
  "mind-stone": svg`${facets("M24 5l16 10v18L24 43 8 33V15z", "M8 15l16 9 16-9M24 24v19")}`,
  "soul-stone": svg`${facets("M24 4c11 10 15 18 15 24a15 15 0 0 1-30 0c0-6 4-14 15-24z", "M24 16c5 5 7 9 7 13")}`,
  "space-stone": svg`${facets("M10 10h28v28H10z", "M10 10l9 9h10l9-9M10 38l9-9h10l9 9M19 19v10M29 19v10")}`,
  "power-stone": svg`${facets("M24 4l18 20-18 20L6 24z", "M6 24h36M24 4l-8 20 8 20 8-20z")}`,
  "reality-stone": svg`${facets("M16 6h16l10 12-18 25L6 18z", "M6 18h36M16 6l8 12 8-12M24 18v25")}`,
  "time-stone": svg`${facets("M24 5a19 19 0 1 1 0 38 19 19 0 0 1 0-38z", "M24 13v11l8 5")}`,
};

export const emblem = (id) => svg`<svg class="emblem" viewBox="0 0 48 48" aria-hidden="true" focusable="false">${EMBLEMS[id] ?? nothing}</svg>`;

const sign = (name, drawing) => html`<svg class="sign ${name}" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${drawing}</svg>`;

export const heart = () => sign("heart", svg`<path d="M12 21C5 15 2 11.5 2 7.8A5.3 5.3 0 0 1 12 5.5a5.3 5.3 0 0 1 10 2.3C22 11.5 19 15 12 21z" fill="currentColor"/>`);
export const power = () => sign("power", svg`<path d="M12 1l9.5 5.5v11L12 23l-9.5-5.5v-11z" fill="currentColor" fill-opacity=".25" stroke="currentColor" stroke-width="1.5"/><path d="M13 5l-6 8.5h4L10 19l7-8.5h-4.5z" fill="currentColor"/>`);
export const eye = () => sign("eye", svg`<path d="M2 12c4-6 16-6 20 0-4 6-16 6-20 0z" fill="none" stroke="currentColor" stroke-width="2"/><circle cx="12" cy="12" r="3" fill="currentColor"/>`);
export const shield = () => sign("shield", svg`<path d="M12 2l8 3v6c0 6-4 9-8 11-4-2-8-5-8-11V5z" fill="currentColor" fill-opacity=".25" stroke="currentColor" stroke-width="2" stroke-linejoin="round"/>`);
export const clash = () => sign("clash", svg`<path d="M12 1l2.2 6.2L20 4l-3.2 5.8L23 12l-6.2 2.2L20 20l-5.8-3.2L12 23l-2.2-6.2L4 20l3.2-5.8L1 12l6.2-2.2L4 4l5.8 3.2z" fill="currentColor"/>`);
export const lamp = () => sign("lamp", svg`<path d="M12 3a6 6 0 0 0-3.5 10.9V17h7v-3.1A6 6 0 0 0 12 3zM9.5 20h5" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/>`);

export const then = () => sign("then", svg`<path d="M8 4l8 8-8 8" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round" stroke-linejoin="round"/>`);

// Where each stone sits, and the number on its card.
const SOCKETS = [
  ["power-stone", 37, 45, 8], ["space-stone", 54, 40, 8], ["reality-stone", 71, 40, 8],
  ["soul-stone", 88, 45, 8], ["time-stone", 21, 72, 8], ["mind-stone", 62, 74, 12],
];

const socket = ([id, x, y, size], words, lit, held) => {
  const { number } = words.cards[id];
  const state = lit.includes(id) ? "lit" : held.includes(id) ? "held" : "empty";
  const scale = (size * 2) / 48;
  return svg`<g class="socket ${state} n${number}">
    <circle cx=${x} cy=${y} r=${size + 1.5}/>
    ${state === "lit" ? svg`<g class="gem" transform="translate(${x - size} ${y - size}) scale(${scale})">${EMBLEMS[id]}</g>` : nothing}
    <text x=${x} y=${y} dy=".36em" text-anchor="middle" font-size=${size * 1.25}>${number}</text>
  </g>`;
};

/** The gauntlet: a stone that lies faceup is lit, one in the reader's own hand is outlined. */
export const gauntlet = (words, lit, held = []) => html`<svg class="gauntlet" viewBox="0 0 124 132" aria-hidden="true" focusable="false">
  <path class="glove" d="M30 96h64l8 30H22z"/>
  <path class="glove" d="M28 48a8 8 0 0 1 8-8h52a8 8 0 0 1 8 8v38a14 14 0 0 1-14 14H42a14 14 0 0 1-14-14z"/>
  ${[29, 46, 63, 80].map((x, place) => svg`<rect class="glove" x=${x} y=${place % 3 ? 12 : 18} width="16" height="34" rx="7"/>`)}
  <path class="glove" d="M28 60c-8 0-15 4-16 12s4 14 10 16l8 4z"/>
  <path class="seam" d="M26 110h72M24 118h76"/>
  ${SOCKETS.map((one) => socket(one, words, lit, held))}
</svg>`;
