// The log in words, newest last, in view: one line an event, or one for several that are told together.
// What was taken back is struck out.

import { belongTogether, sayAll } from "./words.js";

export class Log {
  constructor(list, words) {
    this.list = list;
    this.words = words;
    this.lines = []; // {events, item, undone}, as they stand on the page
  }

  add(events, names) {
    const near = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40;
    this.names = names;
    for (const event of events) {
      const last = this.lines.at(-1);
      if (last && !last.undone && belongTogether(last.events[0], event)) {
        last.events.push(event);
        this.write(last);
      } else this.append([event]);
    }
    if (near) this.list.scrollTop = this.list.scrollHeight;
  }

  append(events) {
    const line = { events, item: document.createElement("li"), undone: false };
    if (events[0].seat !== undefined) line.item.dataset.seat = events[0].seat;
    if (!this.write(line)) return null;
    this.lines.push(line);
    this.list.append(line.item);
    return line;
  }

  write({ events, item }) {
    item.textContent = sayAll(this.words, this.names, events);
    return item.textContent;
  }

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

  mark(line) {
    line.undone = true;
    line.item.classList.add("undone");
  }

  clear() {
    this.lines = [];
    this.list.replaceChildren();
  }
}
