// Splendor: Marvel on the table. Draws the seat's view and sends back one of its legal moves; it knows no rule.

import { LitElement, createRef, html, nothing, ref, repeat } from "../../vendor/lit.js";
import { addressOf } from "../emblems/splendor-marvel.js";
import { avatar, smallPicture, whyNot } from "../board/parts.js";
import { bar, supply } from "./action-bar.js";
import { mine, rival } from "./board.js";
import { smallPlace } from "./emblems.js";
import { land, liftAll, stage, turnUp } from "./animation.js";
import { back, cardFacts, cardLabel, face, fill, locationLabel, pips, place, present, smallStone, tag } from "./pieces.js";
import { styles } from "./styles.js";
import { summary } from "./summary.js";
import { kindOf, termOf } from "../core/texts.js";

const LEVELS = [3, 2, 1];
/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

/** @typedef {SplendorMarvelTable} Table */

class SplendorMarvelTable extends /** @type {Page.TableClass<SplendorMarvel.View, SplendorMarvel.Event, SplendorMarvel.Words>} */ (/** @type {unknown} */ (LitElement)) {
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

  static landsEvents = true;

  /** @type {Page.ElementRef} */
  sky = createRef();

  /** @type {ReturnType<typeof liftAll>} */
  lifted = [];

  /** @type {Set<HTMLElement>} Pieces that have left their place on the table before the next view is drawn. */
  left = new Set();

  /** @type {string[]} Cards that have just been dealt to the market. */
  dealt = [];

  /** @type {WeakSet<object>} Events that were shown already. */
  staged = new WeakSet();

  // -- what may be chosen

  /**
   * A legal move, or nothing: the server says what is legal.
   * @param {string} notation
   */
  move(notation) {
    return this.interactive && this.view.legal.includes(notation) ? notation : null;
  }

  /**
   * Why a move is not legal for the reader, in words; empty where the server says nothing of it.
   * @param {string} move
   */
  why(move) {
    return this.interactive ? whyNot(this.words, this.view, move) : "";
  }

  /** @param {string} move */
  choose(move) {
    if (this.busy) return;
    this.open = null;
    this.dispatchEvent(new CustomEvent("move", { detail: { move }, bubbles: true, composed: true }));
  }

  /** @param {string} thing */
  toggle(thing) {
    this.open = this.open === thing ? null : thing;
    if (this.open) this.updateComplete.then(() => this.find(".choice button")?.focus());
  }

  /**
   * @param {string} selector
   * @returns {HTMLElement | null}
   */
  find(selector) { return this.renderRoot.querySelector(selector); }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    if (event.key === "Escape" && this.open) {
      const holder = this.renderRoot.querySelector(".choice")?.parentElement;
      this.open = null;
      this.updateComplete.then(() => holder?.querySelector("button")?.focus());
      event.stopPropagation();
      return;
    }
    const step = STEPS[event.key];
    const target = event.target instanceof Element ? event.target : null;
    const slot = step && target?.closest(".slot[data-at]");
    if (!slot || target?.closest(".choice")) return;
    const [row, column] = (slot.getAttribute("data-at") ?? "").split(",").map(Number);
    const next = this.find(`[data-at="${row + step[0]},${column + step[1]}"] > button`);
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  /** @param {MouseEvent} event */
  onClick(event) {
    if (this.open && event.target instanceof Element && !event.target.closest(".slot")) this.open = null;
  }

  // -- drawing

  willUpdate(changed) {
    if (!changed.has("view") || !this.view) return;
    this.open = null;
    this.hadFocus = this.shadowRoot?.activeElement ?? null;
    for (const piece of this.left) piece.style.visibility = "";
    this.left.clear();
    const before = changed.get("view");
    const isLively = this.hasUpdated && !this.hurry && before?.ply < this.view.ply;
    this.lifted = isLively ? liftAll(this.renderRoot, (this.events ?? []).filter((event) => !this.staged.has(event))) : [];
    const known = new Set(before?.table.market.flat());
    this.dealt = isLively ? this.view.table.market.flat().flatMap((card) => (card && !known.has(card) ? [card] : [])) : [];
  }

  updated(changed) {
    if (!changed.has("view") || !this.view) return;
    this.settled = this.sky.value ? Promise.all([land(this.renderRoot, this.sky.value, this.lifted), turnUp(this.renderRoot, this.dealt)]) : Promise.resolve();
    this.lifted = [];
    if (this.hadFocus && !this.shadowRoot?.activeElement) this.refocus();
    this.hadFocus = null;
  }

  // -- what others do, one thing after another

  /**
   * Show what has happened on the table as it still stands.
   * @param {{ events: SplendorMarvel.Event[], time: number, still?: boolean, signal?: AbortSignal }} beat
   */
  async stageBeat(beat) {
    for (const event of beat.events) this.staged.add(event);
    await stage(this.renderRoot, this.sky.value, beat.events, beat, this.left);
  }

  /** @param {SplendorMarvel.Event} event */
  beatTime(event) {
    return { "got-grey": 450, "time-stone": 600, returned: 600, assembled: 1400 }[kindOf(event)];
  }

  /**
   * A picture for the log and the strip.
   * @param {string} field
   * @param {any} value
   */
  icon(field, value) {
    if (field === "card" && value in this.words.cards) return smallPicture(addressOf(value));
    if (field === "location") return smallPlace(value);
    if (field === "token" || field === "colour") return smallStone(value);
    if (field === "price" && value && typeof value === "object") return html`${present(value).map(([colour, count]) => smallStone(colour, count))}`;
    return null;
  }

  /**
   * A turn of another in one chip.
   * @param {SplendorMarvel.Event[]} events
   */
  summary(events) {
    return summary(this, events);
  }

  /** The choice that was made is gone: on to the next one, or to the line that says what is asked. */
  refocus() {
    const asked = this.interactive && this.view.table.question?.ask !== "choose";
    const next = (asked && this.find(".bar [data-move]")) || this.find(".ask");
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
      <div class="table of-${others.length} ${seat === null ? "watching" : ""}" @keydown=${this.onKey} @click=${this.onClick}>
        <div class="others" data-must="others" role="group" aria-label=${fill(words, "ui-others")}>${others.map((at) => rival(this, at))}</div>
        <section class="market mat" data-must="board" aria-label=${fill(words, "ui-market")}>${LEVELS.map((level, row) => this.row(level, row))}</section>
        ${supply(this)}
        ${this.places()}
        ${bar(this)}
        ${seat === null ? nothing : mine(this, (card) => this.card(card, "own"))}
        <div class="sky" ${ref(this.sky)} aria-hidden="true"></div>
      </div>`;
  }

  /**
   * @param {number} level
   * @param {number} row
   */
  row(level, row) {
    const cards = this.view.table.market[level - 1];
    return html`
      <ul class="row" aria-label=${fill(this.words, "ui-level", { level })}>
        <li class="slot deck" data-at="${row},0">${this.deck(level, row)}</li>
        ${repeat(cards, (card, at) => card ?? `none-${at}`, (card, at) => html`
          <li class="slot" data-at="${row},${at + 1}">${card ? this.card(card, `row-${row} column-${at + 1}`) : html`<span class="empty" role="img" aria-label=${fill(this.words, "ui-empty")}></span>`}</li>`)}
      </ul>`;
  }

  /**
   * @param {number} level
   * @param {number} row
   */
  deck(level, row) {
    const count = this.view.table.decks[level - 1];
    const label = fill(this.words, "ui-deck", { level, count });
    const picture = count ? back(level, html`<span class="count">${count}</span>`) : html`<span class="empty"></span>`;
    const reserve = this.move(`reserve deck ${level}`);
    if (!reserve) return html`<span class="card-holder" data-deck=${level} role="img" aria-label=${label}>${picture}</span>`;
    return this.opener(`deck-${level}`, label, picture, [[reserve, fill(this.words, "ui-reserve-top")]], { deck: level, at: `row-${row} column-0` });
  }

  /**
   * @param {string} id
   * @param {string} at
   */
  card(id, at) {
    const label = cardLabel(this.words, id, this.bonuses);
    const picture = face(this.words, id, this.bonuses);
    /** @type {[string, string][]} */
    const moves = ["recruit", "reserve"].flatMap((verb) => {
      const move = this.move(`${verb} ${id}`);
      return move ? [[move, termOf(this.words, verb)]] : [];
    });
    const why = this.why(`recruit ${id}`);
    if (moves.length) return this.opener(id, label, picture, moves, { card: id, at, why: moves[0][0].startsWith("recruit") ? "" : why });
    if (why) return html`<button type="button" class="card-holder" data-card=${id} data-help=${id} aria-disabled="true" data-why=${why} aria-label="${label}; ${why}">${picture}</button>`;
    return html`<span class="card-holder" data-card=${id} data-help=${id} role="img" aria-label=${label}>${picture}</span>`;
  }

  /**
   * Something that is chosen in two steps: a press shows what can be done with it.
   * @param {string} thing
   * @param {string} label
   * @param {unknown} picture
   * @param {[string, string][]} moves
   * @param {{ card?: string, deck?: number, at: string, why?: string }} what
   */
  opener(thing, label, picture, moves, { card, deck, at, why = "" }) {
    const open = this.open === thing;
    const recruit = moves.some(([move]) => move.startsWith("recruit"));
    const can = recruit ? termOf(this.words, "recruit") : fill(this.words, "ui-can-reserve");
    return html`
      <button type="button" class="card-holder can ${recruit ? "recruitable" : "reservable"} ${open ? "is-open" : ""}" data-card=${card ?? nothing} data-help=${card ?? nothing} data-deck=${deck ?? nothing}
        aria-expanded=${open} aria-label="${label}; ${can}" @click=${() => this.toggle(thing)}>${picture}</button>
      ${open ? html`<div class="choice panel ${at}" role="group" aria-label=${label}>
        ${card ? html`<p class="price">${pips(cardFacts(this.words, card).cost, this.bonuses)}</p>` : nothing}
        ${why ? html`<p class="why">${why}</p>` : nothing}
        ${moves.map(([move, verb]) => html`<button type="button" class="btn ${move.startsWith("recruit") ? "go" : ""}" data-move=${move} @click=${() => this.choose(move)}>${verb}</button>`)}</div>` : nothing}`;
  }

  places() {
    const { words, view } = this;
    return html`
      <section class="places" data-must="places" aria-label=${fill(words, "ui-locations")}>
        <ul>${view.table.locations.map((id) => {
          const move = this.move(`location ${id}`);
          const picture = place(words, id, this.bonuses);
          if (!move) return html`<li data-place=${id}><span class="holder" data-help=${id} role="img" aria-label=${locationLabel(words, id)}>${picture}</span></li>`;
          return html`<li data-place=${id}><button type="button" class="visit" data-move=${move} aria-label=${locationLabel(words, id)} @click=${() => this.choose(move)}>${picture}</button></li>`;
        })}</ul>
        ${this.tile()}
      </section>`;
  }

  tile() {
    const { words, view, names } = this;
    const owner = view.table.avengers;
    const state = owner === null ? fill(words, "ui-tile-free") : fill(words, "ui-tile-held", { name: names[owner]?.name, count: view.table.teams[owner].tags });
    return html`<p class="avengers panel" data-tile role="img" aria-label="${fill(words, "ui-tile")} +3; ${state}">${tag()}<span class="told"><b>+3</b><span class="state">${state}</span></span>${owner === null ? nothing : avatar(names, owner)}</p>`;
  }
}

customElements.define("splendor-marvel-table", SplendorMarvelTable);
