"""Past results from a file: closed rounds, standings as they were, ratings by date."""

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.infra.errors import Refused
from leagues.elo.result_types import SeatResult
from leagues.entries import registration, strength
from leagues.import_export import exports, results_import, uploads
from leagues.import_export.values import Plan
from leagues.models import Bye, Division, Entrant, EntrantStep, Pairing, RatedResult, Rating, Result, Round, Season
from leagues.ratings import ledger, pending
from leagues.rounds import draw
from leagues.seasons import setup
from leagues.standings import ranking, snapshots
from tests.factories import create_user, draft_season, enter, next_round, stage_of

HEADER = "date,round,table,name,place,score\n"
EVENING = HEADER + (
    "2024-03-05,1,1,Ada,1,15\n2024-03-05,1,1,Bea,2,9\n2024-03-05,1,2,Cid,1,17\n2024-03-05,1,2,Dan,2,12\n"
    "12.03.2024,2,1,Ada,,16\n12.03.2024,2,1,Cid,,11\n12/03/2024 20:30,2,2,Bea,2,\n12/03/2024 20:30,2,2,Eve,1,\n"
)


@pytest.fixture
def season(league, alice) -> Season:
    return draft_season(league, alice, "swiss")


def uploaded(actor, season, text, division=None):
    return uploads.store_spreadsheet(
        actor=actor, season=season, kind="results", content=text.encode(), division=division
    )


def imported(actor, season, text, good=False):
    upload = uploaded(actor, season, text)
    return uploads.confirm(actor=actor, upload=upload, seen=uploads.plan_of(upload).seal, good=good)


def with_accounts(season, actor, *names):
    """Enter people with accounts: guests move no rating."""
    people = [create_user(name.lower(), display_name=name) for name in names]
    enter(season.divisions.get(), actor, *people)
    return people


def order(season) -> list[tuple[str, int]]:
    names = {each.pk: each.name for each in Entrant.objects.named()}
    return [(names[row.entrant], row.score) for row in ranking.ranking(stage_of(season))]


def test_an_evening_of_long_ago(season, alice):
    imported(alice, season, EVENING)
    season.refresh_from_db()
    assert season.is_running
    assert [(each.number, each.status) for each in Round.objects.order_by("number")] == [(1, "closed"), (2, "closed")]
    assert [name for name, _score in order(season)][:1] == ["Ada"]
    assert dict(order(season)) == {"Ada": 240, "Bea": 0, "Cid": 120, "Dan": 0, "Eve": 120}
    assert [(each.entrant.name, each.kind) for each in Bye.objects.all()] == [("Dan", "ZPB")]
    assert [(each.entrant.name, each.round, each.step) for each in EntrantStep.objects.all()] == [("Eve", 2, "enter")]
    assert [place["rank"] for place in Result.objects.get(pairing__round__number=2, pairing__number=1).places] == [1, 2]
    assert snapshots.stored_rows(stage_of(season), 1)
    assert next_round(alice, stage_of(season)).number == 3


def test_ratings_follow_the_dates(season, alice, league):
    """A game of today, imported before older ones, is rated after them."""
    people = with_accounts(season, alice, "Ada", "Bea", "Cid", "Dan", "Eve")
    imported(alice, season, EVENING)
    assert RatedResult.objects.count() == 4
    assert RatedResult.objects.order_by("finished_at")[0].finished_at == datetime(2024, 3, 5, 12, 1, tzinfo=UTC)
    pool = ledger.pool_for(league.game)
    pending.apply_pending_results(pool_id=pool.pk)
    at_once = {row.user.name: row.rating for row in Rating.objects.select_related("user")}
    again = draft_season(league, alice, "swiss")
    enter(again.divisions.get(), alice, *people[:2])
    ada = Entrant.objects.get(season=season, user__display_name="Ada").user
    ledger.record(
        source="pairing:now",
        game=league.game,
        finished_at=datetime(2025, 1, 1, tzinfo=UTC),
        seats=[SeatResult(0, 1, alice.pk), SeatResult(1, 2, ada.pk)],
    )
    pending.apply_pending_results(pool_id=pool.pk)
    imported(alice, again, HEADER + "2023-05-01,1,1,Ada,2,\n2023-05-01,1,1,Bea,1,\n")
    pending.apply_pending_results(pool_id=pool.pk)
    assert pending.rebuild(pool_id=pool.pk).report.differs is False
    now = {row.user.name: row.rating for row in Rating.objects.select_related("user")}
    assert set(now) == {*at_once, "Alice A."}
    assert now["Bea"] > at_once["Bea"]
    assert Entrant.objects.get(season=again, user=ada)


@pytest.mark.parametrize(
    ("line", "column", "reason"),
    [
        ("2024-03-05,1,3,Eve,1,\n", "table", "2 to 4 players, this one has 1"),
        ("2024-03-05,1,1,Eve,1,\n2024-03-05,1,1,Fay,3,\n2024-03-05,1,1,Gus,9,\n", "table", "has 5"),
        ("2024-03-05,1,x,Eve,1,\n", "table", "whole number"),
        ("2024-03-05,0,3,Eve,1,\n", "round", "whole number"),
        ("2024-03-05,1,3,Ada,1,\n", "name", "in this round already, in line 2"),
        ("2024-03-05,1,3,,1,\n", "name", "Say who played"),
        ("2024-03-05,1,3,Eve,first,\n", "place", "whole number"),
        ("2024-03-05,1,3,Eve,1,9e9\n", "score", "whole number"),
        ("5 March,1,3,Eve,1,\n", "date", "2026-03-25"),
        ("2199-03-05,1,3,Eve,1,\n", "date", "date in the past"),
        (",1,3,Eve,1,\n,1,3,Fay,2,\n", "date", "Say when"),
        ("2024-03-05,1,3,Eve,1,\n2024-03-06,1,3,Fay,2,\n", "date", "the same date"),
        ("2024-03-05,1,3,Eve,1,\n2024-03-05,1,3,Fay,3,\n", "place", "fit together"),
        ("2024-03-05,1,3,Eve,,\n2024-03-05,1,3,Fay,,3\n", "place", "every player"),
    ],
)
def test_broken_lines_break_their_table_alone(season, alice, line, column, reason):
    text = HEADER + "2024-03-05,1,1,Ada,1,15\n2024-03-05,1,1,Bea,2,9\n2024-03-05,1,2,Cid,1,\n2024-03-05,1,2,Dan,2,\n"
    upload = uploaded(alice, season, text + line)
    plan = uploads.plan_of(upload)
    # Correct lines at broken tables are counted separately from broken lines.
    whole = {"table": 4 if "has 5" in reason else 0, "date": 1, "place": 1}.get(column, 0)
    assert plan.left_out == (whole if line.count("\n") > 1 else 0)
    assert [each.column for each in plan.problems] == [column]
    assert reason in plan.problems[0].reason
    with pytest.raises(Refused, match="nothing was imported"):
        uploads.confirm(actor=alice, upload=upload, seen=plan.seal)
    assert not Round.objects.exists()
    assert not Entrant.objects.exists()
    uploads.confirm(actor=alice, upload=upload, seen=plan.seal, good=True)
    assert Pairing.objects.count() == (1 if "has 5" in reason else 2)
    assert not Entrant.objects.filter(user__display_name__in=["Eve", "Fay"]).exists()


def test_rounds_without_a_gap(season, alice):
    upload = uploaded(alice, season, HEADER + "2024-03-05,2,1,Ada,1,\n2024-03-05,2,1,Bea,2,\n")
    plan = uploads.plan_of(upload)
    assert "Round 1" in plan.faults[0]
    with pytest.raises(Refused, match="contains nothing"):
        uploads.confirm(actor=alice, upload=upload, seen=plan.seal, good=True)


def test_where_past_results_do_not_fit(league, alice, season):
    knock_out = draft_season(league, alice, "single-elimination")
    assert "not into" in uploads.plan_of(uploaded(alice, knock_out, EVENING)).faults[0]
    imported(alice, season, EVENING)
    assert "has rounds already" in uploads.plan_of(uploaded(alice, season, EVENING)).faults[0]


def test_byes_forfeits_and_seats(season, alice):
    text = "date,round,table,seat,player,place,kind\n2024-03-05,1,1,2,Ada,,\n2024-03-05,1,1,1,Bea,,FL\n,1,,,Cid,,bye\n"
    imported(alice, season, text)
    seats = [(seat.entrant.name, seat.absent) for seat in Pairing.objects.get().seats.order_by("index")]
    assert seats == [("Bea", True), ("Ada", False)]
    result = Result.objects.get()
    assert result.source == "forfeit"
    assert [place["kind"] for place in result.places] == ["FL", "FW"]
    assert [(bye.entrant.name, bye.kind) for bye in Bye.objects.all()] == [("Cid", "PAB")]
    assert dict(order(season)) == {"Ada": 120, "Bea": 0, "Cid": 120}
    assert not RatedResult.objects.exists()


def test_divisions_by_name(league, alice):
    season = draft_season(league, alice, "swiss", divisions=2)
    text = "division,date,round,table,name,place\n" + "".join(
        f"Division {level},2024-03-05,1,1,{name}{level},{place}\n"
        for level in (1, 2)
        for place, name in enumerate(["A", "B"], 1)
    )
    imported(alice, season, text)
    assert sorted(Entrant.objects.values_list("division__level", "user__display_name")) == [
        (1, "A1"), (1, "B1"), (2, "A2"), (2, "B2"),
    ]  # fmt: skip
    other = draft_season(league, alice, "swiss", divisions=2)
    plan = uploads.plan_of(
        uploaded(alice, other, text + "Division 3,2024-03-05,1,1,X,1\nDivision 2,2024-03-05,1,2,A1,1\n")
    )
    assert ["no division of this name" in plan.problems[0].reason, "another division" in plan.problems[1].reason] == [
        True,
        True,
    ]


@pytest.mark.parametrize(
    ("game", "format", "points", "rows"),
    [
        ("infinity-gauntlet", "one-vs-many", "sides", "Ada,thanos,1\n1,1,Bea,hero,2\n1,1,Cid,hero,2\n"),
        ("thanos-rising", "rotating-teams", "normal", "Ada,,1\n1,1,Bea,,1\n1,1,Cid,,1\n"),
    ],
)
def test_games_with_sides_and_teams(club, alice, game, format, points, rows):
    league = setup.create_league(actor=alice, club=club, name=game, game=game)
    season = draft_season(league, alice, format, points=points)
    with_accounts(season, alice, "Ada", "Bea", "Cid")
    text = "date,round,table,name,role,place\n" + "".join(
        f"2024-03-05,{line}\n" for line in f"1,1,{rows}".strip().split("\n")
    )
    imported(alice, season, text)
    rated = RatedResult.objects.get()
    assert [seat[1] for seat in rated.seats] == ([1, 2, 2] if points == "sides" else [1, 1, 1])
    assert strength.of_people(game, {seat[0] for seat in rated.seats}) is not None


def test_our_own_results_come_back(league, season, alice):
    """A CSV export can be imported again: the same standings in another season."""
    imported(alice, season, EVENING)
    text = exports.as_csv(exports.rows("results", season))
    again = draft_season(league, alice, "swiss")
    imported(alice, again, text)
    assert order(again) == order(season)
    assert exports.as_csv(exports.rows("results", again)) == text


def test_dying_in_the_middle_leaves_the_league_as_it_was(season, alice, monkeypatch):
    upload = uploaded(alice, season, EVENING)
    seen = uploads.plan_of(upload).seal

    def dies(**known):
        raise RuntimeError("the plug was pulled")

    monkeypatch.setattr("leagues.results.rating_sync.record_past", dies)
    with pytest.raises(RuntimeError):
        uploads.confirm(actor=alice, upload=upload, seen=seen)
    season.refresh_from_db()
    assert not season.has_begun
    assert not (Round.objects.exists())
    assert not (Entrant.objects.exists())
    assert not (Pairing.objects.exists())


def test_as_many_queries_for_many_tables_as_for_few(league, alice):
    def counted(tables: int) -> int:
        season = draft_season(league, alice, "swiss")
        division = Division.objects.get(season=season)
        for at in range(12):
            registration.add_guest(actor=alice, division=division, name=f"P{at}")
        draw.start(actor=alice, season=season)
        lines = [
            f"2024-03-05,{number},{table},P{2 * table - 2 + at},{at + 1},\n"
            for number in (1, 2, 3)
            for table in range(1, tables + 1)
            for at in (0, 1)
        ]
        plan = uploads.plan_of(uploaded(alice, season, HEADER + "".join(lines)))
        assert isinstance(plan, Plan)
        with CaptureQueriesContext(connection) as queries:
            assert len(results_import.import_results(actor=alice, season=season, plan=plan)) == 3
        return len(queries)

    ledger.pool_for(league.game)
    assert counted(2) == counted(6)
