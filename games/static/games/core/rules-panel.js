// The rules beside a table: fetched when they are first wanted, opened at a card. Only the panel scrolls; the table and
// what it asks stay as they are.

const MARGIN = 12;

/**
 * Load the drawings that a text of rules asks for.
 * @param {ParentNode} root
 */
export const drawPieces = async (root) => {
  const book = root.querySelector("[data-pieces]");
  const module = book instanceof HTMLElement ? book.dataset.pieces : "";
  if (module) await import(module);
};

export class RulesPanel {
  /** @type {Promise<void> | undefined} */
  #loading;

  /**
   * @param {HTMLElement} panel what scrolls
   * @param {HTMLElement} holder where the rules go; `data-rules` is their address
   */
  constructor(panel, holder) {
    this.panel = panel;
    this.holder = holder;
    // A link to a section would scroll the page and leave its address behind.
    holder.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("a[href^='#']") : null;
      if (!link) return;
      event.preventDefault();
      this.scrollTo(link.getAttribute("href")?.slice(1) ?? "");
    });
  }

  /** The whole rules in place of the short ones; those stay where nothing can be fetched. */
  load() {
    this.#loading ??= this.#fetch().catch(() => { this.#loading = undefined; });
    return this.#loading;
  }

  async #fetch() {
    const answer = await fetch(this.holder.dataset.rules ?? "");
    if (!answer.ok) throw new Error(String(answer.status));
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    this.holder.replaceChildren(...page.body.childNodes);
    await drawPieces(this.holder);
    // What is drawn later would push a card away that was scrolled to.
    await Promise.all([...this.holder.querySelectorAll("rule-piece")].map((piece) => /** @type {any} */ (piece).updateComplete));
  }

  /**
   * Show what the rules say of a card; from the top where they say nothing.
   * @param {string} id
   */
  async showCard(id) {
    await this.load();
    for (const row of this.holder.querySelectorAll(".is-asked")) row.classList.remove("is-asked");
    const place = document.getElementById(`card-${id}`);
    place?.closest(".rule-row")?.classList.add("is-asked");
    this.scrollTo(`card-${id}`);
  }

  /** @param {string} id */
  scrollTo(id) {
    const place = document.getElementById(id);
    if (!place || !this.holder.contains(place)) return;
    const row = place.closest(".rule-row") ?? place;
    this.panel.scrollTop += row.getBoundingClientRect().top - this.panel.getBoundingClientRect().top - MARGIN;
    place.focus({ preventScroll: true });
  }
}
