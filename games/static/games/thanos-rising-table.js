// The table of Thanos Rising: sectors, Thanos and his stones, the teams, and the dice at the near edge.

import { LitElement, html, nothing } from "../vendor/lit.js";
import { sectors, piles, standing, stones, zone } from "./thanos-rising-board.js";
import { Choices } from "./thanos-rising-choices.js";
import { dock } from "./thanos-rising-dock.js";
import { perform } from "./thanos-rising-motion.js";
import { styles } from "./thanos-rising-styles.js";
import { otherTeams, ownTeam } from "./thanos-rising-teams.js";
import { kindOf, moveLabel, nameOf, termOf } from "./words.js";

const NARROW = 700;
const BEAM_TURNS = 500;
const NO_OMENS = { turn: null, stones: [], face: null };

class ThanosRisingTable extends LitElement {
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

  constructor() {
    super();
    this.picked = null;
    this.narrow = false;
    this.omens = NO_OMENS;
    this.turning = null; // the colour of the die whose new face is asked for
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

  t(key, values = {}) {
    const text = this.words.terms[`ui-${key}`] ?? key;
    return text.replace(/\{(\w+)\}/g, (_, field) => values[field] ?? "");
  }

  name(id) { return nameOf(this.words, id); }

  term(id) { return termOf(this.words, id); }

  stoneName(id) { return this.words.terms[`ui-stone-${id}`] ?? this.name(id); }

  /** A move in words; in `clear red` the stone is meant and not the die, in `heal thor` the verb and not the token. */
  label(move) {
    const [verb, id] = move.split(" ");
    if (verb === "clear") return `${this.term(verb)} ${this.stoneName(id)}`;
    return verb === "heal" ? this.t("heal", { card: this.name(id) }) : moveLabel(this.words, move);
  }

  seatName(seat) { return this.names?.[seat]?.name ?? String(seat + 1); }

  // -- choices

  choice(key) { return this.interactive ? this.choices.press(key) : null; }

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

  explain(id) { this.tell("help", { id }); }

  tell(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true })); }

  // -- drawing

  willUpdate(changed) {
    if (!this.view) return;
    if (changed.has("view")) {
      this.picked = null;
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
    let omens = this.omens.turn === turn ? this.omens : { ...NO_OMENS, turn };
    for (const event of this.events ?? []) {
      const kind = kindOf(event);
      if (kind === "deployed") omens = { ...NO_OMENS, turn };
      else if (kind === "stone-rolled") omens = { ...omens, stones: [...omens.stones, event.stone] };
      else if (kind === "thanos-rolled") omens = { ...omens, face: event.face };
    }
    return omens;
  }

  render() {
    if (!this.view) return nothing;
    const home = this.seat ?? this.view.table.active;
    return html`${standing(this)}${sectors(this)}
      <div class="middle">${zone(this)}${stones(this)}</div>
      ${otherTeams(this, home)}${piles(this)}${ownTeam(this, home)}${dock(this)}`;
  }

  updated(changed) {
    if (!this.view) return;
    this.keepFocus();
    if (!changed.has("view")) return;
    const before = changed.get("view")?.table;
    if (this.narrow && before && before.deployed !== this.view.table.deployed) this.renderRoot.querySelector(".sectors").scrollLeft = 0;
    if (this.hurry || !this.events?.length) return;
    const beam = before && before.thanos !== this.view.table.thanos ? new Promise((done) => { setTimeout(done, BEAM_TURNS); }) : null;
    this.settled = Promise.all([perform(this.renderRoot, this.events), beam]);
  }

  /** A choice that is gone hands the focus to the next one, now or on the next turn, unless it has gone elsewhere. */
  keepFocus() {
    if (this.focusedBefore && !this.focusedBefore.isConnected) this.focusIsDue = true;
    if (!this.focusIsDue) return;
    const next = this.renderRoot.querySelector(".dock button");
    if (document.activeElement !== document.body) this.focusIsDue = false;
    else if (next) {
      next.focus({ preventScroll: true });
      this.focusIsDue = false;
    }
  }
}

customElements.define("thanos-rising-table", ThanosRisingTable);
