"""Who stands where: order, ties, windows, clubs, roles, bots."""

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from accounts import clubs
from accounts.models import Membership, User
from leagues.boards import places, windows
from leagues.boards.board import Board
from leagues.boards.windows import Window
from leagues.models import Rating, RatingChange
from tests.leagues.boards.conftest import GAUNTLET, RISING, SPLENDOR, person, rate

ALL = Window("")


def told(board: Board, offset: int = 0, count: int = 50) -> list[tuple[int, str]]:
    return [(row.place, row.user.handle) for row in places.page(board, offset, count)]


def test_the_best_stand_first_and_bots_apart(evenings) -> None:
    assert told(Board(SPLENDOR, window=ALL)) == [(1, "alice"), (2, "charlie"), (3, "bob")]
    with_bots = told(Board(SPLENDOR, window=ALL, bots=True))
    # The bot has won the only table it sat at, the largest of all: that moves somebody new a long way.
    assert with_bots == [(1, "robot"), (2, "alice"), (3, "charlie"), (4, "bob")]


def test_a_board_without_a_result_is_empty(db) -> None:
    assert told(Board(SPLENDOR, window=ALL)) == []
    assert places.size(Board(SPLENDOR, window=ALL)) == 0
    assert places.place_of(Board(SPLENDOR), User(pk=1)) is None


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
            last_at=now,
        )
        for at, each in enumerate(people)
    )
    return people


def test_ties_share_a_place_also_across_pages(db) -> None:
    people = ladder(11, tied=3)
    whole = [place for place, _ in told(Board(SPLENDOR, window=ALL))]
    assert whole == [1, 1, 1, 4, 4, 4, 7, 7, 7, 10, 10]
    pages = [told(Board(SPLENDOR, window=ALL), offset, 4) for offset in (0, 4, 8)]
    assert [place for page in pages for place, _ in page] == whole
    assert [handle for page in pages for _, handle in page] == [each.handle for each in people]
    for at, each in enumerate(people):
        assert places.offset_of(Board(SPLENDOR), each) == at
        assert places.place_of(Board(SPLENDOR), each) == whole[at]


def test_a_page_asks_the_same_number_of_questions_for_few_and_for_many(db, django_assert_num_queries) -> None:
    ladder(40, tied=1)
    for count in (5, 40):
        board = Board(SPLENDOR, window=ALL)
        assert board.pool
        with django_assert_num_queries(1):
            assert len(places.page(board, 0, count)) == count
    with django_assert_num_queries(2):
        assert [row.place for row in places.page(board, 20, 3)] == [21, 22, 23]


def test_a_club_has_its_own_places(evenings, alice, bob, charlie) -> None:
    club = clubs.found(founder=bob, name="Two Chairs")
    Membership.objects.create(club=club, user=charlie)
    assert told(Board(SPLENDOR, club=club, window=ALL)) == [(1, "charlie"), (2, "bob")]
    assert places.place_of(Board(SPLENDOR, club=club), alice) is None


def test_a_window_that_runs_until_now_has_those_who_played_in_it(evenings, alice, bob) -> None:
    rate(SPLENDOR, [person("dora"), person("egon")], [1, 2], ago=200)
    board = Board(SPLENDOR, window=windows.last_days(30))
    rows = {row.user.handle: row for row in places.page(board, 0)}
    assert set(rows) == {"alice", "bob", "charlie"}
    assert {"dora", "egon"} <= {row.user.handle for row in places.page(Board(SPLENDOR, window=ALL), 0)}
    mine = RatingChange.objects.standing().filter(user=alice, pool__game=SPLENDOR)
    inside = mine.filter(at__gte=timezone.now() - timedelta(days=30)).order_by("at")
    assert rows["alice"].games == inside.count()
    assert rows["alice"].shares[0].wins == inside.filter(won=True).count()
    assert rows["alice"].change == mine.latest("at").after - inside[0].before


def test_a_window_that_has_closed_shows_the_numbers_of_then(evenings, alice) -> None:
    until = timezone.now() - timedelta(days=20)
    board = Board(SPLENDOR, window=Window("", since=until - timedelta(days=30), until=until))
    rows = places.page(board, 0)
    assert {row.user.handle for row in rows} == {"alice", "bob"}
    then = RatingChange.objects.standing().filter(user=alice, pool__game=SPLENDOR, at__lt=until).latest("at")
    assert next(row for row in rows if row.user == alice).number == then.after
    assert then.after != Rating.objects.get(user=alice, pool__game=SPLENDOR).rating
    assert [row.place for row in rows] == [1, 2]


def test_roles_have_boards_of_their_own(evenings, alice, bob) -> None:
    solo = places.page(Board(GAUNTLET, role="thanos", window=ALL), 0)
    assert {row.user.handle for row in solo} == {"alice", "bob"}
    rating = Rating.objects.get(user=alice, pool__game=GAUNTLET)
    mine = next(row for row in solo if row.user == alice)
    assert (mine.number, mine.games) == (rating.as_solo, rating.solo_games)
    assert mine.provisional
    assert [(share.role, share.games, share.wins) for share in mine.shares] == [("thanos", 3, 3), ("hero", 3, 0)]
    team = places.page(Board(GAUNTLET, role="hero", window=ALL), 0)
    assert {row.user.handle for row in team} == {"alice", "bob", "charlie"}


def test_the_change_of_a_role_counts_the_role(evenings, alice) -> None:
    board = Board(GAUNTLET, role="thanos", window=windows.last_days(365))
    mine = next(row for row in places.page(board, 0) if row.user == alice)
    # Nothing happened before the window: the number was 1500.
    assert mine.change == mine.number - 1_500_000


def test_a_month_without_a_game_is_no_change(alice, bob) -> None:
    rate(SPLENDOR, [alice, bob], [1, 2], ago=40)
    row = places.page(Board(SPLENDOR, window=ALL), 0)[0]
    assert row.change is None
    assert row.moved is None
    assert row.spark is None


def test_the_curve_is_the_last_games_in_order(evenings, alice) -> None:
    row = next(row for row in places.page(Board(SPLENDOR, window=ALL), 0) if row.user == alice)
    after = RatingChange.objects.standing().filter(user=alice, pool__game=SPLENDOR).order_by("at")
    assert list(row.curve) == list(after.values_list("after", flat=True))[-places.CURVE :]
    assert row.spark is not None
    assert row.number == row.curve[-1]


def test_a_name_is_found_without_its_marks(evenings, alice) -> None:
    board = Board(SPLENDOR, window=ALL)
    for words in ("lacka", "ŁĄCKA", "ali lac", "alice"):
        assert places.named(board, words) == [alice], words
    assert places.named(board, "robot") == []
    assert places.named(board, "  ") == []
    assert len(places.named(board, "e")) == 2


def test_a_name_changes_what_it_is_found_by(alice) -> None:
    alice.display_name = "Zoë"
    alice.save(update_fields=["display_name"])
    assert User.objects.get(pk=alice.pk).search == "zoe alice"


def test_a_cooperative_game_is_ranked_too(evenings) -> None:
    assert [place for place, _ in told(Board(RISING, window=ALL))] == [1, 2, 2]


@pytest.mark.parametrize(("numbers", "none"), [([], True), ([1500], True), ([1500, 1500], False), ([1, 9, 4], False)])
def test_a_curve_needs_two_numbers(numbers: list[int], none: bool) -> None:
    from leagues.boards.curves import spark

    assert (spark(numbers) is None) is none


def test_an_old_window_says_its_days() -> None:
    window = windows.between(datetime(2026, 3, 1, tzinfo=UTC).date(), datetime(2026, 3, 31, tzinfo=UTC).date())
    assert window.until == datetime(2026, 4, 1, tzinfo=UTC)
    assert window.is_past
    assert window.query == {"from": "2026-03-01", "to": "2026-03-31"}
