"""The stored ratings are exactly those computed in memory from the results, in whatever order those came in."""

import random
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from leagues import tasks
from leagues.elo.result_types import START, FinishedTable, RatingKind, SeatResult
from leagues.models import RatedResult, Rating, RatingChange, RatingPool, Refold
from leagues.ratings import ledger, pending, recompute, site_bots
from leagues.ratings import queries as ratings_queries
from leagues.results import rating_sync
from tests.leagues.ratings import result_factories

GAME = "splendor-marvel"


@pytest.fixture
def people(db: None) -> list[int]:
    return crowd(8)


def crowd(count: int) -> list[int]:
    made = User.objects.bulk_create([User(handle=f"p{number}", password="!") for number in range(count)])
    return [user.pk for user in made]


def apply_all() -> None:
    for pool_id in pending.pools_with_pending_results():
        pending.apply_pending_results(pool_id=pool_id)


def check_exact() -> None:
    """Every stored number equals the one computed in memory, and a rebuild changes nothing."""
    bots = set(User.objects.filter(is_bot=True).values_list("pk", flat=True))
    for pool in RatingPool.objects.all():
        state, entries = result_factories.refolded(pool, bots, site_bots.earlier_versions())
        assert result_factories.stored(pool) == entries
        expected = {user: state.numbers_of(user) for user in state.numbers}
        assert result_factories.numbers(pool) == {user: now for user, now in expected.items() if now}
        assert result_factories.offsets(pool) == set(state.offsets())
        people = state.spread()
        assert (pool.entry, pool.centre, pool.spread) == (state.entry, people.centre, people.spread)
        assert pool.moments == state.moments()
        assert not pending.rebuild(pool_id=pool.pk).report.differs
    assert not pending.pools_with_pending_results()


def pair(first: int, second: int) -> list[SeatResult]:
    """Two seats; the first wins."""
    return [SeatResult(0, 1, first), SeatResult(1, 2, second)]


def record_game(number: int, first: int, second: int) -> RatedResult:
    at = result_factories.BEGIN + timedelta(minutes=number)
    return ledger.record(source=f"match:{number}", game=GAME, finished_at=at, seats=pair(first, second))


def ratings() -> dict[int, int]:
    return dict(Rating.objects.values_list("user_id", "rating"))


@pytest.mark.parametrize("window", [recompute.WINDOW, 25])
def test_one_by_one_is_all_at_once(people: list[int], window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a small window most recomputations start at the first result; else they restore the past."""
    monkeypatch.setattr(recompute, "WINDOW", window)
    rng = random.Random(window)
    for said in result_factories.season(120, people, window):
        result_factories.apply_call(said)
        if rng.random() < 0.25:
            apply_all()
    apply_all()
    assert RatedResult.objects.filter(version__gt=1).exists()
    check_exact()


class TestFacts:
    def test_recording_twice_is_recording_once(self, people: list[int]) -> None:
        assert record_game(1, *people[:2]).pk == record_game(1, *people[1:3]).pk
        apply_all()
        assert set(ratings()) == set(people[:2])

    def test_many_at_once_are_all_or_none(self, people: list[int]) -> None:
        tables = [FinishedTable(f"old:{n}", GAME, result_factories.BEGIN, pair(*people[n : n + 2])) for n in range(4)]
        with pytest.raises(ledger.NotRatable):
            ledger.record_all(
                tables=[*tables, FinishedTable("old:9", GAME, result_factories.BEGIN, pair(people[0], people[0]))]
            )
        assert not RatedResult.objects.exists()
        ledger.record_all(tables=tables[:2])
        ledger.record_all(tables=tables)
        apply_all()
        assert RatedResult.objects.count() == 4
        check_exact()

    def test_late_is_as_good_as_in_time(self, people: list[int]) -> None:
        ana, ben, cat = people[:3]
        for number in (1, 3, 2):
            record_game(number, *((ana, ben), (ben, cat), (cat, ana))[number - 1])
            apply_all()
        check_exact()
        assert RatingChange.objects.standing().get(result__source="match:3", user=cat).games == 1

    def test_a_correction_counts_from_then_on(self, people: list[int]) -> None:
        ana, ben, cat = people[:3]
        record_game(1, ana, ben)
        record_game(2, ana, cat)
        apply_all()
        before = ratings()
        ledger.correct(source="match:1", seats=pair(ben, ana), reason="misread the sheet")
        apply_all()
        check_exact()
        assert ratings()[ana] < before[ana]
        assert ratings()[cat] != before[cat]
        refold = Refold.objects.get()
        assert refold.sources == ["match:1"]
        assert (refold.results, refold.people) == (2, 3)
        assert refold.largest == max(abs(ratings()[who] - before[who]) for who in before)

    def test_what_was_void_never_happened(self, people: list[int]) -> None:
        ana, ben, cat = people[:3]
        record_game(1, ana, ben)
        apply_all()
        first = ratings()
        record_game(2, cat, ben)
        apply_all()
        assert ratings() != first
        ledger.void(source="match:2")
        ledger.void(source="match:2")
        apply_all()
        check_exact()
        assert ratings() == first
        assert RatedResult.objects.filter(source="match:2").count() == 2
        # The log still has what was believed for a while.
        assert RatingChange.objects.filter(result__source="match:2").count() == 2

    def test_what_was_void_can_come_back(self, people: list[int]) -> None:
        ana, ben = people[:2]
        record_game(1, ana, ben)
        ledger.void(source="match:1")
        apply_all()
        assert not ratings()
        ledger.correct(source="match:1", seats=pair(ben, ana))
        apply_all()
        assert ratings()[ben] > START > ratings()[ana]
        check_exact()

    def test_an_organiser_changes_the_ranks_of_a_live_table_and_not_who_sat_there(self, people: list[int]) -> None:
        ana, a_bots_account = people[:2]
        sat = [SeatResult(0, 1, ana), SeatResult(1, 2, bot_key="expert:1"), SeatResult(2, 3, bot_key="expert:1")]
        known = ledger.record(source="match:1", game=GAME, finished_at=result_factories.BEGIN, seats=sat)
        entered = [SeatResult(0, 3, ana), SeatResult(1, 1, a_bots_account), SeatResult(2, 2, a_bots_account)]
        now = ledger.correct(source="match:1", seats=rating_sync.with_actual_seats(entered, known))
        assert [seat[0] for seat in now.seats] == [seat[0] for seat in known.seats]
        assert [seat[1] for seat in now.seats] == [3, 1, 2]

    def test_what_is_right_already_stays_as_it_is(self, people: list[int]) -> None:
        right = record_game(1, *people[:2])
        apply_all()
        assert ledger.correct(source="match:1", seats=pair(*people[:2])) == right
        assert not pending.pools_with_pending_results()

    def test_nothing_to_void(self, people: list[int]) -> None:
        assert ledger.void(source="match:none") is None
        with pytest.raises(ledger.NotRatable):
            ledger.correct(source="match:none", seats=pair(*people[:2]))

    def test_what_cannot_be_rated_is_refused_and_nothing_is_written(self, people: list[int]) -> None:
        ana, ben = people[:2]
        bad = {
            "a seat alone": (GAME, [SeatResult(0, 1, ana)]),
            "somebody twice": (GAME, pair(ana, ana)),
            "nobody": (GAME, [SeatResult(0, 1, ana), SeatResult(1, 2)]),
            "a gap": (GAME, [SeatResult(0, 1, ana), SeatResult(2, 2, ben)]),
            "no rank": (GAME, [SeatResult(0, 0, ana), SeatResult(1, 2, ben)]),
            "no solo": ("infinity-gauntlet", pair(ana, ben)),
            "two solos": (
                "infinity-gauntlet",
                [SeatResult(0, 1, ana, role="thanos"), SeatResult(1, 2, ben, role="thanos")],
            ),
            "third of a team": ("thanos-rising", [SeatResult(0, 1, ana), SeatResult(1, 3, ben)]),
        }
        for why, (game, seats) in bad.items():
            with pytest.raises(ledger.NotRatable):
                ledger.record(source=f"bad:{why}", game=game, finished_at=result_factories.BEGIN, seats=seats)
        assert not RatedResult.objects.exists()
        assert not RatingPool.objects.exists()

    def test_the_log_is_only_appended_to(self, people: list[int]) -> None:
        with pytest.raises(TypeError):
            RatingChange.objects.all().delete()


class TestReading:
    @pytest.mark.parametrize("game", result_factories.GAMES)
    def test_a_stored_change_opens_to_its_sum(self, people: list[int], game: str) -> None:
        for said in result_factories.season(25, people, 5, [game]):
            result_factories.apply_call(said)
            apply_all()
        assert RatingChange.objects.exclude(superseded_by=None).exists()
        for change in RatingChange.objects.select_related("pool"):
            explained = ratings_queries.explanation(change)
            assert explained.me.user_id == change.user_id
            if not explained.me.is_anchored:
                assert sum(line.points for line in explained.meetings) == explained.rating.moved

    def test_scenarios_have_a_published_difficulty(self, people: list[int]) -> None:
        seats = [SeatResult(index, 2, user) for index, user in enumerate(people[:3])]
        ledger.record(
            source="m:1", game="thanos-rising", finished_at=result_factories.BEGIN, seats=seats, scenario="hero"
        )
        apply_all()
        pool = ratings_queries.pool_of("thanos-rising")
        assert pool is not None
        assert pool.kind is RatingKind.COOPERATIVE
        (hero,) = ratings_queries.offsets(pool)
        assert (hero.players, hero.name, hero.games) == (3, "hero", 1)
        assert hero.value > pool.seeds.get("3:hero", START)


class TestCost:
    def test_a_result_costs_the_same_however_long_the_history(self, people: list[int]) -> None:
        counts = []
        for number in range(1, 40):
            record_game(number, *people[:2])
            with CaptureQueriesContext(
                connection,
            ) as queries:
                apply_all()
            counts.append(len(queries))
        assert counts[-1] == counts[5] <= 23  # one of them looks for devices that want an alert


class TestRebuild:
    def test_damage_is_reported_and_put_right(self, people: list[int], capsys: pytest.CaptureFixture[str]) -> None:
        for number in range(6):
            record_game(number, *random.Random(number).sample(people, 2))
        apply_all()
        call_command("rebuild_ratings")
        assert "6 results, all ratings are correct" in capsys.readouterr().out
        before = ratings()
        Rating.objects.filter(user=RatingChange.objects.all()[0].user).update(
            rating=1, as_solo=1, as_team=1, took_people=0
        )
        RatingChange.objects.filter(result__source="match:3", seat=0).update(after=1)
        with pytest.raises(SystemExit) as ended:
            call_command("rebuild_ratings")
        assert ended.value.code == 1
        assert "corrected: 2 changes replaced" in capsys.readouterr().out
        assert ratings() == before
        check_exact()

    def test_the_nightly_check_corrects_too(self, people: list[int]) -> None:
        record_game(1, *people[:2])
        apply_all()
        before = ratings()
        Rating.objects.all().delete()
        tasks.check_ratings()
        assert ratings() == before

    def test_nothing_rated_is_no_error(self, db: None, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("rebuild_ratings")
        assert "Nothing has been rated" in capsys.readouterr().out
