"""The leaderboard pages for every kind of visitor, and with invalid addresses."""

import csv
import io
import json
import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import URLPattern, reverse
from django.utils import timezone

from accounts import clubs, people
from accounts.infra import text as infra_text
from accounts.infra.realtime import topics
from accounts.models import Membership, User
from games.models import Match
from leagues.leaderboards import urls
from leagues.models import Division, Entrant, League, PickUp, Rating, RatingChange, Season
from leagues.ratings import site_bots
from tests.factories import create_user, logged_in, started_match
from tests.leagues.leaderboards.conftest import GAUNTLET, RISING, SPLENDOR, rate, settle, write

BOARD = f"/leaderboards/{SPLENDOR}/"


def text(client: Client, path: str, status: int = 200, **more) -> str:
    answer = client.get(path, **more)
    assert answer.status_code == status, (path, answer.status_code)
    return answer.content.decode()


@pytest.mark.django_db
def test_an_empty_site_has_boards_that_say_so(client: Client) -> None:
    assert "Nobody is ranked yet" in text(client, "/leaderboards/")
    for game in (SPLENDOR, GAUNTLET, RISING):
        assert "Nobody is ranked here yet" in text(client, f"/leaderboards/{game}/")
        assert json.loads(text(client, f"/leaderboards/{game}/board.json"))["rows"] == []
        assert "place,handle" in text(client, f"/leaderboards/{game}/board.csv")


def test_no_page_breaks_for_anyone(evenings, alice: User, client: Client) -> None:
    change = RatingChange.objects.standing().first()
    assert change
    arguments: dict[str | None, list[str | int]] = {
        "index": [],
        "between": ["alice", "bob"],
        "change": [change.pk],
        "match": ["nothing"],
        "picture": [SPLENDOR, "svg"],
        "insight": [SPLENDOR, "story"],
        "insight-file": [SPLENDOR, "story", "svg"],
    }
    for someone in (client, logged_in(alice)):
        paths = {f"/people/{handle}/" for handle in ("alice", "robot")}
        for route in urls.urlpatterns:
            assert isinstance(route, URLPattern)
            for game in (SPLENDOR, GAUNTLET, RISING):
                paths.add(reverse(f"boards:{route.name}", args=arguments.get(route.name, [game])))
        for path in sorted(paths):
            text(someone, path, 404 if "/matches/" in path else 200)


def test_what_does_not_exist_is_not_found(evenings, client: Client) -> None:
    for path in (
        "/leaderboards/chess/",
        "/leaderboards/chess/board.json",
        f"{BOARD}?role=thanos",
        f"/leaderboards/{GAUNTLET}/?role=joker",
        f"{BOARD}?club=nowhere",
        f"{BOARD}?around=nobody",
        f"{BOARD}?window=season-123456789",
        "/leaderboards/changes/999999999999/",
        "/leaderboards/between/alice/alice/",
        "/leaderboards/between/alice/nobody/",
    ):
        text(client, path, 404)


NONSENSE = """
window=31 window=-1 window=%00 window=season- window=season-x window=season-99999999999999999999
from=yesterday from=2026-02-30 to=0001-01-01 from=9999-12-31 from=2026-05-01&to=2026-04-01
bots=perhaps page=0 page=-3 page=two page=1e9 page=9999999999999999999 club=%00 around=%00 q=x%00
"""


@pytest.mark.django_db
def test_what_cannot_be_read_is_said_to_be_so(client: Client) -> None:
    for query in NONSENSE.split():
        assert "We could not read that request" in text(client, f"{BOARD}?{query}", 400)
    text(client, f"{BOARD}board.json?page=0", 400)
    text(client, f"{BOARD}?page={'9' * 5000}", 400)
    text(client, f"{BOARD}embed/?window=31", 400)


def test_a_page_far_beyond_leads_to_the_last_one(evenings, client: Client) -> None:
    for page in (10**9, "9" * 18):
        answer = client.get(f"{BOARD}?page={page}&bots=yes")
        assert answer.status_code == 302
        assert answer["Location"] == f"{BOARD}?bots=yes&page=1"
    assert json.loads(text(client, f"{BOARD}board.json?page=1000000000"))["rows"] == []


def test_every_choice_has_an_address_of_its_own(evenings, client: Client) -> None:
    page = text(client, f"{BOARD}?bots=yes&window=90&from=&to=&club=&role=")
    assert f'rel="canonical" href="{BOARD}?bots=yes&amp;window=90"' in page
    for query in ("from=2026-01-01", "to=2026-01-01", "from=2026-01-01&to=2030-01-01", "window=365", "window=all"):
        text(client, f"{BOARD}?{query}")
        text(client, f"/leaderboards/{GAUNTLET}/?role=hero&{query}")


def test_a_season_is_a_window(alice: User, bob: User, client: Client) -> None:
    club = clubs.create_club(founder=alice, name="Round Table")
    Membership.objects.create(club=club, user=bob)
    rate(SPLENDOR, [alice, bob], [1, 2], ago=50)
    rate(SPLENDOR, [alice, bob], [2, 1], ago=5)
    league = League.objects.create(club=club, name="Evenings", slug="evenings", game=SPLENDOR)
    now = timezone.now()
    season = Season.objects.create(
        league=league,
        number=1,
        name="Spring",
        status="running",
        starts_at=now - timedelta(days=60),
        ends_at=now - timedelta(days=30),
    )
    path = f"{BOARD}?club={club.slug}&window=season-{season.pk}"
    page = text(client, path)
    assert "Spring · Evenings" in page
    assert [row["games"] for row in json.loads(text(client, path.replace("/?", "/board.json?")))["rows"]] == [1, 1]
    assert page.index("p-alice") < page.index("p-bob")
    text(client, f"/leaderboards/{GAUNTLET}/?window=season-{season.pk}", 404)
    Season.objects.update(status="draft")
    text(client, path, 404)


def test_a_name_leads_to_its_place(evenings, client: Client) -> None:
    answer = client.get(f"{BOARD}?q=lacka&bots=yes")
    assert answer.status_code == 302
    assert answer["Location"] == f"{BOARD}?bots=yes&around=alice#p-alice"
    page = text(client, answer["Location"])
    assert 'id="p-alice"' in page
    assert page.count("is-marked") == 1
    assert "Whom do you mean?" in text(client, f"{BOARD}?q=e")
    assert "Nobody on this board is called “&lt;b&gt;”" in text(client, f"{BOARD}?q=<b>")
    assert 'maxlength="60"' in text(client, f"{BOARD}?q={'x' * 5000}")


def test_a_guest_stands_on_the_boards_of_the_club_alone(
    alice: User, bob: User, client: Client, django_assert_max_num_queries
) -> None:
    club, other = clubs.create_club(founder=alice, name="Round Table"), clubs.create_club(founder=bob, name="Other")
    guest = people.add_guest(club=club, name="Gina", actor=alice)
    league = League.objects.create(club=club, name="Evenings", slug="evenings", game=SPLENDOR)
    season = Season.objects.create(league=league, number=1, name="Spring")
    division = Division.objects.create(season=season, name="First", level=1)
    Entrant.objects.create(season=season, division=division, user=guest)
    rate(SPLENDOR, [guest, bob], [1, 2])
    rate(SPLENDOR, [alice, bob], [2, 1])
    for path in (BOARD, f"{BOARD}?bots=yes", f"{BOARD}?club={other.slug}", "/leaderboards/", f"{BOARD}?q=gina"):
        assert guest.handle not in text(client, path)
    with django_assert_max_num_queries(9):
        page = text(client, f"{BOARD}?club={club.slug}")
    row = page[page.index(f'id="p-{guest.handle}"') :]
    assert ">guest</span>" in row[: row.index("</tr>")]
    assert page.count(">guest</span>") == 1
    rows = json.loads(text(client, f"{BOARD}board.json?club={club.slug}"))["rows"]
    assert [(row["name"], row["guest"]) for row in rows] == [("Gina", True), ("Alice Łącka", False)]
    assert json.loads(text(client, f"{BOARD}board.json?all=yes"))["rows"][0]["place"] == 1
    assert ">guest</span>" in text(client, "/people/bob/")
    text(client, guest.get_absolute_url())


def test_provisional_players_are_marked(evenings, alice, bob, client: Client) -> None:
    for number in range(8):
        write(SPLENDOR, [alice, bob], [1 + number % 2, 2 - number % 2], ago=1)
    settle()
    page = text(client, BOARD)
    charlie = page[page.index('id="p-charlie"') :]
    assert "not sure enough yet" in charlie[: charlie.index("</tr>")]
    alice = page[page.index('id="p-alice"') :]
    row = alice[: alice.index("</tr>")]
    assert "not sure enough yet" not in row
    shown = Rating.objects.get(user__handle="alice", pool__game=SPLENDOR).deviation
    assert shown < 100
    assert f"± {round(2 * shown)}<" in row


def test_what_is_learned_is_published(evenings, client: Client) -> None:
    seats = text(client, BOARD)
    assert "What a seat is worth" in seats
    assert 'scope="colgroup" colspan="4"' in seats
    rising = text(client, f"/leaderboards/{RISING}/")
    assert "Cooperative" in rising
    assert rising.index("Infinity") < rising.index("How hard") or "How hard the scenarios are" in rising
    assert "What the table’s size gives Thanos" in text(client, f"/leaderboards/{GAUNTLET}/")


def test_json_has_the_numbers_and_is_open_to_other_sites(evenings, alice: User, client: Client) -> None:
    answer = client.get(f"/leaderboards/{GAUNTLET}/board.json?role=thanos")
    assert answer["Access-Control-Allow-Origin"] == "*"
    data = answer.json()
    assert data["role"] == "thanos"
    assert data["next"] is None
    row = next(row for row in data["rows"] if row["handle"] == "alice")
    assert row["name"] == "Alice Łącka"
    assert row["provisional"] is True
    assert row["wins"][0] == {"role": "thanos", "games": 3, "wins": 3}
    assert row["curve"][-1] == pytest.approx(row["rating"], abs=100)


def test_a_spreadsheet_computes_no_name(alice: User, bob: User, client: Client) -> None:
    people.change_settings(person=alice, display_name="=cmd|'/C calc'!A0")
    rate(SPLENDOR, [alice, bob], [1, 2])
    rows = list(csv.reader(io.StringIO(text(client, f"{BOARD}board.csv"))))
    assert next(row for row in rows if row[1] == "alice")[2] == "'=cmd|'/C calc'!A0"
    assert all(not cell.startswith(infra_text.FORMULA) or _is_number(cell) for row in rows for cell in row)
    for name in ("=1+1", "+1", "-1", "@SUM(A1)", "\tx"):
        assert infra_text.escape_formula(name) == f"'{name}"


def _is_number(cell: str) -> bool:
    return cell.lstrip("-").replace(".", "", 1).isdigit()


def test_only_the_embedded_board_may_be_framed(evenings, client: Client) -> None:
    framed = client.get(f"{BOARD}embed/?size=2&theme=dark")
    assert "frame-ancestors *" in framed["Content-Security-Policy"]
    assert "X-Frame-Options" not in framed
    assert framed.content.decode().count("<tr id=") == 2
    assert 'data-theme="dark"' in framed.content.decode()
    for path in (BOARD, "/leaderboards/", "/people/alice/"):
        own = client.get(path)
        assert own["X-Frame-Options"] == "DENY"
        assert "frame-ancestors 'none'" in own["Content-Security-Policy"]
    text(client, f"{BOARD}embed/?theme=pink", 400)


def test_the_board_asks_the_same_number_of_questions_for_few_and_for_many(
    evenings, client: Client, django_assert_max_num_queries
) -> None:
    with django_assert_max_num_queries(7) as few:
        text(client, BOARD)
    everyone = [create_user(f"extra-{number}") for number in range(12)]
    rate(SPLENDOR, everyone, list(range(1, 13)))
    with django_assert_max_num_queries(7) as many:
        page = text(client, BOARD)
    assert "extra-11" in page
    assert len(few) == len(many)


def test_a_players_page_tells_their_record(evenings, client: Client) -> None:
    page = text(client, "/people/alice/")
    for words in ("Splendor: Marvel", "As Thanos", "By seat", "By size of table", "Opponents", "On the same side"):
        assert words in page, words
    assert "Longest run of wins" in page
    assert "Best win" in page
    assert "/leaderboards/between/alice/bob/" in page
    assert page.count("<circle cx=") == 13 + 6 + 2
    newcomer = create_user("newcomer", display_name="New")
    assert "New has played no rated match yet." in text(client, newcomer.get_absolute_url())


def test_points_are_taken_from_opponents_that_are_counted_once(alice, bob, charlie, robot, client: Client) -> None:
    rate(SPLENDOR, [alice, bob, charlie, robot], [2, 3, 4, 1])
    rate(SPLENDOR, [alice, bob], [1, 1])
    page = text(client, "/people/alice/")
    taken = page[page.index(">Share of points</caption>") :]
    taken = taken[: taken.index("</table>")]
    assert ">Opponents met</th>" in taken
    rows = re.findall(
        r'<th scope="row">(.*?)</th>\s*<td class="end">(.*?)</td>\s*<td class="end muted">(.*?)</td>', taken
    )
    # Two people at the first table and a tie with one at the second: two and a half of three.
    assert rows == [("People", "83%", "3"), ("Bots", "0%", "1")]


def test_two_players_side_by_side(evenings, client: Client) -> None:
    page = text(client, "/leaderboards/between/alice/bob/")
    assert "21 rated tables" in page
    assert "On the same side in 2 games, won 1." in page
    assert client.get("/leaderboards/between/ALICE/bob/")["Location"] == "/leaderboards/between/alice/bob/"
    stranger = create_user("stranger")
    assert "They have not met yet" in text(client, f"/leaderboards/between/alice/{stranger.handle}/")


def test_a_deleted_player_keeps_their_place_without_a_name(evenings, charlie: User, client: Client) -> None:
    people.delete_account(person=charlie)
    page = text(client, BOARD)
    assert "Former player" in page
    assert "charlie" not in page.lower().replace("former", "")
    text(client, "/people/alice/")
    text(client, f"/leaderboards/between/alice/{User.objects.get(pk=charlie.pk).handle}/", 404)


def test_the_address_of_a_hidden_table_is_not_given_away(alice: User, bob: User, client: Client) -> None:
    match = started_match(alice, bob, visibility="link", rated=True)
    Match.objects.filter(pk=match.pk).update(
        status="finished", cause="played", finished_at=match.started_at, to_act=None, bot_due=None, deadline=None
    )
    match.refresh_from_db()
    rate(SPLENDOR, [alice, bob], [1, 2], match=match)
    change = RatingChange.objects.standing().get(user=alice)
    paths = ["/people/alice/", "/leaderboards/between/alice/bob/", f"/leaderboards/changes/{change.pk}/", BOARD]
    for path in paths:
        assert match.key not in text(client, path)
    assert match.key in text(logged_in(alice), paths[1])
    # Anybody with the link sees the panel too.
    assert f"/leaderboards/changes/{change.pk}/" in text(client, f"/leaderboards/matches/{match.key}/")
    assert f"/leaderboards/changes/{change.pk}/" in text(client, match.get_absolute_url())


def test_the_panel_waits_until_the_match_is_counted(alice: User, bob: User, client: Client) -> None:
    match = started_match(alice, bob, rated=True)
    Match.objects.filter(pk=match.pk).update(
        status="finished", cause="played", finished_at=match.started_at, to_act=None, bot_due=None, deadline=None
    )
    path = f"/leaderboards/matches/{match.key}/"
    waiting = text(client, path)
    assert "being counted" in waiting
    assert f'hx-get="{path}"' in waiting
    PickUp.objects.update_or_create(match=match, defaults={"done_at": match.started_at})
    assert "moved no rating" in text(client, path)
    assert "hx-get" not in text(client, path)


def test_the_panel_names_a_bot_as_at_the_table_and_as_it_is_rated(alice: User, bob: User, client: Client) -> None:
    match = started_match(alice, bob, rated=True)
    match.seats.filter(index=1).update(user=None, bot_level="regular")
    Match.objects.filter(pk=match.pk).update(
        status="finished", cause="played", finished_at=match.started_at, to_act=None, bot_due=None, deadline=None
    )
    match.refresh_from_db()
    key = site_bots.key_of("regular")
    site_bot = User.objects.get(pk=site_bots.accounts([key])[key])
    rate(SPLENDOR, [alice, site_bot], [1, 2], match=match)
    own, bots = panel_rows(text(client, f"/leaderboards/matches/{match.key}/"))
    name = match.seats.get(index=1).name
    assert name != site_bot.name
    assert bots.startswith(f"{name} ")
    assert f"rated as {site_bot.name}." in bots
    assert "rated as" not in own


def panel_rows(page: str) -> list[str]:
    """The seats of the panel after a match, as they are read."""
    rows = re.findall(r'<details class="moved"[^>]*>(.*?)</details>', page, re.DOTALL)
    return [" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows]


def test_the_panel_shows_each_seats_sum_and_opens_the_readers_own(alice: User, bob: User, client: Client) -> None:
    match = started_match(alice, bob, rated=True)
    Match.objects.filter(pk=match.pk).update(
        status="finished", cause="played", finished_at=match.started_at, to_act=None, bot_due=None, deadline=None
    )
    match.refresh_from_db()
    rate(SPLENDOR, [alice, bob], [1, 2], match=match)
    path = f"/leaderboards/matches/{match.key}/"
    first, second = panel_rows(text(client, path))
    won = RatingChange.objects.standing().get(user=alice).moved / 1000
    assert won > 0
    assert first.startswith(f"{alice.name} 1500 → {1500 + won:.0f} +{won:.1f} Before 1500.000 {bob.name} +{won:.3f}")
    assert first.endswith(f"After {1500 + won:.3f} The full calculation")
    assert second.startswith(f"{bob.name} 1500 → {1500 - won:.0f} −{won:.1f} Before 1500.000 {alice.name} −{won:.3f}")
    assert second.endswith(f"After {1500 - won:.3f} The full calculation")
    opened = '<details class="moved" open>'
    assert opened not in text(client, path)
    own = text(logged_in(bob), path)
    assert own.count(opened) == 1
    assert own.index(bob.name, own.index(opened)) < own.index("</summary>", own.index(opened))
    # The same on the page of the match itself, where the end lies on the table.
    assert panel_rows(text(logged_in(bob), match.get_absolute_url())) == [first, second]


def test_what_is_not_there_is_said_rightly(evenings, alice: User, client: Client) -> None:
    assert "has played no game yet" not in text(client, "/people/alice/")
    create_user("dora", display_name="Dora")
    assert "Dora has played no game yet, online or at the club." in text(client, "/people/dora/")
    hint = "<option disabled>A season: choose its club first</option>"
    assert hint in text(client, BOARD)
    club = clubs.create_club(founder=alice, name="Round Table")
    assert hint not in text(client, f"{BOARD}?club={club.slug}")


def test_anyone_may_listen_to_ratings_and_to_nothing_else_by_that_name(charlie: User) -> None:
    assert topics.audience_for(charlie, f"ratings.{SPLENDOR}").group == f"ratings.{SPLENDOR}"
    for topic in ("ratings", "ratings.", "ratings.chess"):
        with pytest.raises(topics.TopicDenied):
            topics.audience_for(charlie, topic)
