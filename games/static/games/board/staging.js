// Motion on a board: things travel from where they were to where they are, or are pointed out where nothing may move.

/** @typedef {{ time: number, still?: boolean, signal?: AbortSignal }} Beat */

const TRAVEL = "cubic-bezier(.3, .1, .2, 1)";
const LONGEST_FLIGHT = 560;
const MARKS = ["data-move", "data-card", "data-deck", "data-place", "data-stone", "data-must", "aria-label", "role", "id"];

/** @param {DOMRect} box */
const middle = (box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });

/**
 * Waits for an animation, and ends it at once where the reader wants no more of it.
 * @param {Animation} animation
 * @param {AbortSignal} [signal]
 */
const watched = (animation, signal) => {
  if (signal?.aborted) animation.finish();
  else signal?.addEventListener("abort", () => animation.finish(), { once: true });
  return animation.finished.catch(() => {});
};

/**
 * Point something out for a moment: an outline, and a short beat unless nothing may move.
 * @param {Element | null | undefined} element
 * @param {Beat} beat
 * @param {Keyframe[] | PropertyIndexedKeyframes} [motion]
 */
export const pointOut = (element, beat, motion = { scale: ["1", "1.07", "1"] }) => {
  if (!element) return Promise.resolve();
  const time = Math.max(300, Math.min(beat.time || 450, 900));
  const ring = element.animate({ outline: ["3px solid var(--mind)", "3px solid var(--mind)", "3px solid transparent"], outlineOffset: ["2px", "2px", "2px"] }, { duration: time });
  const all = [watched(ring, beat.signal)];
  if (!beat.still) all.push(watched(element.animate(motion, { duration: Math.min(time, 480), easing: "ease-out" }), beat.signal));
  return Promise.all(all);
};

/**
 * A copy of a piece that can fly, taken before the piece is drawn anew.
 * @param {Element | null | undefined} piece
 */
export const lift = (piece) => {
  if (!piece) return null;
  const box = piece.getBoundingClientRect();
  if (!box.width) return null;
  const copy = /** @type {HTMLElement} */ (piece.cloneNode(true));
  for (const one of [copy, ...copy.querySelectorAll("*")]) for (const name of MARKS) one.removeAttribute(name);
  if (copy instanceof HTMLButtonElement) copy.tabIndex = -1;
  return { box, copy };
};

/**
 * Let a lifted piece fly to a place.
 * @param {HTMLElement | undefined} sky
 * @param {ReturnType<typeof lift>} piece
 * @param {Element | null | undefined} target
 * @param {Beat & { delay?: number }} beat
 */
export const fly = (sky, piece, target, beat) => {
  if (!sky || !piece || !target) return Promise.resolve();
  if (beat.still) return pointOut(target, beat);
  const { box, copy } = piece;
  const ground = sky.getBoundingClientRect();
  const from = middle(box);
  const to = middle(target.getBoundingClientRect());
  Object.assign(copy.style, {
    position: "absolute", margin: "0", left: `${box.left - ground.left}px`, top: `${box.top - ground.top}px`, width: `${box.width}px`, height: `${box.height}px`,
  });
  sky.append(copy);
  const flight = copy.animate(
    [{ transform: "none", opacity: 1 }, { transform: `translate(${to.x - from.x}px, ${to.y - from.y}px) scale(${Math.min(1, 44 / box.width)})`, opacity: 0.9 }],
    { duration: Math.min(LONGEST_FLIGHT, Math.max(240, beat.time * 0.6 || 420)), delay: beat.delay ?? 0, easing: TRAVEL, fill: "both" },
  );
  return watched(flight, beat.signal).then(() => copy.remove());
};
