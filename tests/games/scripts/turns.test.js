import assert from "node:assert/strict";
import { test } from "node:test";

import { sinceOwnTurn, turnsOf } from "../../../games/static/games/core/turns.js";

const events = (...told) => told.map(([event, seat], ply) => ({ ply, event, ...(seat === undefined ? {} : { seat }) }));
const seats = (turns) => turns.map(({ seat }) => seat);
const PLAIN = { took: "", recruited: "" };
const WITH_BEGINNINGS = { deployed: "", rolled: "", damaged: "" };

test("where nothing else says so, a turn ends when another seat acts", () => {
  const turns = turnsOf(events(["took", 0], ["took", 0], ["revealed"], ["recruited", 1], ["took", 0]), PLAIN);
  assert.deepEqual(seats(turns), [0, 1, 0]);
  assert.equal(turns[0].events.length, 3);
});

test("where a game has an event that begins a turn, what others suffer belongs to it", () => {
  const turns = turnsOf(events(["deployed", 0], ["damaged"], ["rolled", 1], ["deployed", 1], ["deployed", 1]), WITH_BEGINNINGS);
  assert.deepEqual(seats(turns), [0, 1, 1]);
  assert.equal(turns[0].events.length, 3);
});

test("since the own turn: the others' turns after it, and in the own turn those before it", () => {
  const waiting = turnsOf(events(["took", 0], ["took", 1], ["took", 2]), PLAIN);
  assert.deepEqual(seats(sinceOwnTurn(waiting, 0, 3)), [1, 2]);
  const acting = turnsOf(events(["took", 0], ["took", 1], ["took", 2], ["took", 0]), PLAIN);
  assert.deepEqual(seats(sinceOwnTurn(acting, 0, 3)), [1, 2]);
  const first = turnsOf(events(["took", 2], ["took", 0]), PLAIN);
  assert.deepEqual(seats(sinceOwnTurn(first, 0, 3)), [2]);
});

test("a spectator sees the last round", () => {
  const turns = turnsOf(events(["took", 0], ["took", 1], ["took", 2], ["took", 0]), PLAIN);
  assert.deepEqual(seats(sinceOwnTurn(turns, null, 3)), [1, 2, 0]);
});

test("what comes before the first turn is nobody's", () => {
  const turns = turnsOf(events(["first-player", 2], ["base", 2], ["deployed", 2], ["rolled", 2], ["deployed", 0]), { deployed: "" });
  assert.deepEqual(turns.map(({ seat }) => seat), [null, 2, 0]);
  assert.deepEqual(sinceOwnTurn(turns, 0, 3).map(({ seat }) => seat), [2]);
});
