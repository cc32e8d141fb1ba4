"""The values refuse invalid input, and steps mean the same in every order."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from leagues.formats import reason_templates, reasons
from leagues.formats.errors import FormatError
from leagues.formats.points import COMMANDER, GROUP, MEEPLE, NORMAL, SIDES, points, unplayed
from leagues.formats.tiebreaks.registry import PARTS, PRESETS, parse
from leagues.formats.values import Bye, Entrant, History, Kind, Place, Round, Seat, Step, Table, TableState

TWO = (Seat(1, 1), Seat(2, 2))


@pytest.mark.parametrize(
    "nonsense",
    [
        lambda: Table(1, (Seat(1, 1), Seat(1, 2))),
        lambda: Table(1, (Seat(1, 1), Seat(2, 1))),
        lambda: Table(1, TWO, places=(Place(1),)),
        lambda: Table(1, TWO, state=TableState.CONFIRMED),
        lambda: Table(1, TWO, places=(Place(0), Place(1))),
        lambda: Table(1, TWO, places=(Place(1), Place(2, kind=Kind.HPB))),
        lambda: Bye(1, Kind.PLAYED),
        lambda: Round(1, (Table(1, TWO),), (Bye(1, Kind.HPB),)),
        lambda: Round(1, (Table(1, TWO), Table(1, (Seat(3, 1), Seat(4, 2))))),
        lambda: History("x", (Entrant(1, 1), Entrant(1, 2))),
        lambda: History("x", (Entrant(1, 1), Entrant(2, 1))),
        lambda: History("x", (Entrant(1, 1), Entrant(2, 2)), (Round(2),)),
        lambda: History("x", (Entrant(1, 1),), (Round(1, (Table(1, TWO),)),)),
        lambda: Entrant(1, 1, requests=((1, Kind.PAB),)),
    ],
)
def test_nonsense_is_refused(nonsense):
    with pytest.raises(FormatError) as caught:
        nonsense()
    assert str(caught.value) == reasons.render(caught.value.reason)


@pytest.mark.parametrize("steps", [*product(Step, repeat=1), *product(Step, repeat=2), *product(Step, repeat=3)])
@pytest.mark.parametrize("rounds", [(1, 2, 3), (2, 2, 2), (3, 1, 2), (1, 1, 4)])
def test_every_order_of_coming_and_going(steps, rounds):
    listed = tuple(zip(rounds, steps))
    lawful = steps == (Step.ENTER, Step.LEAVE, Step.RETURN)[: len(steps)]
    ordered = list(rounds[: len(steps)]) == sorted(rounds[: len(steps)])
    if not (lawful and ordered):
        with pytest.raises(FormatError):
            Entrant(1, 1, steps=listed)
        return
    entrant = Entrant(1, 1, steps=listed)
    for number in range(1, 7):
        done = [step for at, step in listed if at <= number]
        expected = Kind.NP if not done else Kind.WD if done[-1] is Step.LEAVE else None
        assert entrant.absence(number) is expected


def test_a_requested_bye_holds_only_while_entered():
    entrant = Entrant(1, 1, steps=((2, Step.ENTER), (4, Step.LEAVE)), requests=((1, Kind.HPB), (3, Kind.HPB)))
    assert [entrant.absence(number) for number in range(1, 5)] == [Kind.NP, None, Kind.HPB, Kind.WD]


def test_normal_points():
    assert points(NORMAL, (1, 2)) == (120, 0)
    assert points(NORMAL, (1, 1)) == (60, 60)
    # Three seats: (3 - r) / 2. Four: (4 - r) / 3; two level on second have average rank 2.5, so half a point.
    assert points(NORMAL, (1, 2, 3)) == (120, 60, 0)
    assert points(NORMAL, (2, 1, 2, 4)) == (60, 120, 60, 0)
    assert points(NORMAL, (1, 2, 3, 4, 5, 6)) == (120, 96, 72, 48, 24, 0)


def test_listed_points():
    assert points(MEEPLE, (1, 2, 3, 4)) == (1200, 720, 360, 120)
    # First shared by two: (10 + 6) / 2 = 8 each.
    assert points(MEEPLE, (1, 1, 3, 4)) == (960, 960, 360, 120)
    assert points(GROUP, (4, 3, 2, 1)) == (120, 360, 600, 720)
    assert points(COMMANDER, (1, 2, 2, 2)) == (600, 0, 0, 0)
    assert points(COMMANDER, (1, 1, 1, 1)) == (120, 120, 120, 120)
    assert points(SIDES, (2, 1, 1, 1)) == (0, 120, 120, 120)
    assert points(SIDES, (1, 2, 2, 2)) == (120, 0, 0, 0)
    with pytest.raises(FormatError, match="table of 6"):
        points(MEEPLE, (1, 2, 3, 4, 5, 6))


@given(st.lists(st.integers(1, 6), min_size=2, max_size=6))
def test_a_table_is_worth_the_same_however_it_is_tied(ranks):
    assert sum(points(NORMAL, tuple(ranks))) == 60 * len(ranks)
    shared = points(NORMAL, tuple(ranks))
    assert all((shared[a] > shared[b]) == (ranks[a] < ranks[b]) for a in range(len(ranks)) for b in range(len(ranks)))


def test_unplayed_points():
    assert {kind: unplayed(NORMAL, kind) for kind in Kind if kind is not Kind.PLAYED} == {
        Kind.PAB: 120,
        Kind.FPB: 120,
        Kind.FW: 120,
        Kind.HPB: 60,
        Kind.ZPB: 0,
        Kind.FL: 0,
        Kind.NP: 0,
        Kind.WD: 0,
    }


def test_a_reason_takes_exactly_what_its_sentence_needs():
    with pytest.raises(KeyError):
        reasons.reason("bye.HPB")
    with pytest.raises(KeyError):
        reasons.reason("bye.HPB", entrant=1, round=2)
    why = reasons.reason("bye.HPB", entrant=7)
    assert reasons.render(why, name={7: "Alice"}.__getitem__).startswith("Alice misses")
    decided = reasons.reason("place.tie-break", part="head-to-head")
    assert reasons.render(decided) == "Level on points: decided by the games between them."


def test_reasons_survive_storage():
    for why in (
        reasons.reason("swiss.level", score=Fraction(7, 3)),
        reasons.reason("bracket.path", first="W1-1", second="W1-2"),
        reasons.reason("place.shared"),
    ):
        assert reasons.from_json(json.loads(json.dumps(reasons.to_json(why)))) == why


@pytest.mark.parametrize(
    ("value", "read"), [("3", "3"), ("1/3", "0.33"), ("2/3", "0.67"), ("-7/2", "-3.50"), ("1/200", "0.01")]
)
def test_fractions_are_read_to_two_decimals(value, read):
    assert reasons.rounded(Fraction(value)) == read


def test_all_codes_are_used_and_none_is_missing():
    """Every reason is used somewhere, every tie-break has a name, and presets have only known tie-breaks."""
    from pathlib import Path

    import leagues

    source = "".join(
        path.read_text() for path in Path(leagues.__file__).parent.rglob("*.py") if path.name != "reason_templates.py"
    )
    kinds = {f"bye.{kind.name}" for kind in Kind}
    unused = [
        code
        for code in (*reason_templates.WORDS, *reason_templates.ERRORS)
        if f'"{code}"' not in source and code not in kinds
    ]
    assert unused == []
    assert all(part.title and part.short for part in PARTS.values())
    for codes in PRESETS.values():
        assert [part.code for part in parse(codes)] == list(codes)
    with pytest.raises(FormatError):
        parse(["lot", "lot"])
    with pytest.raises(FormatError):
        parse(["luck"])


def test_replacing_keeps_the_checks():
    with pytest.raises(FormatError):
        replace(Table(1, TWO), places=(Place(1),))
