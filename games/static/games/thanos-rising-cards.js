// Cards of Thanos Rising: in a sector, in one's own team, and as a line in another's team.

import { classMap, html, ifDefined, nothing } from "../vendor/lit.js";
import { TONES, glyph, sigil } from "./thanos-rising-pieces.js";

const counted = (table, symbols) => Object.entries(symbols).map(([symbol, count]) => `${count} ${table.term(symbol)}`).join(", ");

/** All that a card shows, in words. */
const spoken = (table, card, choice) => {
  const parts = [
    table.name(card.id),
    card.type ? table.t("hero", { symbol: table.term(card.type) }) : table.t("villain"),
    table.t("damage", { count: card.damage, spaces: card.spaces }),
  ];
  if (Object.keys(card.symbols).length) parts.push(table.t("needs", { symbols: counted(table, card.symbols) }));
  if (Object.keys(card.assigned).length) parts.push(table.t("assigned", { symbols: counted(table, card.assigned) }));
  if (card.new) parts.push(table.t("new"));
  if (card.used) parts.push(table.t("used"));
  parts.push(table.words.texts[card.id] ?? "");
  if (choice?.move) parts.push(table.label(choice.move));
  else if (choice) parts.push(table.t("choose"));
  return parts.filter(Boolean).join(". ");
};

/** A button that plays, picks up or explains; where it can do nothing of these it is only a picture. */
export const pressable = (table, key, { kind, label, help, content, card, stone }) => {
  const choice = table.choice(key);
  const isPicked = table.picked === key;
  const classes = classMap({ ...Object.fromEntries(kind.split(" ").map((one) => [one, true])), open: Boolean(choice), answer: Boolean(choice?.answers), picked: isPicked });
  if (!choice && !help) return html`<span class=${classes} role="img" aria-label=${label} data-card=${ifDefined(card)} data-stone=${ifDefined(stone)}>${content}</span>`;
  return html`<button type="button" class=${classes} aria-label=${label} aria-pressed=${ifDefined(choice?.pick ? String(isPicked) : undefined)}
    data-card=${ifDefined(card)} data-stone=${ifDefined(stone)} data-move=${ifDefined(choice?.move)} data-pick=${ifDefined(choice?.pick)}
    @click=${() => table.press(key, help)}>${content}</button>`;
};

const damage = (card) => html`<span class="health">${Array.from({ length: card.spaces }, (_, place) => html`<span class=${place < card.damage ? "hurt" : "whole"}></span>`)}</span>`;

/** The damage of a card, wherever it lies. */
export const healthOf = (table, id) => {
  const { sectors, teams } = table.view.table;
  const card = [...sectors.flat(), ...teams.flatMap(({ heroes }) => heroes)].find((one) => one?.id === id);
  return card ? html`<span aria-label=${table.t("damage", { count: card.damage, spaces: card.spaces })} role="img">${damage(card)}</span>` : nothing;
};

/** One place for each symbol a card wants; those that dice or tokens have filled look like dice. */
const wants = (card) => html`<span class="wants">${Object.entries(card.symbols).map(([symbol, count]) =>
  Array.from({ length: count }, (_, place) =>
    html`<span class="want tone-${TONES[symbol]} ${place < (card.assigned[symbol] ?? 0) ? "filled" : ""}">${glyph(symbol)}</span>`))}</span>`;

const toneOf = (card) => (card.type ? `tone-${TONES[card.type]}` : "is-villain");

/** A whole card: sigil, name, what it does, the symbols it wants, its damage. */
export const wholeCard = (table, card) => {
  const key = `card ${card.id}`;
  const isDown = card.damage >= card.spaces;
  return pressable(table, key, {
    kind: `asset ${toneOf(card)} ${isDown ? "is-down" : ""} ${card.new || card.used ? "is-spent" : ""}`.trim().replace(/ +/g, " "),
    label: spoken(table, card, table.choice(key)),
    help: card.id,
    card: card.id,
    content: html`
      <span class="emblem">${sigil(card.id, !card.type)}${card.type ? html`<span class="badge">${glyph(card.type)}</span>` : nothing}</span>
      <span class="print">
        <span class="card-name">${table.name(card.id)}</span>
        <span class="kind-line">${card.type ? table.term(card.type) : table.t("villain")}${card.new ? html`<em>${table.t("new")}</em>` : card.used ? html`<em>${table.t("used")}</em>` : nothing}</span>
        <span class="text">${table.words.texts[card.id] ?? ""}</span>
        ${wants(card)}
      </span>
      ${damage(card)}`,
  });
};

/** A hero of another team: one line, the rest by asking. */
export const lineCard = (table, card) => {
  const key = `card ${card.id}`;
  return pressable(table, key, {
    kind: `line-card ${toneOf(card)} ${card.damage >= card.spaces ? "is-down" : ""}`.trim(),
    label: spoken(table, card, table.choice(key)),
    help: card.id,
    card: card.id,
    content: html`<span class="badge">${glyph(card.type)}</span><span class="card-name">${table.name(card.id)}</span>${damage(card)}`,
  });
};
