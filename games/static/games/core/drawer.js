// Log, talk, rules and the table's own page: one drawer with tabs at the side, a sheet on phones. It lies over the
// table and ends above the question, so that nothing moves and nothing that is asked is covered.

import { need } from "./dom.js";

const NARROW = 700;
const GAP = 8;

export class Drawer {
  /** @param {() => Element | null | undefined} findQuestion */
  constructor(findQuestion) {
    this.findQuestion = findQuestion;
    this.root = need("drawer", HTMLElement);
    /** @type {HTMLElement[]} */
    this.tabs = [...this.root.querySelectorAll("[role=tab]")].filter((tab) => tab instanceof HTMLElement);
    /** @type {HTMLElement[]} */
    this.openers = [...document.querySelectorAll("[data-opens]")].filter((opener) => opener instanceof HTMLElement);
    /** @type {HTMLElement | null} */
    this.opener = null;
    /** @type {((name: string) => void) | undefined} */
    this.onOpen = undefined;
    for (const tab of this.tabs) tab.addEventListener("click", () => this.open(tab.dataset.tab ?? ""));
    for (const opener of this.openers) opener.addEventListener("click", () => this.toggle(opener.dataset.opens ?? "", opener));
    for (const tab of this.tabs) if (!document.getElementById(tab.getAttribute("aria-controls") ?? "")) tab.remove();
    this.tabs = this.tabs.filter((tab) => tab.isConnected);
    need("drawer-close", HTMLButtonElement).addEventListener("click", () => this.close());
    this.root.addEventListener("keydown", (event) => {
      if (event.key === "Escape") { event.stopPropagation(); this.close(); }
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (!step || !(event.target instanceof HTMLElement) || event.target.role !== "tab") return;
      const next = this.tabs.at((this.tabs.indexOf(event.target) + step) % this.tabs.length);
      next?.click();
      next?.focus();
    });
    addEventListener("resize", () => { if (this.isOpen) this.place(); });
  }

  get isOpen() { return !this.root.hidden; }

  get shown() { return this.isOpen ? this.root.dataset.shows ?? "" : ""; }

  /**
   * @param {string} name
   * @param {HTMLElement} [opener]
   */
  toggle(name, opener) {
    if (this.shown === name) { this.close(); return; }
    this.opener = opener ?? null;
    this.open(name);
    this.root.querySelector(`[data-tab="${name}"]`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** @param {string} name */
  open(name) {
    this.root.hidden = false;
    this.root.dataset.shows = name;
    for (const tab of this.tabs) {
      const isShown = tab.dataset.tab === name;
      tab.setAttribute("aria-selected", String(isShown));
      tab.tabIndex = isShown ? 0 : -1;
      need(tab.getAttribute("aria-controls") ?? "", HTMLElement).hidden = !isShown;
    }
    for (const opener of this.openers) opener.setAttribute("aria-expanded", String(opener.dataset.opens === name));
    this.place();
    const list = this.root.querySelector("[role=tabpanel]:not([hidden]) [data-newest-last]");
    if (list) list.scrollTop = list.scrollHeight;
    this.onOpen?.(name);
  }

  /** Above the question where it would lie over it. */
  place() {
    const question = this.findQuestion()?.getBoundingClientRect();
    const beside = innerWidth >= NARROW && question && question.right > innerWidth - this.root.offsetWidth && question.top > innerHeight / 3;
    this.root.style.bottom = beside ? `${Math.max(0, innerHeight - question.top + GAP)}px` : "";
  }

  close() {
    if (!this.isOpen) return;
    this.root.hidden = true;
    for (const opener of this.openers) opener.setAttribute("aria-expanded", "false");
    this.opener?.focus();
  }
}
