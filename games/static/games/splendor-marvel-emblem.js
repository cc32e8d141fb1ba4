// An emblem for every card and location: a drawn sign over a pattern. No two cards of a level share both.

import { html, nothing, svg } from "../vendor/lit.js";

const SIGNS = {
  acorn: "M10 18h28c0-8-6-12-14-12s-14 4-14 12ZM13 18c0 14 4 20 11 25 7-5 11-11 11-25M24 6V2",
  arrow: "M8 40 38 10M26 8h14v14M8 30v10h10M14 26v8h8",
  atom: "M24 8a7 16 0 1 0 .1 0ZM10.1 16a16 7 30 1 0 27.8 16 16 7 30 1 0-27.8-16ZM10.1 32a16 7-30 1 0 27.8-16 16 7-30 1 0-27.8 16Z",
  beam: "M4 24h40M24 4l6 20-6 20-6-20ZM12 12l6 6M36 12l-6 6M12 36l6-6M36 36l-6-6",
  blade: "M42 6 40 18 24 34l-8-8L30 10ZM10 24l16 16M18 32 7 43",
  bolt: "M27 4 11 27h11l-4 17 19-25H26Z",
  book: "M24 12C18 7 12 7 5 9v28c7-2 13-2 19 3 6-5 12-5 19-3V9c-7-2-13-2-19 3ZM24 12v28",
  bridge: "M3 36h42M8 36V14M40 36V14M8 16c8 14 24 14 32 0M16 25v11M24 27v9M32 25v11",
  burst: "m24 3 4 13 12-8-7 12 12 4-12 4 7 12-12-8-4 13-4-13-12 8 7-12-12-4 12-4-7-12 12 8Z",
  chain: "M18 16h-5a8 8 0 0 0 0 16h5M30 16h5a8 8 0 0 1 0 16h-5M15 24h18",
  claw: "M10 6c8 10 9 22 4 36M23 4c7 12 7 26 2 40M36 6c6 10 5 22-2 34",
  cross: "m8 12 4-4 12 12L36 8l4 4-12 12 12 12-4 4-12-12-12 12-4-4 12-12Z",
  crown: "M6 38V13l9 10 9-16 9 16 9-10v25ZM6 31h36",
  crystal: "m24 3 13 13-7 28H18l-7-28ZM11 16h26M24 3l-6 13 6 28 6-28Z",
  cube: "m24 4 18 10v20L24 44 6 34V14ZM6 14l18 10 18-10M24 24v20",
  drop: "M24 4c8 12 13 18 13 26a13 13 0 0 1-26 0C11 22 16 16 24 4ZM18 31a6 6 0 0 0 6 6",
  dunes: "M3 40c8-16 17-16 23-5 4-8 11-8 19 5ZM14 10l2 5M25 6l1 6M36 12l-2 5",
  eye: "M4 24c8-14 32-14 40 0-8 14-32 14-40 0ZM24 17a7 7 0 1 0 .1 0Z",
  fang: "M5 12c12 4 26 4 38 0-2 9-6 14-9 24-2-9-4-13-7-16h-6c-3 3-5 7-7 16-3-10-7-15-9-24Z",
  feather: "M40 6C20 8 10 20 12 36c14 2 26-8 28-30ZM6 43 32 15M18 30h9M23 24h9",
  fist: "M9 22v-8h8v-3h7v3h7v3h8v15c0 7-6 11-13 11h-4c-8 0-13-5-13-11ZM17 14v8M24 14v8M31 17v5",
  flame: "M24 4c2 9 12 13 12 26a12 12 0 0 1-24 0c0-6 4-9 5-14 3 2 4 4 5 7 2-5 3-11 2-19ZM24 42c-5-4-4-9 0-14 4 5 5 10 0 14Z",
  gear: "m24 4 17 10v20L24 44 7 34V14ZM24 15a9 9 0 1 0 .1 0Z",
  hammer: "M9 8h30v13H9ZM21 21h6v22h-6Z",
  helmet: "M8 43V22a16 16 0 0 1 32 0v21h-9V29h-4v14h-6V29h-4v14Z",
  hex: "M14 8h20l10 16-10 16H14L4 24ZM24 14l6 10-6 10-6-10Z",
  horns: "M7 5c-2 15 4 23 12 25h10c8-2 14-10 12-25-3 9-7 13-12 14H19C14 18 10 14 7 5ZM18 30l6 13 6-13",
  leaf: "M8 40C6 18 18 8 40 8c0 22-10 34-32 32ZM6 43l24-25M18 30v-9M18 30h10",
  mask: "M5 14c12-4 26-4 38 0 0 15-6 21-12 21-4 0-5-4-7-4s-3 4-7 4C11 35 5 29 5 14ZM12 20l8 4M36 20l-8 4",
  moon: "M30 5A20 20 0 1 0 43 32 16 16 0 0 1 30 5Z",
  mountain: "m3 40 15-28 8 14 5-8 14 22ZM12 24l6 3 5-3",
  orbit: "M24 17a7 7 0 1 0 .1 0ZM7 37c-5-6 2-18 12-25S39 5 42 11s-4 17-14 24-18 7-21 2Z",
  paw: "M24 23c-8 0-13 7-13 12s6 6 13 6 13-1 13-6-5-12-13-12ZM9 14a4 5 0 1 0 .1 0ZM19 6a4 5 0 1 0 .1 0ZM29 6a4 5 0 1 0 .1 0ZM39 14a4 5 0 1 0 .1 0Z",
  planet: "M24 10a14 14 0 1 0 .1 0ZM3 32c11 3 33-5 42-15",
  portal: "M24 5a19 19 0 1 0 .1 0ZM24 13a11 11 0 1 0 .1 0ZM5 24h8M35 24h8M24 5v8M24 35v8",
  rings: "M17 9a13 13 0 1 0 .1 0ZM31 13a13 13 0 1 0 .1 0Z",
  scales: "M6 10c6 10 12 10 18 0 6 10 12 10 18 0M6 22c6 10 12 10 18 0 6 10 12 10 18 0M15 35c3 7 6 7 9 0 3 7 6 7 9 0",
  shield: "m24 4 17 6v13c0 11-7 17-17 21C14 40 7 34 7 23V10ZM24 4v40",
  skyline: "M3 42V22h8v-8h9v28M20 42V6h10v36M30 42V18h8v6h7v18ZM14 20v2M14 28v2M25 14v2M25 22v2M34 26v2",
  spark: "M24 3c2 13 8 19 21 21-13 2-19 8-21 21-2-13-8-19-21-21 13-2 19-8 21-21Z",
  spiral: "M24 24c0-3 5-3 5 1 0 6-10 6-10-1 0-9 16-9 16 1 0 12-22 12-22-1 0-16 29-16 29 1 0 19-36 19-36-1",
  target: "M24 5a19 19 0 1 0 .1 0ZM24 14a10 10 0 1 0 .1 0ZM24 21v6M21 24h6",
  tendrils: "M24 24c-2-9-13-6-15-15M24 24c2-9 13-6 15-15M24 24c-9 1-8 13-17 13M24 24c9 1 8 13 17 13M24 24v20M24 4v20M24 19a5 5 0 1 0 .1 0Z",
  tower: "M17 44V20l7-16 7 16v24ZM17 26h14M17 34h14M9 44h30",
  tree: "M24 45V20M24 32 13 21M24 28l11-11M24 3a15 15 0 0 1 15 15c0 7-6 11-15 11S9 25 9 18A15 15 0 0 1 24 3Z",
  trident: "M24 45V8M10 8v8c0 8 6 11 14 11s14-3 14-11V8M19 12l5-9 5 9",
  wave: "M4 18c5-9 9-9 14 0s8 9 13 0 8-9 13 0M4 32c5-9 9-9 14 0s8 9 13 0 8-9 13 0",
  web: "M24 3v42M3 24h42M9 9l30 30M39 9 9 39M24 13l8 3 3 8-3 8-8 3-8-3-3-8 3-8Z",
  wing: "M5 36C9 17 23 8 43 7c-2 6-5 9-10 10 2 1 4 0 6-1-2 7-6 10-12 11 2 1 3 1 5 0-5 7-13 9-27 9Z",
};

const OF_LEVEL = {
  1: `crown bolt rings gear claw web acorn wing moon hex blade paw target feather wing fist
      fang scales spiral horns fist spark cross trident bolt eye crystal wave book fist burst dunes
      hex blade spark web tendrils arrow feather arrow`,
  2: `shield crystal cube spiral fist helmet gear wing bolt mask claw cross burst trident hammer cross fang eye
      hex hammer drop flame tendrils horns eye feather chain orbit tree mask`,
  3: `atom tendrils hex flame rings fist spark blade burst cross beam chain bolt orbit portal horns
      shield beam claw web`,
};
const OF_PLACE = { "1a": "planet", "1b": "wave", "2a": "tower", "2b": "crystal", "3a": "bridge", "3b": "mountain", "4a": "skyline", "4b": "portal" };

const signs = new Map(Object.entries(OF_PLACE));
for (const [level, list] of Object.entries(OF_LEVEL)) {
  list.split(/\s+/).filter(Boolean).forEach((sign, place) => signs.set(`${level}-${place + 1}`, sign));
}

const steps = (count, draw) => Array.from({ length: count }, (_, at) => draw(at));
const PATTERNS = [
  () => steps(18, (at) => svg`<path d="M50 50 44 -30h12Z" transform="rotate(${at * 20} 50 50)" class="tint"/>`),
  () => steps(6, (at) => svg`<circle cx="50" cy="50" r="${10 + at * 11}"/>`),
  () => steps(9, (at) => svg`<path d="M-20 ${at * 16 - 10}h140"/>`),
  () => steps(25, (at) => svg`<circle cx="${(at % 5) * 24 + (at % 2) * 4}" cy="${Math.floor(at / 5) * 24}" r="${3 + (at % 3) * 2}" class="tint"/>`),
  () => steps(7, (at) => svg`<path d="m-10 ${at * 20 - 20} 60 26 60-26"/>`),
  () => steps(7, (at) => svg`<path d="M-20 ${at * 18 - 8}q18-16 35 0t35 0 35 0 35 0"/>`),
  () => steps(12, (at) => svg`<path d="m${(at % 4) * 32 + (Math.floor(at / 4) % 2) * 16 - 6} ${Math.floor(at / 4) * 38} 16 9v19l-16 9-16-9v-19Z"/>`),
  () => steps(6, (at) => svg`<path d="M50 ${50 - at * 13}l${at * 13} ${at * 13}-${at * 13} ${at * 13}-${at * 13}-${at * 13}Z"/>`),
];

/** The sign alone, for small places. */
export const signOf = (id) => html`<svg class="sign" viewBox="0 0 48 48" aria-hidden="true"><path d=${SIGNS[signs.get(id)] ?? SIGNS.spark}></path></svg>`;

/** The sign on its pattern, filling a card. */
export const emblem = (id) => {
  const number = Number(id.split("-")[1] ?? 0);
  return html`
    <svg class="pattern" viewBox="0 0 100 100" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <g transform="rotate(${(number * 47) % 90} 50 50)">${number ? PATTERNS[number % PATTERNS.length]() : nothing}</g>
    </svg>${signOf(id)}`;
};
