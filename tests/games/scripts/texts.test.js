import assert from "node:assert/strict";
import { test } from "node:test";

import { belongTogether, countOf, moveLabel, reasonText, say, sayAll } from "../../../games/static/games/core/texts.js";

// As a language has them that declines: the phrase of a die is the object of its sentence.
const POLISH = {
  names: { hawkeye: "Hawkeye", red: "Kamień Rzeczywistości", thor: "Thor" },
  terms: {
    red: "czerwona",
    battle: "walka",
    "double-battle": "podwójna walka",
    "die-red": "czerwoną",
    "red battle": "czerwoną kość (walka)",
    "red double-battle": "czerwoną kość (podwójna walka)",
    "take red": "Weź czerwoną kość",
    take: "Weź",
    "re-roll": "Przerzuć",
    "on {card}": "na kartę {card}",
    "on {stone}": "na Kamień {stone}",
    "stone-red": "Rzeczywistości",
    clear: "Usuń znacznik:",
    "clear {stone}": "Usuń znacznik z Kamienia {stone}",
    heal: "leczenie",
    "heal {card}": "Ulecz kartę {card}",
    play: "Zagraj",
    "play {token}": "Zagraj żeton „{token}”",
    fight: "Walcz",
    "fight {player}": "Walcz z graczem {player}",
    use: "Użyj",
    "use {card}": "Użyj karty {card}",
  },
  sentences: {
    assigned: "{seat} kładzie {die} na kartę {card}.",
    "die-lost": "{seat} traci {colour} kość.",
  },
};
const PEOPLE = [{ name: "Ola" }];

test("a die is said as one phrase, with its colour as its sentence needs it", () => {
  const put = (die) => ({ event: "assigned", seat: 0, die, card: "hawkeye" });
  assert.equal(say(POLISH, PEOPLE, put("red battle")), "Ola kładzie czerwoną kość (walka) na kartę Hawkeye.");
  assert.equal(
    sayAll(POLISH, PEOPLE, [put("red battle"), put("red double-battle")]),
    "Ola kładzie czerwoną kość (walka), czerwoną kość (podwójna walka) na kartę Hawkeye.",
  );
  assert.equal(say(POLISH, PEOPLE, { event: "die-lost", seat: 0, colour: "red" }), "Ola traci czerwoną kość.");
});

test("the tokens of a turn are told in one line, and heaps of another game are not", () => {
  const words = { names: {}, terms: { red: "red", blue: "blue" }, sentences: { took: "{seat} takes from the supply: {token}." } };
  const took = (token, seat = 0) => ({ event: "took", seat, token });
  assert.ok(belongTogether(took("red"), took("blue")));
  assert.ok(!belongTogether(took("red"), took("red", 1)));
  assert.equal(sayAll(words, PEOPLE, [took("red"), took("red"), took("blue")]), "Ola takes from the supply: red, red, blue.");
  assert.ok(!belongTogether({ event: "took", seat: 0, heap: 1 }, { event: "took", seat: 0, heap: 2 }));
});

test("a name that ends in a full stop ends its sentence", () => {
  const words = { names: { modok: "M.O.D.O.K." }, terms: {}, sentences: { recruited: "{seat} recruits {card}." } };
  assert.equal(say(words, PEOPLE, { event: "recruited", seat: 0, card: "modok" }), "Ola recruits M.O.D.O.K.");
});

test("a move is said as one sentence where the language has one for it", () => {
  assert.equal(moveLabel(POLISH, "use hawkeye"), "Użyj karty Hawkeye");
  assert.equal(moveLabel(POLISH, "re-roll red battle"), "Przerzuć czerwoną kość (walka)");
  assert.equal(moveLabel(POLISH, "take red"), "Weź czerwoną kość");
  assert.equal(moveLabel(POLISH, "red battle on hawkeye"), "Czerwoną kość (walka) na kartę Hawkeye");
});

test("what a move is done with has the form that its verb needs", () => {
  assert.equal(moveLabel(POLISH, "clear red"), "Usuń znacznik z Kamienia Rzeczywistości");
  assert.equal(moveLabel(POLISH, "heal thor"), "Ulecz kartę Thor");
  assert.equal(moveLabel(POLISH, "play heal on thor"), "Zagraj żeton „leczenie” na kartę Thor");
  assert.equal(moveLabel(POLISH, "play heal on red"), "Zagraj żeton „leczenie” na Kamień Rzeczywistości");
  assert.equal(moveLabel(POLISH, "fight"), "Walcz");
  assert.equal(moveLabel(POLISH, "fight 0", PEOPLE), "Walcz z graczem Ola");
  assert.equal(moveLabel(POLISH, "fight 0"), "Walcz 0");
});

test("without such a sentence each word is said by itself", () => {
  const plain = { ...POLISH, terms: { use: "Use", red: "red", battle: "battle", take: "Take" } };
  assert.equal(moveLabel(plain, "use hawkeye"), "Use Hawkeye");
  assert.equal(moveLabel(plain, "take red"), "Take red");
});

test("a count and its colour are said as the language says them", () => {
  const polish = { ...POLISH, terms: { ...POLISH.terms, counted: "{count} × {what}" }, reasons: { short: "Brakuje: {short}." } };
  assert.equal(countOf(polish, 3, "red"), "3 × czerwona");
  assert.equal(reasonText(polish, { code: "short", short: { red: 2, battle: 0 } }), "Brakuje: 2 × czerwona.");
  assert.equal(countOf(POLISH, 3, "red"), "3 czerwona");
});
