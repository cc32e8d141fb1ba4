// The players above the table: who is to act, who is here, how much time is left.

const clockText = (left) => {
  const seconds = Math.max(0, Math.ceil(left / 1000));
  const days = Math.floor(seconds / 86_400);
  const hours = Math.floor(seconds / 3600) % 24;
  const minutes = Math.floor(seconds / 60);
  if (days) return `${days} d ${hours} h`;
  if (minutes >= 60) return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, "0")}`;
  return `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
};

export class SeatBar {
  constructor(list, state) {
    this.list = list;
    this.ui = state.ui;
    this.levels = state.levels;
    this.mine = state.seat;
    this.update(state);
    setInterval(() => this.tick(), 250);
  }

  update({ seats, clock }) {
    this.seats = seats;
    this.clock = clock;
    this.since = performance.now();
    this.draw();
  }

  turn(seat) {
    this.toAct = seat;
    this.draw();
  }

  present(seat, here) {
    this.seats[seat].here = here;
    this.draw();
  }

  draw() {
    this.list.replaceChildren(...this.seats.map((seat) => this.chip(seat)));
    this.tick();
  }

  chip(seat) {
    const chip = document.createElement("li");
    chip.className = "seat-chip";
    chip.dataset.seat = seat.index;
    chip.classList.toggle("is-to-act", this.toAct === seat.index);
    chip.classList.toggle("is-away", !seat.here);
    const name = document.createElement(seat.handle && !seat.is_bot ? "a" : "span");
    if (name.localName === "a") name.href = `/people/${encodeURIComponent(seat.handle)}/`;
    name.textContent = seat.name;
    const note = document.createElement("small");
    if (seat.left) note.textContent = this.ui.left[seat.left];
    else if (seat.is_bot) note.textContent = [this.ui.bot, this.levels[seat.level]].filter(Boolean).join(" · ");
    else if (seat.index === this.mine) note.textContent = `(${this.ui.you})`;
    else note.textContent = seat.here ? this.ui.here : this.ui.away;
    note.classList.toggle("is-news", Boolean(seat.left)); // a phone has room for what is unusual alone
    const clock = document.createElement("span");
    clock.className = "seat-clock";
    chip.append(name, note, clock);
    if (this.toAct === seat.index) chip.setAttribute("aria-current", "true");
    return chip;
  }

  tick() {
    if (!this.clock) return;
    const gone = performance.now() - this.since;
    for (const chip of this.list.children) {
      const seat = Number(chip.dataset.seat);
      const running = this.clock.running === seat;
      const left = running ? this.clock.running_for - gone : this.clock.left[seat];
      const face = chip.querySelector(".seat-clock");
      face.textContent = left === null || left === undefined ? "" : clockText(left);
      face.classList.toggle("is-short", running && left < 30_000);
    }
  }
}
