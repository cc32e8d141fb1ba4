// What is asked of this seat, and its answers. Every answer is one of `view.legal`, sent back word for word.

import { html, nothing } from "../vendor/lit.js";
import { clash, eye, gauntlet, power, shield } from "./infinity-gauntlet-emblems.js";
import { HEROES, THANOS, back, bigCard, counting, numberOf, pips, possibleIn, shownCard, text } from "./infinity-gauntlet-cards.js";
import { noteList, notesOn } from "./infinity-gauntlet-notes.js";
import { moveLabel } from "./words.js";

const HAND_VERBS = ["play", "lose", "with", "bottom"];
const SEAT_VERBS = ["target", "peek", "power", "send", "fight"];

/** The legal moves by what kind of answer they are. */
const sorted = (legal) => {
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

/** The own hand, what is asked, and the answers: closest to the reader. */
export const dock = (host) => {
  const { words, names, view, seat, interactive, busy } = host;
  if (seat === null) return view.outcome ? nothing : html`<p class="waiting">${waiting(host)}</p>`;
  const mine = view.table.seats[seat];
  const answers = sorted(interactive ? view.legal : []);
  const choose = (move) => host.choose(move);
  return html`<section class="dock ${interactive ? "asked" : ""}" aria-labelledby="question" @keydown=${walk}>
    <div class="dock-head">
      <h2 id="question" tabindex="-1">${interactive ? question(host, answers) : view.outcome || view.to_act === null ? text(words, "ui-your-hand") : waiting(host)}</h2>
      ${interactive && view.can_undo ? html`<button type="button" class="undo" ?disabled=${busy} @click=${() => choose("undo")}>${moveLabel(words, "undo")}</button>` : nothing}
    </div>
    ${interactive ? answerArea(host, answers) : nothing}
    <div class="hand" role="group" aria-label=${text(words, "ui-your-hand")}>
      ${mine.cards.map((id, place) => bigCard(words, id, {
        move: answers.hand.get(id) ?? "",
        verb: moveLabel(words, (answers.hand.get(id) ?? "").split(" ")[0]),
        seenBy: seen(words, names, mine.seen_by[place]),
        fresh: host.isFresh(`hand ${id}`),
        busy,
        choose,
      }))}
      ${mine.cards.length ? nothing : html`<p class="quiet">${text(words, "ui-empty-hand")}</p>`}
    </div>
  </section>`;
};

const waiting = ({ words, names, view }) =>
  (view.to_act === null ? "" : text(words, `ui-wait-${view.table.phase}`, { name: names[view.to_act].name }));

const seen = (words, names, seats) =>
  (seats.length ? text(words, "ui-seen-by", { names: seats.map((seat) => names[seat].name).join(", ") }) : "");

const answerArea = (host, answers) => html`
  ${answers.snap ? snap(host, answers.snap) : nothing}
  ${answers.numbers.length ? numbers(host, answers.numbers) : nothing}
  ${answers.seats.length ? seats(host, answers.seats) : nothing}
  ${answers.cards.length ? cards(host, answers.cards) : nothing}
  ${answers.words.length ? plain(host, answers) : nothing}`;

// -- guesses

const numbers = (host, choices) => {
  const { words, view, busy } = host;
  const part = view.table.turn ? THANOS : HEROES;
  const asked = view.table.turn ? view.table.seats[0] : view.table.seats[view.table.target];
  const heroes = view.table.target ? [view.table.target] : view.table.seats.map((_, seat) => seat).slice(1);
  const unseen = view.table.turn ? view.table.unseen.thanos : possibleIn(view.table, heroes);
  const counted = new Map(counting(words, part, unseen).map((one) => [one.number, one]));
  return html`<div class="answers numbers ${choices.length === 6 ? "six" : ""}">${choices.map(({ move, number }) => {
    const { left, total } = counted.get(number);
    const known = asked?.cards.some((id) => numberOf(words, id) === number);
    const out = !known && (asked?.ruled_out.includes(number) || !left.length);
    const hint = known ? text(words, "ui-seen-there") : asked?.ruled_out.includes(number) ? text(words, "ui-ruled-out") : text(words, "ui-left", { count: left.length, total });
    return html`<button type="button" class="choice number-choice n${number} ${out ? "out" : ""} ${known ? "sure" : ""}" data-move=${move} ?disabled=${busy} @click=${() => host.choose(move)}>
      <span class="number">${number}</span>${known ? eye() : html`<span class="pips" aria-hidden="true">${pips(left.length, total)}</span>`}<span class="hint">${hint}</span>
    </button>`;
  })}</div>`;
};

// -- heroes

const seats = (host, choices) => {
  const { words, names, view, busy } = host;
  return html`<div class="answers seats">${choices.map(({ move, seat, verb }) => {
    const one = view.table.seats[seat];
    return html`<button type="button" class="choice seat-choice seat-${seat}" data-move=${move} ?disabled=${busy} @click=${() => host.choose(move)}>
      ${one.cards.length ? shownCard(words, one.cards[0]) : back(words, "heroes")}
      <span class="who"><strong>${names[seat].name}</strong>
        ${one.power ? html`<span class="tokens">${power()}<span class="visually-hidden">${text(words, "ui-power")}</span> ${one.power}</span>` : nothing}
        ${noteList(notesOn(host, seat))}</span>
      <span class="verb">${verbSign(verb)}${text(words, `ui-do-${verb}`)}</span>
    </button>`;
  })}</div>`;
};

const verbSign = (verb) => ({ peek: eye(), power: power(), fight: clash(), send: clash() })[verb] ?? nothing;

// -- cards that do not lie in the own hand

const cards = (host, choices) => {
  const { words, view, busy } = host;
  const placed = choices[0].verb === "next" ? view.table.decks.heroes.top.slice(0, view.table.count) : [];
  return html`<div class="answers cards">
    ${placed.map((id) => html`<span class="spot">${shownCard(words, id, { look: "placed" })}<span class="by">${text(words, "ui-on-top")}</span></span>`)}
    ${choices.map(({ move, verb, id }) => bigCard(words, id, { move, verb: moveLabel(words, verb), busy, choose: (one) => host.choose(one) }))}
  </div>`;
};

// -- yes and no, end, pass

const plain = (host, answers) => {
  const { words, view, seat, busy } = host;
  const duel = answers.words.includes("fight");
  const mine = view.table.seats[seat];
  return html`
    ${duel ? html`<div class="duel"><span class="spot">${shownCard(words, mine.cards[0])}${mine.power ? html`<span class="bonus">${power()}+2</span>` : nothing}</span>${clash()}<span class="spot">${back(words, "thanos", { shape: "shown" })}${view.table.seats[0].power ? html`<span class="bonus">${power()}+2</span>` : nothing}</span></div>` : nothing}
    <div class="answers plain">${answers.words.map((move) => html`
      <button type="button" class="choice word ${move === "fight" ? "bold" : ""}" data-move=${move} ?disabled=${busy} @click=${() => host.choose(move)}>
        ${move === "fight" ? clash() : move === "hold" ? shield() : nothing}${moveLabel(words, move)}
      </button>`)}</div>`;
};

const snap = (host, move) => html`
  <button type="button" class="choice snap" data-move=${move} ?disabled=${host.busy} @click=${() => host.choose(move)}>
    ${gauntlet(host.words, Object.keys(host.words.cards).filter((id) => host.words.cards[id].stone))}
    <span><strong>${moveLabel(host.words, move)}</strong><span>${text(host.words, "ui-snap")}</span></span>
  </button>`;

/** Arrow keys walk from answer to answer. */
const walk = (event) => {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  const here = event.target.closest(".choice");
  if (!step || !here) return;
  const all = [...event.currentTarget.querySelectorAll(".choice:not([disabled])")];
  all.at((all.indexOf(here) + step) % all.length)?.focus();
  event.preventDefault();
};
