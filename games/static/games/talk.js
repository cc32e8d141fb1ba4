// Table talk: lines, fixed remarks, mute and report.

export class Talk {
  constructor(root, { talk, links, ui }, post, send) {
    this.lines = root.querySelector("#talk-lines");
    this.talk = talk;
    this.links = links;
    this.ui = ui;
    this.post = post;
    this.muted = new Set(talk.muted);
    for (const line of talk.lines) this.add(line);
    const form = root.querySelector("#talk-form");
    if (!form) return;
    form.hidden = talk.only_remarks || !talk.may_talk;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      const field = form.elements.say;
      if (!field.value.trim()) return;
      send({ say: field.value }, () => post(links.say, { say: field.value }));
      field.value = "";
    });
    const remarks = root.querySelector("#remarks");
    remarks.hidden = talk.room !== "table";
    for (const [code, words] of Object.entries(talk.remarks)) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "btn btn-small btn-quiet";
      button.textContent = words;
      button.addEventListener("click", () => send({ remark: code }, () => post(links.say, { remark: code })));
      remarks.append(button);
    }
  }

  add(line) {
    const known = this.lines.querySelector(`[data-line="${line.id}"]`);
    if (this.muted.has(line.handle)) return;
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
    const button = (words, act) => {
      const one = document.createElement("button");
      one.type = "button";
      one.className = "btn btn-small btn-quiet";
      one.textContent = words;
      one.addEventListener("click", act);
      box.append(one);
    };
    button(this.ui.mute, async () => {
      await this.post(this.links.mute, { handle: line.handle });
      this.muted.add(line.handle);
      for (const item of this.lines.querySelectorAll(`[data-handle="${CSS.escape(line.handle)}"]`)) item.remove();
    });
    button(this.ui.report, async (event) => {
      await this.post(this.links.report, { line: line.id });
      event.target.textContent = this.ui.reported;
      event.target.disabled = true;
    });
    return box;
  }
}
