// Splendor: Marvel on the table. Draws the seat's view and sends back one of its legal moves; it knows no rule.

import { LitElement, createRef, html, nothing, ref, repeat } from "../vendor/lit.js";
import { bar } from "./splendor-marvel-bar.js";
import { mine, rival } from "./splendor-marvel-board.js";
import { land, lift } from "./splendor-marvel-motion.js";
import { back, cardLabel, face, fill, locationLabel, place } from "./splendor-marvel-pieces.js";
import { styles } from "./splendor-marvel-styles.js";
import { termOf } from "./words.js";

const LEVELS = [3, 2, 1];
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

class SplendorMarvelTable extends LitElement {
  static properties = {
    view: { attribute: false },
    events: { attribute: false },
    names: { attribute: false },
    words: { attribute: false },
    seat: { attribute: false },
    busy: { attribute: false },
    interactive: { attribute: false },
    hurry: { attribute: false },
    open: { state: true }, // the card or deck whose choices are shown
  };

  static styles = styles;

  sky = createRef();
  lifted = [];

  // -- what may be chosen

  /** A legal move, or nothing: the server says what is legal. */
  move(notation) {
    return this.interactive && this.view.legal.includes(notation) ? notation : null;
  }

  choose(move) {
    if (this.busy) return;
    this.open = null;
    this.dispatchEvent(new CustomEvent("move", { detail: { move }, bubbles: true, composed: true }));
  }

  toggle(thing) {
    this.open = this.open === thing ? null : thing;
    if (this.open) this.updateComplete.then(() => this.renderRoot.querySelector(".choice button")?.focus());
  }

  onKey(event) {
    if (event.key === "Escape" && this.open) {
      const holder = this.renderRoot.querySelector(".choice")?.parentElement;
      this.open = null;
      this.updateComplete.then(() => holder?.querySelector("button")?.focus());
      event.stopPropagation();
      return;
    }
    const step = STEPS[event.key];
    const slot = step && event.target.closest?.(".slot[data-at]");
    if (!slot || event.target.closest(".choice")) return;
    const [row, column] = slot.dataset.at.split(",").map(Number);
    const next = this.renderRoot.querySelector(`[data-at="${row + step[0]},${column + step[1]}"] > button`);
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  onClick(event) {
    if (this.open && !event.target.closest(".slot")) this.open = null;
  }

  // -- drawing

  willUpdate(changed) {
    if (!changed.has("view") || !this.view) return;
    this.open = null;
    this.hadFocus = this.renderRoot?.activeElement ?? null;
    const animated = this.hasUpdated && !this.hurry && this.events?.length;
    this.lifted = animated ? lift(this.renderRoot, this.events) : [];
    this.landing = animated ? this.events : null;
  }

  updated(changed) {
    if (!changed.has("view") || !this.view) return;
    this.settled = this.landing ? land(this.renderRoot, this.sky.value, this.lifted, this.landing) : Promise.resolve();
    this.lifted = [];
    if (this.hadFocus && !this.renderRoot.activeElement) this.refocus();
    this.hadFocus = null;
  }

  /** The choice that was made is gone: on to the next one, or to the line that says what is asked. */
  refocus() {
    const asked = this.interactive && this.view.table.question?.ask !== "choose";
    const next = (asked && this.renderRoot.querySelector(".bar [data-move]")) || this.renderRoot.querySelector(".ask");
    next?.focus({ preventScroll: true });
  }

  get bonuses() {
    return this.seat === null ? undefined : this.view.table.teams[this.seat]?.bonuses;
  }

  render() {
    if (!this.view) return nothing;
    const { words, view, seat } = this;
    const seats = view.table.teams.map((_, at) => at);
    const others = seat === null ? seats : [...seats.slice(seat + 1), ...seats.slice(0, seat)];
    return html`
      <div class="table" @keydown=${this.onKey} @click=${this.onClick}>
        <div class="others" role="group" aria-label=${fill(words, "ui-others")}>${others.map((at) => rival(this, at))}</div>
        <div class="side">${this.locations()}${this.tile()}</div>
        <section class="market" aria-label=${fill(words, "ui-market")}>${LEVELS.map((level, row) => this.row(level, row))}</section>
        ${bar(this)}
        ${seat === null ? nothing : mine(this, (card) => this.card(card))}
        <div class="sky" ${ref(this.sky)} aria-hidden="true"></div>
      </div>`;
  }

  row(level, row) {
    const cards = this.view.table.market[level - 1];
    return html`
      <ul class="row" aria-label=${fill(this.words, "ui-level", { level })}>
        <li class="slot deck" data-at="${row},0">${this.deck(level)}</li>
        ${repeat(cards, (card, at) => card ?? `none-${at}`, (card, at) => html`
          <li class="slot" data-at="${row},${at + 1}">${card ? this.card(card) : html`<span class="empty" role="img" aria-label=${fill(this.words, "ui-empty")}></span>`}</li>`)}
      </ul>`;
  }

  deck(level) {
    const count = this.view.table.decks[level - 1];
    const label = fill(this.words, "ui-deck", { level, count });
    const picture = count ? back(level, html`<span class="count">${count}</span>`) : html`<span class="empty"></span>`;
    const reserve = this.move(`reserve deck ${level}`);
    if (!reserve) return html`<span class="card-holder" data-deck=${level} role="img" aria-label=${label}>${picture}</span>`;
    return this.opener(`deck-${level}`, label, picture, [[reserve, fill(this.words, "ui-reserve-top")]], { deck: level });
  }

  card(id) {
    const label = cardLabel(this.words, id, this.bonuses);
    const picture = face(this.words, id, this.bonuses);
    const moves = ["recruit", "reserve"].map((verb) => [this.move(`${verb} ${id}`), termOf(this.words, verb)]).filter(([move]) => move);
    if (!moves.length) return html`<span class="card-holder" data-card=${id} role="img" aria-label=${label}>${picture}</span>`;
    return this.opener(id, label, picture, moves, { card: id });
  }

  /** Something that is chosen in two steps: a press shows what can be done with it. */
  opener(thing, label, picture, moves, { card, deck }) {
    const open = this.open === thing;
    const recruit = moves.some(([move]) => move.startsWith("recruit"));
    const can = recruit ? termOf(this.words, "recruit") : fill(this.words, "ui-can-reserve");
    return html`
      <button type="button" class="card-holder can ${recruit ? "recruitable" : "reservable"}" data-card=${card ?? nothing} data-deck=${deck ?? nothing}
        aria-expanded=${open} aria-label="${label}; ${can}" @click=${() => this.toggle(thing)}>
        ${picture}${recruit ? html`<span class="flag" aria-hidden="true">✓ ${can}</span>` : html`<span class="fold" aria-hidden="true"></span>`}
      </button>
      ${open ? html`<span class="choice" role="group" aria-label=${label}>${moves.map(([move, verb]) => html`
        <button type="button" class=${move.startsWith("recruit") ? "first" : ""} data-move=${move} @click=${() => this.choose(move)}>${verb}</button>`)}</span>` : nothing}`;
  }

  locations() {
    const { words, view } = this;
    return html`
      <section class="places" aria-label=${fill(words, "ui-locations")}>
        <h2>${fill(words, "ui-locations")}</h2>
        <ul>${view.table.locations.map((id) => html`<li data-place=${id}><span role="img" aria-label=${locationLabel(words, id)}>${place(words, id, this.bonuses)}</span></li>`)}</ul>
        ${view.table.locations.length ? nothing : html`<p class="soft">${fill(words, "ui-no-locations")}</p>`}
      </section>`;
  }

  tile() {
    const { words, view, names } = this;
    const owner = view.table.avengers;
    return html`
      <section class="avengers ${owner === null ? "" : "held"}" data-tile>
        <span class="tag" aria-hidden="true"></span>
        <span><b>${fill(words, "ui-tile")} +3</b><br>${owner === null ? fill(words, "ui-tile-free") : fill(words, "ui-tile-held", { name: names[owner]?.name, count: view.table.teams[owner].tags })}</span>
      </section>`;
  }
}

customElements.define("splendor-marvel-table", SplendorMarvelTable);
