// Puts a game's table element on the page and feeds it. The contract is in docs/tables.md.

const LONGEST_ANIMATION = 1500;
const SHORT_PAUSE = 250;

/** @param {number} time */
const after = (time) => new Promise((done) => { setTimeout(done, time); });

export const reducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * The element of the game: its own where the server found one, else the plain one.
 * @param {HTMLElement} holder
 * @param {object} table
 * @param {string} table.game
 * @param {Page.Words} table.words
 * @param {number | null} table.seat
 * @param {(move: string) => void} [table.onMove]
 * @param {(id: string) => void} [table.onHelp]
 */
export const raise = async (holder, { game, words, seat, onMove, onHelp }) => {
  await import(holder.dataset.module ?? "");
  const own = `${game}-table`;
  const element = /** @type {Page.TableElement} */ (document.createElement(customElements.get(own) ? own : "plain-table"));
  element.words = words;
  element.seat = seat;
  element.busy = false;
  element.interactive = false;
  element.events = [];
  element.addEventListener("move", (event) => onMove?.(/** @type {CustomEvent} */ (event).detail.move));
  element.addEventListener("help", (event) => onHelp?.(/** @type {CustomEvent} */ (event).detail.id));
  holder.replaceChildren(element);
  return element;
};

/**
 * Show a view and what led to it; done when the element has shown it, or has had time enough.
 * @param {Page.TableElement} element
 * @param {Pick<Page.TableProperties, "view" | "events" | "names" | "interactive" | "hurry">} shown
 */
export const show = async (element, { view, events, names, interactive, hurry }) => {
  element.names = names;
  element.interactive = interactive;
  element.hurry = hurry || reducedMotion();
  element.events = events;
  // With its view and never before: drawn for another seat, a view lacks what only that seat may know.
  element.seat = view.seat;
  element.view = view;
  if (element.hurry || !events.length) return;
  await element.updateComplete;
  await Promise.race([element.settled ?? after(SHORT_PAUSE), after(LONGEST_ANIMATION)]);
};
