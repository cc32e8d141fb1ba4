import assert from "node:assert/strict";
import { test } from "node:test";

import { PendingMove } from "../../../games/static/games/core/pending-move.js";

const MOVE = { ply: 4, move: "take red" };

const pendingMove = (t, { isConnected = true } = {}) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const line = { isConnected, sent: [], asked: 0, states: [] };
  const pending = new PendingMove({
    onChange: ({ isPending, isKept }) => line.states.push(isKept ? "kept" : isPending ? "pending" : "free"),
    transmit: (message) => line.sent.push(message),
    isConnected: () => line.isConnected,
    onSilence: () => { line.asked += 1; },
  });
  return { pending, line };
};

test("a move is pending until its answer is here", (t) => {
  const { pending, line } = pendingMove(t);
  assert.equal(pending.isPending, false);
  pending.start(MOVE);
  assert.deepEqual(line.sent, [MOVE]);
  t.mock.timers.tick(4_999);
  pending.end();
  t.mock.timers.tick(60_000);
  assert.equal(line.asked, 0);
  assert.deepEqual(line.states, ["pending", "free"]);
});

test("without an answer the page may choose again, and asks once how the match stands", (t) => {
  const { pending, line } = pendingMove(t);
  pending.start(MOVE);
  t.mock.timers.tick(5_000);
  assert.equal(pending.isPending, false);
  t.mock.timers.tick(60_000);
  assert.equal(line.asked, 1);
});

test("without a connection a move is kept, however long, and sent once it is back", (t) => {
  const { pending, line } = pendingMove(t, { isConnected: false });
  pending.start(MOVE);
  t.mock.timers.tick(600_000);
  assert.deepEqual(line.sent, []);
  assert.equal(pending.isKept, true);
  line.isConnected = true;
  pending.resend();
  assert.deepEqual(line.sent, [MOVE]);
  pending.end();
  assert.deepEqual(line.states, ["kept", "pending", "free"]);
});

test("a move whose connection is lost on the way is sent again with the same ply", (t) => {
  const { pending, line } = pendingMove(t);
  pending.start(MOVE);
  line.isConnected = false;
  t.mock.timers.tick(5_000);
  assert.equal(pending.isKept, true);
  line.isConnected = true;
  pending.resend();
  pending.resend(); // said twice, sent once more
  assert.deepEqual(line.sent, [MOVE, MOVE]);
});

test("what was answered or taken back is not sent again", (t) => {
  const { pending, line } = pendingMove(t, { isConnected: false });
  pending.start(MOVE);
  pending.end();
  line.isConnected = true;
  pending.resend();
  assert.deepEqual(line.sent, []);
});
