// A game's words in the page's language: card names, log sentences, terms. They come from the server; nothing
// here knows a rule.

const SEAT_FIELDS = new Set(["seat", "loser", "winner", "target", "by", "from", "to", "owner", "other", "player"]);

export const loadWords = async (url) => (await fetch(url)).json();

/** The words for an id or a term: a card's name, a token, a verb; the thing itself where there are none. */
export const nameOf = (words, id) => words.names[id] ?? words.terms[id] ?? String(id);

const counted = (words, counts) =>
  Object.entries(counts).filter(([, count]) => count).map(([what, count]) => `${count} ${nameOf(words, what)}`).join(", ");

const fill = (words, names, event, field) => {
  const value = event[field];
  if (value === undefined || value === null) return "";
  if (SEAT_FIELDS.has(field) && Number.isInteger(value)) return names[value]?.name ?? String(value + 1);
  if (Array.isArray(value)) return value.map((one) => nameOf(words, one)).join(", ");
  if (typeof value === "object") {
    const grey = field === "price" && event.grey ? { grey: event.grey } : {};
    return counted(words, { ...value, ...grey }) || "0";
  }
  return nameOf(words, value);
};

/** What an event tells, as a sentence; empty where there is nothing to tell. */
export const say = (words, names, event) => {
  const template = words.sentences[event.event];
  if (!template) return "";
  const text = template.replace(/\{(\w+)\}/g, (_, field) => fill(words, names, event, field));
  return text.charAt(0).toUpperCase() + text.slice(1);
};

/** A move's notation as a label for a button: every word of it that is known, in the page's language. */
export const moveLabel = (words, move) => {
  const text = words.terms[move] ?? move.split(" ").map((word) => nameOf(words, word)).join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
};
