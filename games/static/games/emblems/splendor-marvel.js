// Which figure is on which card of Splendor: Marvel, in the order of the cards of a level.

import { FIGURES as SHARED } from "./figures.js";
import { FIGURES as OWN } from "./splendor-figures.js";
import { address } from "./drawing.js";

export const FIGURES = { ...SHARED, ...OWN };

/** @type {Record<string, string>} */
const LEVELS = {
  1: `
    baron-zemo rocket grandmaster modok prowler spider-woman squirrel-girl vulture moon-knight spider-man-2099
    elektra lockjaw bullseye valkyrie wasp taskmaster kraven lizard gorgon rhino abomination america-chavez
    winter-soldier scorpion electro mysterio crystal triton wong ms-marvel quake sandman kingpin silver-sable
    spider-ham spider-girl scarlet-spider hawkeye kate-bishop yondu`,
  2: `
    maria-hill shuri the-collector maximus karnak red-skull war-machine quicksilver miles-morales ghost-spider
    black-cat nebula she-hulk okoye ronan crossbones carnage jessica-jones scarlet-witch beta-ray-bill venom
    ghost-rider medusa hela nick-fury falcon punisher star-lord groot daredevil`,
  3: `
    iron-man doctor-octopus vision green-goblin black-widow iron-fist ant-man gamora hulk drax captain-marvel
    luke-cage thor nova doctor-strange loki captain-america black-bolt black-panther spider-man`,
};

/** @type {Record<string, string>} */
export const FIGURE_OF = {};
for (const [level, names] of Object.entries(LEVELS)) {
  names.trim().split(/\s+/).forEach((name, place) => { FIGURE_OF[`${level}-${place + 1}`] = name; });
}

/** @param {string} id */
export const addressOf = (id) => address(FIGURES, FIGURE_OF[id]);
