"""Beyond the places: distribution, climbers, records, table sizes, curves and who led when."""

import csv
import io
from datetime import date, timedelta
from itertools import pairwise

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Club, Membership, User
from games.models import Match
from games.presentation import share_card
from leagues.elo.deviation import sure_days
from leagues.leaderboards import digests, insight_pages
from leagues.leaderboards.board_query import Board
from leagues.models import BoardDigest, Rating, RatingChange, RatingPool
from tests.factories import create_user, finished_match, logged_in, started_match
from tests.leagues.leaderboards.conftest import GAUNTLET, RISING, SPLENDOR, rate, settle, write

BOARD = f"/leaderboards/{SPLENDOR}/"
API = f"/api/v1/leaderboards/{SPLENDOR}/"
NAMES = list(insight_pages.LABELS)


def counted() -> None:
    """Count every pool now, however lately it was counted."""
    BoardDigest.objects.update(next_at=timezone.now())
    for pool in RatingPool.objects.all():
        digests.refresh(pool_id=pool.pk)


def text(client: Client, path: str, status: int = 200) -> str:
    answer = client.get(path)
    assert answer.status_code == status, (path, answer.status_code)
    return answer.content.decode()


def rows(client: Client, path: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text(client, path))))


@pytest.fixture
def four(db) -> dict[str, User]:
    """Half a year of Splendor: Ann led first and stopped improving, Ben overtook her; Cleo and Dan fill the tables."""
    people = {name: create_user(name, display_name=name.capitalize()) for name in ("ann", "ben", "cleo", "dan")}
    ann, ben, cleo, dan = people.values()
    for week in range(14):
        write(SPLENDOR, [ann, cleo], [1, 2], ago=170 - 5 * week)
        write(SPLENDOR, [ben, dan], [1, 2] if week % 2 else [2, 1], ago=170 - 5 * week)
    for week in range(16):
        write(SPLENDOR, [ben, ann, dan], [1, 2, 3], ago=88 - 5 * week)
        write(SPLENDOR, [cleo, dan], [1, 2] if week % 2 else [2, 1], ago=87 - 5 * week)
    settle()
    return people


def test_before_anything_is_counted_every_page_says_so(db, client: Client) -> None:
    for name in NAMES:
        page = text(client, f"{BOARD}{name}/")
        assert ("have not been counted yet" in page) == (name != "curves")
        assert text(client, f"{BOARD}{name}.svg").startswith("<svg")
        assert rows(client, f"{BOARD}{name}.csv") == []
    assert digests.due() == []


def test_every_view_of_every_game_has_a_page_a_file_and_a_picture(evenings, alice: User, client: Client) -> None:
    counted()
    reader = logged_in(alice)
    for game in (SPLENDOR, GAUNTLET, RISING):
        for name in NAMES:
            assert "<h1>" in text(client, f"/leaderboards/{game}/{name}/")
            assert text(client, f"/leaderboards/{game}/{name}.csv").count("\n")
            for someone in (client, reader):
                assert text(someone, f"/leaderboards/{game}/{name}.svg").startswith("<svg")
        assert text(client, f"/leaderboards/{game}/board.svg").startswith("<svg")
    for name in ("distribution", "story", "climbers", "board"):
        picture = client.get(f"{BOARD}{name}.png")
        assert picture.content.startswith(b"\x89PNG")
        assert client.get(f"{BOARD}{name}.png", headers={"If-None-Match": picture["ETag"]}).status_code == 304
    for role in ("thanos", "hero"):
        for name in ("distribution", "curves", "story"):
            text(client, f"/leaderboards/{GAUNTLET}/{name}/?role={role}")


def test_a_picture_shows_its_words() -> None:
    """Without its font a picture is drawn all the same, and has no text."""
    page = '<svg xmlns="http://www.w3.org/2000/svg" font-family="Gauntlet Card" font-weight="700">{}</svg>'
    drawn = page.format('<text x="72" y="92" font-size="34">Łódź</text>')
    assert share_card.render_png(drawn) != share_card.render_png(page.format(""))


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("nothing/", 404),
        ("distribution.pdf", 404),
        ("board.pdf", 404),
        ("tables/?players=9", 404),
        ("tables/?players=two", 400),
        ("curves/?people=nobody", 404),
        ("curves/?people=%00", 400),
        ("curves/?people=a,b,c,d,e,f,g", 400),
        ("distribution/?around=nobody", 404),
        ("distribution/?around=%00", 400),
        ("distribution/?club=nowhere", 404),
        ("distribution/?role=thanos", 404),
        ("story/?window=31", 400),
        ("story/?from=2026-02-30", 400),
        ("story/?window=season-999999", 404),
    ],
)
def test_what_is_not_there_is_refused(db, client: Client, path: str, status: int) -> None:
    text(client, f"{BOARD}{path}", status)


def test_the_distribution_has_everyone_with_a_place_once_and_marks_ones_own(four, client: Client) -> None:
    counted()
    lines = rows(client, f"{BOARD}distribution.csv")
    placed = Rating.objects.filter(is_bot=False, sure_until__gte=timezone.now().date())
    assert sum(int(line["players"]) for line in lines) == placed.count() == 4
    for rating in placed:
        assert any(int(line["from"]) <= rating.rating / 1000 < int(line["to"]) for line in lines)
    assert [int(line["from"]) for line in lines] == list(range(int(lines[0]["from"]), int(lines[-1]["to"]), 50))
    assert "bar-mine" not in text(client, f"{BOARD}distribution/")
    assert "bar-mine" in text(logged_in(four["ben"]), f"{BOARD}distribution/")
    told = logged_in(four["ben"]).get(f"{API}distribution/").json()
    assert told["players"] == 4
    best = Rating.objects.get(user=four["ben"])
    assert told["you"]["rating"] == best.points
    below = sum(rating.rating < best.rating for rating in placed)
    assert told["you"]["percent"] == min(99, 100 * below // 4)
    assert client.get(f"{API}distribution/").json()["you"] is None


def test_climbers_were_sure_all_month_and_rose(four, client: Client) -> None:
    newcomer = create_user("eve", display_name="Eve")
    for day in range(4):
        write(SPLENDOR, [newcomer, four["dan"]], [1, 2], ago=9 - day)
    settle()
    counted()
    lines = rows(client, f"{BOARD}climbers.csv")
    assert "ben" in [line["handle"] for line in lines]
    assert "eve" not in [line["handle"] for line in lines]
    since = timezone.now() - timedelta(days=30)
    for line in lines:
        changes = RatingChange.objects.standing().filter(user__handle=line["handle"], at__gte=since)
        moved = sum(change.moved for change in changes)
        assert float(line["gained"]) == moved / 1000 > 0
    assert client.get(f"{API}climbers/").json()["rows"][0]["person"]["handle"] == lines[0]["handle"]


def test_a_board_by_size_of_table_has_what_such_tables_changed(four, client: Client) -> None:
    counted()
    two, three = (rows(client, f"{BOARD}tables.csv?players={players}") for players in (2, 3))
    assert {line["handle"] for line in two} == {"ann", "ben", "cleo", "dan"}
    assert three[0]["handle"] == "ben"
    assert {line["handle"]: int(line["games"]) for line in three} == {"ben": 16, "ann": 16, "dan": 16}
    entry = RatingChange.objects.standing().filter(user=four["ben"]).earliest("at").before
    gained = sum(float(line["points"]) for line in (*two, *three) if line["handle"] == "ben")
    assert round(1000 * gained) == Rating.objects.get(user=four["ben"]).rating - entry
    assert rows(client, f"{BOARD}tables.csv?players=4") == []


def test_records_name_the_longest_run_the_biggest_upset_and_the_most_matches(four, client: Client) -> None:
    rate(SPLENDOR, [four["dan"], four["ben"]], [1, 2], ago=0.5)
    counted()
    told = client.get(f"{API}records/").json()
    ben = told["runs"][0]
    assert (ben["person"]["handle"], ben["wins"]) == ("ben", 17)
    assert told["most_matches"][0]["games"] == Rating.objects.get(user=four["dan"]).games
    upset = told["upsets"][0]
    assert ([one["handle"] for one in upset["winners"]], upset["loser"]["handle"]) == (["dan"], "ben")
    assert upset["gap"] > 0
    page = text(client, f"{BOARD}records/")
    assert "Longest run of wins" in page
    assert "Biggest upset" in page


def test_what_was_played_in_private_is_in_no_record(four, client: Client) -> None:
    """A table by link, one of a private club, and one of a league that turns private after the count."""
    dan, ben = four["dan"], four["ben"]
    counted()
    before = {line["handle"]: line for line in rows(client, f"{BOARD}tables.csv?players=2")}["dan"]
    games = Rating.objects.get(user=dan).games
    private = Club.objects.create(name="Behind doors", slug="behind", is_private=True)
    for more in ({"visibility": Match.Visibility.LINK}, {"visibility": Match.Visibility.ANYONE, "club": private}):
        match = finished_match(started_match(dan, ben))
        Match.objects.filter(pk=match.pk).update(**more)
        match.refresh_from_db()
        rate(SPLENDOR, [dan, ben], [1, 2], ago=0.5, match=match)
    counted()
    told = client.get(f"{API}records/").json()
    assert ("dan", "ben") not in [(one["winners"][0]["handle"], one["loser"]["handle"]) for one in told["upsets"]]
    # Its size is one of the things that nobody else learns; the rating itself counts it.
    assert {line["handle"]: line for line in rows(client, f"{BOARD}tables.csv?players=2")}["dan"] == before
    assert Rating.objects.get(user=dan).games == games + 2
    shown = finished_match(started_match(dan, ben))
    Match.objects.filter(pk=shown.pk).update(visibility=Match.Visibility.ANYONE, club=None)
    shown.refresh_from_db()
    rate(SPLENDOR, [dan, ben], [1, 2], ago=0.4, match=shown)
    counted()
    first = client.get(f"{API}records/").json()["upsets"][0]
    assert (first["winners"][0]["handle"], first["match"]) == ("dan", shown.key)
    # Nobody has counted since, and it is gone at once.
    Match.objects.filter(pk=shown.pk).update(club=private)
    told = client.get(f"{API}records/").json()
    assert shown.key not in str(told)
    assert ("dan", "ben") not in [(one["winners"][0]["handle"], one["loser"]["handle"]) for one in told["upsets"]]


def test_guests_bots_and_the_unsure_are_in_no_list(four, alice: User, client: Client) -> None:
    robot = User.objects.create_user("robot", display_name="Robot", is_bot=True)
    for week in range(12):
        write(SPLENDOR, [robot, four["ann"]], [1, 2], ago=20 - week)
    write(SPLENDOR, [alice, four["ann"]], [1, 2], ago=1)
    settle()
    # Cleo turns out to be a guest's account: everything else about her stays.
    User.objects.filter(handle="cleo").update(is_guest=True, email="")
    Rating.objects.filter(user__handle="cleo").update(is_guest=True)
    counted()
    for name in ("distribution", "climbers", "records", "tables", "story"):
        for hidden in ("robot", "alice", "cleo"):
            for path in (f"{name}.csv", f"{name}/"):
                assert f"/people/{hidden}/" not in text(client, BOARD + path)
                assert f",{hidden}," not in text(client, BOARD + path)
    assert sum(int(line["players"]) for line in rows(client, f"{BOARD}distribution.csv")) == 3
    text(client, f"{BOARD}curves/?people=cleo", 404)


def leader_on(day: date) -> str:
    """Whoever was sure, active and had most points at the end of a day: looked up player by player."""
    placed = {}
    for user in User.objects.filter(rating_changes__isnull=False).distinct():
        before = RatingChange.objects.standing().filter(user=user, at__date__lte=day).order_by("at").last()
        sure = sure_days(before.variance_after) if before else None
        if before and sure is not None and (day - before.at.date()).days <= min(sure, 90):
            placed[user.handle] = before.after
    return max(placed, key=lambda handle: placed[handle])


def test_the_story_says_who_led_on_each_day(four, client: Client) -> None:
    counted()
    reigns = rows(client, f"{BOARD}story.csv")
    assert len({reign["handle"] for reign in reigns}) > 1
    assert reigns[-1]["handle"] == "ben"
    for reign in reigns:
        for day in (reign["from"], reign["to"]):
            assert reign["handle"] == leader_on(date.fromisoformat(day))
    assert reigns[-1]["to"] == timezone.now().date().isoformat()
    for before, after in pairwise(reigns):
        assert before["to"] < after["from"]
    board = client.get(f"{BOARD}board.json").json()["rows"]
    assert (reigns[-1]["handle"], float(reigns[-1]["rating"])) == (board[0]["handle"], board[0]["rating"])
    lately = client.get(f"{API}story/?window=30").json()["reigns"]
    assert {reign["person"]["handle"] for reign in lately} == {"ben"}
    assert lately[0]["days"] in (30, 31)


def test_following_the_strong_tells_the_same_story_as_following_everybody(
    four, monkeypatch: pytest.MonkeyPatch
) -> None:
    everybody = digests.story(Board(SPLENDOR))
    monkeypatch.setattr(digests, "FOLLOWED", 1)
    assert digests.story(Board(SPLENDOR)) == everybody
    monkeypatch.setattr(digests, "FOLLOWED", 3)
    assert digests.story(Board(SPLENDOR)) == everybody


def test_curves_stand_in_one_chart_and_players_are_added_by_name(four, client: Client) -> None:
    lines = rows(client, f"{BOARD}curves.csv?people=ben,ann")
    assert {line["handle"] for line in lines} == {"ben", "ann"}
    page = text(client, f"{BOARD}curves/?people=ben,ann")
    assert page.count('class="series series-') == 2
    answer = client.get(f"{BOARD}curves/?people=ben,ann&window=90&add=cleo")
    assert answer.status_code == 302
    assert answer["Location"] == f"{BOARD}curves/?window=90&people=ben,ann,cleo"
    assert "Nobody on this board is called" in text(client, f"{BOARD}curves/?people=ben&add=nobody")
    told = client.get(f"{API}curves/?people=BEN,ann").json()
    assert [curve["person"]["handle"] for curve in told["curves"]] == ["ben", "ann"]
    assert told["curves"][0]["days"][-1]["rating"] == Rating.objects.get(user=four["ben"]).rating / 1000
    assert client.get(f"{API}curves/?people=a,b,c,d,e,f,g").status_code == 422


def test_a_club_has_its_own_numbers_for_those_who_may_see_it(four, client: Client) -> None:
    private = Club.objects.create(name="Behind doors", slug="behind", is_private=True)
    Membership.objects.create(club=private, user=four["ann"])
    for path in ("distribution/", "climbers/", "distribution.csv", "climbers.png"):
        text(client, f"{BOARD}{path}?club=behind", 404)
    mine = logged_in(four["ann"])
    assert sum(int(line["players"]) for line in rows(mine, f"{BOARD}distribution.csv?club=behind")) == 1
    assert mine.get(f"{API}climbers/?club=behind").json()["club"] == "behind"


def test_a_count_is_made_once_and_again_after_a_result(four) -> None:
    (pool,) = digests.due()
    assert digests.refresh(pool_id=pool)
    assert digests.due() == []
    assert not digests.refresh(pool_id=pool)
    rate(SPLENDOR, [four["ann"], four["ben"]], [1, 2], ago=0.1)
    assert digests.due() == []
    BoardDigest.objects.update(next_at=timezone.now())
    assert digests.due() == [pool]
    assert digests.refresh(pool_id=pool)
    assert not digests.refresh(pool_id=0)


def test_every_view_asks_the_same_number_of_questions_for_few_and_for_many(
    four, client: Client, django_assert_num_queries, django_assert_max_num_queries
) -> None:
    counted()
    before = {}
    for name in NAMES:
        with django_assert_max_num_queries(14) as few:
            text(client, f"{BOARD}{name}/")
        before[name] = len(few)
    more = [create_user(f"extra{number}") for number in range(12)]
    for week in range(10):
        for pair in range(6):
            write(SPLENDOR, more[2 * pair : 2 * pair + 2], [1, 2] if week % 3 else [2, 1], ago=25 - 2 * week)
    settle()
    counted()
    for name in NAMES:
        with django_assert_num_queries(before[name]):
            text(client, f"{BOARD}{name}/")
