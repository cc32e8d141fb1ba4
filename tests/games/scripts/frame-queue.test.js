import assert from "node:assert/strict";
import { test } from "node:test";

import { FrameQueue } from "../../../games/static/games/core/frame-queue.js";

/** A frame at ply `v` with an event for each ply after `since`. */
const frame = (v, since = v - 1) => ({
  v, since, events: Array.from({ length: v - since }, (_, at) => ({ ply: since + 1 + at, event: "moved" })),
});
const plies = ({ events }) => events.map(({ ply }) => ply);

/** Show everything that waits; returns what was shown. */
const drain = async (queue) => {
  const shown = [];
  await queue.showAll((one) => { shown.push({ v: one.v, plies: plies(one) }); });
  return shown;
};

test("frames are shown in their order, each with its own events", async () => {
  const queue = new FrameQueue(4);
  assert.equal(queue.accept(frame(5)), "new");
  assert.equal(queue.accept(frame(6)), "new");
  assert.equal(queue.arrived, 6);
  assert.deepEqual(await drain(queue), [{ v: 5, plies: [5] }, { v: 6, plies: [6] }]);
  assert.deepEqual(await drain(queue), []);
});

test("what the page has already is not shown again", async () => {
  const queue = new FrameQueue(4);
  queue.accept(frame(5));
  assert.equal(queue.accept(frame(5)), "known");
  assert.equal(queue.accept(frame(3)), "known");
  assert.deepEqual((await drain(queue)).map(({ v }) => v), [5]);
});

test("a frame after a gap is left out, and the page asks for everything after what it has", async () => {
  const queue = new FrameQueue(4);
  assert.equal(queue.accept(frame(7)), "gap");
  assert.equal(queue.arrived, 4);
  assert.equal(queue.accept(frame(7, 4)), "new"); // the answer to that
  assert.deepEqual(await drain(queue), [{ v: 7, plies: [5, 6, 7] }]);
});

test("of an answer that overlaps only the new events are kept", async () => {
  const queue = new FrameQueue(4);
  queue.accept(frame(6, 4)); // asked for after 4
  assert.equal(queue.accept(frame(8, 4)), "new"); // asked for after 4 as well, before the other answer was here
  assert.deepEqual((await drain(queue)).map((one) => one.plies), [[5, 6], [7, 8]]);
});

test("a frame from the very beginning fits any page", () => {
  const queue = new FrameQueue(0);
  assert.equal(queue.accept(frame(9, 0)), "new");
});

test("a frame that was kept is a copy: the one that came stays whole", () => {
  const queue = new FrameQueue(5);
  const whole = frame(7, 4);
  queue.accept(whole);
  assert.deepEqual(plies(whole), [5, 6, 7]);
});

test("only one caller shows; what comes meanwhile is shown by the same", async () => {
  const queue = new FrameQueue(0);
  queue.accept(frame(1));
  const shown = [];
  let goOn;
  const first = queue.showAll((one) => {
    shown.push(one.v);
    return new Promise((done) => { goOn = done; });
  });
  assert.equal(queue.isShowing, true);
  queue.accept(frame(2));
  assert.equal(queue.waiting, 1);
  assert.equal(await queue.showAll(() => assert.fail("shown twice")), false);
  goOn();
  await Promise.resolve();
  await Promise.resolve();
  assert.deepEqual(shown, [1, 2]);
  goOn();
  assert.equal(await first, true);
  assert.equal(queue.isShowing, false);
});

test("however many frames wait, none is left out", async () => {
  const queue = new FrameQueue(0);
  for (let v = 1; v <= 40; v += 1) queue.accept(frame(v));
  assert.equal(queue.waiting, 40);
  assert.deepEqual((await drain(queue)).map(({ v }) => v), Array.from({ length: 40 }, (_, at) => at + 1));
});

test("a frame that cannot be shown does not block those after it", async () => {
  const queue = new FrameQueue(0);
  queue.accept(frame(1));
  queue.accept(frame(2));
  await assert.rejects(queue.showAll(() => { throw new Error("broken"); }), /broken/);
  assert.deepEqual((await drain(queue)).map(({ v }) => v), [2]);
});
