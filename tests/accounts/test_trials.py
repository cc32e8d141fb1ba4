"""Playing without an account: the made-up name, what it may not do, keeping it, and its end."""

import re
from datetime import timedelta

import pytest
from django.db import IntegrityError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import access, clubs, joining, people, trials
from accounts.access import Permission
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry, LoginAddress, User
from accounts.notifications.service import notify
from games import chat, presence
from games.models import Match, Move, Seat
from games.play import fair_share
from games.tables import seating, setup
from games.tables import trials as trial_matches
from games.tables.setup import Setting
from games.tables.start import STARTED_KIND
from leagues.models import Rating
from tests.factories import create_user, finished_match, logged_in, open_table_with, play_one_move

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clean_match_cache", "sent_tasks")]

GAME = "splendor-marvel"
PASSWORD = "a-lantern-in-the-rain"


def play_now(client, game=GAME, **more):
    answer = client.post(reverse("games:play-now", args=[game]), {"players": 3, "level": "rookie", **more})
    assert answer.status_code == 302
    key = answer.url.strip("/").rpartition("/")[2]
    return Match.objects.get(key=key)


def keep(client, handle="nadia", **more):
    fields = {"handle": handle, "name": "Nadia", "password": PASSWORD, **more}
    return client.post(reverse("accounts:keep-trial"), fields)


def trial(address="192.0.2.1"):
    return trials.begin(address=address, language="en")


@pytest.mark.parametrize("game", ["splendor-marvel", "infinity-gauntlet", "thanos-rising"])
def test_a_visitor_sits_at_once_and_moves_first(client, game):
    match = play_now(client, game, rated="on")
    person = match.host
    assert person.is_trial
    assert not person.is_active
    assert not person.email
    assert re.fullmatch(r"[A-Z][a-z]+ [A-Z][a-z]+", person.name)
    assert match.is_playing
    assert not match.rated
    assert match.visibility == Match.Visibility.LINK
    assert match.to_act == match.seats.get(user=person).index
    page = client.get(match.get_absolute_url()).content.decode()
    assert person.name in page
    assert reverse("accounts:keep-trial") in page
    # The same visitor gets no second name.
    assert play_now(client, game).host == person
    assert client.get("/").content.decode().count(match.get_absolute_url()) >= 1


def test_a_role_and_a_difficulty_are_chosen(client, as_bob, bob):
    hero = play_now(client, "infinity-gauntlet", role="hero")
    assert hero.seats.get(user=hero.host).role == "hero"
    thanos = play_now(client, "infinity-gauntlet", role="thanos")
    assert thanos.seats.get(user=thanos.host).role == "thanos"
    assert play_now(as_bob, "infinity-gauntlet", role="thanos").seats.get(user=bob).role == "thanos"
    assert play_now(client, "thanos-rising", difficulty="avenger").options == {"preset": "avenger"}
    for wrong in ({"role": "villain"}, {"difficulty": "nightmare"}):
        with pytest.raises(Refused):
            setup.play_now(person=bob, game="thanos-rising", players=3, level="rookie", **wrong)
    assert not Match.objects.filter(host=bob, game="thanos-rising").exists()


def test_a_move_by_http_is_played(client):
    match = play_now(client)
    state = client.get(reverse("games:state", args=[match.key])).json()
    move = next(each for each in state["view"]["legal"])
    body = {"ply": 0, "move": move}
    url = reverse("games:move", args=[match.key])
    assert client.post(url, body, content_type="application/json").status_code == 200
    match.refresh_from_db()
    assert match.ply == 1
    # A second page of the same visitor, one move behind, is told so, and nothing is lost.
    assert client.post(url, {**body, "move": "pass"}, content_type="application/json").status_code == 409
    # Somebody else with the link watches.
    assert Client().post(url, {"ply": 1, "move": move}, content_type="application/json").status_code == 403


def test_they_are_found_nowhere(client, as_alice, stella):
    match = finished_match(play_now(client))
    person = match.host
    for path in (f"/people/{person.handle}/", f"/leaderboards/between/{person.handle}/alice/"):
        assert as_alice.get(path).status_code == 404
    assert as_alice.get(f"/api/v1/people/{person.handle}/").status_code == 404
    for path in ("/play/", "/", "/leaderboards/splendor-marvel/"):
        assert person.name not in as_alice.get(path).content.decode()
    assert (
        "Nobody on this board is called"
        in as_alice.get(f"/leaderboards/splendor-marvel/?q={person.name}").content.decode()
    )
    as_stella = logged_in(stella)
    assert person.name not in as_stella.get("/staff/people/").content.decode()
    assert as_stella.get(f"/staff/people/{person.handle}/").status_code == 404
    assert not Rating.objects.filter(user=person).exists()
    assert User.objects.get(pk=person.pk).search == ""


def test_they_cannot_talk_or_sit_with_people(client, bob, as_bob):
    match = play_now(client)
    person = match.host
    for act in (
        lambda: chat.post_line(person=person, match=match, text="Hello"),
        lambda: chat.post_line(person=person, match=match, remark="hello"),
        lambda: seating.sit(person=person, match=open_table_with(bob, bots=1)),
    ):
        with pytest.raises(NotAllowed):
            act()
    for terms in ({}, {"visibility": "link", "rated": True}):
        with pytest.raises(Refused, match="Without an account"):
            setup.open_table(host=person, setting=Setting(GAME, 2, **terms))
    # Nobody else can sit down at theirs, which has begun.
    with pytest.raises(NotAllowed):
        seating.sit(person=bob, match=match)
    said = client.post(reverse("games:say", args=[match.key]), {"say": "Hello"})
    assert said.status_code == 302
    assert said.url.startswith("/accounts/login/")
    refused = client.post(reverse("games:sit", args=[open_table_with(bob, bots=1).key]))
    assert refused.status_code == 403
    assert "This needs an account" in refused.content.decode()


def test_what_needs_an_account_is_closed(client, club, alice):
    person = play_now(client).host
    for permission in set(Permission) - {Permission.SEE_CLUB, Permission.SEE_PROFILE}:
        for thing in (None, club, person):
            assert not access.may(person, permission, thing), permission
    invite = joining.invite(actor=alice, club=club)
    for act in (
        lambda: clubs.create_club(founder=person, name="Mine"),
        lambda: joining.request_to_join(person=person, club=club),
        lambda: joining.accept(person=person, token=invite.token),
        lambda: people.change_settings(person=person, display_name="Alice A."),
        lambda: people.delete_account(person=person),
    ):
        with pytest.raises((NotAllowed, Refused)):
            act()
    for path in (
        "/settings/",
        "/settings/tokens/",
        "/clubs/new/",
        "/notices/",
        "/accounts/2fa/",
        "/play/new/",
        "/play/bots/",
    ):
        answer = client.get(path)
        assert answer.status_code == 302, path
        assert "/accounts/login/" in answer.url, path
    assert client.get("/api/v1/me/").status_code == 401
    assert client.post("/api/v1/clubs/", {"name": "Mine"}, content_type="application/json").status_code == 401
    notify([person], STARTED_KIND, path="/", game="Splendor")
    assert not person.notices.exists()


def test_name_and_matches_are_kept(client):
    match = play_one_move(play_now(client, "thanos-rising"))
    person = match.host
    answer = keep(client, time_zone="Europe/Rome")
    assert answer.status_code == 302
    person.refresh_from_db()
    assert (person.handle, person.name, person.is_active, person.is_trial) == ("nadia", "Nadia", True, False)
    assert person.time_zone == "Europe/Rome"
    assert person.joined_at > match.started_at
    assert client.get("/settings/").status_code == 200
    assert match.get_absolute_url() in client.get("/").content.decode()
    assert client.get("/people/nadia/").status_code == 200
    # The match goes on, and the account is like any other: one logs in with it again.
    assert client.get(match.get_absolute_url()).context["can"] >= {"play", "talk"}
    client.post(reverse("account_logout"))
    back = Client()
    back.post(reverse("account_login"), {"login": "nadia", "password": PASSWORD})
    assert back.get("/settings/").status_code == 200
    assert setup.play_now(person=person, game=GAME, players=2, level="rookie", rated=True).rated


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"handle": "alice"}, "This handle is taken."),
        ({"handle": "ALICE"}, "This handle is taken."),
        ({"handle": "admin"}, "This handle cannot be used."),
        ({"handle": "-x-"}, "Use 2 to 30 letters"),
        ({"handle": ""}, "This field is required."),
        ({"password": "short"}, "too short"),
        ({"password": "nadia-nadia", "handle": "nadia-nadia"}, "too similar"),
        ({"name": ""}, "This field is required."),
        ({"name": "N" * 61}, "at most 60 characters"),
    ],
)
def test_a_wrong_choice_is_refused_and_nothing_is_lost(client, alice, wrong, words):
    match = play_now(client)
    answer = keep(client, **wrong)
    assert answer.status_code == 422
    assert words in answer.content.decode()
    assert User.objects.get(pk=match.host_id).is_trial
    assert client.get(match.get_absolute_url()).context["mine"].user == match.host
    assert keep(client, "nadia").status_code == 302


def test_a_handle_taken_at_the_same_moment(alice):
    person = trial()
    with pytest.raises(Refused, match="taken"):
        trials.keep(person=person, handle="Alice", password=PASSWORD, name="Nadia")
    with pytest.raises(Refused, match="too short"):
        trials.keep(person=person, handle="nadia", password="short", name="Nadia")
    trials.keep(person=person, handle="nadia", password=PASSWORD, name="Nadia")
    # The other tab sends its form too.
    with pytest.raises(Refused, match="kept already"):
        trials.keep(person=person, handle="nadia2", password=PASSWORD, name="Nadia")


def test_floods_are_refused_in_words(client, settings):
    for _ in range(trials.MOST_BY_ADDRESS):
        trial("2001:db8:1:2::%x" % (_ + 1))
    with pytest.raises(Refused, match="from your network"):
        trial("2001:db8:1:2:ffff::1")
    trial("2001:db8:1:3::1")
    settings.TRIAL_ACCOUNTS = trials.MOST_BY_ADDRESS + 1
    before = User.objects.count(), Match.objects.count(), AuditEntry.objects.count()
    answer = client.post(reverse("games:play-now", args=[GAME]), {"players": 2, "level": "rookie"}, follow=True)
    assert "Many people play without an account right now" in answer.content.decode()
    assert (User.objects.count(), Match.objects.count(), AuditEntry.objects.count()) == before
    assert trials.SESSION_KEY not in client.session


def test_one_visitor_has_few_tables(client):
    for _ in range(6):
        play_now(client)
    answer = client.post(reverse("games:play-now", args=[GAME]), {"players": 2, "level": "rookie"}, follow=True)
    assert "6 tables with bots under way" in answer.content.decode()
    assert Match.objects.count() == 6


def test_bots_think_for_people_with_accounts_first(client, bob):
    visitors = play_now(client)
    members = setup.play_now(person=bob, game=GAME, players=2, level="rookie")
    now = timezone.now()
    for match, due in ((visitors, now - timedelta(seconds=9)), (members, now)):
        Match.objects.filter(pk=match.pk).update(bot_due=due)
        presence.record(match, match.seats.get(user=match.host).index, True)
    assert fair_share.next_matches(visitors.pk) == [members.pk, visitors.pk]


def test_a_site_may_ask_for_accounts(client, settings):
    settings.TRIAL_ACCOUNTS = 0
    answer = client.post(reverse("games:play-now", args=[GAME]), {"players": 2, "level": "rookie"})
    assert answer.url.startswith("/accounts/login/")
    assert not User.objects.filter(trial_seen_at__isnull=False).exists()


def rested(person):
    ago = timezone.now() - trials.RESTS_FOR - timedelta(minutes=1)
    User.objects.filter(pk=person.pk).update(trial_seen_at=ago)
    Match.objects.filter(host=person).update(turn_since=ago)


def test_after_a_week_of_rest_all_is_erased(client, bob):
    match = play_one_move(play_now(client))
    other = finished_match(play_now(client))
    setup.rematch(person=match.host, match=other)
    person, name = match.host, match.host.name
    kept = trials.keep(person=trial("192.0.2.9"), handle="nadia", password=PASSWORD, name="Nadia")
    assert trial_matches.erase_resting() == 0
    rested(person)
    assert trial_matches.erase_resting() == 1
    gone = User.objects.get(pk=person.pk)
    assert (gone.display_name, gone.is_trial, gone.is_active) == ("", False, False)
    assert gone.handle.startswith("~")
    assert gone.deleted_at
    assert not Match.objects.exists()
    assert not Move.objects.exists()
    assert not Seat.objects.exists()
    assert not LoginAddress.objects.filter(user=person).exists()
    assert name not in str(list(AuditEntry.objects.values_list("params", flat=True)))
    assert User.objects.get(pk=kept.pk).is_active
    # The cookie outlived the name: the visitor is told, and plays on under another.
    page = client.get("/").content.decode()
    assert "The name you played under has expired" in page
    assert "The name you played under has expired" not in client.get("/").content.decode()
    assert client.get(match.get_absolute_url()).status_code == 404
    assert client.get(reverse("accounts:keep-trial")).url == "/accounts/login/?next=/"
    assert play_now(client).host != person


def test_who_comes_or_plays_on_is_not_erased(client):
    match = play_now(client)
    rested(match.host)
    Match.objects.filter(pk=match.pk).update(turn_since=timezone.now())
    assert trial_matches.erase_resting() == 0
    rested(match.host)
    # The cookie is sent again, and lasts as long as the name.
    assert "sessionid" in client.get("/").cookies
    assert "sessionid" not in client.get("/").cookies
    assert trial_matches.erase_resting() == 0


def test_logging_in_leaves_the_made_up_name(client, bob):
    match = play_now(client)
    bob.set_password(PASSWORD)
    bob.save()
    client.force_login(bob)
    page = client.get(match.get_absolute_url())
    assert page.context["mine"] is None
    assert client.get(reverse("accounts:keep-trial")).url == "/"


def test_language_and_theme_are_the_visitors(client):
    match = play_now(client)
    client.post(reverse("set_language"), {"language": "pl"})
    client.post(reverse("set_theme"), {"theme": "dark"})
    page = client.get(match.get_absolute_url()).content.decode()
    assert 'lang="pl"' in page
    assert 'data-theme="dark"' in page
    assert User.objects.get(pk=match.host_id).language == "pl"
    keep(client)
    person = User.objects.get(handle="nadia")
    assert (person.language, person.theme) == ("pl", "dark")


def test_a_locked_person_does_not_become_one(bob):
    people_locked = create_user("emil", is_active=False)
    assert not people_locked.is_trial
    with pytest.raises(IntegrityError, match=r"user_trial_may_only_play"):
        User.objects.filter(pk=bob.pk).update(trial_seen_at=timezone.now())
