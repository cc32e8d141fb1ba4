// What has just happened, shown for a moment: transforms and opacity only.

import { kindOf } from "./words.js";

const card = (event) => `[data-card="${event.card}"]`;
const stone = (event) => `[data-stone="${event.stone}"]`;

const SHAKE = { transform: ["none", "translateX(-5px) rotate(-1deg)", "translateX(5px) rotate(1deg)", "translateX(-3px)", "none"] };
const GROW = { scale: ["1", "1.06", "1"] };
const ARRIVE = { opacity: [0, 1], transform: ["translateY(-14px) scale(.94)", "none"] };
const TUMBLE = { transform: ["translateY(-26px) rotate(-280deg) scale(.7)", "translateY(5px) rotate(20deg)", "translateY(-2px) rotate(-6deg)", "none"] };
const BEAT = { scale: ["1", "1.2", "1"] };

const SCENES = {
  revealed: { where: card, how: ARRIVE, time: 350 },
  recruited: { where: card, how: ARRIVE, time: 450 },
  damaged: { where: card, how: SHAKE, time: 380 },
  healed: { where: card, how: GROW, time: 380 },
  assigned: { where: card, how: GROW, time: 250 },
  "symbol-played": { where: card, how: GROW, time: 250 },
  "villain-acted": { where: card, how: GROW, time: 450 },
  "ability-used": { where: card, how: GROW, time: 300 },
  "counter-added": { where: stone, how: BEAT, time: 450 },
  "counter-removed": { where: stone, how: BEAT, time: 450 },
  "stone-power": { where: stone, how: BEAT, time: 550 },
  "stone-collected": { where: stone, how: BEAT, time: 600 },
  "stone-rolled": { where: () => ".omens .die-block", how: TUMBLE, time: 550 },
  "thanos-attacked": { where: () => ".titan", how: BEAT, time: 500 },
  rolled: { where: () => ".tray .die-block", how: TUMBLE, time: 550 },
  "re-rolled": { where: () => ".tray .die-block", how: GROW, time: 300 },
  "token-drawn": { where: (event) => `[data-team="${event.seat}"] .tokens`, how: GROW, time: 350 },
  "villain-defeated": { where: () => ".tally-villains", how: GROW, time: 500 },
  "hero-lost": { where: () => ".tally-heroes", how: SHAKE, time: 500 },
};

/** Animate the events on what is drawn; done when the last of it has ended. */
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
