// Table talk: lines, fixed remarks, mute and report.

import { need } from "./dom.js";

/**
 * @param {string} words
 * @param {() => void} act
 */
const button = (words, act) => {
  const one = document.createElement("button");
  one.type = "button";
  one.className = "btn btn-small btn-quiet";
  one.textContent = words;
  one.addEventListener("click", act);
  return one;
};

export class Talk {
  /** @type {Set<string>} */
  muted = new Set();

  /**
   * @param {Page.MatchState} state
   * @param {(url: string, data: Record<string, string | number>) => Promise<any>} post
   * @param {(message: object, otherwise: () => void) => void} send
   */
  constructor({ talk, links, ui }, post, send) {
    this.lines = need("talk-lines", HTMLElement);
    this.silenced = need("muted", HTMLElement);
    const form = document.getElementById("talk-form");
    this.form = form instanceof HTMLFormElement ? form : null;
    this.talk = talk;
    this.links = links;
    this.ui = ui;
    this.post = post;
    for (const line of talk.lines) this.add(line);
    this.hush(talk.muted);
    if (!this.form) return;
    this.form.hidden = talk.only_remarks || !talk.may_talk;
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const field = need("talk-text", HTMLInputElement);
      if (!field.value.trim()) return;
      send({ say: field.value }, () => post(links.say, { say: field.value }));
      field.value = "";
    });
    const remarks = need("remarks", HTMLElement);
    remarks.hidden = talk.room !== "table";
    for (const [code, words] of Object.entries(talk.remarks)) {
      remarks.append(button(words, () => send({ remark: code }, () => post(links.say, { remark: code }))));
    }
  }

  /** @param {Page.Line} line */
  add(line) {
    const known = this.lines.querySelector(`[data-line="${line.id}"]`);
    if (this.muted.has(line.handle)) return;
    const item = document.createElement("li");
    item.dataset.line = String(line.id);
    item.dataset.handle = line.handle;
    item.classList.toggle("is-gallery", line.room === "gallery");
    const name = document.createElement("strong");
    name.textContent = line.name;
    const text = document.createElement("span");
    text.textContent = line.removed ? this.ui.removed : line.remark ? this.talk.remarks[line.remark] ?? line.remark : line.text;
    item.append(name, " ", text);
    if (this.talk.me && line.handle !== this.talk.me) item.append(this.menu(line));
    if (known) known.replaceWith(item);
    else this.lines.append(item);
    this.lines.scrollTop = this.lines.scrollHeight;
  }

  /** @param {Page.Line} line */
  menu(line) {
    const box = document.createElement("span");
    box.className = "line-menu";
    const mute = button(this.ui.mute, () => this.silence(line.handle));
    const report = button(this.ui.report, async () => {
      await this.post(this.links.report, { line: line.id });
      report.textContent = this.ui.reported;
      report.disabled = true;
    });
    box.append(mute, report);
    return box;
  }

  // -- muted people

  /** @param {string} handle */
  async silence(handle) {
    const reply = await this.post(this.links.mute, { handle });
    if (!reply?.muted) return;
    this.hush(reply.muted);
    this.silenced.querySelector("button")?.focus();
  }

  /** @param {string} handle */
  async listen(handle) {
    const reply = await this.post(this.links.mute, { handle, off: "1" });
    if (!reply?.muted) return;
    this.hush(reply.muted);
    await this.again();
  }

  /**
   * Take these people's lines away, and say who they are: hearing them again is one click.
   * @param {string[]} handles
   */
  hush(handles) {
    this.muted = new Set(handles);
    for (const item of this.lines.querySelectorAll("li")) if (this.muted.has(item.dataset.handle ?? "")) item.remove();
    this.silenced.replaceChildren(...handles.flatMap((handle) => [
      `${this.ui.muted.replace("{name}", `@${handle}`)} `, button(this.ui.unmute, () => this.listen(handle)),
    ]));
    this.silenced.hidden = !handles.length;
  }

  /** All that may be read now, in its order: a voice more, or the gallery's once the match is over. */
  async again() {
    const answer = await fetch(this.links.talk);
    if (!answer.ok) return;
    const { lines } = await answer.json();
    this.lines.replaceChildren();
    for (const line of lines) this.add(line);
  }

  /** The match is over: everyone may write freely and read the gallery. */
  async open() {
    if (this.form) this.form.hidden = !this.talk.may_talk;
    await this.again();
  }
}
