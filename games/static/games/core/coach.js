// The coach of a tutorial: says a few things before each step, points at what they are about, then asks and waits. The
// server refuses every other move in words; this only tells.

import { need } from "./dom.js";
import { Pointer } from "./pointer.js";

export class Coach {
  /**
   * @param {object} around
   * @param {Page.TableElement} around.element
   * @param {Page.Coach} around.lesson
   * @param {Pointer} [around.pointer] shared with whoever else points at this table
   */
  constructor({ element, lesson, pointer = new Pointer(element) }) {
    this.lesson = lesson;
    this.pointer = pointer;
    this.row = need("coach", HTMLElement);
    this.next = need("coach-next", HTMLButtonElement);
    this.back = need("coach-back", HTMLButtonElement);
    this.step = -1;
    this.page = 0;
    this.isClosed = false;
    this.told = "";
    /** @type {string[]} */
    this.legal = [];
    this.next.addEventListener("click", () => this.turn(1));
    this.back.addEventListener("click", () => this.turn(-1));
    need("coach-close", HTMLButtonElement).addEventListener("click", () => { this.isClosed = true; this.row.hidden = true; });
  }

  /**
   * Whether the reader is still led at this ply.
   * @param {number} ply
   */
  guides(ply) { return ply < this.lesson.plies; }

  /** @param {number} by */
  turn(by) {
    this.page += by;
    this.tell();
  }

  /**
   * The table is at this ply; the coach speaks when it is the reader's turn, and once more at the end.
   * @param {Page.View} view
   * @param {boolean} isAsked
   * @param {boolean} isPlaying
   */
  update(view, isAsked, isPlaying) {
    this.legal = view.legal;
    const isGuiding = this.guides(view.ply);
    const step = isGuiding ? this.lesson.steps.findLastIndex(({ ply }) => ply <= view.ply) : this.lesson.steps.length;
    if (step !== this.step) {
      this.step = step;
      this.page = 0;
    }
    this.row.hidden = !(isPlaying && (isGuiding ? isAsked && step >= 0 : !this.isClosed));
    // A hint may be pointed out meanwhile: nothing is said or taken back twice.
    const now = `${this.row.hidden} ${step} ${isGuiding ? view.ply : ""}`;
    if (now === this.told) return;
    this.told = now;
    if (this.row.hidden) this.pointer.point(null);
    else this.tell();
  }

  tell() {
    const { steps, ending } = this.lesson;
    const step = steps[this.step];
    const said = step?.says[this.page];
    need("coach-count", HTMLElement).textContent = step ? `${this.step + 1}/${steps.length}` : "";
    const text = need("coach-text", HTMLElement);
    const words = step ? said?.text ?? step.ask : ending;
    if (text.textContent !== words) text.textContent = words;
    this.row.toggleAttribute("data-asks", Boolean(step && !said));
    // Both keep their place: a finger that goes on pressing hits the same button.
    this.next.style.visibility = said ? "" : "hidden";
    this.back.style.visibility = step && this.page ? "" : "hidden";
    this.next.hidden = this.back.hidden = !step?.says.length;
    need("coach-end", HTMLElement).hidden = Boolean(step);
    if (!step) this.pointer.point(null);
    else if (said) this.pointer.show([], said.at);
    else this.pointer.show(step.at ? [] : step.moves.filter((move) => this.legal.includes(move)), step.at);
  }
}
