"""Tournaments and balance runs: fair line-ups, the same result every time, and numbers that mean what they say."""

import json

import pytest

import engine
from engine import balance
from engine.__main__ import main
from engine.bots import Budget, level_of
from engine.tournament import Table, crosstable, elo, entrants, line_ups, tournament, wilson
from tests.engine.random_play import TABLES

GAME = "splendor-marvel"


def report(capsys, *arguments):
    assert main([*arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_a_fixed_budget_gives_the_same_table_whatever_the_number_of_processes(capsys):
    command = ["arena", "infinity-gauntlet", "--bots", "expert@2,regular,rookie", "--games", "6", "--seed", "1"]
    one, two = (report(capsys, *command, "--jobs", jobs) for jobs in ("1", "2"))
    for timing in ("seconds_per_move", "slowest_move"):
        assert set(one.pop(timing)) == set(two.pop(timing)) == {"expert@2", "regular", "rookie"}
    assert one == two
    assert one["matches"] == 6
    assert len(one["duels"]) == 6  # each of three against each


def test_people_get_shares_intervals_elo_and_time(capsys):
    main(["arena", GAME, "--bots", "regular,rookie", "--games", "4", "--seed", "1", "--jobs", "1"])
    output = capsys.readouterr().out
    for part in ("v regular", "v rookie", "100.0% (51.0%-100.0%, 4)", "wins", "Elo", "±", "ms a move", "slowest"):
        assert part in output


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_every_bot_sits_in_every_seat_and_role(name, players):
    game, bots = engine.game(name), entrants(name, ["regular", "rookie"])
    seatings = line_ups(game, players, bots)
    for seat in range(players):
        assert {seating[seat] for seating in seatings} == set(bots)
    for one in bots:  # as often as the other: neither has more of the better seats
        assert sum(seating.count(one) for seating in seatings) == players * len(seatings) / 2


def test_line_ups_share_their_deals():
    bots = entrants(GAME, ["regular", "rookie"])
    played = list(tournament(GAME, 2, bots, 4, "deals", 1, {}))
    assert [match.pairing.deal for match in played] == ["deals 0", "deals 0", "deals 1", "deals 1"]
    table = crosstable(engine.game(GAME), bots, played)
    assert (table.duels["regular", "rookie"].won, table.duels["rookie", "regular"].won) == (4, 0)


def test_where_all_win_together_the_better_result_of_a_deal_wins_its_duel():
    """A win before a loss, and among losses the one that came further."""
    game, bots = "thanos-rising", entrants("thanos-rising", ["regular", "rookie"])
    played = list(tournament(game, 2, bots, 8, "2", 1, {"preset": "hero"}))
    table, scores = crosstable(engine.game(game), bots, played), []
    for mine, theirs in zip(played[::2], played[1::2], strict=True):
        assert mine.pairing.deal == theirs.pairing.deal
        first, second = ((bool(each.winners), each.grade) for each in (mine, theirs))
        scores.append(0.5 if first == second else float(first > second))
    assert not all(each.winners for each in played[::2])  # so that a loss was compared with a loss
    assert table.duels["regular", "rookie"].games == 4
    assert table.duels["regular", "rookie"].won == sum(scores) > 0


def test_a_level_of_the_ladder_has_its_iterations_a_turn_whatever_the_machine():
    budget = level_of("splendor-marvel", "titan").budget
    one, other = entrants("splendor-marvel", ["titan", "titan@50"])
    assert one.budget == Budget(iterations=budget.iterations, share=budget.share)
    assert other.budget == Budget(iterations=50, share=budget.share)


def test_the_interval_is_wilsons():
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(50, 100) == pytest.approx((0.4038, 0.5962), abs=1e-4)
    assert wilson(20, 20) == pytest.approx((0.8389, 1.0), abs=1e-4)


def test_elo_of_three_wins_in_four_is_a_hundred_and_ninety_apart():
    table = Table(["a", "b"])
    for number in range(1000):
        table.duel("a", "b", float(number % 4 > 0))
    ratings = elo(table)
    assert ratings["a"][0] - ratings["b"][0] == pytest.approx(190.8, abs=0.5)
    assert ratings["a"][0] == pytest.approx(-ratings["b"][0])
    assert 20 < ratings["a"][1] < 30


# -- balance


@pytest.mark.parametrize("name", engine.GAMES)
def test_the_record_covers_every_table(name):
    """What the ratings read: shares of roles, of seats, or of each preset where all win together."""
    game, recorded = engine.game(name), balance.recorded(name)
    assert set(recorded) == set(game.players)
    for players, row in recorded.items():
        assert row["matches"] >= 400
        if game.cooperative:
            preset = next(option for option in game.options if option.name == "preset")
            assert set(row["preset"]) == set(preset.choices)
            assert all(0 <= share <= 1 for share in row["preset"].values())
        elif len(set(game.roles(players))) > 1:
            assert set(row["roles"]) == set(game.roles(players))
            assert sum(row["roles"].values()) == pytest.approx(1, abs=0.001)
        else:
            assert len(row["seats"]) == players
            assert sum(row["seats"]) == pytest.approx(1, abs=0.02)


def test_a_run_is_recorded_beside_what_was_there(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(balance, "RECORD", tmp_path / "balance.json")
    balance.RECORD.write_text('{"infinity-gauntlet": {"2": {"matches": 1}, "3": {"matches": 2}}}')
    main(
        ["balance", "infinity-gauntlet", "--bot", "rookie", "--players", "2", "--games", "5", "--jobs", "1", "--record"]
    )
    kept = balance.recorded("infinity-gauntlet")
    assert kept[3] == {"matches": 2}
    assert kept[2]["matches"] == 5
    assert sum(kept[2]["roles"].values()) == pytest.approx(1)
    assert "thanos" in capsys.readouterr().out
