// The table of Thanos Rising: sectors, Thanos and his stones, the teams, and the dice at the near edge.

import { LitElement, createRef, html, nothing, ref } from "../../vendor/lit.js";
import { addressOf } from "../emblems/thanos-rising.js";
import { smallPicture, whyNot } from "../board/parts.js";
import { sectors, standing, stones } from "./board.js";
import { Choices } from "./choices.js";
import { dock } from "./dock.js";
import { perform, stage } from "./animation.js";
import { die, gem, glyph, stoneDie, thanosDie } from "./pieces.js";
import { styles } from "./styles.js";
import { summary } from "./summary.js";
import { otherTeams, ownTeam } from "./teams.js";
import { kindOf, moveLabel, nameOf, termOf } from "../core/texts.js";

const NARROW = 700;
/** @type {{ turn: number | null, stones: string[], face: string | null }} */
const NO_OMENS = { turn: null, stones: [], face: null };

/**
 * The name of a die's face that shows a symbol once or twice.
 * @param {string | undefined} symbol
 * @param {number | undefined} count
 */
const faceName = (symbol, count) => (symbol ? `${count === 2 ? "double-" : ""}${symbol}` : undefined);

/** @typedef {ThanosRisingTable} Table */

class ThanosRisingTable extends /** @type {Page.TableClass<ThanosRising.View, ThanosRising.Event, ThanosRising.Words>} */ (/** @type {unknown} */ (LitElement)) {
  static properties = {
    view: { attribute: false },
    events: { attribute: false },
    names: { attribute: false },
    words: { attribute: false },
    seat: { attribute: false },
    busy: { type: Boolean },
    interactive: { type: Boolean },
    hurry: { type: Boolean, reflect: true },
    narrow: { state: true },
    picked: { state: true },
  };

  static styles = styles;

  static landsEvents = true;

  /** @type {Page.ElementRef} */
  sky = createRef();

  /** @type {WeakSet<object>} Events that were shown already. */
  staged = new WeakSet();

  constructor() {
    super();
    this.choices = new Choices([], new Set(), null);
    /** @type {string | null} */
    this.picked = null;
    this.narrow = false;
    this.omens = NO_OMENS;
    /** @type {{ thanos?: number, deployed?: number, active?: number }} What was told of the frame that has not landed yet. */
    this.told = {};
    this.turning = null; // the colour of the die whose new face is asked for
    /** @type {Promise<unknown>} */
    this.settled = Promise.resolve();
    this.focusIsDue = false;
    this.sizes = new ResizeObserver(([{ contentRect }]) => { this.narrow = contentRect.width < NARROW; });
    this.addEventListener("keydown", ({ key }) => { if (key === "Escape") this.drop(); });
  }

  connectedCallback() {
    super.connectedCallback();
    this.sizes.observe(this);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.sizes.disconnect();
  }

  // -- words

  /** @param {string} key */
  t(key, values = {}) {
    const text = this.words.terms[`ui-${key}`] ?? key;
    return text.replace(/\{(\w+)\}/g, (_, field) => values[field] ?? "");
  }

  /** @param {string} id */
  name(id) { return nameOf(this.words, id); }

  /** @param {string} id */
  term(id) { return termOf(this.words, id); }

  /** @param {string} id */
  stoneName(id) { return this.words.terms[`ui-stone-${id}`] ?? this.name(id); }

  /**
   * A move in words.
   * @param {string} move
   */
  label(move) { return moveLabel(this.words, move); }

  /** @param {number} seat */
  seatName(seat) { return this.names?.[seat]?.name ?? String(seat + 1); }

  /**
   * Why something cannot be done, in the server's words; empty where it says nothing of it.
   * @param {string} move
   */
  why(move) {
    return this.interactive ? whyNot(this.words, this.view, move) : "";
  }

  // -- choices

  /** @param {string} key */
  choice(key) { return this.interactive ? this.choices.press(key) : null; }

  /**
   * @param {string} key
   * @param {string} [help]
   */
  press(key, help) {
    const choice = this.choice(key);
    if (!choice) { if (help) this.explain(help); return; }
    if (this.busy) return;
    if (choice.pick) { this.picked = this.picked === key ? null : key; return; }
    this.picked = null;
    this.turning = choice.move.startsWith("turn ") ? choice.move.split(" ")[1] : null;
    this.tell("move", { move: choice.move });
  }

  drop() { this.picked = null; }

  /** @param {string} id */
  explain(id) { this.tell("help", { id }); }

  tell(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true })); }

  // -- drawing

  willUpdate(changed) {
    if (!this.view) return;
    if (changed.has("view")) {
      this.picked = null;
      this.told = {};
      this.omens = this.foretold();
    }
    const known = new Set(this.view.table.stones.map(({ id }) => id));
    this.choices = new Choices(this.interactive ? this.view.legal : [], known, this.picked);
    if (this.picked && !this.choices.has(this.picked)) this.picked = null;
    this.focusedBefore = this.shadowRoot?.activeElement ?? null;
  }

  /** The stone die and the Thanos die of this turn: the views do not keep them, the events tell them. */
  foretold() {
    const { turn, deployed } = this.view.table;
    if (deployed === null) return NO_OMENS;
    const known = this.omens.turn === turn || this.omens.turn === null ? { ...this.omens, turn } : { ...NO_OMENS, turn };
    // A frame with the beginning of the turn tells all of it again; of a later one only what was not shown yet.
    const events = this.events ?? [];
    const begins = events.some((event) => kindOf(event) === "deployed");
    return this.foretell(begins ? events : events.filter((event) => !this.staged.has(event)), known);
  }

  /**
   * @param {ThanosRising.Event[]} events
   * @param {typeof NO_OMENS} omens
   */
  foretell(events, omens) {
    for (const event of events) {
      const kind = kindOf(event);
      if (kind === "deployed") omens = NO_OMENS;
      else if (kind === "stone-rolled") omens = { ...omens, stones: [...omens.stones, event.stone ?? ""] };
      else if (kind === "thanos-rolled") omens = { ...omens, face: event.face ?? null };
    }
    return omens;
  }

  /** Whose team lies at the near side: the reader's, or for a spectator that of the seat on turn. */
  get home() { return this.seat ?? this.view.table.active; }

  render() {
    if (!this.view) return nothing;
    return html`<div class="table">${standing(this)}${stones(this)}${sectors(this)}${otherTeams(this, this.home)}${dock(this)}${ownTeam(this, this.home)}<div class="sky" ${ref(this.sky)} aria-hidden="true"></div></div>`;
  }

  updated(changed) {
    if (!this.view) return;
    this.keepFocus();
    if (!changed.has("view")) return;
    const events = (this.events ?? []).filter((event) => !this.staged.has(event));
    this.settled = this.hurry || !events.length ? Promise.resolve() : perform(this.renderRoot, events);
  }

  // -- what others and Thanos do, one thing after another

  /**
   * Show what has happened on the table as it still stands.
   * @param {{ events: ThanosRising.Event[], time: number, next: ThanosRising.View, still?: boolean, signal?: AbortSignal }} beat
   */
  async stageBeat(beat) {
    for (const event of beat.events) this.staged.add(event);
    const omens = this.foretell(beat.events, this.omens);
    const { deployed, active } = beat.next.table;
    // Nobody waits for what they did themselves, so that one's own deployment comes as no beat.
    const isOwn = this.places.deployed === null && deployed !== null && active === this.seat;
    if (isOwn) this.told = { ...this.told, deployed, active };
    if (isOwn || omens !== this.omens) {
      this.omens = omens;
      this.requestUpdate();
      await this.updateComplete;
    }
    await stage(this, beat);
    const [{ sector, seat }] = beat.events;
    const kind = kindOf(beat.events[0]);
    if (kind === "thanos-turned") this.told = { ...this.told, thanos: sector };
    else if (kind === "deployed") this.told = { deployed: sector, active: seat };
    else return;
    this.requestUpdate();
    await this.updateComplete;
  }

  /** Where Thanos looks and who is where, as far as it was told. */
  get places() { return { ...this.view.table, ...this.told }; }

  /** @param {ThanosRising.Event} event */
  beatTime(event) {
    const kind = kindOf(event);
    return { deployed: 900, assigned: 600, recruited: 1200, "villain-defeated": 1400, "counter-added": 900, "stone-power": 1100, "stone-collected": 1600, healed: 700, "token-played": 900, "symbol-played": 900, "counter-removed": 700, revealed: 300, "ability-used": 700 }[kind];
  }

  /**
   * Whether something that happens concerns the reader's own team.
   * @param {ThanosRising.Event} event
   * @param {ThanosRising.View} view
   */
  touches(event, view) {
    if (this.seat === null) return false;
    if (event.seat === this.seat || event.owner === this.seat) return true;
    if (event.card && view.table.teams[this.seat]?.heroes.some(({ id }) => id === event.card)) return true;
    return ["stone-collected", "won", "lost"].includes(kindOf(event));
  }

  /**
   * A picture for the log and the strip.
   * @param {string} field
   * @param {any} value
   * @param {ThanosRising.Event} event
   */
  icon(field, value, event) {
    if (field === "card" && this.words.cards[value]) return smallPicture(addressOf(value));
    if (field === "stone") return kindOf(event) === "stone-rolled" ? stoneDie(value) : gem(value);
    if (field === "token") return glyph(value);
    if (field === "face") return thanosDie(value);
    if (field === "die") return die(event.colour ?? null, faceName(event.symbol, event.symbols));
    if (field === "now") return die(event.colour ?? null, faceName(event.now_symbol, event.now_symbols));
    return null;
  }

  /**
   * A turn for the strip: what came of it, what Thanos did meanwhile, and the stone that grew; what matters most first.
   * @param {ThanosRising.Event[]} events
   */
  summary(events) { return summary(this, events); }

  /** A choice that is gone hands the focus to the next one, now or on the next turn, unless it has gone elsewhere. */
  keepFocus() {
    if (this.focusedBefore && !this.focusedBefore.isConnected) this.focusIsDue = true;
    if (!this.focusIsDue) return;
    const next = /** @type {HTMLElement | null} */ (this.renderRoot.querySelector(".dock :is([data-move], [data-pick]), [data-move], [data-pick]"));
    if (document.activeElement !== document.body) this.focusIsDue = false;
    else if (next) {
      next.focus({ preventScroll: true });
      this.focusIsDue = false;
    }
  }
}

customElements.define("thanos-rising-table", ThanosRisingTable);
