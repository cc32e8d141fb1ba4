// A table for any game, without pictures: what the seat may know as nested lists, and its legal moves as buttons.

import { LitElement, css, html, nothing } from "../../vendor/lit.js";
import { moveLabel, nameOf, termOf } from "./texts.js";

class PlainTable extends /** @type {Page.TableClass} */ (/** @type {unknown} */ (LitElement)) {
  static properties = {
    view: { attribute: false },
    events: { attribute: false },
    names: { attribute: false },
    words: { attribute: false },
    seat: { attribute: false },
    busy: { type: Boolean },
    interactive: { type: Boolean },
    hurry: { type: Boolean },
  };

  static styles = css`
    :host { display: block; font: inherit; }
    fieldset { border: 1px solid var(--line); border-radius: var(--radius-s); margin: 0 0 var(--s3); padding: var(--s3); display: flex; flex-wrap: wrap; gap: var(--s2); }
    legend { font-weight: 600; padding-inline: var(--s1); }
    button { min-height: var(--tap); padding: var(--s2) var(--s3); font: inherit; color: var(--ink); background: var(--surface); border: 2px solid var(--space); border-radius: var(--radius-s); cursor: pointer; }
    button:hover { background: var(--space-wash); }
    button:focus-visible { outline: 3px solid var(--space); outline-offset: 2px; }
    button[disabled] { opacity: .55; cursor: default; }
    dl { display: grid; grid-template-columns: auto 1fr; gap: var(--s1) var(--s3); margin: 0; }
    dt { color: var(--ink-soft); }
    dd { margin: 0; min-width: 0; overflow-wrap: anywhere; }
    .part { background: var(--surface); border: 1px solid var(--line); border-radius: var(--radius-s); padding: var(--s3); margin-bottom: var(--s3); }
  `;

  render() {
    if (!this.view) return nothing;
    return html`${this.interactive ? this.moves() : nothing}<div class="part">${this.tell(this.view.table)}</div>`;
  }

  moves() {
    const groups = Map.groupBy ? Map.groupBy(this.view.legal, (move) => move.split(" ")[0]) : this.grouped();
    return [...groups].map(([verb, moves]) => html`
      <fieldset ?disabled=${this.busy}>
        <legend>${termOf(this.words, verb)}</legend>
        ${moves.map((move) => html`<button type="button" data-move=${move} @click=${() => this.choose(move)}>${moveLabel(this.words, move, this.names)}</button>`)}
      </fieldset>`);
  }

  grouped() {
    /** @type {Map<string, string[]>} */
    const groups = new Map();
    for (const move of this.view.legal) {
      const verb = move.split(" ")[0];
      groups.set(verb, [...(groups.get(verb) ?? []), move]);
    }
    return groups;
  }

  /** @param {string} move */
  choose(move) {
    this.dispatchEvent(new CustomEvent("move", { detail: { move }, bubbles: true, composed: true }));
  }

  /**
   * @param {unknown} value
   * @returns {unknown}
   */
  tell(value) {
    if (value === null || value === undefined) return "–";
    if (Array.isArray(value)) {
      if (value.every((one) => one === null || typeof one !== "object")) return value.map((one) => (one === null ? "–" : nameOf(this.words, one))).join(", ") || "–";
      return value.map((one, place) => html`<div class="part"><strong>${this.names?.length === value.length ? this.names[place].name : place + 1}</strong>${this.tell(one)}</div>`);
    }
    if (typeof value === "object") {
      return html`<dl>${Object.entries(value).map(([key, one]) => html`<dt>${termOf(this.words, key)}</dt><dd>${this.tell(one)}</dd>`)}</dl>`;
    }
    return typeof value === "boolean" ? (value ? "✓" : "–") : nameOf(this.words, String(value));
  }
}

customElements.define("plain-table", PlainTable);
