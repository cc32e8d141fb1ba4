// Cards of Thanos Rising: in a sector, in one's own team, and small in another's team.

import { classMap, html, ifDefined, nothing } from "../../vendor/lit.js";
import { addressOf } from "../emblems/thanos-rising.js";
import { ground, picture } from "../board/parts.js";
import { countOf } from "../core/texts.js";
import { glyph, skull } from "./pieces.js";

/** @typedef {ThanosRising.Element} Table */
/** @typedef {ThanosRising.Asset | ThanosRising.Hero} Card */

/** @type {Record<string, string>} The ground of a card, by its type. */
const GROUNDS = { battle: "red", technology: "blue", mystic: "green", cosmic: "purple" };
const MANY = 6; // symbols that no longer fit side by side on a phone

/** @param {Table} table */
const counted = (table, symbols) => Object.entries(symbols).map(([symbol, count]) => countOf(table.words, count, symbol)).join(", ");

/** @param {Card} card */
const isNew = (card) => "new" in card && card.new;
/** @param {Card} card */
const isUsed = (card) => "used" in card && card.used;

/**
 * All that a card shows, in words.
 * @param {Table} table
 * @param {Card} card
 */
const spoken = (table, card, choice) => {
  const parts = [
    table.name(card.id),
    card.type ? table.t("hero", { symbol: table.term(card.type) }) : table.t("villain"),
    table.t("damage", { count: card.damage, spaces: card.spaces }),
  ];
  if (Object.keys(card.symbols).length) parts.push(table.t("needs", { symbols: counted(table, card.symbols) }));
  if (Object.keys(card.assigned).length) parts.push(table.t("assigned", { symbols: counted(table, card.assigned) }));
  if (isNew(card)) parts.push(table.t("new"));
  if (isUsed(card)) parts.push(table.t("used"));
  parts.push(table.words.texts[card.id] ?? "", table.words.stand_ins[card.id]?.text ?? "");
  if (choice?.move) parts.push(table.label(choice.move));
  else if (choice) parts.push(table.t("choose"));
  else parts.push(table.why(`use ${card.id}`) || table.why(`on ${card.id}`));
  return parts.filter(Boolean).join(". ");
};

/**
 * A button that plays, picks up or explains; where it can do nothing of these it is only a picture.
 * @param {Table} table
 * @param {string} key
 * @param {{ kind: string, label: string, content: unknown, help?: string, card?: string, stone?: string, why?: string }} look
 */
export const pressable = (table, key, { kind, label, help, content, card, stone, why = "" }) => {
  const choice = table.choice(key);
  const isPicked = table.picked === key;
  const classes = classMap({ ...Object.fromEntries(kind.split(" ").filter(Boolean).map((one) => [one, true])), can: Boolean(choice), answer: Boolean(choice?.answers), picked: isPicked });
  if (!choice && !help) return html`<span class=${classes} role="img" aria-label=${label} data-card=${ifDefined(card)} data-stone=${ifDefined(stone)}>${content}</span>`;
  return html`<button type="button" class=${classes} aria-label=${label} aria-pressed=${ifDefined(choice?.pick ? String(isPicked) : undefined)}
    aria-disabled=${ifDefined(!choice && why ? "true" : undefined)} data-why=${ifDefined(!choice && why ? why : undefined)} data-help=${ifDefined(help)}
    data-card=${ifDefined(card)} data-stone=${ifDefined(stone)} data-move=${ifDefined(choice?.move)} data-pick=${ifDefined(choice?.pick)}
    @click=${() => table.press(key, why ? undefined : help)}>${content}${choice ? html`<span class="plus" aria-hidden="true">+</span>` : nothing}</button>`;
};

/** @param {Card} card */
export const damage = (card) => html`<span class="health" aria-hidden="true">${Array.from({ length: card.spaces }, (_, place) => html`<i class=${place < card.damage ? "hurt" : ""}></i>`)}</span>`;

/**
 * A card, wherever it lies.
 * @param {Table} table
 * @param {string} id
 */
export const findCard = (table, id) => {
  const { sectors, teams } = table.view.table;
  return [...sectors.flat(), ...teams.flatMap(({ heroes }) => heroes)].find((one) => one?.id === id);
};

/**
 * One place for each symbol a card wants; those that dice or tokens have filled look like dice.
 * @param {Card["symbols"]} symbols
 * @param {Card["assigned"]} assigned
 */
export const wants = (symbols, assigned) => {
  const total = Object.values(symbols).reduce((sum, count) => sum + count, 0);
  return html`<span class="wants ${total > MANY ? "many" : ""}">${Object.entries(symbols).map(([symbol, count]) =>
    Array.from({ length: count }, (_, place) => html`<span class="want n-${symbol} ${place < (assigned[/** @type {ThanosRising.Symbol} */ (symbol)] ?? 0) ? "filled" : ""}">${glyph(symbol)}</span>`))}</span>`;
};

/**
 * The picture of a card, with the sign of its type.
 * @param {string} id
 * @param {string | null} [type]
 */
export const artOf = (id, type) => html`<span class="art cardbg k-${GROUNDS[type ?? ""] ?? "grey"} ${ground(id)}">${picture(addressOf(id))}<span class="type">${type ? glyph(type) : skull()}</span></span>`;

/** @param {Card} card */
const art = (card) => artOf(card.id, card.type);

/** @param {Card} card */
const state = (card) => `${card.type ? "" : "is-villain"} ${card.damage >= card.spaces ? "is-down" : ""} ${isNew(card) || isUsed(card) ? "is-spent" : ""}`;

/**
 * A card of a sector: emblem, name, what it does, the symbols it wants, its damage.
 * @param {Table} table
 * @param {Card} card
 */
export const sectorCard = (table, card) => {
  const key = `card ${card.id}`;
  return pressable(table, key, {
    kind: `asset ${state(card)}`,
    label: spoken(table, card, table.choice(key)),
    help: card.id,
    card: card.id,
    why: table.picked?.startsWith("die ") ? table.why(`on ${card.id}`) : "",
    content: html`${art(card)}<span class="print"><b class="card-name">${table.name(card.id)}</b><span class="text">${table.words.texts[card.id] ?? ""}</span>${wants(card.symbols, card.assigned)}</span>${damage(card)}`,
  });
};

/**
 * A hero of one's own.
 * @param {Table} table
 * @param {ThanosRising.Hero} card
 */
export const ownCard = (table, card) => {
  const key = `card ${card.id}`;
  const note = isNew(card) ? table.t("new") : isUsed(card) ? table.t("used") : "";
  return pressable(table, key, {
    kind: `hero-card ${state(card)}`,
    label: spoken(table, card, table.choice(key)),
    help: card.id,
    card: card.id,
    why: table.why(`use ${card.id}`),
    content: html`${art(card)}<b class="card-name">${table.name(card.id)}</b><span class="text">${note ? html`<em>${note}</em>` : table.words.texts[card.id] ?? ""}</span>${damage(card)}`,
  });
};

/**
 * A hero of another team: emblem and health. Where it can be chosen and there is room, it is the choice.
 * @param {Table} table
 * @param {ThanosRising.Hero} card
 */
export const smallCard = (table, card) => {
  const key = `card ${card.id}`;
  const choice = table.narrow ? null : table.choice(key);
  const content = html`<span class="mini cardbg k-${GROUNDS[card.type] ?? "grey"}">${picture(addressOf(card.id))}</span>${damage(card)}`;
  const label = spoken(table, card, choice);
  if (!choice) return html`<span class="small-card ${state(card)}" role="img" aria-label=${label} data-card=${card.id} data-help=${card.id}>${content}</span>`;
  return pressable(table, key, { kind: `small-card ${state(card)}`, label, card: card.id, content });
};
