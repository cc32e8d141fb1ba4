// A game's words in the page's language: card names, log sentences, terms. They come from the server; nothing
// here knows a rule.

const SEAT_FIELDS = new Set(["seat", "loser", "winner", "target", "by", "from", "to", "owner", "other", "player"]);

export const loadWords = async (url) => (await fetch(url)).json();

// A die or a colour is a term, even where a stone or a token has the same id.
const TERM_FIELDS = new Set(["die", "now", "colour", "face", "token"]);

const word = (words, id, first, second) => words[first][id] ?? words[second][id] ?? String(id);
const each = (words, text, first, second) =>
  words[first][text] ?? words[second][text] ?? String(text).split(" ").map((one) => word(words, one, first, second)).join(" ");

/** The words for an id: a card's name, else a term, else the id itself. */
export const nameOf = (words, id) => each(words, id, "names", "terms");

/** The words for a token, a die, a verb of the notation: a term, else a card's name, else the thing itself. */
export const termOf = (words, id) => each(words, id, "terms", "names");

/** The name of an event: what `words.sentences` knows it by. */
export const kindOf = (event) => event.event;

const counted = (words, counts) =>
  Object.entries(counts).filter(([, count]) => count).map(([what, count]) => `${count} ${termOf(words, what)}`).join(", ");

const fill = (words, names, event, field) => {
  const value = event[field];
  if (value === undefined || value === null) return "";
  if (SEAT_FIELDS.has(field) && Number.isInteger(value)) return names[value]?.name ?? String(value + 1);
  if (Array.isArray(value)) return value.map((one) => nameOf(words, one)).join(", ");
  if (typeof value === "object") {
    const grey = field === "price" && event.grey ? { grey: event.grey } : {};
    return counted(words, { ...value, ...grey }) || "0";
  }
  if (field === "sector") return String(value + 1);
  if (field === "stone") return words.terms[`stone-${value}`] ?? nameOf(words, value);
  if (field === "reason") return termOf(words, value).replace(/\.$/, "");
  return TERM_FIELDS.has(field) ? termOf(words, value) : nameOf(words, value);
};

// Told together, one line for several: what differs between them, and what must be the same.
const GATHERED = {
  rolled: { differ: /\{count\}.*\{die\}|\{die\}.*\{count\}/, same: ["ply", "seat"] },
  assigned: { differ: /\{die\}/, same: ["seat", "card"] },
};

/** Whether an event is told in the same line as the one before it. */
export const belongTogether = (one, two) =>
  kindOf(one) === kindOf(two) && Boolean(GATHERED[kindOf(one)]?.same.every((field) => one[field] === two[field]));

/** What events that belong together tell, as a sentence; empty where there is nothing to tell. */
export const sayAll = (words, names, events) => {
  const template = words.sentences[kindOf(events[0])];
  if (!template) return "";
  const filled = (text, event) => text.replace(/\{(\w+)\}/g, (_, field) => fill(words, names, event, field));
  const { differ } = GATHERED[kindOf(events[0])] ?? {};
  const gathered = differ ? template.replace(differ, (part) => events.map((event) => filled(part, event)).join(", ")) : template;
  const text = filled(gathered, events[0]);
  // A person is called as they call themselves, at the beginning of a sentence as inside it.
  const begins = /^\{(\w+)\}/.exec(template)?.[1];
  return SEAT_FIELDS.has(begins) ? text : text.charAt(0).toUpperCase() + text.slice(1);
};

export const say = (words, names, event) => sayAll(words, names, [event]);

/** A move's notation as a label for a button: every word of it that is known, in the page's language. */
export const moveLabel = (words, move) => {
  const text = termOf(words, move);
  return text.charAt(0).toUpperCase() + text.slice(1);
};
