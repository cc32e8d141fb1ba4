// The legal moves as what can be pressed. A move has a target (a card, a stone, a sector ...) and some have a source
// as well (a die, a token), which is picked up first. It knows the notation and no rule.

const DIRECT = {
  deploy: (rest) => `sector ${Number(rest) - 1}`,
  choose: (rest) => `base ${rest}`,
  use: (rest) => `card ${rest}`,
  damage: (rest) => `card ${rest}`,
  heal: (rest) => `card ${rest}`,
  hit: (rest) => `card ${rest}`,
  clear: (rest) => `stone ${rest}`,
  keep: (rest) => `kept ${rest}`,
  take: (rest) => `colour ${rest}`,
  lose: (rest) => `colour ${rest}`,
  to: (rest) => `face ${rest}`,
  "re-roll": (rest) => `die ${rest}`,
  turn: (rest) => `die ${rest}`,
};

/** @param {string} move */
const read = (move, stones) => {
  const [verb, ...others] = move.split(" ");
  const rest = others.join(" ");
  const thing = (id) => (stones.has(id) ? `stone ${id}` : `card ${id}`);
  if (verb === "play") {
    const [token, link, what] = others;
    return { move, source: `token ${token}`, target: !link ? "play" : link === "for" ? `colour ${what}` : thing(what) };
  }
  if (verb === "forfeit") return { move, source: `die ${rest}`, target: "forfeit" };
  if (move.includes(" on ")) {
    const [what, card] = move.split(" on ");
    return { move, source: `die ${what}`, target: `card ${card}` };
  }
  return { move, target: DIRECT[verb]?.(rest) ?? verb };
};

const isToken = (choice) => choice.source?.startsWith("token ");

export class Choices {
  /** `picked` is the source or target that waits for its counterpart, or null. */
  constructor(legal, stones, picked) {
    this.all = legal.map((move) => read(move, stones));
    this.picked = picked;
  }

  /**
   * What pressing this does: `{move}` plays, `{pick}` waits for a counterpart, null is nothing.
   * @param {string} key
   */
  press(key) {
    return this.#answer(key) ?? this.#direct(key) ?? this.#source(key) ?? this.#target(key);
  }

  /** The moves that the picked thing can still become. */
  get counterparts() {
    return this.all.filter(({ source, target }) => this.picked && (source === this.picked || target === this.picked) && source);
  }

  /** @param {string} key */
  has(key) {
    return this.all.some(({ source, target }) => source === key || target === key);
  }

  get onlyTokens() {
    return this.all.length > 0 && this.all.every(isToken);
  }

  #answer(key) {
    const found = this.counterparts.find(({ source, target }) => key !== this.picked && (source === key || target === key));
    return found ? { move: found.move, answers: true } : null;
  }

  #direct(key) {
    const found = this.all.find(({ source, target }) => !source && target === key);
    return found ? { move: found.move } : null;
  }

  #source(key) {
    const found = this.all.filter(({ source }) => source === key);
    if (!found.length) return null;
    const [only] = found;
    const plain = found.length === 1 && !isToken(only) && only.target !== "forfeit";
    return plain ? { move: only.move } : { pick: key };
  }

  // Tokens are picked up first: else every card would look as if something were to be done with it.
  #target(key) {
    if (this.picked && this.picked !== key && !this.picked.startsWith("card ")) return null;
    const found = this.all.filter((choice) => choice.target === key && !isToken(choice));
    if (!found.length || key === "forfeit") return null;
    return found.length === 1 ? { move: found[0].move } : { pick: key };
  }
}
