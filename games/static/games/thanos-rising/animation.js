// What happens at the table, shown as it happens: dice tumble, Thanos turns, cards are hit, heroes walk to their team.

import { fly, lift, pointOut } from "../board/staging.js";
import { kindOf } from "../core/texts.js";

/** @typedef {import("../board/staging.js").Beat & { events: ThanosRising.Event[] }} Beat */
/** @typedef {ThanosRising.Element} Table */

/** @param {ThanosRising.Event} event */
const card = (event) => `[data-card="${event.card}"]`;
/** @param {ThanosRising.Event} event */
const stone = (event) => `[data-stone="${event.stone}"]`;
/** @param {ThanosRising.Event} event */
const team = (event) => `[data-team="${event.seat ?? event.owner}"]`;

const SHAKE = { transform: ["none", "translateX(-6px) rotate(-1.5deg)", "translateX(6px) rotate(1.5deg)", "translateX(-3px)", "none"] };
const GROW = { scale: ["1", "1.06", "1"] };
const ARRIVE = { opacity: [0, 1], transform: ["translateY(-14px) scale(.94)", "none"] };
const TUMBLE = { transform: ["translateY(-26px) rotate(-280deg) scale(.7)", "translateY(5px) rotate(20deg)", "translateY(-2px) rotate(-6deg)", "none"] };
const BEAT = { scale: ["1", "1.25", "1"] };

/** @type {Record<string, { where: (event: ThanosRising.Event) => string, how: PropertyIndexedKeyframes, time: number } | undefined>} */
const SCENES = {
  deployed: { where: (event) => `[data-sector="${event.sector}"]`, how: { scale: ["1", "1.015", "1"] }, time: 450 },
  revealed: { where: card, how: ARRIVE, time: 350 },
  recruited: { where: card, how: ARRIVE, time: 450 },
  damaged: { where: card, how: SHAKE, time: 420 },
  healed: { where: card, how: GROW, time: 380 },
  assigned: { where: card, how: GROW, time: 250 },
  "symbol-played": { where: card, how: GROW, time: 250 },
  "token-played": { where: team, how: GROW, time: 350 },
  "villain-acted": { where: card, how: BEAT, time: 500 },
  "ability-used": { where: card, how: GROW, time: 300 },
  "counter-added": { where: stone, how: BEAT, time: 450 },
  "counter-removed": { where: stone, how: BEAT, time: 450 },
  "stone-power": { where: stone, how: BEAT, time: 550 },
  "stone-collected": { where: stone, how: BEAT, time: 600 },
  "stone-rolled": { where: () => ".omens .die-block:first-child", how: TUMBLE, time: 700 },
  "thanos-rolled": { where: () => ".omens .die-block:last-child", how: TUMBLE, time: 700 },
  "thanos-attacked": { where: () => ".titan", how: { scale: ["1", "1.6", "1"] }, time: 600 },
  rolled: { where: () => ".tray .die-block", how: TUMBLE, time: 700 },
  "re-rolled": { where: () => ".tray .die-block", how: GROW, time: 300 },
  "token-drawn": { where: team, how: GROW, time: 350 },
  "villain-defeated": { where: card, how: SHAKE, time: 500 },
  "hero-lost": { where: card, how: SHAKE, time: 500 },
};

/**
 * Animate events on the view they led to; done when the last of it has ended.
 * @param {HTMLElement | DocumentFragment} root
 * @param {ThanosRising.Event[]} events
 */
export const perform = (root, events) => {
  const started = new Map();
  for (const event of events) {
    const scene = SCENES[kindOf(event)];
    if (!scene) continue;
    for (const element of root.querySelectorAll(scene.where(event))) {
      if (started.has(element)) continue;
      started.set(element, element.animate(scene.how, { duration: scene.time, easing: "ease-out" }).finished);
    }
  }
  return Promise.allSettled(started.values());
};

/**
 * Show one beat on the table as it stands.
 * @param {Table} table
 * @param {Beat} beat
 */
export const stage = (table, beat) => {
  const { renderRoot: root, sky } = table;
  const [first] = beat.events;
  const kind = kindOf(first);
  const find = (selector) => root.querySelector(selector);
  if (kind === "thanos-turned") return fly(sky.value, lift(find(".titan")), find(`[data-sector="${first.sector}"] header h2`), beat);
  if (kind === "recruited") return fly(sky.value, lift(find(card(first))), find(`${team(first)} :is(.heroes, .small-cards)`), beat);
  if (kind === "villain-defeated") return Promise.all([pointOut(find(card(first)), beat, SHAKE), fly(sky.value, lift(find(`${card(first)} .art`)), find(".tally-villains"), beat)]);
  if (kind === "hero-lost") return Promise.all([pointOut(find(card(first)), beat, SHAKE), fly(sky.value, lift(find(`${card(first)} :is(.art, .mini)`)), find(".tally-heroes"), beat)]);
  if (kind === "stone-collected") return fly(sky.value, lift(find(`${stone(first)} .gem-picture`)), find(".tally-stones"), beat);
  if (kind === "thanos-attacked") return Promise.all([pointOut(find(".titan"), beat, { scale: ["1", "1.7", "1"] }), pointOut(find(`[data-sector="${first.sector}"]`), beat, { scale: ["1", "1.01", "1"] })]);
  return Promise.all(beat.events.flatMap((event) => {
    const scene = SCENES[kindOf(event)];
    return scene ? [...root.querySelectorAll(scene.where(event))].map((element) => pointOut(element, beat, scene.how)) : [];
  }));
};
