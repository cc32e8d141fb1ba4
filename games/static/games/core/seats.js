// The players: who is to act and how much time is left, in the bar; all of them with their clocks in the drawer.

/** @param {number} left */
const clockText = (left) => {
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60);
  if (days) return `${days} d ${hours} h`;
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")}`;
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
};

/** @param {string} address */
const link = (address) => {
  const made = document.createElement("a");
  made.href = address;
  return made;
};

/**
 * The sign of a seat: colour, outline and the first letter of who sits there.
 * @param {number} seat
 * @param {string} [name]
 */
export const initial = (seat, name = "") => {
  const sign = document.createElement("span");
  sign.className = "seat-sign";
  sign.dataset.seat = String(seat);
  sign.setAttribute("aria-hidden", "true");
  sign.textContent = [...name.trim()][0]?.toUpperCase() ?? String(seat + 1);
  return sign;
};

/**
 * The portrait of a level of the site's bots.
 * @param {string} address
 */
const portrait = (address) => {
  const made = document.createElement("img");
  made.className = "seat-portrait";
  made.src = address;
  made.alt = "";
  made.width = made.height = 28;
  return made;
};

// A player's page says every four seconds that it is looked at. So many answered heartbeats of one's own, one a second,
// without a word from a seat, and its player is gone. Whatever makes all answers late makes this count late as well.
const SILENT_BEATS = 9;

export class SeatBar {
  /** @type {number | null} */
  toAct = null;
  /** @type {Map<number, number>} heartbeats since a seat was heard of */
  unheard = new Map();

  /**
   * @param {HTMLElement} list
   * @param {HTMLElement} pillClock the clock of the seat to act, in the bar
   * @param {Page.MatchState} state
   */
  constructor(list, pillClock, state) {
    this.list = list;
    this.pillClock = pillClock;
    this.ui = state.ui;
    this.levels = state.levels;
    this.portraits = state.portraits;
    this.mine = state.seat;
    this.seats = state.seats;
    this.clock = state.clock;
    this.since = performance.now();
    this.draw();
    setInterval(() => this.tick(), 250);
  }

  /** @param {Pick<Page.TableFrame, "seats" | "clock">} frame */
  update({ seats, clock }) {
    for (const seat of seats) if (seat.here && !this.seats[seat.index]?.here) this.unheard.delete(seat.index);
    // The frame of a move does not say who is here: that stays as it was.
    this.seats = seats.map((seat) => ({ here: this.seats[seat.index]?.here, ...seat }));
    this.clock = clock;
    this.since = performance.now();
    this.draw();
  }

  /** @param {number | null} seat */
  turn(seat) {
    if (this.toAct === seat) return;
    this.toAct = seat;
    this.draw();
  }

  /**
   * @param {number} seat
   * @param {boolean} here
   */
  present(seat, here) {
    this.unheard.delete(seat);
    this.seats[seat].here = here;
    this.draw();
  }

  /** The server has answered a heartbeat of this page. True if somebody counts as gone from now on. */
  beat() {
    const silent = this.seats.filter((seat) => {
      const beats = (this.unheard.get(seat.index) ?? 0) + 1;
      this.unheard.set(seat.index, beats);
      return beats >= SILENT_BEATS && seat.here && !seat.is_bot && seat.index !== this.mine;
    });
    for (const seat of silent) seat.here = false;
    if (silent.length) this.draw();
    return silent.length > 0;
  }

  /** People who play and do not look at the page. */
  get absent() {
    return this.seats.filter((seat) => !seat.here && !seat.is_bot && !seat.left && seat.index !== this.mine);
  }

  draw() {
    this.list.replaceChildren(...this.seats.map((seat) => this.chip(seat)));
    this.tick();
  }

  /** @param {Page.Seat} seat */
  chip(seat) {
    const chip = document.createElement("li");
    chip.className = "seat-chip";
    chip.dataset.seat = String(seat.index);
    chip.classList.toggle("is-to-act", this.toAct === seat.index);
    chip.classList.toggle("is-away", !seat.here);
    const name = seat.handle && !seat.is_bot ? link(`/people/${encodeURIComponent(seat.handle)}/`) : document.createElement("span");
    name.className = "seat-name";
    name.textContent = seat.name;
    const note = document.createElement("small");
    if (seat.left) note.textContent = this.ui.left[seat.left];
    else if (seat.is_bot) note.textContent = [this.ui.bot, this.levels[seat.level]].filter(Boolean).join(" · ");
    else if (seat.index === this.mine) note.textContent = `(${this.ui.you})`;
    else note.textContent = seat.here ? this.ui.here : this.ui.away;
    const clock = document.createElement("span");
    clock.className = "seat-clock";
    chip.append(initial(seat.index, seat.name), name, note, clock);
    const face = seat.is_bot && !seat.left && !seat.handle ? this.portraits[seat.level] : undefined;
    if (face) name.before(portrait(face));
    if (this.toAct === seat.index) chip.setAttribute("aria-current", "true");
    return chip;
  }

  /** Milliseconds that a seat has left, as far as there is a clock. @param {number} seat */
  left(seat) {
    if (!this.clock) return null;
    if (this.clock.running !== seat) return this.clock.left[seat];
    // The clock stands while a bot's turn is being shown.
    const standing = this.clock.starts_in;
    return (this.clock.running_for ?? 0) - standing - Math.max(0, performance.now() - this.since - standing);
  }

  tick() {
    for (const face of this.list.querySelectorAll(".seat-clock")) {
      this.show(/** @type {HTMLElement} */ (face), Number(/** @type {HTMLElement} */ (face.parentElement).dataset.seat));
    }
    this.show(this.pillClock, this.toAct);
  }

  /**
   * @param {HTMLElement} face
   * @param {number | null} seat
   */
  show(face, seat) {
    const left = seat === null ? null : this.left(seat) ?? null;
    const text = left === null ? "" : clockText(left);
    if (face.textContent !== text) face.textContent = text;
    face.classList.toggle("is-short", left !== null && this.clock?.running === seat && left < 30_000);
  }
}
