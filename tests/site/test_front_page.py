"""The front page shows a visitor what this is, a member what comes next, and nobody what is private."""

import pytest
from django.urls import reverse

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Club
from games.catalogue.spec import spec
from games.models import Match
from games.tables import exhibition, seating
from games.tables.setup import Setting, open_table
from leagues.calendar import nights
from leagues.models import League, Season
from leagues.seasons import setup, showcase
from tests.factories import (
    GAME,
    confirm_result,
    create_user,
    logged_in,
    next_round,
    open_table_with,
    play_one_move,
    running_stage,
    started_match,
)
from tests.leagues.calendar.conftest import SEVEN, soon

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clean_match_cache", "sent_tasks")]


@pytest.fixture
def league(club, olga):
    return setup.create_league(actor=olga, club=club, name="Thursday league", game=GAME)


def home(client):
    return client.get("/").content.decode()


def test_a_visitor_reads_what_this_is(client):
    page = home(client).lower()
    for word in ("league", "tournament", "club", "no account needed"):
        assert word in page
    for game in ("splendor-marvel", "infinity-gauntlet", "thanos-rising"):
        about = spec(game)
        assert f"{game}/picture" in page
        assert str(about.sentence).lower() in page
        assert f"{about.minutes} min" in page


def test_a_running_league_with_its_standings(client, league, olga):
    stage = running_stage(league, olga, "round-robin", 4)
    assert showcase.running_season() is None
    pairing = next_round(olga, stage).pairings.first()
    confirm_result(pairing)
    page = home(client)
    assert "Thursday league" in page
    best = showcase.running_season().lines[0].name
    assert best in page
    League.objects.filter(pk=league.pk).update(is_private=True)
    assert "Thursday league" not in home(client)
    League.objects.filter(pk=league.pk).update(is_private=False)
    Club.objects.filter(pk=league.club_id).update(is_private=True)
    assert "Thursday league" not in home(client)
    Club.objects.filter(pk=league.club_id).update(is_private=False)
    Season.objects.filter(league=league).update(status="registration")
    assert showcase.running_season() is None


def test_the_next_club_night(client, club, olga):
    room = nights.add_venue(actor=olga, club=club, name="The back room", tables=6)
    later = nights.add_night(actor=olga, club=club, venue=room, day=soon(20), begins=SEVEN, slots=2, minutes=60)
    night = nights.add_night(actor=olga, club=club, venue=room, day=soon(), begins=SEVEN, slots=2, minutes=60)
    page = home(client)
    assert night.get_absolute_url() in page
    assert later.get_absolute_url() not in page
    nights.cancel_night(actor=olga, night=night)
    assert later.get_absolute_url() in home(client)
    Club.objects.filter(pk=club.pk).update(is_private=True)
    assert later.get_absolute_url() not in home(client)


def test_a_live_table_that_moves(client, alice, bob, club):
    assert 'id="glance"' not in home(client)
    people = started_match(alice, bob)
    assert people.get_absolute_url() in home(client)
    match = exhibition.start_exhibition(game=GAME, players=3)
    page = home(client)
    assert f'data-live="match.{match.key}"' in page
    assert people.get_absolute_url() not in page
    piece = client.get(reverse("games:glance", args=[match.key])).content.decode()
    assert "0 moves" in piece
    assert piece.count("tile") == 12
    play_one_move(match)
    assert "1 move" in client.get(reverse("games:glance", args=[match.key])).content.decode()
    Match.objects.filter(pk=match.pk).delete()
    Match.objects.filter(pk=people.pk).update(visibility="club", club=club)
    assert 'id="glance"' not in home(client)
    assert client.get(reverse("games:glance", args=[people.key])).status_code == 404
    assert logged_in(create_user("emil")).get(reverse("games:glance", args=[people.key])).status_code == 404


@pytest.mark.parametrize("game", ["infinity-gauntlet", "thanos-rising"])
def test_other_games_at_a_glance(client, game):
    match = exhibition.start_exhibition(game=game, players=3)
    for _ in range(6):
        match = play_one_move(match)
    piece = client.get(reverse("games:glance", args=[match.key]))
    assert piece.status_code == 200
    assert "6 moves" in piece.content.decode()


def test_members_see_what_waits_for_them_first(as_bob, bob, alice, league, olga):
    match = started_match(bob, alice)
    page = home(as_bob)
    assert page.index(match.get_absolute_url()) < page.index('id="play-now"')
    assert "No account needed" not in page


def test_newcomers_begin_where_half_is_won(client, as_bob):
    for page in (home(client), as_bob.get("/play/").content.decode()):
        form = page.split("game-thanos-rising")[1].split("</form>")[0]
        assert '<option value="recruit" selected>' in form
    assert '<option value="recruit" selected>' in as_bob.get("/play/new/?game=thanos-rising").content.decode()


def test_the_lobby_counts_open_tables(as_bob, alice):
    open_table_with(alice, bots=1)
    assert "1 open table" in as_bob.get("/play/").content.decode()


def test_fill_with_bots_in_one_click(as_alice, as_bob, alice, bob):
    match = open_table(host=alice, setting=Setting(GAME, 4))
    seating.sit(person=alice, match=match)
    assert as_bob.post(reverse("games:fill", args=[match.key]), {"level": "rookie"}).status_code == 403
    with pytest.raises(Refused, match="no such bot"):
        seating.fill_with_bots(person=alice, match=match, level="wizard")
    assert not match.seats.exclude(bot_level="").exists()
    as_alice.post(reverse("games:fill", args=[match.key]), {"level": "rookie"})
    assert list(match.seats.order_by("index").values_list("bot_level", flat=True)) == ["", "rookie", "rookie", "rookie"]
    with pytest.raises(Refused, match="no free place"):
        seating.fill_with_bots(person=alice, match=match, level="rookie")
    with pytest.raises(NotAllowed):
        seating.fill_with_bots(person=bob, match=match, level="rookie")


def test_the_number_of_queries_does_not_grow(client, league, olga, django_assert_max_num_queries):
    stage = running_stage(league, olga, "round-robin", 8)
    for pairing in next_round(olga, stage).pairings.all():
        confirm_result(pairing)
    exhibition.start_exhibition(game=GAME, players=4)
    client.get("/")
    with django_assert_max_num_queries(30):
        client.get("/")
