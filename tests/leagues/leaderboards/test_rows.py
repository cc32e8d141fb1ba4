"""Rows of leaderboards: order, ties, windows, clubs, roles, bots."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from accounts import clubs
from accounts.models import Membership, User
from leagues.leaderboards import periods
from leagues.leaderboards import rows as leaderboards_rows
from leagues.leaderboards.board_query import Board
from leagues.leaderboards.periods import Window
from leagues.models import Rating, RatingChange
from tests.factories import create_user
from tests.leagues.leaderboards.conftest import GAUNTLET, RISING, SPLENDOR, rate

ALL = Window("")


def places_of(board: Board, offset: int = 0, count: int = 50) -> list[tuple[int | None, str]]:
    return [(row.place, row.user.handle) for row in leaderboards_rows.page(board, offset, count)]


def test_the_best_stand_first_and_bots_apart(evenings) -> None:
    assert places_of(Board(SPLENDOR, window=ALL, everyone=True)) == [(1, "alice"), (2, "charlie"), (3, "bob")]
    with_bots = places_of(Board(SPLENDOR, window=ALL, bots=True, everyone=True))
    # The bot won its only table, the largest of all: that changes a new rating a lot.
    assert with_bots == [(1, "robot"), (2, "alice"), (3, "charlie"), (4, "bob")]


def test_a_board_without_a_result_is_empty(db) -> None:
    assert places_of(Board(SPLENDOR, window=ALL)) == []
    assert leaderboards_rows.size(Board(SPLENDOR, window=ALL)) == 0
    assert leaderboards_rows.place_of(Board(SPLENDOR), User(pk=1)) is None


def ladder(count: int, tied: int) -> list[User]:
    """So many players on a board, every `tied` of them on one number."""
    people = User.objects.bulk_create(User(handle=f"player-{number:03}") for number in range(count))
    rate(SPLENDOR, people[:2], [1, 2])
    pool = Rating.objects.first().pool  # type: ignore[union-attr]
    Rating.objects.all().delete()
    now = timezone.now()
    Rating.objects.bulk_create(
        Rating(
            pool=pool,
            user=each,
            is_bot=False,
            rating=2_000_000 - 1000 * (at // tied),
            as_solo=2_000_000 - 1000 * (at // tied),
            as_team=2_000_000 - 1000 * (at // tied),
            games=20,
            variance=60**2 * 1000,
            sure_until=now.date() + timedelta(days=200),
            last_at=now,
        )
        for at, each in enumerate(people)
    )
    return people


def test_ties_share_a_place_also_across_pages(db) -> None:
    people = ladder(11, tied=3)
    whole = [place for place, _ in places_of(Board(SPLENDOR, window=ALL))]
    assert whole == [1, 1, 1, 4, 4, 4, 7, 7, 7, 10, 10]
    pages = [places_of(Board(SPLENDOR, window=ALL), offset, 4) for offset in (0, 4, 8)]
    assert [place for page in pages for place, _ in page] == whole
    assert [handle for page in pages for _, handle in page] == [each.handle for each in people]
    for at, each in enumerate(people):
        assert leaderboards_rows.offset_of(Board(SPLENDOR), each) == at
        assert leaderboards_rows.place_of(Board(SPLENDOR), each) == whole[at]


def test_a_page_asks_the_same_number_of_questions_for_few_and_for_many(db, django_assert_num_queries) -> None:
    ladder(40, tied=1)
    for count in (5, 40):
        board = Board(SPLENDOR, window=ALL)
        assert board.pool
        with django_assert_num_queries(1):
            assert len(leaderboards_rows.page(board, 0, count)) == count
    with django_assert_num_queries(2):
        assert [row.place for row in leaderboards_rows.page(board, 20, 3)] == [21, 22, 23]


def test_a_club_has_its_own_places(evenings, alice, bob, charlie) -> None:
    club = clubs.create_club(founder=bob, name="Two Chairs")
    Membership.objects.create(club=club, user=charlie)
    assert places_of(Board(SPLENDOR, club=club, window=ALL, everyone=True)) == [(1, "charlie"), (2, "bob")]
    assert leaderboards_rows.place_of(Board(SPLENDOR, club=club), alice) is None


def test_a_window_that_runs_until_now_has_those_who_played_in_it(evenings, alice, bob) -> None:
    rate(SPLENDOR, [create_user("dora"), create_user("egon")], [1, 2], ago=200)
    board = Board(SPLENDOR, window=periods.last_days(30))
    rows = {row.user.handle: row for row in leaderboards_rows.page(board, 0)}
    assert set(rows) == {"alice", "bob", "charlie"}
    assert {"dora", "egon"} <= {row.user.handle for row in leaderboards_rows.page(Board(SPLENDOR, window=ALL), 0)}
    mine = RatingChange.objects.standing().filter(user=alice, pool__game=SPLENDOR)
    inside = mine.filter(at__gte=timezone.now() - timedelta(days=30)).order_by("at")
    assert rows["alice"].games == inside.count()
    assert rows["alice"].shares[0].wins == inside.filter(won=True).count()
    assert rows["alice"].change == mine.latest("at").after - inside[0].before


def test_a_window_that_has_closed_shows_the_numbers_of_then(evenings, alice) -> None:
    until = timezone.now() - timedelta(days=20)
    board = Board(SPLENDOR, window=Window("", since=until - timedelta(days=30), until=until))
    rows = leaderboards_rows.page(board, 0)
    assert {row.user.handle for row in rows} == {"alice", "bob"}
    then = RatingChange.objects.standing().filter(user=alice, pool__game=SPLENDOR, at__lt=until).latest("at")
    assert next(row for row in rows if row.user == alice).number == then.after
    assert then.after != Rating.objects.get(user=alice, pool__game=SPLENDOR).rating
    assert [row.place for row in rows] == [1, 2]


def test_roles_have_boards_of_their_own(evenings, alice, bob) -> None:
    solo = leaderboards_rows.page(Board(GAUNTLET, role="thanos", window=ALL), 0)
    assert {row.user.handle for row in solo} == {"alice", "bob"}
    rating = Rating.objects.get(user=alice, pool__game=GAUNTLET)
    mine = next(row for row in solo if row.user == alice)
    assert (mine.number, mine.games) == (rating.as_solo, rating.solo_games)
    assert mine.provisional
    assert [(share.role, share.games, share.wins) for share in mine.shares] == [("thanos", 3, 3), ("hero", 3, 0)]
    team = leaderboards_rows.page(Board(GAUNTLET, role="hero", window=ALL), 0)
    assert {row.user.handle for row in team} == {"alice", "bob", "charlie"}


def test_the_change_of_a_role_counts_the_role(evenings, alice) -> None:
    board = Board(GAUNTLET, role="thanos", window=periods.last_days(365))
    mine = next(row for row in leaderboards_rows.page(board, 0) if row.user == alice)
    # Nothing happened before the window: the number was 1500.
    assert mine.change == mine.number - 1_500_000


def test_a_month_without_a_game_is_no_change(alice, bob) -> None:
    rate(SPLENDOR, [alice, bob], [1, 2], ago=40)
    row = leaderboards_rows.page(Board(SPLENDOR, window=ALL), 0)[0]
    assert row.change is None
    assert row.moved is None
    assert row.spark is None


def test_the_curve_is_the_last_games_in_order(evenings, alice) -> None:
    row = next(row for row in leaderboards_rows.page(Board(SPLENDOR, window=ALL), 0) if row.user == alice)
    after = RatingChange.objects.standing().filter(user=alice, pool__game=SPLENDOR).order_by("at")
    assert list(row.curve) == list(after.values_list("after", flat=True))[-leaderboards_rows.CURVE :]
    assert row.spark is not None
    assert row.number == row.curve[-1]


def test_a_name_is_found_without_its_marks(evenings, alice) -> None:
    board = Board(SPLENDOR, window=ALL)
    for words in ("lacka", "ŁĄCKA", "ali lac", "alice"):
        assert leaderboards_rows.find_players(board, words) == [alice], words
    assert leaderboards_rows.find_players(board, "robot") == []
    assert leaderboards_rows.find_players(board, "  ") == []
    assert len(leaderboards_rows.find_players(board, "e")) == 2


def test_a_name_changes_what_it_is_found_by(alice) -> None:
    alice.display_name = "Zoë"
    alice.save(update_fields=["display_name"])
    assert User.objects.get(pk=alice.pk).search == "zoe alice"


def test_a_cooperative_game_is_ranked_too(evenings) -> None:
    assert [place for place, _ in places_of(Board(RISING, window=ALL, everyone=True))] == [1, 2, 2]


@pytest.mark.parametrize(("numbers", "none"), [([], True), ([1500], True), ([1500, 1500], False), ([1, 9, 4], False)])
def test_a_curve_needs_two_numbers(numbers: list[int], none: bool) -> None:
    from leagues.leaderboards.chart_svg import spark

    assert (spark(numbers) is None) is none


def test_an_old_window_says_its_days() -> None:
    window = periods.between(datetime(2026, 3, 1, tzinfo=UTC).date(), datetime(2026, 3, 31, tzinfo=UTC).date())
    assert window.until == datetime(2026, 4, 1, tzinfo=UTC)
    assert window.is_past
    assert window.query == {"from": "2026-03-01", "to": "2026-03-31"}


def test_a_lucky_newcomer_does_not_lead(evenings, alice, bob) -> None:
    """One win over the leader gives the best number but no place: it is not sure yet."""
    lucky = create_user("lucky")
    for _ in range(8):
        rate(SPLENDOR, [alice, bob], [1, 2], ago=0.5)
    rate(SPLENDOR, [lucky, alice], [1, 2], ago=0.2)
    rate(SPLENDOR, [lucky, alice], [1, 2], ago=0.1)
    everyone = places_of(Board(SPLENDOR, window=ALL, everyone=True))
    rows = {row.user.handle: row for row in leaderboards_rows.page(Board(SPLENDOR, window=ALL), 0)}
    assert [row.place for row in rows.values()] == [1, 2, None, None]
    assert [row.eligible for row in rows.values()] == [True, True, False, False]
    assert "±" in rows["lucky"].reason
    assert rows["lucky"].provisional
    assert not rows["alice"].reason
    assert leaderboards_rows.place_of(Board(SPLENDOR), lucky) is None
    assert {handle for _, handle in everyone} == set(rows)
    assert None not in [place for place, _ in everyone]


def test_a_leader_who_stays_away_gives_the_place_up_and_gets_it_back(db) -> None:
    """Places depend on the current day, so the same rows give another board later."""
    people = ladder(3, tied=1)
    now = timezone.now()
    Rating.objects.filter(user=people[0]).update(last_at=now - leaderboards_rows.ACTIVE - timedelta(hours=1))
    board = Board(SPLENDOR, window=ALL)
    assert places_of(board) == [(1, "player-001"), (2, "player-002"), (None, "player-000")]
    assert "No game since" in leaderboards_rows.page(board, 0)[2].reason
    Rating.objects.filter(user=people[0]).update(last_at=now - leaderboards_rows.ACTIVE + timedelta(hours=1))
    assert places_of(board) == [(1, "player-000"), (2, "player-001"), (3, "player-002")]


def test_a_number_that_was_sure_once_is_unsure_after_a_long_rest(db) -> None:
    people = ladder(2, tied=1)
    yesterday = timezone.now().date() - timedelta(days=1)
    Rating.objects.filter(user=people[0]).update(sure_until=yesterday, variance=175**2 * 1000)
    rows = leaderboards_rows.page(Board(SPLENDOR, window=ALL), 0)
    assert [(row.place, row.user.handle) for row in rows] == [(1, "player-001"), (None, "player-000")]
    assert "unsure" in rows[1].reason


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 20])
def test_pages_cross_the_border_between_the_ranked_and_the_others(db, count: int) -> None:
    """Whatever the size of a page, all pages together are the whole board."""
    people = ladder(11, tied=2)
    away = [people[at] for at in (0, 3, 4, 9)]
    Rating.objects.filter(user__in=away).update(sure_until=None)
    board = Board(SPLENDOR, window=ALL)
    whole = places_of(board)
    here = [each for each in people if each not in away]
    assert [handle for _, handle in whole] == [each.handle for each in [*here, *away]]
    # An independent count: a place is one more than the ranked people with a better number.
    number = {each.pk: at // 2 for at, each in enumerate(people)}
    expected = [1 + sum(number[other.pk] < number[each.pk] for other in here) for each in here]
    assert [place for place, _ in whole] == [*expected, *[None] * len(away)]
    pages = [places_of(board, offset, count) for offset in range(0, len(people) + count, count)]
    assert [row for page in pages for row in page] == whole
    for at, (place, handle) in enumerate(whole):
        each = User.objects.get(handle=handle)
        assert leaderboards_rows.offset_of(board, each) == at
        assert leaderboards_rows.place_of(board, each) == place
    assert leaderboards_rows.size(board) == len(people)


def test_a_role_is_ranked_by_its_own_certainty(evenings, alice, bob) -> None:
    Rating.objects.filter(pool__game=GAUNTLET).update(sure_until=None, solo_sure_until=None, team_sure_until=None)
    tomorrow = timezone.now().date() + timedelta(days=1)
    Rating.objects.filter(pool__game=GAUNTLET, user=bob).update(solo_sure_until=tomorrow)
    solo = leaderboards_rows.page(Board(GAUNTLET, role="thanos", window=ALL), 0)
    assert [(row.place, row.user.handle) for row in solo] == [(1, "bob"), (None, "alice")]
    assert all(row.place is None for row in leaderboards_rows.page(Board(GAUNTLET, role="hero", window=ALL), 0))


def test_the_page_the_file_and_the_api_say_who_is_not_ranked(db, client) -> None:
    people = ladder(2, tied=1)
    Rating.objects.filter(user=people[0]).update(sure_until=None)
    page = client.get(f"/leaderboards/{SPLENDOR}/").content.decode()
    assert page.count("is-unranked") == 1
    assert "Rank everybody" in page
    rows = client.get(f"/leaderboards/{SPLENDOR}/board.json").json()["rows"]
    assert [(row["place"], row["eligible"], bool(row["reason"])) for row in rows] == [
        (1, True, False),
        (None, False, True),
    ]
    assert client.get(f"/leaderboards/{SPLENDOR}/board.json?all=yes").json()["rows"][0]["place"] == 1
    answer = client.get(f"/api/v1/leaderboards/{SPLENDOR}/").json()
    assert [row["place"] for row in answer["rows"]] == [1, None]
    assert "is-unranked" not in client.get(f"/leaderboards/{SPLENDOR}/?all=yes").content.decode()
    assert client.get(f"/leaderboards/{SPLENDOR}/?all=maybe").status_code == 400
