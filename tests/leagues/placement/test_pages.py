"""The calendar as organisers, players and strangers see it."""

import pytest
from django.test import Client
from django.urls import reverse

from leagues import tasks
from leagues.entries import registration
from leagues.models import Division, Placement, Plan, Season
from leagues.placement import planning
from leagues.placement import service as placement
from leagues.rounds import draw
from tests.factories import create_user, draft_season, stage_of
from tests.leagues.placement.conftest import night, slot_of, table


@pytest.fixture
def played(club, league, alice) -> Season:
    """Ada and Ben in round 1, published; round 2 is drawn and not published."""
    made = draft_season(league, alice, "round-robin", settings={"double": True}, members_only=False)
    for handle in ("ada", "ben"):
        registration.register(person=create_user(handle), season=made)
    draw.start(actor=alice, season=made)
    rounds = draw.draw_all_rounds(actor=alice, stage=stage_of(made))
    draw.publish(actor=alice, round=rounds[0])
    return made


def as_(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def address(season: Season) -> str:
    return reverse("leagues:calendar", args=[season.league.slug, season.number])


def embedded_matches(season) -> str:
    """The page for other sites, with its white space as a browser shows it."""
    page = Client().get(reverse("leagues:embed-matches", args=[season.league.slug, season.number])).content.decode()
    return " ".join(page.split())


def test_players_see_published_tables_and_their_own_marked(club, played, olga, charlie):
    evening = night(club, 7)
    placement.place(actor=olga, pairing=table(played, 1, 1), slot=slot_of(evening, 1), board=2)
    placement.place(actor=olga, pairing=table(played, 2, 1), slot=slot_of(evening, 2), board=3)
    ada = table(played, 1, 1).seats.first().entrant.user
    for client in (as_(ada), as_(charlie), Client()):
        page = client.get(address(played)).content.decode()
        assert "Round 1, table 2" in page
        assert "Round 2, table 3" not in page
        assert "Place all tables" not in page
        assert "draggable" not in page
        assert ("You play" in page) == (client.session.get("_auth_user_id") == str(ada.pk))
    page = as_(olga).get(address(played)).content.decode()
    assert "Round 2, table 3" in page
    assert "Place all tables" in page
    assert page.count('draggable="true"') == 2
    where = as_(ada).get(table(played, 1, 1).get_absolute_url()).content.decode()
    assert "Table 2" in where
    assert "The back room" in where
    for what in ("round", "sheet", "print-pairings"):
        where = reverse(f"leagues:{what}", args=[played.league.slug, played.number, table(played, 1, 1).round_id])
        page = as_(ada).get(where).content.decode()
        assert {"round": "Table 2", "sheet": "Table 2", "print-pairings": "table 2"}[what] in page
        assert "board" not in page.partition("<main")[2].replace("leaderboards", "")
        assert "The back room" in page
        assert "Agreed for" not in page
    framed = embedded_matches(played)
    assert "Table 2" in framed
    assert "The back room" in framed


def test_tables_of_several_divisions_are_told_apart(club, played, olga):
    assert "Division 1" not in as_(olga).get(address(played)).content.decode().partition('id="unplaced"')[2]
    Division.objects.create(season=played, name="Division 2", level=2, number=1)
    assert "· Division 1" in as_(olga).get(address(played)).content.decode().partition('id="unplaced"')[2]
    framed = embedded_matches(played)
    assert "Division 1 · Round 1" in framed


def test_a_table_is_moved_with_and_without_a_script(club, played, olga):
    evening = night(club, 7)
    client, pairing = as_(olga), table(played, 1, 1)
    path = reverse("leagues:placing", args=[pairing.key])
    form = {"do": "place", "slot": slot_of(evening, 2).pk, "board": "2"}
    answer = client.post(path, form)
    assert answer["Location"] == f"{address(played)}#table-{pairing.key}"
    assert Placement.objects.get().board == 2
    answer = client.post(path, form | {"board": "3"}, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "Table 3:" in answer.content.decode()
    assert "<html" not in answer.content.decode()
    # The calendar reloads itself, wherever the table was sent to.
    assert f'hx-get="{address(played)}"' in answer.content.decode()
    refused = client.post(path, form | {"board": "99"}, headers={"HX-Request": "true"}).content.decode()
    assert "There is no table 99 then." in refused
    for nonsense in ({"do": "place", "slot": "x"}, {"do": "place", "slot": "0"}, {"do": "place", "slot": "9" * 30}):
        assert client.post(path, nonsense)["Location"] == path
    for verb, locked in (("lock", True), ("unlock", False)):
        client.post(path, {"do": verb})
        assert Placement.objects.get().locked is locked
    listed = client.get(path).content.decode()
    assert "Place it here" in listed
    client.post(path, {"do": "clear"})
    assert not Placement.objects.exists()


def test_what_speaks_against_every_slot_is_asked_for_once(club, played, olga):
    evening = night(club, 7, slots=2)
    placement.place(actor=olga, pairing=table(played, 2, 1), slot=slot_of(evening, 1), board=1)
    path = reverse("leagues:placing-options", args=[table(played, 1, 1).key])
    by_slot = as_(olga).get(path).json()["slots"]
    first, second = (by_slot[str(slot_of(evening, number).pk)] for number in (1, 2))
    assert any(each["hard"] for each in first["against"])
    assert [each["hard"] for each in first["boards"]["1"]] == [True]
    assert second["boards"] == {}
    assert [each["hard"] for each in second["against"]] == [False, False]


def test_the_button_and_what_became_of_it(club, played, olga):
    client = as_(olga)
    path = reverse("leagues:plan", args=[played.league.slug, played.number])
    page = client.post(path, follow=True).content.decode()
    assert "no night to come" in page
    evening = night(club, 7, slots=1, tables=1)
    page = client.post(path, {"round": "", "a_night": "2"}, follow=True).content.decode()
    assert "It will begin in a moment." in page
    assert "<progress" in page
    tasks.plan(Plan.objects.get().pk)
    page = client.get(address(played)).content.decode()
    assert "1 table has a place." in page
    assert "1 table could not be placed" in page
    assert "It could be placed with one more slot at the end of" in page
    assert "No better plan exists." in page
    assert Plan.objects.get().scope == {"rounds": [], "a_night": 2}
    evening.cancelled_at = evening.starts_at
    evening.save()
    assert "Cancelled" in client.get(address(played)).content.decode()
    with pytest.raises(planning.Refused, match="no night"):
        planning.request_plan(actor=olga, season=played)


def test_nothing_is_drawn_yet(league, alice, olga):
    made = draft_season(league, alice, "round-robin", settings={}, members_only=False)
    for handle in ("ada", "ben"):
        registration.register(person=create_user(handle), season=made)
    draw.start(actor=alice, season=made)
    with pytest.raises(planning.Refused, match="No round is drawn yet"):
        planning.request_plan(actor=olga, season=made)


def test_a_full_calendar_costs_no_more_questions(club, played, olga, django_assert_max_num_queries):
    client = as_(olga)
    for days in (7, 14, 21):
        night(club, days)
    for number in (1, 2):
        placement.place(actor=olga, pairing=table(played, number, 1), slot=slot_of(night(club, 30 + number), 1))
    with django_assert_max_num_queries(40):
        assert client.get(address(played)).status_code == 200
