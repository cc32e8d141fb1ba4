// What has just happened, in the middle of the table: a card played, two cards meeting, a guess, a card falling.

import { html, nothing, repeat } from "../../vendor/lit.js";
import { clash, eye, gauntlet, power, shield, smallEmblem, then } from "./emblems.js";
import { back, isStone, shownCard, text, toneOf } from "./cards.js";
import { kindOf, partsOf } from "../core/texts.js";

/** @typedef {InfinityGauntlet.Element} Table */

// Told by the hands and decks themselves.
const SKIPPED = new Set(["drew", "drew-card"]);
const MOST_LINES = 2;
const MOST_NAMES = 3;
const MOST_SPARED = 2;

const TIMES = { enter: 420, fall: 420, pop: 320 };
const AFTER_ENTRY = 480;
const LONG_LOOK = 1150;
const SHORT_LOOK = 650;

/**
 * The scene after these events; what is not over yet, such as the card in use, stays from the one before.
 * @param {InfinityGauntlet.Event[]} events
 * @param {InfinityGauntlet.View} view
 */
export const follow = (before, events, view) => {
  /** @type {{ lines: InfinityGauntlet.Event[], [part: string]: any }} */
  const scene = { played: before?.played ?? null, copied: before?.copied ?? null, lines: [], falls: [], spared: [] };
  for (const event of events) (STEPS[kindOf(event)] ?? STEPS.other)(scene, event);
  if (!events.length) return { ...scene, played: view.table.card ? { seat: view.table.turn, card: view.table.card } : null, copied: null };
  const latest = events.findLastIndex((event) => ["played", "passed"].includes(kindOf(event)));
  scene.lines = events.slice(Math.max(latest, 0)).filter((event) => !SKIPPED.has(kindOf(event)));
  return scene.lines.length ? scene : before;
};

const fresh = (scene) => Object.assign(scene, { played: null, copied: null, fight: null, guess: null, peek: null, look: null, gift: null, falls: [], spared: [], bottomed: [] });

const STEPS = {
  played: (scene, { seat, card }) => { fresh(scene).played = { seat, card }; },
  passed: (scene) => { fresh(scene); },
  copied: (scene, { card }) => { scene.copied = card; },
  targeted: (scene, { target }) => { scene.target = target; },
  "guessed-thanos": (scene, { number }) => { scene.guess = { number, seat: 0 }; },
  "guessed-hero": (scene, { number, target }) => { scene.guess = { number, seat: target }; },
  "guessed-all": (scene, { number }) => { scene.guess = { number, seat: null }; },
  missed: (scene, { seat }) => { scene.spared.push(seat); },
  spared: (scene, { seat }) => { scene.spared.push(seat); },
  defeated: (scene, { seat, card }) => { scene.falls.push({ seat, card }); },
  peeked: (scene, { seat }) => { scene.peek = { seat }; },
  "peeked-card": (scene, { seat, thanos_card }) => { scene.peek = { seat, card: thanos_card }; },
  fought: (scene, { seat, bonus, thanos_bonus }) => { Object.assign(scene, { fight: { seat, bonus, thanos_bonus }, falls: [], spared: [] }); },
  "fought-cards": (scene, { seat, card, thanos_card }) => { scene.fight = { seat, bonus: 0, thanos_bonus: 0, ...scene.fight, card, thanos_card }; },
  tied: (scene) => { if (scene.fight) scene.fight.tied = true; },
  "took-power": (scene, { seat, count }) => { scene.gift = { seat, count }; },
  looked: (scene) => { scene.look = [null, null, null]; },
  "looked-cards": (scene, { card, card_2, card_3 }) => { scene.look = [card, card_2, card_3]; },
  bottomed: (scene) => { scene.bottomed = [...(scene.bottomed ?? []), null]; },
  "bottomed-card": (scene, { card }) => { scene.bottomed.splice(-1, 1, card); },
  snapped: (scene, { hand }) => { fresh(scene).snap = hand; },
  other: () => {},
};

// -- drawing it

/**
 * Every scene is drawn anew: pieces of the one before never slide into the places of the next.
 * @param {Table} host
 */
export const arena = (host) => html`<section class="arena" data-must="stage" aria-label=${text(host.words, "ui-arena")}>
  ${repeat([host.view.outcome ?? host.scene], (scene) => scene, () => scenery(host))}
</section>`;

/** @param {Table} host */
const scenery = (host) => {
  const { words, names, view, scene } = host;
  const { played, copied, lines } = scene;
  const shown = [
    played ? html`<span class="spot">${shownCard(words, played.card, { motion: isNew(host, "played") ? "pop" : "" })}<span class="by">${names[played.seat].name}</span></span>` : nothing,
    copied ? html`<span class="spot">${shownCard(words, copied, { motion: isNew(host, "copied") ? "pop" : "", look: "copied" })}<span class="by">${text(words, "ui-copied")}</span></span>` : nothing,
    happening(host),
  ].filter((one) => one !== nothing);
  return html`
    ${shown.length ? html`<div class="pictures">${shown.map((one, place) => html`${place ? then() : nothing}${one}`)}</div>` : nothing}
    ${view.outcome ? ending(host) : lines.length ? html`<ul class="lines">${lines.slice(-MOST_LINES).map((event) => html`<li>${told(words, names, event)}</li>`)}</ul>` : nothing}
    ${!shown.length && !lines.length && !view.outcome ? calm(host) : nothing}`;
};

/**
 * A sentence; many cards in it are pictures, for their names would leave it no room.
 * @param {InfinityGauntlet.Words} words
 * @param {Page.Seat[]} names
 * @param {InfinityGauntlet.Event} event
 */
const told = (words, names, event) => partsOf(words, names, [event]).map(({ text: said, field }) => {
  const value = field && /** @type {any} */ (event)[field];
  return Array.isArray(value) && value.length > MOST_NAMES ? html`${value.map(smallEmblem)}<span class="visually-hidden">${said}</span>` : said;
});

/**
 * Nothing to tell: the match begins, or the page has only just been opened.
 * @param {Table} table
 */
const calm = ({ words, view }) => (view.ply ? nothing : html`<p class="calm">${text(words, "ui-quiet")}</p>`);

/** @param {Table} table */
const isNew = ({ events }, kind) => events.some((event) => kindOf(event) === kind);

/** @param {Table} host */
const happening = (host) => {
  const { words, names, scene } = host;
  if (scene.snap) return html`<span class="spot snapped" data-motion="pop">${gauntlet(words, Object.keys(words.cards).filter((id) => isStone(words, id)))}</span>`;
  if (scene.fight) return fight(host);
  const shown = [];
  if (scene.guess) {
    const { number, seat } = scene.guess;
    shown.push(html`<span class="spot"><span class="guessed shown cardbg ${toneOf(number)}" data-motion="pop">${number}</span><span class="by">${seat === null ? text(words, "ui-heroes") : names[seat].name}</span></span>`);
  }
  for (const { seat, card } of scene.falls) shown.push(html`<span class="spot">${shownCard(words, card, { motion: "fall", look: "lost" })}<span class="by">${names[seat].name}</span></span>`);
  // Everybody was asked: so many names would leave the sentence no room.
  if (scene.spared.length > MOST_SPARED) shown.push(html`<span class="spot">${back(words, "heroes", { shape: "shown", motion: "shake" })}<span class="by">${shield()} ×${scene.spared.length}</span></span>`);
  else for (const seat of scene.spared) shown.push(html`<span class="spot">${back(words, seat ? "heroes" : "thanos", { shape: "shown", motion: "shake" })}<span class="by">${shield()} ${names[seat].name}</span></span>`);
  if (scene.gift) shown.push(html`<span class="spot"><span class="gift" data-motion="pop">${Array.from({ length: scene.gift.count }, power)}</span><span class="by">${names[scene.gift.seat].name}</span></span>`);
  if (scene.peek) shown.push(html`<span class="spot">${scene.peek.card ? shownCard(words, scene.peek.card, { motion: "pop" }) : back(words, "thanos", { shape: "shown", motion: "pop" })}<span class="by">${eye()} ${names[scene.peek.seat].name}</span></span>`);
  // Who looks has the cards before them, as answers.
  if (scene.look && !(host.interactive && host.view.table.phase === "arrange")) shown.push(html`<span class="fan">${scene.look.map((id) => (id ? shownCard(words, id, { motion: "pop" }) : back(words, "heroes", { shape: "shown", motion: "pop" })))}</span>`);
  if (scene.bottomed?.length) shown.push(html`<span class="fan">${scene.bottomed.map((id) => (id ? shownCard(words, id, { motion: "sink" }) : back(words, "thanos", { shape: "shown", motion: "sink" })))}</span>`);
  return shown.length ? html`${shown}` : nothing;
};

/**
 * Two cards meet. Only the fighters are told both; a card that falls is shown to all.
 * @param {Table} table
 */
const fight = ({ words, names, scene }) => {
  const { seat, card, thanos_card, bonus, thanos_bonus } = scene.fight;
  const fallen = scene.falls[0];
  const side = (whose, id, extra, motion) => {
    const lost = fallen && (fallen.seat === 0) === (whose === 0);
    const seen = id ?? (lost ? fallen.card : null);
    const look = lost ? "lost" : fallen ? "won" : "";
    return html`<span class="spot fighter">
      ${seen ? shownCard(words, seen, { motion, look }) : back(words, whose ? "heroes" : "thanos", { shape: "shown", motion, look })}
      ${extra ? html`<span class="bonus">${power()}+${extra}</span>` : nothing}
      <span class="by">${names[whose].name}</span>
    </span>`;
  };
  return html`<span class="fight">
    ${side(seat, card, bonus, "from-left")}
    <span class="meeting" data-motion="clash">${scene.fight.tied ? html`<span class="equal" aria-hidden="true">=</span>` : clash()}</span>
    ${side(0, thanos_card, thanos_bonus, "from-right")}
  </span>`;
};

/**
 * Whether the reader, who plays, has won.
 * @param {Table} table
 */
export const verdict = ({ words, view, seat }) => text(words, view.outcome?.winners.includes(/** @type {number} */ (seat)) ? "ui-won" : "ui-lost");

/**
 * Why the match is over.
 * @param {Table} table
 */
export const why = ({ words, view }) => words.sentences[`ended-${view.outcome?.reason}`] ?? nothing;

/** @param {Table} host */
const ending = (host) => html`<p class="ending ${host.view.outcome?.winners.includes(0) ? "thanos" : "heroes"}">
  ${host.seat === null ? nothing : html`<span class="verdict">${verdict(host)}</span>`}${why(host)}</p>`;

// -- moving it

// Without a last frame a motion ends in whatever the card's own look is, upright or fallen.
/** @typedef {[Keyframe[], KeyframeAnimationOptions]} Motion */

/** @type {Record<string, Motion>} */
const MOTIONS = {
  pop: [[{ opacity: 0, transform: "scale(.7)", offset: 0 }], { duration: TIMES.pop }],
  "from-left": [[{ opacity: 0, transform: "translateX(-5rem) rotate(-8deg)", offset: 0 }, { opacity: 1, transform: "translateX(.6rem)", offset: 0.7 }], { duration: TIMES.enter }],
  "from-right": [[{ opacity: 0, transform: "translateX(5rem) rotate(8deg)", offset: 0 }, { opacity: 1, transform: "translateX(-.6rem)", offset: 0.7 }], { duration: TIMES.enter }],
  clash: [[{ opacity: 0, transform: "scale(0)", offset: 0 }, { opacity: 1, transform: "scale(1.6)", offset: 0.5 }], { duration: TIMES.fall, delay: 260, fill: "backwards" }],
  fall: [[{ transform: "translateY(-.6rem)", offset: 0 }, { transform: "translateY(-.6rem) rotate(4deg)", offset: 0.4 }], { duration: TIMES.fall }],
  shake: [[{ transform: "translateX(-.35rem)" }, { transform: "translateX(.35rem)" }, { transform: "translateX(-.2rem)" }, { transform: "none" }], { duration: TIMES.pop, delay: 200 }],
  sink: [[{ opacity: 0, transform: "translateY(-1.5rem)", offset: 0 }], { duration: TIMES.pop }],
};
/** @type {Motion} */
const STRIKE = [[{ opacity: 0 }, { opacity: 1 }], { duration: TIMES.pop, delay: AFTER_ENTRY, fill: "backwards", pseudoElement: "::after" }];

/**
 * Move what has just come; resolves when it has been seen.
 * @param {HTMLElement | DocumentFragment} root
 * @param {InfinityGauntlet.Event[]} events
 * @param {AbortSignal} [signal]
 */
export const perform = (root, events, signal) => {
  const visible = events.filter((event) => !SKIPPED.has(kindOf(event)));
  if (!visible.length) return Promise.resolve();
  for (const element of root.querySelectorAll("[data-motion]:not([data-motion=''])")) {
    const [frames, timing] = MOTIONS[element.getAttribute("data-motion") ?? ""];
    const motion = element.animate(frames, { easing: "ease-out", ...timing });
    signal?.addEventListener("abort", () => motion.finish(), { once: true });
  }
  for (const element of root.querySelectorAll(".lost")) element.animate(...STRIKE);
  for (const element of root.querySelectorAll(".fresh")) element.animate(...MOTIONS.pop);
  const weighty = visible.some((event) => ["fought", "defeated", "guessed-thanos", "guessed-hero", "guessed-all", "peeked", "snapped"].includes(kindOf(event)));
  return new Promise((done) => { setTimeout(done, weighty ? LONG_LOOK : SHORT_LOOK); });
};

