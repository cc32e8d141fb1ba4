// The six stones: every stone has a cut and a colour of its own, the same in all games.

import { html, svg } from "../../vendor/lit.js";

/** @type {Record<string, [string, string]>} */
const CUTS = {
  red: ["M12 1.5 21 6.700v10.600l-9 5.2-9-5.200V6.700z", "M12 7v10M3 6.7 12 12l9-5.300M12 12v10.5"],
  orange: ["M12 1c5 6 8 9.5 8 13.500a8 8 0 0 1-16 0C4 10.5 7 7 12 1z", "M12 1 8 14.5 12 22.5 16 14.500z"],
  yellow: ["m12 .8 8.5 11.200L12 23.2 3.5 12z", "M3.5 12h17M12 .8 8.5 12 12 23.2 15.5 12z"],
  green: ["M8 1.500h8l6.5 6.500v8L16 22.500H8L1.5 16V8z", "M8 7.500h8v9H8zM8 7.5 1.5 8M16 7.500l6.5.500M8 16.500l0 6M16 16.500v6"],
  blue: ["M3 3h18v18H3z", "M8 8h8v8H8zM3 3l5 5M21 3l-5 5M3 21l5-5M21 21l-5-5"],
  purple: ["M12 1.500a10.5 10.5 0 1 1 0 21 10.5 10.5 0 0 1 0-21z", "m12 1.5-6 9 6 12 6-12zM1.5 11h21"],
};
/** @type {Record<string, [string, string]>} */
const STONE_COLOURS = { red: ["#ff6b7d", "#9c1730"], orange: ["#ff9a4a", "#8f3f02"], yellow: ["#f2c230", "#8a6100"], green: ["#3fd08a", "#0b5f36"], blue: ["#6aa2ff", "#1c4eb5"], purple: ["#b48bff", "#5a28a6"] };

/** @param {string} stone */
export const cut = (stone) => {
  const [shape, facets] = CUTS[stone] ?? CUTS.purple;
  const [body, edge] = STONE_COLOURS[stone] ?? STONE_COLOURS.purple;
  return svg`<path d=${shape} fill=${body} stroke=${edge} stroke-width="1.3"/><path d=${facets} fill="none" stroke="#fff" stroke-opacity=".75"/>`;
};
/** @param {string} stone */
export const gem = (stone) => html`<svg class="gem-picture" viewBox="-.7 -.7 25.4 25.4" width="20" height="20" aria-hidden="true">${cut(stone)}</svg>`;
