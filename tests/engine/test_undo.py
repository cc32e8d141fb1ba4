"""Taking back: within the own turn only, never while the match waits for another seat, never after the end."""

import json

import pytest

import engine
from engine.rng import stream
from engine.transcript import dumps
from tests.engine.random_play import MAX_MOVES, TABLES

tables = pytest.mark.parametrize(("name", "players"), TABLES)

OLDER_RECORD = {
    "format": 1,
    "game": "infinity-gauntlet",
    "rules_version": 1,
    "players": 4,
    "seed": "older 0",
    "options": {"heroes_life": None, "thanos_life": None},
    "moves": [
        [0, "play mind-stone", "41b88e49"],
        [0, "guess 1", "4ed4e266"],
        [1, "play hulk", "fcab8884"],
        [1, "hold", "aae5e0a0"],
        [2, "play black-panther", "0586fe93"],
        [2, "power 1", "0de0725a"],
        [3, "play ant-man-wasp", "00ecd675"],
        [3, "peek 2", "eea62900"],
        [0, "play proxima-midnight", "55c4a520"],
        [1, "play captain-marvel", "dbd2a44a"],
        [1, "send 2", "fe8e9f83"],
        [1, "undo", "dbd2a44a"],
        [1, "send 2", "fe8e9f83"],
        [1, "undo", "dbd2a44a"],
        [1, "send 3", "e91f854a"],
    ],
}
"""Recorded by the engine of 16 November 2026: seat 1 took back what seat 2 was already asked about."""


def public_turn(match):
    """Whose turn it is, as everybody at the table sees it: read from the view alone."""
    table = match.view(None)["table"]
    if match.game.name == "splendor-marvel":
        return (match.to_act, table["round"])
    if match.game.name == "infinity-gauntlet":
        return (table["turn"], table["turns_left"])
    return (table["active"], table["turn"])


class Oracle:
    """Which answers may be taken back, worked out from what was seen happen rather than from the engine's own list."""

    def __init__(self, match):
        self.match = match
        self.answers = []  # (seat, turn) of each that may still be taken back

    def played(self, seat, turn, luck):
        if self.answers and self.answers[-1][0] != seat:
            self.answers.clear()
        self.answers.append((seat, turn))
        if self.match.state.luck != luck or self.match.to_act != seat or public_turn(self.match) != turn:
            self.answers.clear()

    def can_undo(self, seat):
        return bool(self.answers) and self.answers[-1][0] == seat and not self.match.state.over


@tables
def test_undo_ends_with_the_turn_and_with_the_match(name, players):
    """Random play with random take-backs, beside an oracle that reads the turn from the view."""
    taken_back = 0
    for number in range(2):
        match, rng = engine.game(name).start(players, f"undo {number}"), stream(f"undo {number} {name}", "walk")
        oracle = Oracle(match)
        for _ in range(MAX_MOVES):
            assert [match.can_undo(seat) for seat in range(players)] == [oracle.can_undo(s) for s in range(players)]
            waiting = match.to_act
            if waiting is None:
                break
            if match.can_undo(waiting) and rng.below(3) == 0:
                turns = match.turns
                match.undo(waiting)
                oracle.answers.pop()
                taken_back += 1
                assert (match.to_act, match.turns) == (waiting, turns)
                continue
            asides = [seat for seat in range(players) if seat != waiting and match.legal(seat)]
            seat = asides[rng.below(len(asides))] if asides and rng.below(4) == 0 else waiting
            turn, luck, legal = public_turn(match), match.state.luck, match.legal(seat)
            match.play(legal[rng.below(len(legal))], seat)
            oracle.played(seat, turn, luck)
        assert match.outcome is not None
        before = match.hash()
        for seat in range(players):
            with pytest.raises(engine.IllegalAction, match="nothing to take back"):
                match.undo(seat)
        assert match.hash() == before
        assert engine.replay(json.loads(dumps(match))).turns == match.turns
    assert taken_back


@tables
def test_finished_turns_are_counted_for_their_owner(name, players):
    match, rng = engine.game(name).start(players, "turns"), stream("turns", "walk")
    seen, turn = [0] * players, public_turn(match)
    while match.to_act is not None:
        if public_turn(match) != turn:
            seen[turn[0]] += 1
            turn = public_turn(match)
        assert list(match.turns) == seen
        legal = match.legal()
        match.play(legal[rng.below(len(legal))])
    seen[turn[0]] += 1
    assert list(match.turns) == seen
    assert min(seen) > 0


def test_choosing_a_base_is_no_turn():
    match = engine.game("thanos-rising").start(3, "bases", {"bases": "choose"})
    for _ in range(3):
        assert match.view(None)["table"]["question"] == "choose-base"
        seat = match.to_act
        match.play(match.legal()[0])
        assert not match.can_undo(seat)
    assert match.turns == (0, 0, 0)


def test_who_was_asked_meanwhile_cannot_be_unasked():
    match = engine.replay({**OLDER_RECORD, "moves": OLDER_RECORD["moves"][:10]})
    match.play("send 2", 1)
    assert match.to_act == 2
    assert not match.can_undo(1)
    with pytest.raises(engine.IllegalAction):
        match.undo(1)


def test_a_record_from_before_that_rule_still_replays():
    match = engine.replay(OLDER_RECORD)
    assert match.ply == len(OLDER_RECORD["moves"])
    assert match.to_act == 3
    assert match.turns == (2, 1, 1, 1)


def test_a_record_cannot_take_back_more_than_was_ever_possible():
    broken = {**OLDER_RECORD, "moves": [*OLDER_RECORD["moves"][:2], [0, "undo", "41b88e49"]]}
    with pytest.raises(engine.TranscriptError, match="nothing to take back"):
        engine.replay(broken)
