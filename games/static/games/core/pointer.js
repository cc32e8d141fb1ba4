// Points a move out on the board: at what is pressed to play it, or at the things that it names. It knows no rule; it
// reads the marks that the tables of all games give their parts.

/** @type {CSSStyleSheet | undefined} */
let sheet;
const styles = () => {
  if (!sheet) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(`
      [data-pointed] { outline: 4px solid var(--mind, gold) !important; outline-offset: -3px; animation: pointed 1.2s ease-in-out 3; }
      @keyframes pointed { 50% { outline-offset: -7px; } }
      @media (prefers-reduced-motion: reduce) { [data-pointed] { animation: none; } }`);
  }
  return sheet;
};

// Where a word of a notation is on the table.
const MARKS = ["data-card", "data-stone", "data-deck", "data-supply", "data-place", "data-sector"];
const PICKED = ["die", "token", "card", "stone"];

/** @param {string} value */
const quoted = (value) => JSON.stringify(value);

/**
 * The parts of a table that a move is about: its own button, else the things it names.
 * @param {ParentNode} root
 * @param {string} move
 * @returns {Element[]}
 */
export const partsOfMove = (root, move) => {
  const own = [...root.querySelectorAll(`[data-move=${quoted(move)}]`)];
  if (own.length) return own;
  const [, ...rest] = move.split(" ");
  const named = new Set([...rest, rest.join(" "), ...move.split(" on ")].filter((word) => word && word !== "on" && word !== "for"));
  const selectors = [...named].flatMap((word) => [
    ...MARKS.map((mark) => `[${mark}=${quoted(word)}]`),
    ...PICKED.map((kind) => `[data-pick=${quoted(`${kind} ${word}`)}]`),
  ]);
  return selectors.length ? [...root.querySelectorAll(selectors.join(","))] : [];
};

export class Pointer {
  /** @param {Page.TableElement} element */
  constructor(element) {
    this.element = element;
    /** @type {string[]} */
    this.moves = [];
    this.at = "";
    const root = element.shadowRoot;
    if (!root) return;
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, styles()];
    // The table draws itself again: what is pointed out stays so.
    new MutationObserver(() => this.mark()).observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-move", "data-pick", "data-card"] });
  }

  /** @param {string | null} move null: nothing any more */
  point(move) {
    return this.show(move === null ? [] : [move]);
  }

  /**
   * Point out what these moves are about, or the parts that a selector names.
   * @param {string[]} moves
   */
  async show(moves, at = "") {
    this.moves = moves;
    this.at = at;
    await this.element.updateComplete;
    this.mark();
  }

  mark() {
    const root = this.element.shadowRoot;
    if (!root) return;
    const wanted = new Set([...this.moves.flatMap((move) => partsOfMove(root, move)), ...(this.at ? root.querySelectorAll(this.at) : [])]);
    for (const old of root.querySelectorAll("[data-pointed]")) if (!wanted.has(old)) old.removeAttribute("data-pointed");
    for (const part of wanted) if (!part.hasAttribute("data-pointed")) part.setAttribute("data-pointed", "");
  }
}
