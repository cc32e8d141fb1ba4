// The log in words: one line an event, newest last, in view. What was taken back is struck out.

import { say } from "./words.js";

export class Log {
  constructor(list, words) {
    this.list = list;
    this.words = words;
  }

  add(events, names) {
    const near = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < 40;
    for (const event of events) {
      const text = say(this.words, names, event);
      if (!text) continue;
      const line = document.createElement("li");
      line.dataset.ply = event.ply;
      if (event.seat !== undefined) line.dataset.seat = event.seat;
      line.textContent = text;
      this.list.append(line);
    }
    if (near) this.list.scrollTop = this.list.scrollHeight;
  }

  strike(plies) {
    for (const ply of plies) {
      for (const line of this.list.querySelectorAll(`[data-ply="${ply}"]`)) line.classList.add("undone");
    }
  }

  clear() {
    this.list.replaceChildren();
  }
}
