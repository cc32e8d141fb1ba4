// Looking back in a match that goes on: a moment of it as the reader saw it then, or the last round once more.
// What arrives meanwhile waits.

export class Moments {
  /** @type {Map<number, Page.Ply>} */
  #known = new Map();
  /** @type {(() => void) | null} */
  #close = null;

  /** The ply that is looked at. @type {number | null} */
  ply = null;

  /** Resolves when the reader is back at the table as it is now. @type {Promise<void>} */
  closed = Promise.resolve();

  /**
   * @param {object} page
   * @param {string} page.link where plies are asked for
   * @param {(view: Page.View) => unknown} page.draw
   * @param {() => void} page.onChange
   */
  constructor({ link, draw, onChange }) {
    this.link = link;
    this.draw = draw;
    this.onChange = onChange;
  }

  get isOpen() { return this.ply !== null; }

  /**
   * A ply as the reader saw it.
   * @param {number} number
   * @returns {Promise<Page.Ply | undefined>}
   */
  async find(number) {
    if (!this.#known.has(number)) {
      const answer = await fetch(`${this.link}?from=${number}`);
      if (!answer.ok) return undefined;
      for (const one of (await answer.json()).plies) this.#known.set(one.v, one);
    }
    return this.#known.get(number);
  }

  /** @param {number} number */
  async look(number) {
    const found = await this.find(number);
    if (!found) return;
    this.enter(number);
    await this.draw(found.view);
  }

  /** @param {number} number */
  enter(number) {
    if (!this.#close) this.closed = new Promise((done) => { this.#close = done; });
    this.ply = number;
    this.onChange();
  }

  /** Back to the table as it is now. */
  leave() {
    this.ply = null;
    this.#close?.();
    this.#close = null;
    this.onChange();
  }
}
