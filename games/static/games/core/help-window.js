// Bonus tokens out of turn: who can help, who is asked, and how long the act of the player on turn waits for an answer.
// It lies in the strip's row; the tokens themselves are played on the table.

import { need } from "./dom.js";

export class HelpWindow {
  /** @type {Page.Help | null} */
  help = null;

  /** @type {Page.Seat[]} */
  names = [];

  /** When the window closes, by the clock of this page. */
  ends = 0;

  /**
   * @param {object} page
   * @param {number | null} page.seat
   * @param {Record<string, string>} page.ui
   * @param {(message: object) => void} page.onAnswer
   */
  constructor({ seat, ui, onAnswer }) {
    this.seat = seat;
    this.ui = ui;
    this.onAnswer = onAnswer;
    this.root = need("help-window", HTMLElement);
    setInterval(() => this.tick(), 200);
  }

  /**
   * @param {Page.Help | null} help
   * @param {Page.Seat[]} names
   */
  update(help, names) {
    this.help = help;
    this.names = names;
    this.ends = performance.now() + (help?.window?.ends_in ?? 0);
    const content = help && this.seat !== null ? this.draw(help, this.seat) : [];
    this.root.replaceChildren(...content);
    this.root.hidden = !content.length;
    this.tick();
  }

  /** @param {number[]} seats */
  list(seats) { return seats.map((seat) => this.names[seat]?.name ?? "").join(", "); }

  /**
   * @param {Page.Help} help
   * @param {number} seat
   */
  draw({ active, can, passing, asked, window: open }, seat) {
    const { ui } = this;
    const name = this.names[active]?.name ?? "";
    if (seat === active) {
      if (open?.waiting.length) return [this.ring(), this.say(ui.waiting.replace("{names}", this.list(open.waiting))), this.button(ui.go_on, { go: true })];
      const able = can.filter((each) => !passing[each] && !this.names[each]?.is_bot);
      if (!able.length) return [];
      return asked ? [this.say(ui.asked)] : [this.say(ui.can_help.replace("{names}", this.list(able))), this.button(ui.ask_for_help, { ask: true })];
    }
    if (open?.waiting.includes(seat)) {
      const question = open.act === "roll" ? ui.before_roll : ui.before_stop;
      return [
        this.ring(), this.say(question.replace("{name}", name)), this.button(ui.pass_turn, { pass: "turn" }, true),
        this.button(ui.hold, { hold: true }), this.button(ui.pass_match, { pass: "match" }),
      ];
    }
    if (passing[seat] === "match" && can.includes(seat)) return [this.say(ui.passing), this.button(ui.ask_me, { pass: "off" })];
    if (asked && can.includes(seat) && !passing[seat]) return [this.say(ui.help_wanted.replace("{name}", name)), this.button(ui.pass_turn, { pass: "turn" })];
    return [];
  }

  /** @param {string} text */
  say(text) {
    const line = document.createElement("span");
    line.textContent = text;
    return line;
  }

  ring() {
    const ring = document.createElement("b");
    ring.className = "help-ring";
    return ring;
  }

  /**
   * @param {string} words
   * @param {object} message
   */
  button(words, message, isFirst = false) {
    const made = document.createElement("button");
    made.type = "button";
    made.className = `btn btn-small${isFirst ? " btn-primary" : ""}`;
    made.textContent = words;
    made.dataset.answer = JSON.stringify(message);
    made.addEventListener("click", () => this.onAnswer(message));
    return made;
  }

  /** The seconds that are left, as a number in a ring that closes. */
  tick() {
    const ring = /** @type {HTMLElement | null} */ (this.root.querySelector(".help-ring"));
    if (!ring || !this.help?.window) return;
    const left = Math.max(0, this.ends - performance.now());
    ring.textContent = String(Math.ceil(left / 1000));
    ring.style.setProperty("--left", String(left / this.help.window.total));
  }
}
