// <rule-piece what="card hulk">: a card, a die or a sign as the tables draw it, inside the rules. Decoration: the words
// beside it say the same.

import { LitElement, css } from "../../vendor/lit.js";
import { loadWords } from "./texts.js";

/** @type {Map<string, Promise<any>>} */
const loaded = new Map();

/** @param {string} url */
const wordsAt = (url) => {
  const found = loaded.get(url) ?? loadWords(url);
  loaded.set(url, found);
  return found;
};

const own = css`
  :host { display: inline-grid; place-items: center; height: auto; container-type: normal; }
  .piece { display: contents; }
`;

/**
 * Define the element with the drawings of one game.
 * @param {(words: any, kind: string, what: string[]) => unknown} draw
 * @param {any[]} styles
 */
export const definePieces = (draw, styles) => {
  if (customElements.get("rule-piece")) return;
  customElements.define("rule-piece", class extends LitElement {
    static styles = [...styles, own];

    /** @type {any} */
    words = null;

    /** @type {Promise<void> | undefined} */
    loading;

    connectedCallback() {
      super.connectedCallback();
      this.setAttribute("aria-hidden", "true");
      this.loading ??= this.load();
    }

    async load() {
      const holder = /** @type {HTMLElement | null} */ (this.closest("[data-words]"));
      this.words = await wordsAt(holder?.dataset.words ?? "");
      this.requestUpdate();
    }

    async getUpdateComplete() {
      await this.loading;
      return super.getUpdateComplete();
    }

    render() {
      const [kind, ...what] = (this.getAttribute("what") ?? "").split(" ");
      return this.words ? draw(this.words, kind, what) : "";
    }
  });
};
