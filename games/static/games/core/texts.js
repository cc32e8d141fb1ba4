// A game's words in the page's language: card names, log sentences, terms. They come from the server; nothing
// here knows a rule.

const SEAT_FIELDS = new Set(["seat", "loser", "winner", "target", "by", "from", "to", "owner", "other", "player"]);

/**
 * @param {string} url
 * @returns {Promise<Page.Words>}
 */
export const loadWords = async (url) => (await fetch(url)).json();

// A die or a colour is a term, even where a stone or a token has the same id.
const TERM_FIELDS = new Set(["die", "now", "colour", "face", "token"]);

/** @typedef {"names" | "terms"} Store */

/** @type {(words: Page.Words, id: string, first: Store, second: Store) => string} */
const word = (words, id, first, second) => words[first][id] ?? words[second][id] ?? String(id);

/**
 * Two words of a notation as one, if the game has a phrase for both: languages decline, and what is done with a thing
 * may need another form than its name, as in "on {card}".
 * @type {(words: Page.Words, seats: Page.Seat[], one: string, two: string) => string | undefined}
 */
const phrase = ({ names, terms }, seats, one, two) => {
  /** @type {Record<string, string | undefined>} */
  const things = { player: seats[Number(two)]?.name, stone: terms[`stone-${two}`], card: names[two], token: terms[two] };
  for (const [kind, thing] of Object.entries(things)) {
    const sentence = terms[`${one} {${kind}}`];
    if (thing && sentence) return sentence.replace(`{${kind}}`, () => thing);
  }
  return terms[`${one} ${two}`];
};

/** @type {(words: Page.Words, text: string, first: Store, second: Store, seats?: Page.Seat[]) => string} */
const each = (words, text, first, second, seats = []) => {
  const whole = words[first][text] ?? words[second][text];
  if (whole !== undefined) return whole;
  const said = [];
  for (let left = String(text).split(" "); left.length;) {
    const both = left.length > 1 ? phrase(words, seats, left[0], left[1]) : undefined;
    said.push(both ?? word(words, left[0], first, second));
    left = left.slice(both === undefined ? 1 : 2);
  }
  return said.join(" ");
};

/**
 * The words for an id: a card's name, else a term, else the id itself.
 * @type {(words: Page.Words, id: string) => string}
 */
export const nameOf = (words, id) => each(words, id, "names", "terms");

/**
 * The words for a token, a die, a verb of the notation: a term, else a card's name, else the thing itself.
 * @type {(words: Page.Words, id: string) => string}
 */
export const termOf = (words, id) => each(words, id, "terms", "names");

/**
 * The name of an event: what `words.sentences` knows it by.
 * @template {{ event: string }} E
 * @param {E} event
 * @returns {E["event"]}
 */
export const kindOf = (event) => event.event;

/**
 * So many of one kind: "3 red".
 * @type {(words: Page.Words, count: number, what: string) => string}
 */
export const countOf = (words, count, what) =>
  (words.terms.counted ?? "{count} {what}").replace("{count}", String(count)).replace("{what}", termOf(words, what));

/** @type {(words: Page.Words, counts: Record<string, number>) => string} */
const counted = (words, counts) =>
  Object.entries(counts).filter(([, count]) => count).map(([what, count]) => countOf(words, count, what)).join(", ");

/** @type {(words: Page.Words, names: Page.Seat[], event: Page.Event, field: string) => string} */
const fill = (words, names, event, field) => {
  const value = /** @type {any} */ (event[field]);
  if (value === undefined || value === null) return "";
  if (SEAT_FIELDS.has(field) && Number.isInteger(value)) return names[value]?.name ?? String(value + 1);
  if (Array.isArray(value)) return value.map((one) => nameOf(words, one)).join(", ");
  if (typeof value === "object") {
    const grey = field === "price" && event.grey ? { grey: event.grey } : {};
    return counted(words, { ...value, ...grey }) || "0";
  }
  if (field === "sector") return String(value + 1);
  if (field === "stone") return words.terms[`stone-${value}`] ?? nameOf(words, value);
  if (field === "colour") return words.terms[`die-${value}`] ?? termOf(words, value);
  if (field === "reason") return termOf(words, value).replace(/\.$/, "");
  return TERM_FIELDS.has(field) ? termOf(words, value) : nameOf(words, value);
};

// Told together, one line for several: the field that differs between them, where it stands in the sentence, and what
// must be the same.
/** @type {Record<string, { field: string, differ: RegExp, same: string[] } | undefined>} */
const GATHERED = {
  rolled: { field: "die", differ: /\{count\}.*\{die\}|\{die\}.*\{count\}/, same: ["ply", "seat"] },
  assigned: { field: "die", differ: /\{die\}/, same: ["seat", "card"] },
  took: { field: "token", differ: /\{token\}/, same: ["seat"] },
  returned: { field: "token", differ: /\{token\}/, same: ["seat"] },
};

/**
 * Whether an event is told in the same line as the one before it.
 * @type {(one: Page.Event, two: Page.Event) => boolean}
 */
export const belongTogether = (one, two) => {
  const gathered = GATHERED[kindOf(one)];
  return kindOf(one) === kindOf(two) && gathered !== undefined && one[gathered.field] !== undefined && gathered.same.every((field) => one[field] === two[field]);
};

/**
 * A piece of a sentence: words, or what stands for a field of an event. `count`: how many of it, where they are told
 * as one piece.
 * @typedef {{ text: string, field?: string, event?: Page.Event, count?: number }} Part
 */

/** @type {(words: Page.Words, names: Page.Seat[], event: Page.Event, text: string) => Part[]} */
const cut = (words, names, event, text) =>
  text.split(/(\{\w+\})/).filter(Boolean).map((piece) => {
    const field = /^\{(\w+)\}$/.exec(piece)?.[1];
    return field ? { text: fill(words, names, event, field), field, event } : { text: piece };
  });

/**
 * What events that belong together tell, piece by piece; nothing where there is nothing to tell.
 * @type {(words: Page.Words, names: Page.Seat[], events: Page.Event[]) => Part[]}
 */
export const partsOf = (words, names, events) => {
  const [first] = events;
  const template = words.sentences[kindOf(first)];
  if (!template) return [];
  const { differ, field = "" } = GATHERED[kindOf(first)] ?? {};
  const found = differ?.exec(template);
  /** @type {(event: Page.Event, at: number) => Part[]} */
  const pieces = (event, at) => [
    ...(at ? [{ text: ", " }] : []),
    { text: cut(words, names, event, found?.[0] ?? "").map(({ text }) => text).join(""), field, event, count: Number(event.count ?? 1) },
  ];
  const parts = !found ? cut(words, names, first, template) : [
    ...cut(words, names, first, template.slice(0, found.index)),
    ...events.flatMap(pieces),
    ...cut(words, names, first, template.slice(found.index + found[0].length)),
  ];
  // A name that ends in a full stop ends the sentence too.
  if (parts.at(-1)?.text === "." && parts.at(-2)?.text.endsWith(".")) parts.pop();
  // A person is called as they call themselves, at the beginning of a sentence as inside it.
  const begins = /^\{(\w+)\}/.exec(template)?.[1] ?? "";
  if (parts.length && !SEAT_FIELDS.has(begins)) parts[0].text = parts[0].text.charAt(0).toUpperCase() + parts[0].text.slice(1);
  return parts;
};

/**
 * The same as one sentence.
 * @type {(words: Page.Words, names: Page.Seat[], events: Page.Event[]) => string}
 */
export const sayAll = (words, names, events) => partsOf(words, names, events).map(({ text }) => text).join("");

/** @type {(words: Page.Words, names: Page.Seat[], event: Page.Event) => string} */
export const say = (words, names, event) => sayAll(words, names, [event]);

/**
 * Why something cannot be chosen, in the page's language.
 * @type {(words: Page.Words, reason: Page.Reason) => string}
 */
export const reasonText = (words, reason) =>
  (words.reasons[reason.code] ?? "").replace(/\{(\w+)\}/g, (_, field) => {
    const value = /** @type {any} */ (reason[field]);
    if (value !== null && typeof value === "object") return counted(words, value);
    return typeof value === "string" ? nameOf(words, value) : String(value ?? "");
  });

/**
 * A move's notation as a label for a button: every word of it that is known, in the page's language, seats by name.
 * @type {(words: Page.Words, move: string, seats?: Page.Seat[]) => string}
 */
export const moveLabel = (words, move, seats = []) => {
  const text = each(words, move, "terms", "names", seats);
  return text.charAt(0).toUpperCase() + text.slice(1);
};
