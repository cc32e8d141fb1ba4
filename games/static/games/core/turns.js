// Events in turns: for the log, and for the strip that says what the others did.

// Where a game tells by an event that a turn begins, only that begins one: what others suffer belongs to it.
const BEGINNINGS = new Set(["deployed", "played"]);
const ALSO_BEGINS = new Set(["passed"]);

/** @typedef {{ seat: number | null, events: Page.Event[] }} Turn */

/**
 * Whether an event begins a turn, in a game with these sentences.
 * @param {Page.Event} event
 * @param {number | null} current whose turn it was until now
 * @param {Record<string, string>} sentences
 */
export const beginsTurn = (event, current, sentences) => {
  if (event.seat === undefined) return false;
  if (!Object.keys(sentences).some((kind) => BEGINNINGS.has(kind))) return event.seat !== current;
  return BEGINNINGS.has(event.event) || (ALSO_BEGINS.has(event.event) && event.seat !== current);
};

/**
 * @param {Page.Event[]} events
 * @param {Record<string, string>} sentences
 * @returns {Turn[]}
 */
export const turnsOf = (events, sentences) => {
  /** @type {Turn[]} */
  const turns = [];
  for (const event of events) {
    const last = turns.at(-1);
    const begins = beginsTurn(event, last?.seat ?? null, sentences);
    // What comes before the first turn, such as who begins, is nobody's.
    if (!last || begins) turns.push({ seat: begins ? event.seat ?? null : null, events: [event] });
    else last.events.push(event);
  }
  return turns;
};

/**
 * The turns of the others since this seat's last one; a spectator's last round, one turn a seat.
 * @param {Turn[]} turns
 * @param {number | null} seat
 * @param {number} players
 */
export const sinceOwnTurn = (turns, seat, players) => {
  const own = seat === null ? -1 : turns.findLastIndex((turn) => turn.seat === seat);
  // In the own turn: what came before it. What happened in the own turn itself is on the table.
  const end = own === turns.length - 1 && own >= 0 ? own : turns.length;
  const before = turns.slice(0, end).findLastIndex((turn) => turn.seat === seat);
  return turns.slice(Math.max(seat === null ? end - players : before + 1, 0), end).filter((turn) => turn.seat !== null);
};
