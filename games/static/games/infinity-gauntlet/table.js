// <infinity-gauntlet-table>: Thanos against the heroes. The contract is in docs/tables.md.

import { LitElement, html, nothing } from "../../vendor/lit.js";
import { avatar } from "../board/parts.js";
import { pointOut } from "../board/staging.js";
import { clash, eye, gauntlet, heart, lamp, power, shield, smallEmblem } from "./emblems.js";
import { HEROES, THANOS, back, counter, isStone, miniCard, reference, text } from "./cards.js";
import { NO_DEEDS, addDeed } from "./deeds.js";
import { deckNotes, heroCounters, noteList, notesOn } from "./notes.js";
import { dock } from "./questions.js";
import { arena, follow, perform } from "./scene.js";
import { styles } from "./styles.js";
import { kindOf } from "../core/texts.js";

/**
 * Every card in sight and where it lies, to tell which has just come.
 * @param {InfinityGauntlet.View} view
 */
const layout = (view) => {
  const found = new Set();
  view.table.seats.forEach(({ faceup, cards }, seat) => {
    for (const id of faceup) found.add(`faceup ${seat} ${id}`);
    if (seat === view.seat) for (const id of cards) found.add(`hand ${id}`);
  });
  return found;
};

/** @typedef {InfinityGauntletTable} Table */

/** @param {Event & { currentTarget: Element }} event */
const close = ({ currentTarget }) => currentTarget.closest("details")?.removeAttribute("open");

/** @param {KeyboardEvent & { currentTarget: Element }} event */
const closeOnEscape = (event) => { if (event.key === "Escape") close(event); };

class InfinityGauntletTable extends /** @type {Page.TableClass<InfinityGauntlet.View, InfinityGauntlet.Event, InfinityGauntlet.Words>} */ (/** @type {unknown} */ (LitElement)) {
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

  static styles = styles;

  static landsEvents = true;

  /** @type {WeakSet<object>} Events that were shown already. */
  staged = new WeakSet();

  deeds = NO_DEEDS; // what each seat did since the reader's last turn

  willUpdate(changed) {
    if (!changed.has("view") || !this.view) return;
    const before = changed.get("view");
    const events = (this.events ?? []).filter((event) => !this.staged.has(event));
    this.landed = events;
    if (events.length || !this.scene || before?.ply !== this.view.ply) this.take(events);
    const earlier = before && before.seat === this.view.seat && before.ply < this.view.ply && !this.hurry ? layout(before) : null;
    this.arrived = earlier ? new Set([...layout(this.view)].filter((place) => !earlier.has(place))) : new Set();
  }

  /**
   * Take events into the scene and into what each seat did.
   * @param {InfinityGauntlet.Event[]} events
   */
  take(events) {
    if (!events.length && this.scene && this.wasStaged) { this.wasStaged = false; return; }
    this.scene = follow(this.scene, events, this.view);
    for (const event of events) this.deeds = addDeed(this.deeds, event, this.seat);
  }

  updated(changed) {
    if (!changed.has("view") || !this.view) return;
    this.settled = this.hurry || !this.landed?.length ? Promise.resolve() : perform(this.renderRoot, this.landed);
    // The answer that had the focus is gone: on to the next question, unless the reader went elsewhere meanwhile.
    if (this.answered && this.interactive && document.activeElement === document.body) {
      /** @type {HTMLElement | null} */ (this.renderRoot.querySelector("#question"))?.focus({ preventScroll: true });
    }
    if (this.interactive) this.answered = false;
  }

  // -- what others do, one thing after another

  /**
   * Show what has happened in the middle of the table, and at the seat it concerns.
   * @param {{ events: InfinityGauntlet.Event[], time: number, still?: boolean, signal?: AbortSignal }} beat
   */
  async stageBeat(beat) {
    for (const event of beat.events) this.staged.add(event);
    this.take(beat.events);
    this.wasStaged = true;
    this.requestUpdate();
    await this.updateComplete;
    const [first] = beat.events;
    const seats = new Set([first.seat, first.target].filter((seat) => seat !== undefined));
    const places = [...seats].map((seat) => this.renderRoot.querySelector(`[data-seat="${seat}"]`));
    if (!beat.still) perform(this.renderRoot, beat.events, beat.signal);
    await Promise.all(places.map((place) => pointOut(place, beat, { scale: ["1", "1.02", "1"] })));
  }

  /** @param {InfinityGauntlet.Event} event */
  beatTime(event) {
    const kind = kindOf(event);
    return { played: 1100, peeked: 1100, "peeked-card": 1600, "took-power": 900, looked: 900, arranged: 700, bottomed: 700, tied: 1200, missed: 900, spared: 900, copied: 1200, rebuilt: 900, passed: 700, declined: 700, "shuffled-in": 600 }[kind];
  }

  /**
   * Whether something that happens concerns the reader: as the one who does it or to whom it is done.
   * @param {InfinityGauntlet.Event} event
   */
  touches(event) {
    if (this.seat === null) return false;
    if (event.seat === this.seat || event.target === this.seat) return true;
    const kind = kindOf(event);
    if (["guessed-all", "snapped", "rebuilt"].includes(kind)) return true;
    return this.seat === 0 && ["guessed-thanos", "peeked", "fought"].includes(kind);
  }

  /**
   * A picture for the log and the strip.
   * @param {string} field
   * @param {any} value
   */
  icon(field, value) {
    if (["card", "thanos_card", "card_2", "card_3"].includes(field) && this.words.cards[value]) return smallEmblem(value);
    if (["cards", "hand"].includes(field) && Array.isArray(value)) return html`${value.filter((id) => this.words.cards[id]).map(smallEmblem)}`;
    return null;
  }

  /**
   * A turn for the strip: the card, what was done with it, and what came of it.
   * @param {InfinityGauntlet.Event[]} events
   */
  summary(events) {
    let deeds = NO_DEEDS;
    for (const event of events) deeds = addDeed(deeds, event, null);
    const done = deeds.latest === null ? undefined : deeds.by[deeds.latest];
    if (!done?.card) return null;
    const icons = html`${smallEmblem(done.card)}${this.sign(done) ?? nothing}${done.mark ? html`<b class="mark ${done.tone}">${done.mark}</b>` : nothing}`;
    return { icons, words: this.words.names[done.card], tone: done.tone === "high" ? "big" : "" };
  }

  /** @param {import("./deeds.js").Deed} done */
  sign(done) {
    return { guess: html`<b class="guess">${done.number}</b>`, peek: eye(), power: power(), fight: clash(), look: lamp(), hold: shield() }[done.sign ?? ""];
  }

  /** @param {string} place */
  isFresh(place) {
    return Boolean(this.arrived?.has(place));
  }

  /** @param {string} move */
  choose(move) {
    if (!this.interactive || this.busy) return;
    this.answered = true;
    this.dispatchEvent(new CustomEvent("move", { detail: { move }, bubbles: true, composed: true }));
  }

  render() {
    if (!this.view) return nothing;
    const role = this.seat === null ? "watching" : this.seat === 0 ? "as-thanos" : "as-hero";
    return html`<div class="table ${role} of-${this.view.players - 1}">
      ${this.thanosSide()}${this.heroSide()}${this.seat === 0 ? arena(this) : nothing}${dock(this)}</div>`;
  }

  // -- Thanos

  thanosSide() {
    const { words, view, seat, names } = this;
    const thanos = view.table.seats[0];
    const stones = thanos.faceup.filter((id) => isStone(words, id));
    const held = seat === 0 ? thanos.cards.filter((id) => isStone(words, id)) : [];
    const label = text(words, "ui-gauntlet", { count: stones.length });
    const acting = view.table.turn === 0 && !view.outcome;
    return html`<section class="side thanos panel s0 ${acting ? "acting" : ""}" data-seat="0" data-must=${seat === 0 ? "own" : "others"} aria-labelledby="thanos-side">
      <div class="glory" role="img" aria-label="${label}${stones.length ? ": " : ""}${stones.map((id) => words.names[id]).join(", ")}" title=${label}>${gauntlet(words, stones, held)}</div>
      <div class="holding">
        <h2 id="thanos-side">${avatar(names, 0)}<span class="who">${names[0].name}</span><span class="role">${text(words, "thanos")}${seat === 0 ? ` (${text(words, "ui-you")})` : nothing}</span></h2>
        <div class="row">${this.life("thanos")}${this.power(0)}</div>
        <div class="row">${this.hand(0)}${this.deck("thanos")}${deckNotes(this, "thanos")}</div>
      </div>
      ${seat === 0 ? nothing : arena(this)}
      <div class="known">${this.faceup(0)}${counter(words, THANOS, view.table.unseen.thanos)}${noteList(notesOn(this, 0))}</div>
    </section>`;
  }

  // -- the heroes

  heroSide() {
    const { words, view, seat: own } = this;
    const heroes = view.table.seats.map((_, seat) => seat).filter((seat) => seat && seat !== own);
    // Two shuffles, or known cards beside them, leave the counters too little room: whoever uses keys can scroll them.
    const { shuffles, top } = view.table.decks.heroes;
    const mayScroll = shuffles.length > 1 || top.length > 0;
    return html`<section class="side heroes" aria-labelledby="hero-side">
      <div class="common panel" data-must="team"><header><h2 id="hero-side">${text(words, "ui-heroes")}</h2>${this.life("heroes")}
        <details class="aid" @keydown=${closeOnEscape}><summary aria-label=${text(words, "ui-all-cards")} title=${text(words, "ui-all-cards")}>?</summary>
          <div class="panel" @click=${close}><div class="lists">${reference(words, HEROES)}${reference(words, THANOS)}</div></div></details></header>
        <div class="stock"><div class="decks">${this.deck("heroes")}${deckNotes(this, "heroes")}</div><div class="counters" tabindex=${mayScroll ? 0 : nothing} role="group" aria-label=${text(words, "ui-unseen")}>${heroCounters(this)}</div></div></div>
      <ul class="team of-${heroes.length}" data-must="others">${heroes.map((seat) => this.hero(seat))}</ul>
    </section>`;
  }

  /** @param {number} seat */
  hero(seat) {
    const { view, names } = this;
    const acting = view.table.turn === seat && !view.outcome;
    const away = names[seat]?.here === false && !names[seat]?.is_bot;
    return html`<li class="hero panel s${seat} ${acting ? "acting" : ""} ${away ? "is-away" : ""}" data-seat=${seat}>
      <h3>${avatar(names, seat)}<span class="who">${names[seat].name}</span>${this.power(seat)}</h3>
      <div class="hero-cards">${this.hand(seat)}${noteList(notesOn(this, seat))}</div>
      <div class="deed">${this.deed(seat)}${this.faceup(seat)}</div>
    </li>`;
  }

  /**
   * What a seat did since the reader's last turn: the card, and what came of it as a sign.
   * @param {number} seat
   */
  deed(seat) {
    const done = this.deeds.by[seat];
    if (!done?.card) return html`<span class="done"></span>`;
    return html`<span class="done"><span class="visually-hidden">${this.words.names[done.card]}</span>${miniCard(this.words, done.card)}${this.sign(done) ?? nothing}${done.mark ? html`<b class=${done.tone} aria-hidden="true">${done.mark}</b>` : nothing}</span>`;
  }

  // -- parts of both

  /** @param {InfinityGauntlet.Side} side */
  life(side) {
    const left = this.view.table.life[side];
    return html`<span class="life" title=${text(this.words, "ui-life", { count: left })}>
      <span class="visually-hidden">${text(this.words, "ui-life", { count: left })}</span>
      <span class="hearts" aria-hidden="true">${Array.from({ length: Math.min(left, 9) }, heart)}</span><strong aria-hidden="true">${left}</strong></span>`;
  }

  /** @param {number} seat */
  power(seat) {
    const count = this.view.table.seats[seat].power;
    if (!count) return nothing;
    return html`<span class="tokens" title=${text(this.words, "ui-power")}><span class="visually-hidden">${text(this.words, "ui-power")}:</span>${power()}<strong>${count}</strong></span>`;
  }

  /**
   * The hidden cards of a seat; those this reader knows are shown with an amber frame. The own hand lies at the near side.
   * @param {number} seat
   */
  hand(seat) {
    const { words, view } = this;
    if (seat === this.seat) return nothing;
    const { cards, hand } = view.table.seats[seat];
    const known = text(words, "ui-known");
    return html`<span class="hidden-hand" role="group" aria-label=${text(words, "ui-hand-of", { name: this.names[seat].name })}>
      ${cards.map((id) => miniCard(words, id, { known }))}
      ${Array.from({ length: hand - cards.length }, () => back(words, seat ? "heroes" : "thanos"))}
    </span>`;
  }

  /** @param {number} seat */
  faceup(seat) {
    const { words, view } = this;
    const { faceup } = view.table.seats[seat];
    return html`<div class="faceup" role="group" aria-label=${text(words, "ui-faceup")}>
      ${faceup.length ? faceup.map((id) => miniCard(words, id, { fresh: this.isFresh(`faceup ${seat} ${id}`) })) : html`<span class="visually-hidden">${text(words, "ui-no-faceup")}</span>`}
    </div>`;
  }

  /** @param {InfinityGauntlet.Side} side */
  deck(side) {
    const { words, view } = this;
    const { left } = view.table.decks[side];
    const label = text(words, "ui-deck-left", { count: left });
    return html`<span class="mini pile back ${side} ${left ? "" : "none"}" role="img" aria-label=${label} title=${label}><b class="mark" aria-hidden="true">${left}</b></span>`;
  }
}

customElements.define("infinity-gauntlet-table", InfinityGauntletTable);
