// A closer look at a thing on the table: hover, long press or "h" on what has `data-help` (or is a card); and why
// something cannot be done, from `data-why` or the server's reasons.

import { render } from "../../vendor/lit.js";
import { need } from "./dom.js";
import { nameOf, reasonText, termOf } from "./texts.js";

const HOVER = 400;
const LONG_PRESS = 500;
const NARROW = 700;
const GAP = 8;

/** @typedef {{ id: string, why: string, box: DOMRect }} Target */

export class Preview {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #swallow = false;
  #id = "";

  /** @param {Page.TableElement} element */
  constructor(element) {
    this.element = element;
    this.root = need("preview", HTMLElement);
    const { parentElement: stage } = element;
    // Moves of pointer and focus inside a shadow root are not heard outside of it.
    const inside = element.shadowRoot ?? element;
    inside.addEventListener("pointerover", (event) => { if (event instanceof PointerEvent && hovers(event)) this.later(event, HOVER); });
    // A finger that is lifted leaves everything: what its long press has shown stays.
    inside.addEventListener("pointerout", (event) => { if (event instanceof PointerEvent && hovers(event)) this.hide(); });
    inside.addEventListener("focusin", (event) => { const target = find(event); if (target?.why) this.show(target); });
    inside.addEventListener("focusout", () => this.hide());
    stage?.addEventListener("pointerleave", (event) => { if (hovers(event)) this.hide(); });
    stage?.addEventListener("pointerdown", (event) => {
      this.hide();
      this.#swallow = false; // not every long press ends in a click
      if (!hovers(event)) this.later(event, LONG_PRESS, true);
    });
    stage?.addEventListener("pointermove", (event) => { if (!hovers(event) && Math.hypot(event.movementX, event.movementY) > 4) clearTimeout(this.#timer); });
    for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) {
      stage?.addEventListener(end, (event) => { if (!hovers(event)) clearTimeout(this.#timer); });
    }
    stage?.addEventListener("contextmenu", (event) => { if (this.#swallow) event.preventDefault(); });
    // The press that opened the look is no choice.
    stage?.addEventListener("click", (event) => {
      if (this.#swallow) { event.stopPropagation(); event.preventDefault(); this.#swallow = false; return; }
      const target = find(event);
      if (target?.why) this.show(target);
    }, true);
    stage?.addEventListener("keydown", (event) => {
      const target = event.key === "h" ? find(event) : null;
      if (target) this.show(target);
      else if (event.key === "Escape") this.hide();
    });
    document.addEventListener("pointerdown", (event) => {
      if (!event.composedPath().includes(this.root) && !this.root.hidden) this.hide();
    }, true);
    need("preview-close", HTMLButtonElement).addEventListener("click", () => this.hide());
  }

  /**
   * @param {PointerEvent} event
   * @param {number} time
   */
  later(event, time, isPress = false) {
    clearTimeout(this.#timer);
    const target = find(event);
    if (!target) return;
    this.#timer = setTimeout(() => { this.#swallow = isPress; this.show(target); }, time);
  }

  hide() {
    clearTimeout(this.#timer);
    this.root.hidden = true;
  }

  /** The card that is being looked at; empty where there is none. */
  get shown() { return this.root.hidden ? "" : this.#id; }

  /** @param {Target} target */
  show({ id, why, box }) {
    this.#id = id;
    const { words, view } = this.element;
    need("preview-name", HTMLElement).textContent = id ? nameOf(words, id) : "";
    const text = need("preview-text", HTMLElement);
    const own = id ? this.element.preview?.(id) : null;
    if (own) render(own, text);
    else render(id ? words.texts[id] ?? "" : "", text);
    const standIn = words.stand_ins[id]?.text ?? "";
    need("preview-stand-in", HTMLElement).textContent = standIn;
    const reasons = [...(why ? [why] : []), ...(id && !why ? this.reasons(id) : [])];
    need("preview-why", HTMLElement).textContent = reasons.join(" ");
    const moves = id && this.element.interactive ? view.legal.filter((move) => move.split(" ").slice(1).includes(id)) : [];
    need("preview-can", HTMLElement).textContent = [...new Set(moves.map((move) => termOf(words, move.split(" ")[0])))].map((verb) => `✓ ${verb}`).join("  ");
    if (!own && !words.texts[id] && !standIn && !reasons.length && !moves.length) return;
    need("preview-more", HTMLElement).hidden = !id;
    this.root.hidden = false;
    this.place(box);
  }

  /**
   * Why nothing can be done with a thing, as far as the server says it.
   * @param {string} id
   */
  reasons(id) {
    const { words, view } = this.element;
    return Object.entries(view.why_not ?? {}).filter(([what]) => what.split(" ").slice(1).join(" ") === id)
      .map(([what, reason]) => `${termOf(words, what.split(" ")[0])}: ${reasonText(words, reason)}`);
  }

  /**
   * Beside the thing; on phones CSS puts it at the lower edge.
   * @param {DOMRect} box
   */
  place(box) {
    const { style } = this.root;
    if (innerWidth < NARROW) { style.left = style.top = ""; return; }
    const { offsetWidth: width, offsetHeight: height } = this.root;
    const left = box.right + GAP + width < innerWidth ? box.right + GAP : box.left - GAP - width;
    style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`;
    style.top = `${Math.max(GAP, Math.min(box.top, innerHeight - height - GAP))}px`;
  }
}

/**
 * Whether a pointer shows things by resting on them. In a narrow window the look lies over the question: there a mouse
 * presses long, as a finger does.
 * @param {PointerEvent} event
 */
const hovers = (event) => event.pointerType === "mouse" && innerWidth >= NARROW;

/**
 * The thing that an event is about, also inside a shadow root.
 * @param {globalThis.Event} event
 * @returns {Target | null}
 */
const find = (event) => {
  for (const node of event.composedPath()) {
    if (!(node instanceof HTMLElement || node instanceof SVGElement)) continue;
    if (node.id === "stage") return null;
    const id = node.dataset.help ?? node.dataset.card ?? "";
    const why = node.dataset.why ?? "";
    if (id || why) return { id, why, box: node.getBoundingClientRect() };
  }
  return null;
};
