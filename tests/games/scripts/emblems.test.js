import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { draw } from "../../../games/static/games/emblems/drawing.js";
import { FIGURES, figureOf as figureOfGauntlet } from "../../../games/static/games/emblems/infinity-gauntlet.js";
import { FIGURES as ALL, FIGURE_OF } from "../../../games/static/games/emblems/splendor-marvel.js";
import { figureOf as figureOfRising } from "../../../games/static/games/emblems/thanos-rising.js";

const read = (game) => JSON.parse(readFileSync(new URL(`../../../engine/${game}/cards.json`, import.meta.url), "utf8"));
const nameOf = ({ name }) => (typeof name === "string" ? name : name.en);

const gauntlet = read("infinity_gauntlet");
const CARDS = [
  ...[...gauntlet.hero_deck, ...gauntlet.thanos_deck.filter(({ stone }) => !stone)].map((card) => ({ game: "gauntlet", card, figure: figureOfGauntlet(card.id) })),
  ...read("splendor_marvel").cards.map((card) => ({ game: "splendor", card, figure: FIGURE_OF[card.id] })),
  ...read("thanos_rising").assets.map((card) => ({ game: "rising", card, figure: figureOfRising(card.id) })),
];

test("every character card of the three games has an emblem", () => {
  assert.equal(CARDS.length, 154);
  for (const { game, card, figure } of CARDS) assert.ok(figure && ALL[figure], `${game} ${card.id} ${nameOf(card)}`);
});

test("inside a game no two cards share an emblem", () => {
  for (const game of ["gauntlet", "splendor", "rising"]) {
    const figures = CARDS.filter((one) => one.game === game).map(({ figure }) => figure);
    assert.equal(new Set(figures).size, figures.length, game);
  }
});

test("a figure has the same emblem in every game, and another figure another", () => {
  const byName = new Map();
  for (const { card, figure } of CARDS.filter(({ card: { id } }) => !id.startsWith("outrider-"))) {
    const known = byName.get(nameOf(card)) ?? figure;
    assert.equal(figure, known, nameOf(card));
    byName.set(nameOf(card), figure);
  }
  // One person under two names: the Winter Soldier is Bucky Barnes, Cull Obsidian is the Black Dwarf.
  const people = new Set(byName.values());
  assert.equal(byName.size - people.size, 2);
});

test("no two drawings are the same, and all are whole", () => {
  const drawings = Object.keys(ALL).map((figure) => draw(ALL, figure));
  assert.equal(new Set(drawings).size, Object.keys(ALL).length);
  for (const drawing of drawings) {
    assert.doesNotMatch(drawing, /undefined|NaN/);
    assert.equal(drawing.split("<g").length, drawing.split("</g>").length);
  }
  for (const figure of Object.keys(FIGURES)) assert.equal(FIGURES[figure], ALL[figure]);
});
