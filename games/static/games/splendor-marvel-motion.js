// What just happened, shown in half a second: cards and stones fly, new cards turn up.

const FLIGHT = { duration: 480, easing: "cubic-bezier(.3, .1, .2, 1)", fill: "both" };
const STEP = 90;

const SUPPLY = (token) => `[data-supply="${token}"] .gem`;
const HELD = (seat, token) => `[data-board="${seat}"] .has .gem.${token}`;

/** Where an event's piece lies before the new view is drawn. */
const origin = (event) => ({
  took: SUPPLY(event.token),
  recruited: `[data-card="${event.card}"]`,
  reserved: `[data-card="${event.card}"]`,
  "reserved-unseen": `[data-deck="${event.level}"]`,
  "got-grey": SUPPLY("grey"),
  "time-stone": SUPPLY("green"),
  returned: HELD(event.seat, event.token),
  location: `[data-place="${event.location}"]`,
  "got-tile": "[data-tile]",
  "won-tile": `[data-board="${event.loser}"] .tile`,
}[event.event]);

/** Where it lies afterwards. */
const goal = (event) => ({
  took: HELD(event.seat, event.token),
  returned: SUPPLY(event.token),
  "got-grey": HELD(event.seat, "grey"),
  "time-stone": `[data-board="${event.seat}"] .stones .green`,
}[event.event] ?? `[data-board="${event.seat}"] .crest`);

const middle = (box) => ({ x: box.left + box.width / 2, y: box.top + box.height / 2 });

/** Copies of the pieces that are about to leave their place. */
export const lift = (root, events) =>
  events.flatMap((event) => {
    const selector = origin(event);
    const piece = selector && root.querySelector(selector);
    return piece ? [{ event, box: piece.getBoundingClientRect(), copy: piece.cloneNode(true) }] : [];
  });

const fly = (sky, { box, copy }, target, delay) => {
  const ground = sky.getBoundingClientRect();
  const from = middle(box);
  const to = middle(target.getBoundingClientRect());
  for (const marked of [copy, ...copy.querySelectorAll("[data-move], [data-card], [aria-label]")]) {
    for (const name of ["data-move", "data-card", "data-deck", "data-place", "aria-label", "role"]) marked.removeAttribute(name);
  }
  Object.assign(copy.style, {
    position: "absolute",
    left: `${box.left - ground.left}px`,
    top: `${box.top - ground.top}px`,
    width: `${box.width}px`,
    height: `${box.height}px`,
    margin: "0",
  });
  sky.append(copy);
  const flight = copy.animate(
    [
      { transform: "none", opacity: 1 },
      { transform: `translate(${to.x - from.x}px, ${to.y - from.y}px) scale(${Math.min(1, 40 / box.width)})`, opacity: 0.85 },
    ],
    { ...FLIGHT, delay },
  );
  return flight.finished.catch(() => {}).finally(() => copy.remove());
};

const turnUp = (root, { card }) => {
  const piece = root.querySelector(`[data-card="${card}"]`);
  return piece?.animate([{ transform: "rotateY(90deg)", opacity: 0 }, { transform: "none", opacity: 1 }], { duration: 320, delay: 220, easing: "ease-out", fill: "backwards" }).finished;
};

/** Let the lifted pieces fly to where they belong now; done when all have landed. */
export const land = (root, sky, lifted, events) => {
  const flights = lifted.map((piece, at) => {
    const target = root.querySelector(goal(piece.event));
    return target && fly(sky, piece, target, at * STEP);
  });
  const turns = events.filter((event) => event.event === "revealed").map((event) => turnUp(root, event));
  return Promise.allSettled([...flights, ...turns]);
};
