// A hint on request, at a table against bots: asked for once a decision, thought about by a worker, said in words and
// pointed out on the board until the reader moves.

import { need } from "./dom.js";
import { Pointer } from "./pointer.js";

// The socket says when a hint is there; without one the page asks.
const ASK_AGAIN = 3_000;

export class Hints {
  /**
   * @param {object} around
   * @param {Page.TableElement} around.element
   * @param {string} around.link
   * @param {Record<string, string>} around.ui
   * @param {(url: string, data: Record<string, string>) => Promise<any>} around.post
   * @param {(text: string) => Promise<boolean>} around.confirm
   * @param {(text: string) => void} around.complain
   */
  constructor({ element, link, ui, post, confirm, complain }) {
    this.link = link;
    this.ui = ui;
    this.post = post;
    this.confirm = confirm;
    this.complain = complain;
    this.pointer = new Pointer(element);
    this.button = need("hint", HTMLButtonElement);
    this.row = need("hint-row", HTMLElement);
    this.isRated = this.button.hasAttribute("data-rated");
    this.ply = -1;
    this.isPossible = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.button.addEventListener("click", () => this.ask());
    need("hint-close", HTMLButtonElement).addEventListener("click", () => { this.row.hidden = true; });
  }

  /**
   * The reader may ask now, or not; a hint of an earlier decision is over.
   * @param {number} ply
   * @param {boolean} isPossible
   */
  update(ply, isPossible) {
    this.isPossible = isPossible;
    if (ply !== this.ply) {
      this.ply = ply;
      clearTimeout(this.timer);
      this.row.hidden = true;
      this.pointer.point(null);
    }
    this.button.disabled = !isPossible;
  }

  async ask() {
    if (!this.isPossible) return;
    if (this.isRated && !await this.confirm(this.ui.hint_unrated)) return;
    this.tell(this.ui.hint_thinking);
    const told = await this.post(this.link, this.isRated ? { unrated: "yes" } : {});
    if (!told || told.detail) {
      this.row.hidden = true;
      if (told) this.complain(told.detail);
      return;
    }
    this.isRated = false;
    const kind = document.getElementById("rated");
    if (kind) kind.textContent = kind.dataset.casual ?? "";
    this.show(told);
  }

  /** A hint may be there by now. */
  async fetch() {
    const answer = await fetch(this.link);
    if (answer.ok) this.show(await answer.json());
  }

  /** @param {Page.Hint} told */
  show(told) {
    clearTimeout(this.timer);
    if (told.ply !== this.ply || !told.state) return;
    if (told.state === "waiting") {
      this.tell(this.ui.hint_thinking);
      this.timer = setTimeout(() => this.fetch(), ASK_AGAIN);
      return;
    }
    this.tell(told.move ? this.ui.hint.replace("{move}", told.words) : told.words);
    this.pointer.point(told.move || null);
  }

  /** @param {string} text */
  tell(text) {
    need("hint-text", HTMLElement).textContent = text;
    this.row.hidden = false;
  }
}
