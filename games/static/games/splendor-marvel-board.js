// A team's board: how far it is from the Gauntlet, its bonuses and tokens, its reserved cards, its tiles.

import { classMap, html, nothing, repeat } from "../vendor/lit.js";
import { COLOURS, back, cardLabel, counted, fill, gem, locationLabel, slip, tab } from "./splendor-marvel-pieces.js";
import { signOf } from "./splendor-marvel-emblem.js";
import { nameOf, termOf } from "./words.js";

const total = (counts) => Object.values(counts).reduce((sum, count) => sum + count, 0);

/** The three conditions of the Gauntlet: points, a bonus of each colour, the Time Stone. */
const gauntlet = (words, team, goal) => {
  const has = (colour) => (colour === "green" ? team.tokens.green > 0 : team.bonuses[colour] > 0);
  const stones = [...COLOURS, "green"];
  const missing = stones.filter((colour) => !has(colour)).map((colour) => (colour === "green" ? fill(words, "ui-time-stone") : termOf(words, colour)));
  const label = [
    fill(words, "ui-gauntlet"),
    fill(words, "ui-points-of", { points: team.points, goal }),
    missing.length ? fill(words, "ui-missing", { stones: missing.join(", ") }) : fill(words, "ui-all-stones"),
  ].join("; ");
  return html`
    <div class="gauntlet ${team.assembled ? "assembled" : ""}" role="img" aria-label=${label}>
      <span class="score"><b>${team.points}</b><span>/ ${goal}</span></span>
      <svg class="progress" viewBox="0 0 ${goal} 1" preserveAspectRatio="none"><rect width=${Math.min(goal, team.points)} height="1"></rect></svg>
      <span class="stones">${stones.map((colour) => gem(words, colour, { hollow: !has(colour) }))}</span>
    </div>`;
};

const column = (words, team, colour) => html`
  <span class="column ${colour}" aria-hidden="true">
    ${colour === "grey" ? html`<span class="gives none"></span>` : html`<span class="gives ${team.bonuses[colour] ? "" : "none"}">${team.bonuses[colour]}</span>`}
    <span class="has ${team.tokens[colour] ? "" : "none"}">${gem(words, colour)}<b>${team.tokens[colour]}</b></span>
  </span>`;

const reservedLabel = (words, { card, level, hidden }) => {
  if (!card) return fill(words, "ui-hidden-card", { level });
  return `${cardLabel(words, card)}${hidden ? `; ${fill(words, "ui-only-you")}` : ""}`;
};

const crest = (words, view, names, seat) => html`
  <h2 class="crest">
    <span class="who">${names[seat]?.name ?? seat + 1}</span>
    ${view.to_act === seat ? html`<span class="badge acts">${fill(words, "ui-acts")}</span>` : nothing}
    ${view.outcome?.winners.includes(seat) ? html`<span class="badge won">${fill(words, "ui-winner")}</span>` : nothing}
    ${view.table.teams[seat].assembled && !view.outcome ? html`<span class="badge won">${fill(words, "ui-assembled")}</span>` : nothing}
  </h2>`;

const tiles = (words, view, seat) => {
  const team = view.table.teams[seat];
  if (!team.locations.length && view.table.avengers !== seat && !team.tags) return nothing;
  const tagged = fill(words, "ui-tags", { count: team.tags });
  return html`<ul class="won-tiles">
    ${team.tags ? html`<li class="chip" title=${tagged}><span class="tag" aria-hidden="true"></span><span class="quiet">${tagged}</span><b aria-hidden="true">${team.tags}</b></li>` : nothing}
    ${view.table.avengers === seat ? html`<li class="chip tile">${fill(words, "ui-tile")} <b>+3</b></li>` : nothing}
    ${team.locations.map((id) => html`<li class="chip" title=${locationLabel(words, id)}>${signOf(id)}${nameOf(words, id)} <b>+${words.cards[id].points}</b></li>`)}
  </ul>`;
};

/** Bonuses and tokens of a team in one line. */
export const means = (words, team) => {
  const held = { ...Object.fromEntries(COLOURS.map((colour) => [colour, team.tokens[colour]])), grey: team.tokens.grey };
  return html`
    <div class="columns" role="img" aria-label="${fill(words, "ui-bonuses")}: ${counted(words, team.bonuses) || 0}; ${fill(words, "ui-tokens")}: ${counted(words, held) || 0}">
      ${[...COLOURS, "grey"].map((colour) => column(words, team, colour))}
    </div>`;
};

/** Another's board, as small as it can be read. */
export const rival = ({ words, view, names }, seat) => {
  const team = view.table.teams[seat];
  return html`
    <section class=${classMap({ board: true, rival: true, "is-to-act": view.to_act === seat })} data-board=${seat}>
      <header>${crest(words, view, names, seat)}${gauntlet(words, team, view.table.goal)}</header>
      ${means(words, team)}
      <div class="extras">${tiles(words, view, seat)}${team.reserved.length ? html`<ul class="kept" aria-label=${fill(words, "ui-reserved")}>${team.reserved.map((one) => html`
        <li><span role="img" aria-label=${reservedLabel(words, one)}>${slip(words, one)}</span></li>`)}</ul>` : nothing}</div>
    </section>`;
};

/** A reserved card in hand; unknown only for the moment in which a replay changes the seat it looks from. */
const kept = (words, one, choosable) => html`
  <li class="slot">
    ${one.card ? choosable(one.card) : html`<span class="card-holder" role="img" aria-label=${reservedLabel(words, one)}>${back(one.level)}</span>`}
    ${one.hidden ? html`<span class="secret">${fill(words, "ui-only-you")}</span>` : nothing}
  </li>`;

/** The reader's own board, with the cards in columns and the reserved ones ready to be chosen. */
export const mine = ({ words, view, names, seat }, choosable) => {
  const team = view.table.teams[seat];
  return html`
    <section class=${classMap({ board: true, mine: true, "is-to-act": view.to_act === seat })} data-board=${seat}>
      <header>${crest(words, view, names, seat)}${gauntlet(words, team, view.table.goal)}</header>
      <div class="own">
        <div class="stacks">
          ${COLOURS.map((colour) => {
            const cards = team.cards.filter((id) => words.cards[id].bonus === colour);
            return html`
              <section class="stack ${colour}" aria-label=${termOf(words, colour)}>
                <p class="sum" role="img" aria-label="${termOf(words, colour)}; ${fill(words, "ui-bonuses")}: ${team.bonuses[colour]}; ${fill(words, "ui-tokens")}: ${team.tokens[colour]}">
                  <span class="gives ${team.bonuses[colour] ? "" : "none"}">${team.bonuses[colour]}</span>
                  <span class="has ${team.tokens[colour] ? "" : "none"}">${gem(words, colour)}<b>${team.tokens[colour]}</b></span>
                </p>
                ${cards.length ? html`<ul>${cards.map((id) => tab(words, id))}</ul>` : nothing}
              </section>`;
          })}
          <section class="stack grey" aria-label=${termOf(words, "grey")}>
            <p class="sum" role="img" aria-label="${termOf(words, "grey")}; ${fill(words, "ui-tokens")}: ${team.tokens.grey}">
              <span class="has ${team.tokens.grey ? "" : "none"}">${gem(words, "grey")}<b>${team.tokens.grey}</b></span>
            </p>
            <p class="all">${fill(words, "ui-tokens")} <b>${total(team.tokens)}</b></p>
          </section>
        </div>
        <div class="hand">
          <h3>${fill(words, "ui-reserved")}</h3>
          ${team.reserved.length
            ? html`<ul>${repeat(team.reserved, (one, at) => one.card ?? at, (one) => kept(words, one, choosable))}</ul>`
            : html`<p class="soft">${fill(words, "ui-none-reserved")}</p>`}
        </div>
      </div>
      ${tiles(words, view, seat)}
    </section>`;
};
