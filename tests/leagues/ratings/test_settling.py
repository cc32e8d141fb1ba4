"""The database's ratings are exactly what the pure fold makes of the facts, however those came in."""

import random
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from leagues import rated, tasks
from leagues.models import RatedResult, Rating, RatingChange, RatingPool, Refold
from leagues.ratings import folding, housebots, ledger, read, settling
from leagues.ratings.kinds import SOLO, START, Ended, Kind, SeatResult
from tests.leagues.ratings import seasons

GAME = "splendor-marvel"


@pytest.fixture
def people(db: None) -> list[int]:
    return crowd(8)


def crowd(count: int) -> list[int]:
    made = User.objects.bulk_create([User(handle=f"p{number}", password="!") for number in range(count)])
    return [user.pk for user in made]


def settle_all() -> None:
    for pool_id in settling.unsettled_pools():
        settling.settle(pool_id=pool_id)


def check_exact() -> None:
    """Every stored number is the pure fold's, and a rebuild finds nothing to do."""
    bots = set(User.objects.filter(is_bot=True).values_list("pk", flat=True))
    for pool in RatingPool.objects.all():
        book, entries = seasons.refolded(pool, bots, housebots.forebears())
        assert seasons.stored(pool) == entries
        expected = {user: book.standing(user) for user in book.numbers}
        assert seasons.numbers(pool) == {user: now for user, now in expected.items() if now}
        assert seasons.offsets(pool) == set(book.offsets())
        people = book.spread()
        assert (pool.entry, pool.centre, pool.spread) == (book.entry, people.centre, people.spread)
        assert pool.moments == book.moments()
        assert not settling.rebuild(pool_id=pool.pk).report.differs
    assert not settling.unsettled_pools()


def pair(first: int, second: int) -> list[SeatResult]:
    """Two seats; the first wins."""
    return [SeatResult(0, 1, first), SeatResult(1, 2, second)]


def say(number: int, first: int, second: int) -> RatedResult:
    at = seasons.BEGIN + timedelta(minutes=number)
    return ledger.record(source=f"match:{number}", game=GAME, finished_at=at, seats=pair(first, second))


def ratings() -> dict[int, int]:
    return dict(Rating.objects.values_list("user_id", "rating"))


@pytest.mark.parametrize("window", [folding.WINDOW, 25])
def test_one_by_one_is_all_at_once(people: list[int], window: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With a small window most refolds begin afresh and go through several; else they read the past back."""
    monkeypatch.setattr(folding, "WINDOW", window)
    rng = random.Random(window)
    for said in seasons.season(120, people, window):
        seasons.tell(said)
        if rng.random() < 0.25:
            settle_all()
    settle_all()
    assert RatedResult.objects.filter(version__gt=1).exists()
    check_exact()


class TestFacts:
    def test_said_twice_is_said_once(self, people: list[int]) -> None:
        assert say(1, *people[:2]).pk == say(1, *people[1:3]).pk
        settle_all()
        assert set(ratings()) == set(people[:2])

    def test_many_at_once_are_all_or_none(self, people: list[int]) -> None:
        tables = [Ended(f"old:{n}", GAME, seasons.BEGIN, pair(*people[n : n + 2])) for n in range(4)]
        with pytest.raises(ledger.NotRatable):
            ledger.record_all(tables=[*tables, Ended("old:9", GAME, seasons.BEGIN, pair(people[0], people[0]))])
        assert not RatedResult.objects.exists()
        ledger.record_all(tables=tables[:2])
        ledger.record_all(tables=tables)
        settle_all()
        assert RatedResult.objects.count() == 4
        check_exact()

    def test_late_is_as_good_as_in_time(self, people: list[int]) -> None:
        ana, ben, cat = people[:3]
        for number in (1, 3, 2):
            say(number, *((ana, ben), (ben, cat), (cat, ana))[number - 1])
            settle_all()
        check_exact()
        assert RatingChange.objects.standing().get(result__source="match:3", user=cat).games == 1

    def test_a_correction_counts_from_then_on(self, people: list[int]) -> None:
        ana, ben, cat = people[:3]
        say(1, ana, ben)
        say(2, ana, cat)
        settle_all()
        before = ratings()
        ledger.correct(source="match:1", seats=pair(ben, ana), reason="misread the sheet")
        settle_all()
        check_exact()
        assert ratings()[ana] < before[ana]
        assert ratings()[cat] != before[cat]
        refold = Refold.objects.get()
        assert refold.sources == ["match:1"]
        assert (refold.results, refold.people) == (2, 3)
        assert refold.largest == max(abs(ratings()[who] - before[who]) for who in before)

    def test_what_was_void_never_happened(self, people: list[int]) -> None:
        ana, ben, cat = people[:3]
        say(1, ana, ben)
        settle_all()
        first = ratings()
        say(2, cat, ben)
        settle_all()
        assert ratings() != first
        ledger.void(source="match:2")
        ledger.void(source="match:2")
        settle_all()
        check_exact()
        assert ratings() == first
        assert RatedResult.objects.filter(source="match:2").count() == 2
        # The log still has what was believed for a while.
        assert RatingChange.objects.filter(result__source="match:2").count() == 2

    def test_what_was_void_can_come_back(self, people: list[int]) -> None:
        ana, ben = people[:2]
        say(1, ana, ben)
        ledger.void(source="match:1")
        settle_all()
        assert not ratings()
        ledger.correct(source="match:1", seats=pair(ben, ana))
        settle_all()
        assert ratings()[ben] > START > ratings()[ana]
        check_exact()

    def test_an_organiser_changes_the_ranks_of_a_live_table_and_not_who_sat_there(self, people: list[int]) -> None:
        ana, a_bots_account = people[:2]
        sat = [SeatResult(0, 1, ana), SeatResult(1, 2, bot_key="expert:1"), SeatResult(2, 3, bot_key="expert:1")]
        known = ledger.record(source="match:1", game=GAME, finished_at=seasons.BEGIN, seats=sat)
        entered = [SeatResult(0, 3, ana), SeatResult(1, 1, a_bots_account), SeatResult(2, 2, a_bots_account)]
        now = ledger.correct(source="match:1", seats=rated.as_they_sat(entered, known))
        assert [seat[0] for seat in now.seats] == [seat[0] for seat in known.seats]
        assert [seat[1] for seat in now.seats] == [3, 1, 2]

    def test_what_is_right_already_stays_as_it_is(self, people: list[int]) -> None:
        right = say(1, *people[:2])
        settle_all()
        assert ledger.correct(source="match:1", seats=pair(*people[:2])) == right
        assert not settling.unsettled_pools()

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
            "two solos": ("infinity-gauntlet", [SeatResult(0, 1, ana, role=SOLO), SeatResult(1, 2, ben, role=SOLO)]),
            "third of a team": ("thanos-rising", [SeatResult(0, 1, ana), SeatResult(1, 3, ben)]),
        }
        for why, (game, seats) in bad.items():
            with pytest.raises(ledger.NotRatable):
                ledger.record(source=f"bad:{why}", game=game, finished_at=seasons.BEGIN, seats=seats)
        assert not RatedResult.objects.exists()
        assert not RatingPool.objects.exists()

    def test_the_log_is_only_appended_to(self, people: list[int]) -> None:
        with pytest.raises(TypeError):
            RatingChange.objects.all().delete()


class TestReading:
    @pytest.mark.parametrize("game", seasons.GAMES)
    def test_a_stored_change_opens_to_its_sum(self, people: list[int], game: str) -> None:
        for said in seasons.season(25, people, 5, [game]):
            seasons.tell(said)
            settle_all()
        assert RatingChange.objects.exclude(superseded_by=None).exists()
        for change in RatingChange.objects.select_related("pool"):
            told = read.explanation(change)
            assert told.me.user_id == change.user_id
            if not told.me.is_anchored:
                assert sum(line.points for line in told.meetings) == told.rating.moved

    def test_scenarios_have_a_published_difficulty(self, people: list[int]) -> None:
        seats = [SeatResult(index, 2, user) for index, user in enumerate(people[:3])]
        ledger.record(source="m:1", game="thanos-rising", finished_at=seasons.BEGIN, seats=seats, scenario="hero")
        settle_all()
        pool = read.pool_of("thanos-rising")
        assert pool is not None
        assert pool.kind is Kind.COOPERATIVE
        (hero,) = read.offsets(pool)
        assert (hero.players, hero.name, hero.games) == (3, "hero", 1)
        assert hero.value > pool.seeds.get("3:hero", START)


class TestCost:
    def test_a_result_costs_the_same_however_long_the_history(self, people: list[int]) -> None:
        counts = []
        for number in range(1, 40):
            say(number, *people[:2])
            with CaptureQueriesContext(
                connection,
            ) as queries:
                settle_all()
            counts.append(len(queries))
        assert counts[-1] == counts[5] <= 22


class TestRebuild:
    def test_damage_is_reported_and_put_right(self, people: list[int], capsys: pytest.CaptureFixture[str]) -> None:
        for number in range(6):
            say(number, *random.Random(number).sample(people, 2))
        settle_all()
        call_command("rebuild_ratings")
        assert "6 results, every rating as it should be" in capsys.readouterr().out
        before = ratings()
        Rating.objects.filter(user=RatingChange.objects.all()[0].user).update(
            rating=1, as_solo=1, as_team=1, took_people=0
        )
        RatingChange.objects.filter(result__source="match:3", seat=0).update(after=1)
        with pytest.raises(SystemExit) as ended:
            call_command("rebuild_ratings")
        assert ended.value.code == 1
        assert "put right: 2 changes replaced" in capsys.readouterr().out
        assert ratings() == before
        check_exact()

    def test_the_night_shift_puts_right_too(self, people: list[int]) -> None:
        say(1, *people[:2])
        settle_all()
        before = ratings()
        Rating.objects.all().delete()
        tasks.check_ratings()
        assert ratings() == before

    def test_nothing_rated_is_no_error(self, db: None, capsys: pytest.CaptureFixture[str]) -> None:
        call_command("rebuild_ratings")
        assert "Nothing has been rated" in capsys.readouterr().out
