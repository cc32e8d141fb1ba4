// The strip above the table: what happens now, then what each other seat did since the reader's last turn. What needs
// an answer or a warning takes its place at the same height, so that the table stays where it is.

import { drawn, illustrated } from "./log.js";
import { isNews } from "./playback.js";
import { initial } from "./seats.js";
import { sayAll } from "./texts.js";

const MOST_PICTURES = 4;
/** How many pictures of a turn there is room for, where there is too little for all. */
const ROOMS = ["few", "one"];
/** Fields with a picture that says what was played. */
const PICTURED = ["card", "token", "die", "stone", "location", "face", "number", "base"];

export class Strip {
  /** @type {Page.Seat[]} */
  names = [];

  /**
   * @param {HTMLElement} root
   * @param {object} page
   * @param {Page.Words} page.words
   * @param {Page.TableElement} page.element
   * @param {(event: Page.Event) => boolean} page.touches
   * @param {(ply: number) => void} page.onMoment
   */
  constructor(root, { words, element, touches, onMoment }) {
    this.root = root;
    this.words = words;
    this.element = element;
    this.touches = touches;
    this.now = /** @type {HTMLElement} */ (root.querySelector(".strip-now"));
    this.chips = /** @type {HTMLElement} */ (root.querySelector(".strip-chips"));
    new ResizeObserver(() => this.fit()).observe(this.chips);
    new ResizeObserver(() => this.fitNow()).observe(this.now);
    this.chips.addEventListener("click", ({ target }) => {
      const chip = target instanceof Element ? target.closest("[data-ply]") : null;
      if (chip) onMoment(Number(chip.getAttribute("data-ply")));
    });
  }

  /** @param {Page.Beat} beat */
  tell(beat) {
    const content = illustrated(this.element, this.words, this.names, beat.events);
    if (!content.length) return;
    const line = document.createElement("span");
    line.className = "strip-line";
    line.append(...content);
    this.now.replaceChildren(...(beat.seat === undefined ? [] : [initial(beat.seat, this.names[beat.seat]?.name)]), line);
    this.now.classList.toggle("is-big", beat.touches);
    this.root.dataset.shows = "now";
    this.fitNow();
  }

  /**
   * The turns of the others since the reader's last one.
   * @param {import("./turns.js").Turn[]} turns
   */
  recall(turns) {
    this.root.dataset.shows = "since";
    this.now.replaceChildren();
    this.chips.replaceChildren(...turns.map((turn) => this.chip(turn)));
    this.root.classList.toggle("is-empty", !turns.length);
    this.fit();
  }

  /** A sentence that is too long for its room has two smaller lines. */
  fitNow() {
    const line = this.now.querySelector(".strip-line");
    this.now.classList.remove("is-long");
    this.now.classList.toggle("is-long", Boolean(line && (line.scrollWidth > line.clientWidth || line.scrollHeight > line.clientHeight + 2)));
  }

  /** What would be cut gives way: the words, of what matters most last, then all but two pictures of a turn, then all but the first. */
  fit() {
    const parts = [...this.chips.querySelectorAll(".strip-chip, .strip-words")];
    const isCut = () => parts.some((one) => one.scrollWidth > one.clientWidth);
    const [big, plain] = [true, false].map((isBig) => [...this.chips.querySelectorAll(".strip-chip")].filter((chip) => chip.classList.contains("is-big") === isBig));
    delete this.root.dataset.room;
    for (const chip of [...plain, ...big]) chip.classList.remove("is-brief");
    for (const chip of [...plain, ...big]) if (isCut()) chip.classList.add("is-brief");
    for (const room of ROOMS) if (isCut()) this.root.dataset.room = room;
  }

  /** @param {import("./turns.js").Turn} turn */
  chip({ seat, events }) {
    const item = document.createElement("li");
    const chip = document.createElement("button");
    chip.type = "button";
    chip.className = "strip-chip";
    chip.dataset.ply = String(events[0].ply);
    const told = this.summary(events);
    const summary = this.element.summary?.(events) ?? told;
    const words = document.createElement("span");
    words.className = "strip-words";
    words.textContent = summary.words;
    chip.append(initial(seat ?? 0, this.names[seat ?? 0]?.name));
    if (summary.icons) chip.append(drawn(summary.icons));
    chip.append(words);
    chip.classList.toggle("has-icons", Boolean(summary.icons));
    chip.classList.toggle("is-big", summary.tone === "big" || events.some((event) => this.touches(event)));
    if (summary.tone) chip.dataset.tone = summary.tone;
    // Brief for the eye; whole for whoever points at it or listens.
    chip.title = told.words;
    chip.setAttribute("aria-label", `${this.names[seat ?? 0]?.name ?? ""}: ${told.words || summary.words}`);
    item.append(chip);
    return item;
  }

  /**
   * What a turn was about, where the game does not say it itself: the pictures of what was played, and the sentences.
   * @param {Page.Event[]} events
   * @returns {{ icons: unknown, words: string, tone: string }}
   */
  summary(events) {
    const news = events.filter((event) => isNews(event.event));
    const told = (news.length ? news : events).filter((event) => this.words.sentences[event.event]);
    const pictures = told.flatMap((event) => PICTURED.flatMap((field) => {
      const picture = event[field] !== undefined && this.element.icon?.(field, event[field], event);
      return picture ? [picture] : [];
    }));
    // The name is on the chip already.
    const seat = events[0].seat;
    const name = seat === undefined ? "" : this.names[seat]?.name ?? "";
    const sentences = told.map((event) => sayAll(this.words, this.names, [event])).filter(Boolean);
    const words = sentences.map((text) => (name && text.startsWith(`${name} `) && !text.startsWith(`${name} (`) ? text.slice(name.length + 1) : text)).join(" ");
    return { icons: pictures.length ? pictures.slice(0, MOST_PICTURES) : null, words, tone: "" };
  }

  /**
   * Let something else have the strip's row, or give it back.
   * @param {string} what
   * @param {boolean} isOn
   */
  lend(what, isOn) { this.root.toggleAttribute(`data-${what}`, isOn); }
}
