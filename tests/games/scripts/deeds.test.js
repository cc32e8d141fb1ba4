// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";

import { NO_DEEDS, addDeed } from "../../../games/static/games/infinity-gauntlet/deeds.js";

/** @type {(...events: any[]) => import("../../../games/static/games/infinity-gauntlet/deeds.js").Deeds} */
const after = (...events) => events.reduce((deeds, event) => addDeed(deeds, event, null), NO_DEEDS);

test("a card that falls on the other side is marked as won, one on the own side as lost", () => {
  const fight = [{ event: "played", seat: 2, card: "thor" }, { event: "fought", seat: 2 }];
  assert.equal(after(...fight, { event: "defeated", seat: 0 }).by[2].mark, "✓");
  assert.equal(after(...fight, { event: "defeated", seat: 2 }).by[2].mark, "✕");
  // Whoever sends another hero loses with them.
  assert.equal(after(...fight, { event: "defeated", seat: 3 }).by[2].mark, "✕");
  assert.equal(after({ event: "played", seat: 0, card: "outrider" }, { event: "defeated", seat: 3 }).by[0].mark, "✓");
});
