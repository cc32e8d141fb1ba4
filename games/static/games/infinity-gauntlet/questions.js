// What is asked of this seat, and its answers. Every answer is one of `view.legal`, sent back word for word.

import { html, nothing, repeat } from "../../vendor/lit.js";
import { clash, eye, gauntlet, power, shield } from "./emblems.js";
import { avatar } from "../board/parts.js";
import { HEROES, THANOS, back, bigCard, counting, isStone, miniCard, numberOf, pips, possibleIn, shownCard, text, toneOf } from "./cards.js";
import { verdict, why } from "./scene.js";
import { moveLabel } from "../core/texts.js";

/** @typedef {InfinityGauntlet.Element} Table */

const HAND_VERBS = ["play", "lose", "with", "bottom"];
const SEAT_VERBS = ["target", "peek", "power", "send", "fight"];

/**
 * @typedef {object} Answers
 * @property {Map<string, string>} hand the move by the card of the own hand
 * @property {{ move: string, verb: string, seat: number }[]} seats
 * @property {{ move: string, number: number }[]} numbers
 * @property {{ move: string, verb: string, id: string }[]} cards
 * @property {string[]} words
 * @property {string} snap
 */

/**
 * The legal moves by what kind of answer they are.
 * @param {string[]} legal
 */
const sorted = (legal) => {
  /** @type {Answers} */
  const answers = { hand: new Map(), seats: [], numbers: [], cards: [], words: [], snap: "" };
  for (const move of legal) {
    const [verb, what] = move.split(" ");
    if (move === "snap") answers.snap = move;
    else if (HAND_VERBS.includes(verb)) answers.hand.set(what, move);
    else if (SEAT_VERBS.includes(verb) && what) answers.seats.push({ move, verb, seat: Number(what) });
    else if (verb === "guess") answers.numbers.push({ move, number: Number(what) });
    else if (["top", "next", "copy"].includes(verb)) answers.cards.push({ move, verb, id: what });
    else answers.words.push(move);
  }
  return answers;
};

/**
 * @param {Table} table
 * @param {Answers} answers
 */
const question = ({ words, names, view }, answers) => {
  const { phase, target, number, count, second_fight: again } = view.table;
  const name = target === null ? "" : names[target].name;
  const verb = answers.seats[0]?.verb;
  if (phase === "target" && verb !== "target") return text(words, `ui-ask-${verb}`);
  if (phase === "guess") return text(words, view.table.turn ? "ui-ask-guess-thanos" : name ? "ui-ask-guess-hero" : "ui-ask-guess-all", { name });
  if (phase === "arrange") return text(words, count ? "ui-ask-next" : "ui-ask-top");
  if (phase === "challenge" && again) return text(words, "ui-ask-challenge-again");
  if (phase === "play" && answers.words.includes("pass")) return text(words, "ui-ask-pass");
  return text(words, `ui-ask-${phase}`, { name, number, count });
};

/**
 * The own hand, what is asked, and the answers: closest to the reader.
 * @param {Table} host
 */
export const dock = (host) => {
  const { words, view, seat, interactive } = host;
  if (seat === null) return view.outcome ? nothing : html`<p class="waiting panel" data-must="question">${waiting(host)}</p>`;
  const answers = sorted(interactive ? view.legal : []);
  const heading = interactive ? question(host, answers) : view.outcome && seat ? verdict(host) : view.outcome || view.to_act === null ? text(words, "ui-your-hand") : waiting(host);
  const area = interactive && hasArea(answers);
  return html`<section class="dock" aria-labelledby="question" @keydown=${walk}>
    ${seat ? html`<div class="own panel s${seat}" data-must="own"><h3>${avatar(host.names, seat)}<span class="who">${text(words, "ui-your-hand")}</span>${host.power(seat)}</h3>${hand(host, answers)}</div>` : nothing}
    <div class="ask panel ${interactive ? "asks" : ""} ${area ? "has-answers" : ""}" data-must="question">
      <div class="dock-head"><h2 id="question" tabindex="-1">${repeat([heading], (said) => said, () => html`<span>${heading}</span>`)}</h2>
        ${interactive && view.can_undo ? html`<button type="button" class="btn undo" aria-label=${moveLabel(words, "undo")} title=${moveLabel(words, "undo")} ?disabled=${host.busy} @click=${() => host.choose("undo")}><span aria-hidden="true">↶</span></button>` : nothing}
      </div>
      ${seat ? nothing : repeat([area], (isSmall) => isSmall, () => hand(host, answers))}
      ${area ? html`<div class="area">${answerArea(host, answers)}</div>` : !seat ? nothing : view.outcome ? html`<p>${why(host)}</p>` : outlook(host)}
    </div>
  </section>`;
};

/** @param {Answers} answers */
const hasArea = (answers) => Boolean(answers.snap || answers.numbers.length || answers.seats.length || answers.cards.length || answers.words.length);

/**
 * The own cards; those that answer the question are choices.
 * @param {Table} host
 * @param {Answers} answers
 */
const hand = (host, answers) => {
  const { words, names, view, seat, busy } = host;
  const mine = view.table.seats[/** @type {number} */ (seat)];
  const columns = Math.max(mine.cards.length, seat ? 2 : 3); // cards of another width are drawn anew: nothing slides
  return html`<div class="hand of-${mine.cards.length}" role="group" aria-label=${text(words, "ui-your-hand")}>
    ${repeat(mine.cards, (id, place) => `${columns} ${place} ${id}`, (id, place) => bigCard(words, id, {
      move: answers.hand.get(id) ?? "",
      verb: moveLabel(words, (answers.hand.get(id) ?? "").split(" ")[0]),
      seenBy: seen(words, names, mine.seen_by?.[place] ?? []),
      fresh: host.isFresh(`hand ${id}`),
      busy,
      choose: (move) => host.choose(move),
    }))}
    ${mine.cards.length ? nothing : html`<p class="empty-hand">${text(words, "ui-empty-hand")}</p>`}
  </div>`;
};

/** @param {Table} table */
const waiting = ({ words, names, view }) =>
  (view.to_act === null ? "" : text(words, `ui-wait-${view.table.phase}`, { name: names[view.to_act].name }));

/**
 * @param {InfinityGauntlet.Words} words
 * @param {Page.Seat[]} names
 * @param {number[]} seats
 */
const seen = (words, names, seats) =>
  (seats.length ? text(words, "ui-seen-by", { names: seats.map((seat) => names[seat].name).join(", ") }) : "");

/**
 * @param {Table} host
 * @param {Answers} answers
 */
const answerArea = (host, answers) => html`
  ${answers.snap ? snap(host, answers.snap) : nothing}
  ${answers.numbers.length ? numbers(host, answers.numbers) : nothing}
  ${answers.seats.length ? seats(host, answers.seats) : nothing}
  ${answers.cards.length ? cards(host, answers.cards) : nothing}
  ${answers.words.length ? plain(host, answers) : nothing}`;

// -- guesses

/**
 * @param {Table} host
 * @param {Answers["numbers"]} choices
 */
const numbers = (host, choices) => {
  const { words, view, busy } = host;
  const part = view.table.turn ? THANOS : HEROES;
  const { turn, target } = view.table;
  const asked = turn ? view.table.seats[0] : target === null ? undefined : view.table.seats[target];
  const heroes = target ? [target] : view.table.seats.map((_, seat) => seat).slice(1);
  const unseen = view.table.turn ? view.table.unseen.thanos : possibleIn(view.table, heroes);
  const counted = new Map(counting(words, part, unseen).map((one) => [one.number, one]));
  return html`<div class="answers numbers ${choices.length === 6 ? "six" : ""}">${choices.map(({ move, number }) => {
    const { left, total } = counted.get(number) ?? { left: [], total: 0 };
    const { known, ruledOut, out } = chanceOf(words, asked, number, left);
    const hint = known ? text(words, "ui-seen-there") : ruledOut ? text(words, "ui-ruled-out") : text(words, "ui-left", { count: left.length, total });
    return html`<button type="button" class="choice number-choice cardbg p1 ${toneOf(number)} ${out ? "out" : ""} ${known ? "sure" : ""}" data-move=${move} ?disabled=${busy} @click=${() => host.choose(move)}>
      <b class="number">${number}</b>${known ? eye() : html`<span class="pips" aria-hidden="true">${pips(left.length, total)}</span>`}<span class="hint">${hint}</span>
    </button>`;
  })}</div>`;
};

/**
 * Whether a hand may hold a number, as far as the reader knows.
 * @param {InfinityGauntlet.Words} words
 * @param {InfinityGauntlet.Seat | undefined} asked
 * @param {number} number
 * @param {string[]} left
 */
const chanceOf = (words, asked, number, left) => {
  const known = Boolean(asked?.cards.some((id) => numberOf(words, id) === number));
  const ruledOut = Boolean(asked?.ruled_out.includes(number));
  return { known, ruledOut, out: !known && (ruledOut || !left.length) };
};

/**
 * What Thanos may hold, where a hero's guess will be asked for: it helps to choose a card, and nothing moves for it. Whoever
 * listens hears the same at Thanos's side.
 * @param {Table} host
 */
const outlook = ({ words, view }) => html`<div class="outlook" aria-hidden="true">
  <p class="label">${text(words, "thanos")} · ${text(words, "ui-unseen")}</p>
  <div class="numbers">${counting(words, THANOS, view.table.unseen.thanos).map(({ number, total, left }) => {
    const { known, out } = chanceOf(words, view.table.seats[0], number, left);
    return html`<span class="number-choice cardbg p1 ${toneOf(number)} ${out ? "out" : ""} ${known ? "sure" : ""}"><b class="number">${number}</b>${known ? eye() : html`<span class="pips">${pips(left.length, total)}</span>`}</span>`;
  })}</div></div>`;

// -- heroes

/**
 * @param {Table} host
 * @param {Answers["seats"]} choices
 */
const seats = (host, choices) => {
  const { words, names, view, busy } = host;
  return html`<div class="answers seats">${choices.map(({ move, seat, verb }) => {
    const one = view.table.seats[seat];
    return html`<button type="button" class="btn choice seat-choice s${seat}" data-move=${move} ?disabled=${busy} @click=${() => host.choose(move)}>
      ${avatar(names, seat)}<span class="whom"><strong>${names[seat].name}${seat === host.seat ? ` (${text(words, "ui-you")})` : nothing}</strong>
        ${one.power ? html`<span class="tokens">${power()}<span class="visually-hidden">${text(words, "ui-power")}</span> ${one.power}</span>` : nothing}
        <span class="verb">${verbSign(verb)}${text(words, `ui-do-${verb}`)}</span></span>
      <span class="their-cards" aria-hidden="true">${one.cards.map((id) => miniCard(words, id))}${Array.from({ length: one.hand - one.cards.length }, () => back(words, "heroes"))}</span>
    </button>`;
  })}</div>`;
};

const verbSign = (verb) => ({ peek: eye(), power: power(), fight: clash(), send: clash() })[verb] ?? nothing;

// -- cards that do not lie in the own hand

/**
 * @param {Table} host
 * @param {Answers["cards"]} choices
 */
const cards = (host, choices) => {
  const { words, view, busy } = host;
  const placed = choices[0].verb === "next" ? view.table.decks.heroes.top.slice(0, view.table.count) : [];
  return html`<div class="answers cards">
    ${placed.map((id) => html`<span class="spot">${shownCard(words, id, { look: "placed" })}<span class="by">${text(words, "ui-on-top")}</span></span>`)}
    ${repeat(choices, ({ move }) => move, ({ move, verb, id }) => bigCard(words, id, { move, verb: moveLabel(words, verb), busy, choose: (one) => host.choose(one) }))}
  </div>`;
};

// -- yes and no, end, pass

/**
 * @param {Table} host
 * @param {Answers} answers
 */
const plain = (host, answers) => {
  const { words, view, seat, busy } = host;
  const duel = answers.words.includes("fight");
  const mine = view.table.seats[/** @type {number} */ (seat)];
  return html`
    ${duel ? html`<div class="duel"><span class="spot">${shownCard(words, mine.cards[0])}${mine.power ? html`<span class="bonus">${power()}+2</span>` : nothing}</span>${clash()}<span class="spot">${back(words, "thanos", { shape: "shown" })}${view.table.seats[0].power ? html`<span class="bonus">${power()}+2</span>` : nothing}</span></div>` : nothing}
    <div class="answers plain">${answers.words.map((move) => html`
      <button type="button" class="btn choice word ${move === "fight" ? "go" : ""}" data-move=${move} ?disabled=${busy} @click=${() => host.choose(move)}>
        ${move === "fight" ? clash() : move === "hold" ? shield() : nothing}${moveLabel(words, move)}
      </button>`)}</div>`;
};

/**
 * @param {Table} host
 * @param {string} move
 */
const snap = (host, move) => html`
  <button type="button" class="btn choice snap" data-move=${move} ?disabled=${host.busy} @click=${() => host.choose(move)}>
    ${gauntlet(host.words, Object.keys(host.words.cards).filter((id) => isStone(host.words, id)))}
    <span><strong>${moveLabel(host.words, move)}</strong><span>${text(host.words, "ui-snap")}</span></span>
  </button>`;

/** @type {Record<string, number>} */
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

/**
 * Arrow keys walk from answer to answer.
 * @param {KeyboardEvent} event
 */
const walk = (event) => {
  const step = STEPS[event.key];
  const here = event.target instanceof Element ? event.target.closest(".choice") : null;
  if (!step || !(here instanceof HTMLElement)) return;
  const holder = /** @type {HTMLElement} */ (event.currentTarget);
  const all = [.../** @type {NodeListOf<HTMLElement>} */ (holder.querySelectorAll(".choice:not([disabled])"))];
  all.at((all.indexOf(here) + step) % all.length)?.focus();
  event.preventDefault();
};
