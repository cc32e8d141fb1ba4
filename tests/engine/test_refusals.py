"""What a refusal says: the choices that there are, and of what was sent no more than a few letters."""

import json

import pytest

import engine
from engine.kernel import MAX_NAMED
from tests.engine.random_play import TABLES, walk

JUNK = "x" * 5000
HUGE = 10**5000  # Python refuses to write this one down
tables = pytest.mark.parametrize(("name", "players"), TABLES)


@tables
@pytest.mark.parametrize("answer", [999, -1, "huge", JUNK, "take everything", None, 1.5])
def test_a_refused_answer_names_the_choices(name, players, answer):
    answer = HUGE if answer == "huge" else answer
    match = engine.game(name).start(players, "refused")
    for _ in walk(match, "refused"):
        if match.ply == 12:
            break
    legal = [match.notation(action) for action in match.legal()]
    with pytest.raises(engine.IllegalAction) as refused:
        match.play(answer)
    message = str(refused.value)
    assert all(move in message for move in legal[:MAX_NAMED])
    assert ("in all" in message) == (len(legal) > MAX_NAMED)
    assert "x" * 50 not in message
    assert len(message) < 1000
    if not isinstance(answer, str):
        assert all(f"{action} (" in message for action in match.legal()[:MAX_NAMED])


def test_a_seat_that_is_not_asked_is_told_so():
    match = engine.game("splendor-marvel").start(2, "refused")
    with pytest.raises(engine.IllegalAction, match="not this seat's decision"):
        match.play(0, 1)


@pytest.mark.parametrize(
    "mistake",
    [
        lambda: engine.game(JUNK),
        lambda: engine.game("splendor-marvel").start(HUGE, "seed"),
        lambda: engine.game("splendor-marvel").start(2, "seed", {JUNK: 1}),
        lambda: engine.game("splendor-marvel").start(2, "seed", {"points": HUGE}),
        lambda: engine.game("thanos-rising").start(2, "seed", {"preset": JUNK}),
        lambda: engine.game("thanos-rising").start(2, "seed", {"bases": JUNK}),
        lambda: engine.game("thanos-rising").start(2, "seed", {"card_set": json.dumps({JUNK: JUNK})}),
        lambda: engine.replay({JUNK: 1}),
        lambda: engine.replay(record(format=10**4000)),
        lambda: engine.replay(record(rules_version=10**4000)),
        lambda: engine.replay(record(moves=[[0, JUNK, "digest"]])),
        lambda: engine.replay(record(moves=[[10**4000, "take red", "digest"]])),
        lambda: engine.replay(record(extra={JUNK: 1})),
    ],
)
def test_junk_is_not_repeated_at_length(mistake):
    with pytest.raises(engine.EngineError) as refused:
        mistake()
    assert len(str(refused.value)) < 600
    assert "x" * 50 not in str(refused.value)
    assert "0" * 50 not in str(refused.value)


def record(extra=None, **changes):
    document = {
        "format": 1,
        "game": "splendor-marvel",
        "rules_version": engine.game("splendor-marvel").rules_version,
        "players": 2,
        "seed": "seed",
        "options": {},
        "moves": [],
    }
    return {**document, **changes, **(extra or {})}
