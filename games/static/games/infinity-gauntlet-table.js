// <infinity-gauntlet-table>: Thanos against the heroes. The contract is in docs/tables.md.

import { LitElement, html, nothing } from "../vendor/lit.js";
import { gauntlet, heart, power } from "./infinity-gauntlet-emblems.js";
import { HEROES, THANOS, back, counter, miniCard, reference, text } from "./infinity-gauntlet-cards.js";
import { deckNotes, heroCounters, noteList, notesOn } from "./infinity-gauntlet-notes.js";
import { dock } from "./infinity-gauntlet-questions.js";
import { arena, follow, perform } from "./infinity-gauntlet-scene.js";
import { styles } from "./infinity-gauntlet-styles.js";

/** Every card in sight and where it lies, to tell which has just come. */
const layout = (view) => {
  const found = new Set();
  view.table.seats.forEach(({ faceup, cards }, seat) => {
    for (const id of faceup) found.add(`faceup ${seat} ${id}`);
    if (seat === view.seat) for (const id of cards) found.add(`hand ${id}`);
  });
  return found;
};

class InfinityGauntletTable extends LitElement {
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

  willUpdate(changed) {
    if (!changed.has("view") || !this.view) return;
    const before = changed.get("view");
    this.scene = follow(this.scene, this.events, this.view);
    const earlier = before && before.seat === this.view.seat && this.events.length && !this.hurry ? layout(before) : null;
    this.arrived = earlier ? new Set([...layout(this.view)].filter((place) => !earlier.has(place))) : new Set();
  }

  updated(changed) {
    if (!changed.has("view") || !this.view) return;
    this.settled = this.hurry ? Promise.resolve() : perform(this.renderRoot, this.events);
    // The answer that had the focus is gone: on to the next question, unless the reader went elsewhere meanwhile.
    if (this.answered && this.interactive && document.activeElement === document.body) {
      this.renderRoot.querySelector("#question")?.focus({ preventScroll: true });
    }
    if (this.interactive) this.answered = false;
  }

  isFresh(place) {
    return this.arrived.has(place);
  }

  choose(move) {
    if (!this.interactive || this.busy) return;
    this.answered = true;
    this.dispatchEvent(new CustomEvent("move", { detail: { move }, bubbles: true, composed: true }));
  }

  help = (id) => {
    this.dispatchEvent(new CustomEvent("help", { detail: { id }, bubbles: true, composed: true }));
  };

  render() {
    if (!this.view) return nothing;
    const sides = [this.thanosSide(), arena(this), this.heroSide()];
    return html`<div class="table ${this.seat === 0 ? "as-thanos" : "as-hero"}">${this.seat === 0 ? sides.reverse() : sides}${dock(this)}</div>
      <details class="aid"><summary>${text(this.words, "ui-all-cards")}</summary><div>${reference(this.words, THANOS)}${reference(this.words, HEROES)}</div></details>`;
  }

  // -- Thanos

  thanosSide() {
    const { words, view, seat } = this;
    const thanos = view.table.seats[0];
    const stones = thanos.faceup.filter((id) => words.cards[id].stone);
    const held = seat === 0 ? thanos.cards.filter((id) => words.cards[id].stone) : [];
    const told = text(words, "ui-gauntlet", { count: stones.length });
    return html`<section class="side thanos" aria-labelledby="thanos-side">
      <header><h2 id="thanos-side">${text(words, "thanos")}</h2>${this.player(0)}${this.life("thanos")}</header>
      <div class="half">
        <div class="glory" role="img" aria-label="${told}${stones.length ? ": " : ""}${stones.map((id) => words.names[id]).join(", ")}" title=${told}>${gauntlet(words, stones, held)}<span class="tally" aria-hidden="true">${stones.length}/6</span></div>
        <div class="holding">
          <div class="row">${this.hand(0)}${this.power(0)}</div>${this.faceup(0)}${noteList(notesOn(this, 0))}
        </div>
      </div>
      <div class="stock">${this.deck("thanos")}${counter(words, THANOS, view.table.unseen.thanos)}</div>
      ${deckNotes(this, "thanos")}
    </section>`;
  }

  // -- the heroes

  heroSide() {
    const { words, view } = this;
    return html`<section class="side heroes" aria-labelledby="hero-side">
      <header><h2 id="hero-side">${text(words, "ui-heroes")}</h2><div class="stock">${this.deck("heroes")}${heroCounters(this)}</div>${this.life("heroes")}</header>
      ${deckNotes(this, "heroes")}
      <ul class="team of-${view.players - 1}">${view.table.seats.map((_, seat) => (seat ? this.hero(seat) : nothing))}</ul>
    </section>`;
  }

  hero(seat) {
    const acting = this.view.table.turn === seat && !this.view.outcome;
    return html`<li class="hero seat-${seat} ${seat === this.seat ? "mine" : ""} ${acting ? "acting" : ""}">
      <div class="hero-head">${this.player(seat)}${this.power(seat)}</div>
      <div class="hero-cards">${this.hand(seat)}${this.faceup(seat)}</div>
      ${noteList(notesOn(this, seat))}
    </li>`;
  }

  // -- parts of both

  player(seat) {
    const mine = seat === this.seat ? html` <span class="you">${text(this.words, "ui-you")}</span>` : nothing;
    return html`<span class="player seat-${seat}"><span class="player-name">${this.names[seat].name}</span>${mine}</span>`;
  }

  life(side) {
    const left = this.view.table.life[side];
    return html`<span class="life" title=${text(this.words, "ui-life", { count: left })}>
      <span class="visually-hidden">${text(this.words, "ui-life", { count: left })}</span>
      <span class="hearts" aria-hidden="true">${Array.from({ length: left }, heart)}</span><strong aria-hidden="true">${left}</strong></span>`;
  }

  power(seat) {
    const count = this.view.table.seats[seat].power;
    if (!count) return nothing;
    return html`<span class="tokens" title=${text(this.words, "ui-power")}><span aria-hidden="true">${Array.from({ length: Math.min(count, 6) }, power)}</span>
      <span class="visually-hidden">${text(this.words, "ui-power")}:</span> <strong>${count}</strong></span>`;
  }

  /** The hidden cards of a seat; those this reader knows are shown with an eye. The own hand lies in the dock. */
  hand(seat) {
    const { words, view } = this;
    if (seat === this.seat) return nothing;
    const { cards, hand } = view.table.seats[seat];
    const known = text(words, "ui-known");
    return html`<span class="hidden-hand" role="group" aria-label=${text(words, "ui-hand-of", { name: this.names[seat].name })}>
      ${cards.map((id) => miniCard(words, id, { help: this.help, known }))}
      ${Array.from({ length: hand - cards.length }, () => back(words, seat ? "heroes" : "thanos"))}
    </span>`;
  }

  faceup(seat) {
    const { words, view } = this;
    const { faceup } = view.table.seats[seat];
    return html`<div class="faceup" role="group" aria-label=${text(words, "ui-faceup")}>
      ${faceup.length ? faceup.map((id) => miniCard(words, id, { help: this.help, fresh: this.isFresh(`faceup ${seat} ${id}`) })) : html`<span class=${seat ? "visually-hidden" : "quiet"}>${text(words, "ui-no-faceup")}</span>`}
    </div>`;
  }

  deck(side) {
    const { words, view } = this;
    const { left } = view.table.decks[side];
    const told = text(words, "ui-deck-left", { count: left });
    return html`<span class="pile back ${side} ${left ? "" : "empty"}" role="img" aria-label=${told} title=${told}><span aria-hidden="true">${left}</span></span>`;
  }
}

customElements.define("infinity-gauntlet-table", InfinityGauntletTable);
