// Table talk: lines, fixed remarks, mute and report.

const button = (words, act) => {
  const one = document.createElement("button");
  one.type = "button";
  one.className = "btn btn-small btn-quiet";
  one.textContent = words;
  one.addEventListener("click", act);
  return one;
};

export class Talk {
  constructor(root, { talk, links, ui }, post, send) {
    this.lines = root.querySelector("#talk-lines");
    this.silenced = root.querySelector("#muted");
    this.form = root.querySelector("#talk-form");
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
      const field = this.form.elements.say;
      if (!field.value.trim()) return;
      send({ say: field.value }, () => post(links.say, { say: field.value }));
      field.value = "";
    });
    const remarks = root.querySelector("#remarks");
    remarks.hidden = talk.room !== "table";
    for (const [code, words] of Object.entries(talk.remarks)) {
      remarks.append(button(words, () => send({ remark: code }, () => post(links.say, { remark: code }))));
    }
  }

  add(line) {
    const known = this.lines.querySelector(`[data-line="${line.id}"]`);
    if (this.muted?.has(line.handle)) return;
    const item = document.createElement("li");
    item.dataset.line = line.id;
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

  // -- who is not heard

  async silence(handle) {
    const said = await this.post(this.links.mute, { handle });
    if (!said?.muted) return;
    this.hush(said.muted);
    this.silenced.querySelector("button")?.focus();
  }

  async listen(handle) {
    const said = await this.post(this.links.mute, { handle, off: "1" });
    if (!said?.muted) return;
    this.hush(said.muted);
    await this.again();
  }

  /** Take these people's lines away, and say who they are: hearing them again is one click. */
  hush(handles) {
    this.muted = new Set(handles);
    for (const item of [...this.lines.children]) if (this.muted.has(item.dataset.handle)) item.remove();
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

  /** The match is over: everyone may say what they like, and hear what the gallery said. */
  async open() {
    if (this.form) this.form.hidden = !this.talk.may_talk;
    await this.again();
  }
}
