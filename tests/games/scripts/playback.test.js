import assert from "node:assert/strict";
import { test } from "node:test";

import { Playback, SHORTEST, beatsOf, concerns, heldFor } from "../../../games/static/games/core/playback.js";

const alone = () => false;
const reading = { seat: 0, isOwnMove: false, belongTogether: alone, touches: (event) => concerns(event, 0, undefined) };
const speeds = ["slow", "normal", "fast", "instant"];

/** Plays at a speed and writes down when each beat begins and ends, in the time of the test's clock. */
const player = (t, speed = "normal") => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 0 });
  const log = [];
  const playback = new Playback({ speed: () => speed });
  const play = (beats, more = {}) => playback.play(beats, {
    tell: ({ kind }) => log.push(`${Date.now()} ${kind}`),
    ...more,
  });
  return { playback, play, log };
};

/** Lets promises go on between the steps of the clock. */
const pass = async (t, time) => {
  const settle = async () => { for (let turn = 0; turn < 12; turn += 1) await Promise.resolve(); };
  await settle();
  for (let gone = 0; gone < time; gone += 50) {
    t.mock.timers.tick(50);
    await settle();
  }
};

test("every event is in a beat, in its order; those that belong together share one", () => {
  const events = ["deployed", "rolled", "rolled", "revealed", "damaged"].map((event, at) => ({ ply: at, event, seat: 1 }));
  const beats = beatsOf(events, { ...reading, belongTogether: (one, two) => one.event === "rolled" && two.event === "rolled" });
  assert.deepEqual(beats.map(({ kind }) => kind), ["deployed", "rolled", "revealed", "damaged"]);
  assert.deepEqual(beats.flatMap((beat) => beat.events), events);
});

test("what concerns the reader is shown for at least 900 ms, however short its kind is", () => {
  const [mine, other] = beatsOf([{ ply: 1, event: "damaged", owner: 0 }, { ply: 1, event: "damaged", owner: 2 }], reading);
  assert.equal(mine.touches, true);
  assert.equal(mine.time, SHORTEST);
  assert.ok(other.time < SHORTEST);
  assert.equal(SHORTEST, 900);
});

test("however many turns wait, what concerns the reader keeps its time; the rest gets faster, then goes to the log", () => {
  const touching = { kind: "damaged", touches: true, time: 900 };
  const other = { kind: "rolled", touches: false, time: 1000 };
  const at = (beat, waiting) => heldFor(beat, { speed: "normal", waiting });
  assert.deepEqual([0, 4, 7, 500].map((waiting) => at(touching, waiting)), [900, 900, 900, 900]);
  assert.deepEqual([0, 3, 4, 6, 7].map((waiting) => at(other, waiting)), [1000, 1000, 500, 500, 0]);
});

test("the reader chooses the speed", () => {
  const beat = { kind: "damaged", touches: true, time: 1000 };
  assert.deepEqual(speeds.map((speed) => heldFor(beat, { speed, waiting: 0 })), [1500, 1000, 600, 0]);
});

test("nobody waits for what they did themselves, but for what comes back at them", () => {
  const events = [{ ply: 1, event: "deployed", seat: 0 }, { ply: 1, event: "thanos-attacked", sector: 1 }, { ply: 1, event: "hero-lost", owner: 0 }];
  const times = beatsOf(events, { ...reading, isOwnMove: true }).map(({ time }) => time);
  assert.equal(times[0], 0);
  assert.ok(times[1] > 0 && times[2] >= SHORTEST);
});

test("a card that lies on the reader's side concerns the reader", () => {
  const view = { table: { teams: [{ heroes: [{ id: "thor" }] }, { heroes: [{ id: "hulk" }] }] } };
  assert.equal(concerns({ ply: 1, event: "damaged", card: "thor" }, 0, view), true);
  assert.equal(concerns({ ply: 1, event: "damaged", card: "hulk" }, 0, view), false);
  assert.equal(concerns({ ply: 1, event: "damaged", card: "thor" }, null, view), false);
});

test("beats follow one another, each for its time", async (t) => {
  const { play, log } = player(t);
  const done = play([{ kind: "a", events: [], time: 900, touches: true }, { kind: "b", events: [], time: 500, touches: false }]);
  await pass(t, 2000);
  await done;
  assert.deepEqual(log, ["0 a", "1050 b"]); // 900 shown, 150 rest
});

test("a beat lasts until the table has shown it", async (t) => {
  const { play, log } = player(t);
  const stage = ({ kind }) => (kind === "a" ? new Promise((done) => { setTimeout(done, 2000); }) : undefined);
  const done = play([{ kind: "a", events: [], time: 900, touches: true }, { kind: "b", events: [], time: 100, touches: false }], { stage });
  await pass(t, 3000);
  await done;
  assert.deepEqual(log, ["0 a", "2150 b"]);
});

test("Skip ends the beat that is shown and all that wait; all are told; the next round takes its time again", async (t) => {
  const { play, playback, log } = player(t);
  let isAborted = false;
  const beats = ["a", "b", "c"].map((kind) => ({ kind, events: [], time: 900, touches: true }));
  const done = play(beats, { stage: ({ signal }) => new Promise((end) => { signal.addEventListener("abort", () => { isAborted = true; end(); }); }) });
  await pass(t, 300);
  playback.skip();
  await done;
  assert.equal(isAborted, true);
  assert.deepEqual(log, ["0 a", "300 b", "300 c"]);
  playback.rest();
  const again = play([{ kind: "d", events: [], time: 900, touches: true }, { kind: "e", events: [], time: 900, touches: true }]);
  await pass(t, 2500);
  await again;
  assert.deepEqual(log.slice(3), ["300 d", "1350 e"]);
});

test("at once: nothing is staged, everything is told", async (t) => {
  const { play, log } = player(t, "instant");
  await play([{ kind: "a", events: [], time: 900, touches: true }, { kind: "b", events: [], time: 900, touches: true }], { stage: () => assert.fail("staged") });
  assert.deepEqual(log, ["0 a", "0 b"]);
});

test("what concerns the reader waits until somebody looks at the page", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: 0 });
  let look;
  const seen = new Promise((done) => { look = done; });
  const log = [];
  const playback = new Playback({ speed: () => "normal", untilSeen: () => seen });
  const done = playback.play([{ kind: "a", events: [], time: 500, touches: false }, { kind: "b", events: [], time: 900, touches: true }], { tell: ({ kind }) => log.push(`${Date.now()} ${kind}`) });
  await pass(t, 5000);
  assert.deepEqual(log, ["0 a"]);
  look();
  await pass(t, 2000);
  await done;
  assert.deepEqual(log, ["0 a", "5000 b"]);
});

test("a beat that the table cannot show does not stop those after it", async (t) => {
  const { play, log } = player(t);
  const done = play([{ kind: "a", events: [], time: 900, touches: true }, { kind: "b", events: [], time: 100, touches: false }], { stage: () => { throw new Error("broken"); } });
  await pass(t, 3000);
  await done;
  assert.deepEqual(log, ["0 a", "1050 b"]);
});
