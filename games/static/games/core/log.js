// The log, grouped by turn, newest last: one line an event, or one for several that share a line. Dice, stones and
// cards are drawn where the game draws them. What was taken back is struck out; a press on a line shows that moment.

import { render } from "../../vendor/lit.js";
import { initial } from "./seats.js";
import { belongTogether, partsOf, sayAll } from "./texts.js";
import { beginsTurn } from "./turns.js";

/** @typedef {{ events: Page.Event[], item: HTMLLIElement, undone: boolean }} Line as it stands on the page */

const MOST_ICONS = 8;

/**
 * A picture for a field of an event, drawn by the game.
 * @param {unknown} picture
 */
export const drawn = (picture, count = 1) => {
  const holder = document.createElement("span");
  holder.className = "log-icons";
  holder.setAttribute("aria-hidden", "true");
  for (let each = 0; each < Math.min(count, MOST_ICONS); each += 1) {
    const one = document.createElement("span");
    render(picture, one);
    holder.append(one);
  }
  return holder;
};

/**
 * Words for those who listen, where the others see a picture.
 * @param {string} text
 */
const spoken = (text) => {
  const made = document.createElement("span");
  made.className = "visually-hidden";
  made.textContent = text;
  return made;
};

/**
 * Words that give way to their pictures where there is little room.
 * @param {string} text
 */
const listed = (text) => {
  const made = document.createElement("span");
  made.className = "listed";
  made.textContent = text;
  return made;
};

/**
 * Whether a sentence can do without the name that it begins with, which the heading has: not where it says more of it, nor
 * where the name is part of another word ("Ann's card").
 * @param {import("./texts.js").Part[]} parts
 * @param {number} heading
 */
const isNamedAbove = ([first, second], heading) => first?.field === "seat" && first.event?.seat === heading && /^ [^(]/.test(second?.text ?? "");

/**
 * A sentence with the game's pictures in it.
 * @param {Page.TableElement | undefined} element
 * @param {Page.Words} words
 * @param {Page.Seat[]} names
 * @param {Page.Event[]} events
 * @param {number} [heading] the seat that the heading names already
 * @returns {(Node | string)[]}
 */
export const illustrated = (element, words, names, events, heading = -1) => {
  const parts = partsOf(words, names, events);
  return parts.slice(isNamedAbove(parts, heading) ? 1 : 0).flatMap(({ text, field, event, count }) => {
    const value = field && event?.[field];
    const picture = field && event && element?.icon?.(field, value, event);
    if (!picture) return [text === ", " && element?.icon ? spoken(text) : text];
    if (Array.isArray(value)) return [drawn(picture), listed(text)];
    return count === undefined ? [drawn(picture), text] : [drawn(picture, count), spoken(text)];
  });
};

export class Log {
  /** @type {Line[]} */
  lines = [];

  /** @type {Page.Seat[]} */
  names = [];

  /** @type {number | null} */
  turn = null;

  turns = 0;

  /**
   * @param {HTMLElement} list
   * @param {Page.Words} words
   * @param {{ element?: Page.TableElement, onMoment?: (ply: number) => void }} [more]
   */
  constructor(list, words, { element, onMoment } = {}) {
    this.list = list;
    this.words = words;
    this.element = element;
    this.onMoment = onMoment;
    list.addEventListener("click", ({ target }) => {
      const line = target instanceof Element ? target.closest("[data-ply]") : null;
      if (line) onMoment?.(Number(line.getAttribute("data-ply")));
    });
  }

  /**
   * @param {Page.Event[]} events
   * @param {Page.Seat[]} names
   */
  add(events, names) {
    const near = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40;
    this.names = names;
    for (const event of events) {
      const last = this.lines.at(-1);
      if (beginsTurn(event, this.turn, this.words.sentences)) this.begin(event.seat ?? null);
      else if (last && !last.undone && belongTogether(last.events[0], event)) {
        last.events.push(event);
        this.write(last);
        continue;
      }
      this.append([event]);
    }
    if (near) this.list.scrollTop = this.list.scrollHeight;
  }

  /**
   * A new turn has a heading: whose it is.
   * @param {number | null} seat
   */
  begin(seat) {
    this.turn = seat;
    this.turns += 1;
    if (seat === null) return;
    const item = document.createElement("li");
    item.className = "log-turn";
    item.dataset.seat = String(seat);
    const name = document.createElement("strong");
    name.textContent = this.names[seat]?.name ?? String(seat + 1);
    const number = document.createElement("small");
    number.textContent = String(this.turns);
    item.append(initial(seat, this.names[seat]?.name), name, number);
    this.list.append(item);
  }

  /** @param {Page.Event[]} events */
  append(events) {
    const line = { events, item: document.createElement("li"), undone: false };
    if (this.turn !== null) line.item.dataset.seat = String(this.turn);
    if (!this.write(line)) return null;
    this.lines.push(line);
    this.list.append(line.item);
    return line;
  }

  /** @param {Line} line */
  write({ events, item }) {
    const text = sayAll(this.words, this.names, events);
    const content = illustrated(this.element, this.words, this.names, events, Number(item.dataset.seat ?? -1));
    if (this.onMoment && text) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "log-line";
      button.dataset.ply = String(events[0].ply);
      button.append(...content);
      item.replaceChildren(button);
    } else item.replaceChildren(...content);
    return text;
  }

  /** @param {number[]} plies */
  strike(plies) {
    const gone = new Set(plies);
    for (const line of [...this.lines]) {
      const taken = line.events.filter(({ ply }) => gone.has(ply));
      if (line.undone || !taken.length) continue;
      if (taken.length < line.events.length) {
        line.events = line.events.filter((event) => !taken.includes(event));
        this.write(line);
        this.mark(this.append(taken));
      } else this.mark(line);
    }
  }

  /** @param {Line | null} line */
  mark(line) {
    if (!line) return;
    line.undone = true;
    line.item.classList.add("undone");
  }

  /** Mark the lines of the moment that is looked at. @param {number | null} ply */
  point(ply) {
    for (const { item, events } of this.lines) item.classList.toggle("is-shown", ply !== null && events.some((event) => event.ply === ply));
    this.list.querySelector(".is-shown")?.scrollIntoView({ block: "nearest" });
  }

  clear() {
    this.lines = [];
    this.turn = null;
    this.turns = 0;
    this.list.replaceChildren();
  }
}
