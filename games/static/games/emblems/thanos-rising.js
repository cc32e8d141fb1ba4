// Which figure is on which card of Thanos Rising.

import { FIGURES } from "./figures.js";
import { address } from "./drawing.js";

export { FIGURES };

/** @type {Record<string, string>} Cards whose figure goes by another name elsewhere. */
const OTHER_NAMES = { "bucky-barnes": "winter-soldier" };

/** @param {string} id */
export const figureOf = (id) => OTHER_NAMES[id] ?? (id in FIGURES ? id : null);

/** @param {string} id */
export const addressOf = (id) => address(FIGURES, figureOf(id) ?? "outrider");
