"""Every page of the app for every kind of visitor; a stranger's case for each."""

import json
import re
from typing import Any
from urllib.parse import quote

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

import engine
from accounts import audit, clubs
from accounts.models import Membership, Notice
from accounts.notifications.registry import kind_names, render
from games import access, chat, engine_match
from games.catalogue import option_labels
from games.catalogue.spec import spec
from games.errors import OptionRefused
from games.models import ChatLine, Match, Mute, Report
from games.tables import leaving, seating, setup
from games.tables.setup import Setting
from tests.factories import (
    GAME,
    finished_match,
    fresh,
    logged_in,
    open_table_with,
    play_turn,
    started_match,
    two_turns_each,
)

READING = {"lobby", "listing", "turns", "new", "words", "reports", "table", "places", "state", "talk", "past", "final"}
READING |= {"glance", "own-bots", "own-bot", "cards", "cards-file", "card-files", "card-file", "card-file-download"}
READING |= {"table-cards", "table-rules", "own-words"}
READING |= {"challenges", "challenge-new", "person-challenge", "challenge-counter", "quick-pairing", "hint"}
RECORDS = {"replay", "plies", "transcript", "verify", "analysis", "learn"}


def routes() -> list[str]:
    games = next(one for one in get_resolver().url_patterns if getattr(one, "namespace", None) == "games")
    assert isinstance(games, URLResolver)
    return [one.name for one in games.url_patterns if isinstance(one, URLPattern) and one.name]


def address(route: str, match: Match) -> str:
    special: dict[str, list[Any]] = {
        "play-now": [GAME],
        "tutorial": [GAME],
        "words": [GAME, "it", "x"],
        "report-settle": [1],
        "own-bot": [1],
        "own-bot-key": [1],
        "own-bot-switch": [1],
        "challenge-cancel": [match.key, 1],
        "cards": [GAME],
        "cards-file": [GAME],
        "own-words": [match.key, "it", "x"],
        "card-files": ["no-club"],
        "card-file": ["no-club", 1],
        "card-file-download": ["no-club", 1],
        "card-file-offer": ["no-club", 1],
        "card-file-delete": ["no-club", 1],
        "challenge-new": ["bob"],
        "person-challenge": [1],
        "challenge-accept": [1],
        "challenge-decline": [1],
        "challenge-counter": [1],
        "challenge-withdraw": [1],
    }
    bare = {"lobby", "listing", "turns", "new", "reports", "mute", "own-bots", "close-all"}
    bare |= {"challenges", "quick-pairing", "quick-pairing-stay", "quick-pairing-leave"}
    return reverse(f"games:{route}", args=[] if route in bare else special.get(route, [match.key]))


@pytest.fixture
def secret_table(alice, bob) -> Match:
    """A running match of a club that Charlie is not in."""
    club = clubs.create_club(founder=alice, name="Round Table")
    Membership.objects.create(club=club, user=bob)
    return started_match(alice, bob, visibility="club", club=club)


def test_a_clubs_table_is_not_there_for_strangers(secret_table, as_charlie, client):
    paths = [path for route in routes() if secret_table.key in (path := address(route, secret_table))]
    assert len(paths) > 20
    for path in paths:
        for someone in (as_charlie, client):
            for answer in (someone.get(path), someone.post(path)):
                # Not there, not this way, or log in first: never a word of the match.
                assert answer.status_code in (302, 404, 405), (path, answer.status_code)
                assert secret_table.commitment not in answer.content.decode()


def test_no_page_breaks_for_anyone(alice, bob, charlie, stella):
    finished = started_match(alice, bob)
    leaving.resign(person=bob, match=finished)
    visitors = [Client(), logged_in(alice), logged_in(charlie), logged_in(stella)]
    for route in routes():
        for match in (open_table_with(alice, bob), started_match(alice, bob), finished):
            path = address(route, match)
            for someone in visitors:
                for answer in (someone.get(path), someone.post(path)):
                    assert answer.status_code < 500, (route, match.status)
        Match.objects.filter(status="open").update(host=None)


def test_what_changes_something_is_posted_by_somebody_logged_in(alice, bob, client, as_alice):
    match = started_match(alice, bob)
    before = list(Match.objects.order_by("pk").values_list("pk", "status", "ply"))
    # Play now and a tutorial seat a visitor as a guest: tests/browser/test_first_minute.py, test_tutorials.py.
    for route in sorted(set(routes()) - READING - RECORDS - {"card", "play-now", "tutorial"}):
        path = address(route, match)
        # A key that was shown once leads back to its bot.
        assert as_alice.get(path).status_code == (302 if route == "own-bot-key" else 405), route
        assert client.post(path).status_code in (302, 400, 403), route
        assert list(Match.objects.order_by("pk").values_list("pk", "status", "ply")) == before


def test_from_an_empty_table_to_a_running_match_by_forms_alone(as_alice, as_bob, alice):
    answer = as_alice.post(
        "/play/new/?game=infinity-gauntlet",
        {
            "game": "infinity-gauntlet",
            "players": 3,
            "clock": "live-10",
            "on_timeout": "bot",
            "visibility": "anyone",
            "option_heroes_life": "5",
            "option_thanos_life": "",
        },
    )
    match = Match.objects.get()
    assert answer.url == match.get_absolute_url()
    assert (match.options, match.bank, match.increment) == ({"heroes_life": 5}, 600, 20)
    page = f"/play/{match.key}"
    as_bob.post(f"{page}/sit/", {"index": 2})
    as_bob.post(f"{page}/role/", {"wish": "thanos"})
    as_bob.post(f"{page}/word/", {"word": "sesame"})
    as_alice.post(f"{page}/bot/", {"level": "expert", "index": 1})
    assert as_alice.get(f"{page}/places/").status_code == 200
    as_alice.post(f"{page}/start/")
    assert fresh(match).is_playing
    assert match.seats.get(user__handle="bob").index == 0
    assert "HX-Refresh" in as_bob.get(f"{page}/places/").headers
    state = as_bob.get(page + "/").context["state"]
    assert state["seat"] == 0
    assert state["view"]["seat"] == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 9},
        {"clock": "yesterday"},
        {"visibility": "club"},
        {"option_points": 99},
        {"option_points": "many"},
    ],
)
def test_a_wrong_form_comes_back_with_the_reason(as_alice, wrong):
    good = {"game": GAME, "players": 2, "clock": "none", "on_timeout": "bot", "visibility": "anyone"}
    answer = as_alice.post(f"/play/new/?game={GAME}", good | {"option_points": "16"} | wrong)
    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    assert not Match.objects.exists()


def test_an_option_left_alone_stays_out_of_the_record(as_alice):
    fields = {"game": "thanos-rising", "players": 2, "clock": "none", "on_timeout": "bot", "visibility": "anyone"}
    as_alice.post("/play/new/?game=thanos-rising", fields | {"option_preset": "hero", "option_bases": "random"})
    assert Match.objects.get().options == {}


def test_play_now_is_one_click(as_alice):
    answer = as_alice.post(f"/play/now/{GAME}/", {"players": 3, "level": "rookie"})
    assert answer.url == Match.objects.get().get_absolute_url()
    assert as_alice.post("/play/now/chess/", {"players": 3, "level": "rookie"}).url == "/play/"
    assert Match.objects.count() == 1


def test_a_visitors_choice_is_kept_through_the_log_in(alice, client, settings):
    settings.TRIAL_ACCOUNTS = 0
    alice.set_password("a long and secret word")
    alice.save()
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    door = client.post(f"/play/now/{GAME}/", {"players": 2, "level": "titan"}).url
    page = client.get(door).content.decode()
    assert "At a table everyone has a name" in page
    kept = f"/play/?game={GAME}&players=2&level=titan"
    assert f"/accounts/signup/?next={quote(kept, safe='')}" in page
    answer = client.post(door, {"login": "alice", "password": "a long and secret word", "next": kept})
    assert answer.url == kept
    form = client.get(kept).content.decode().split(f"game-{GAME}")[1].split("</form>")[0]
    assert "is-chosen" in form
    assert '<option value="2" selected>' in form
    assert '<option value="titan" selected>' in form
    assert not Match.objects.exists()
    elsewhere = client.post("/accounts/login/?next=https://elsewhere.test/", {"next": "https://elsewhere.test/"})
    assert "elsewhere" not in elsewhere.headers.get("Location", "")


@pytest.mark.parametrize("wrong", ["?game=chess&players=2&level=titan", f"?game={GAME}&players=99&level=x", "?game="])
def test_a_choice_that_makes_no_sense_is_no_choice(client, db, wrong):
    page = client.get(f"/play/{wrong}")
    assert page.status_code == 200
    assert "is-chosen" not in page.content.decode()


def test_lists_show_what_their_reader_may_know(alice, bob, as_alice, as_charlie, secret_table):
    by_link = setup.open_table(host=alice, setting=Setting(GAME, 2, visibility="link"))
    seating.sit(person=alice, match=by_link)
    for path in ("/play/", "/people/alice/"):
        hers, theirs = as_alice.get(path).content.decode(), as_charlie.get(path).content.decode()
        for match in (by_link, secret_table):
            assert match.key in hers
            assert match.key not in theirs


def test_the_lobby_asks_no_more_of_the_database_for_more_tables(alice, bob, client, django_assert_max_num_queries):
    for _ in range(2):
        started_match(alice, bob)
    with django_assert_max_num_queries(12):
        client.get("/play/")
    for _ in range(6):
        started_match(alice, bob)
    with django_assert_max_num_queries(12):
        client.get("/play/")


@pytest.mark.parametrize(
    ("game", "people", "words"),
    [
        ("thanos-rising", 2, "Leave your team?"),
        ("thanos-rising", 3, "Leave your team?"),
        ("infinity-gauntlet", 3, "Even if your side wins"),
        ("infinity-gauntlet", 2, "Your opponent wins"),
        (GAME, 3, "you come last"),
    ],
)
def test_what_resigning_means_is_told_as_the_game_has_it(alice, as_alice, game, people, words):
    match = started_match(alice, game=game, bots=people - 1)
    if words == "Your opponent wins":
        assert words not in as_alice.get(f"/play/{match.key}/").content.decode()
        # Some deals end before.
        while not (match := two_turns_each(match)).is_playing:
            match = started_match(alice, game=game, bots=people - 1)
    assert words in as_alice.get(f"/play/{match.key}/").content.decode()


@pytest.mark.parametrize(("game", "has_places"), [("thanos-rising", False), ("infinity-gauntlet", False), (GAME, True)])
def test_only_rivals_have_places(alice, bob, as_alice, game, has_places):
    match = started_match(alice, bob, game=game, bots=1)
    leaving.resign(person=bob, match=match)
    finished_match(match)
    result = as_alice.get(f"/play/{match.key}/").content.decode().split('class="result"')[1].split("</ol>")[0]
    assert ('class="result-place"' in result) == has_places
    assert ">Resigned<" in result
    if game == "thanos-rising":
        assert "The heroes" in result


def test_own_matches_are_found_everywhere_those_that_wait_first(alice, bob, as_alice, as_charlie):
    theirs, mine = started_match(alice, bob), started_match(alice, bob)
    play_turn(theirs)
    for path in ("/", "/play/", "/play/list/"):
        page = as_alice.get(path).content.decode()
        assert page.index(mine.key) < page.index(theirs.key)
        assert page.count("Your turn<") == 1
    for path in ("/leagues/", "/play/turns/"):
        assert re.search(r">\s*1\s*<", as_alice.get(path).content.decode())
    leaving.resign(person=alice, match=theirs)
    play_turn(mine)
    assert "turn-count" not in as_alice.get("/play/turns/").content.decode()
    assert "turn-count" not in as_charlie.get("/play/turns/").content.decode()
    assert "own-tables-title" not in as_charlie.get("/play/list/").content.decode()


def test_the_options_of_every_game_have_words(alice, as_alice, as_bob):
    for name in engine.GAMES:
        game = engine.game(name)
        assert set(spec(name).options) == {option.name for option in option_labels.form_options(game)}
    fields = {"game": "thanos-rising", "players": 2, "clock": "none", "visibility": "anyone"}
    fields |= {"option_preset": "infinity", "option_team_loss": "False", "option_first_player": "2"}
    as_alice.post("/play/new/?game=thanos-rising", fields)
    match = Match.objects.get()
    assert match.options == {"preset": "infinity", "team_loss": False, "first_player": 2}
    assert match.on_timeout == "bot"
    page = as_bob.get(f"/play/{match.key}/").content.decode()
    for words in ("Infinity: the hardest", "The others fight on", "Seat 2"):
        assert words in page


def test_any_of_the_rulebooks_values_can_be_set_and_the_table_says_what_it_means(alice, as_alice, as_bob):
    fields = {"game": "thanos-rising", "players": 2, "clock": "none", "visibility": "anyone"}
    fields |= {"option_preset": "hero", "option_bases": "random", "option_first_player": "0"}
    for name in ("villains_to_defeat", "heroes_lost_limit", "stones_to_lose"):
        assert as_alice.post("/play/new/?game=thanos-rising", fields | {f"option_{name}": "0"}).status_code == 422
        assert not Match.objects.exists()
    least = {"villains_to_defeat": 1, "heroes_lost_limit": 1, "stones_to_lose": 1}
    as_alice.post("/play/new/?game=thanos-rising", fields | {f"option_{name}": str(least[name]) for name in least})
    assert Match.objects.get().options == least
    page = as_bob.get(f"/play/{Match.objects.get().key}/").content.decode()
    for label in ("Defeated villains that win", "Fallen heroes that lose", "Collected stones that lose"):
        assert f"{label} the match" in page


@pytest.mark.parametrize(("language", "complaint"), [("it", "non ha questo posto"), ("pl", "Nie ma")])
def test_an_impossible_option_is_refused_at_its_field_in_the_readers_language(alice, as_alice, language, complaint):
    type(alice).objects.filter(pk=alice.pk).update(language=language)
    fields = {
        "game": "thanos-rising",
        "players": 2,
        "clock": "none",
        "visibility": "anyone",
        "option_first_player": "4",
    }
    answer = as_alice.post("/play/new/?game=thanos-rising", fields | {"option_first_player": "4"})
    assert answer.status_code == 422
    [(field, errors)] = answer.context["form"].errors.items()
    assert field == "option_first_player"
    assert complaint in errors[0]
    with pytest.raises(OptionRefused) as refused:
        setup.open_table(host=alice, setting=Setting("thanos-rising", 2, {"bases": "nowhere,somewhere"}))
    assert refused.value.option == "bases"
    assert "nowhere" not in refused.value.message


def test_a_fair_shuffle_is_named_once_and_the_gallery_says_why_to_log_in(alice, bob, client):
    page = client.get(f"/play/{started_match(alice, bob).key}/").content.decode()
    assert page.count("A fair shuffle") == 1
    assert "Log in to join the talk" in page


def test_a_player_reads_the_gallery_once_the_match_is_over(alice, bob, charlie, as_alice):
    match = started_match(alice, bob)
    chat.post_line(person=charlie, match=match, text="bob has the Time Stone")
    assert as_alice.get(f"/play/{match.key}/talk.json").json() == {"lines": []}
    leaving.resign(person=bob, match=match)
    assert as_alice.get(f"/play/{match.key}/talk.json").json()["lines"][0]["text"] == "bob has the Time Stone"


def test_the_replay_gives_every_seat_its_own_view(alice, bob, client):
    match = finished_match(started_match(alice, bob, game="infinity-gauntlet"))
    for seat in ("", "0", "1"):
        plies = client.get(f"/play/{match.key}/replay.json?from=0&seat={seat}").json()["plies"]
        assert [one["v"] for one in plies] == list(range(len(plies)))
        assert {one["view"]["seat"] for one in plies} == {int(seat) if seat else None}
    last = client.get(f"/play/{match.key}/replay.json?from={match.ply}").json()["plies"]
    assert last[-1]["view"]["outcome"]["reason"] == match.reason
    for wrong in ("seat=7", "from=99999"):
        assert client.get(f"/play/{match.key}/replay.json?{wrong}").status_code == 404


def test_earlier_moments_of_a_running_match_are_seen_from_the_own_seat_alone(alice, bob, charlie, as_alice, as_charlie):
    match = started_match(alice, bob, game="infinity-gauntlet")
    for _ in range(3):
        match = play_turn(match)
    own = access.seat_of(alice, match).index
    for reader, seat in ((as_alice, own), (as_charlie, None)):
        plies = reader.get(f"/play/{match.key}/past.json?from=1&seat={1 - own}").json()["plies"]
        assert [one["v"] for one in plies] == list(range(1, match.ply + 1))
        assert {one["view"]["seat"] for one in plies} == {seat}
    hidden = [one["view"]["table"]["seats"] for one in as_charlie.get(f"/play/{match.key}/past.json").json()["plies"]]
    assert [card for seats in hidden[:1] for seat in seats for card in seat["cards"]] == []
    assert as_alice.get(f"/play/{match.key}/past.json?from=999").status_code == 404


def test_the_moves_that_cannot_be_taken_back_are_named_to_their_player_alone(alice, bob, as_alice, as_bob, as_charlie):
    match = started_match(alice, bob)
    first, second = (as_alice, as_bob) if access.seat_of(alice, match).index == match.to_act else (as_bob, as_alice)
    final = first.get(f"/play/{match.key}/final.json").json()["final"]
    legal = engine_match.load(match).view(match.to_act)["legal"]
    assert "take red" not in final  # one of three: the turn goes on
    assert "reserve deck 3" in final  # it ends the turn and shows a card
    assert set(final) < set(legal)
    assert second.get(f"/play/{match.key}/final.json").json()["final"] == []
    assert as_charlie.get(f"/play/{match.key}/final.json").status_code == 403
    # Against bots alone a casual match goes back to the last decision: nothing is final.
    alone = started_match(alice, bots=1)
    assert as_alice.get(f"/play/{alone.key}/final.json").json()["final"] == []


def test_words_are_kept_for_good_and_follow_the_language(client):
    answer = client.get(f"/play/words/{GAME}.pl.stale.json")
    assert answer.status_code == 302
    words = client.get(answer.url)
    assert "immutable" in words["Cache-Control"]
    told = words.json()
    assert told["terms"]["red"] == "czerwony"
    assert told["sentences"]["passed"] == "{seat} pasuje."
    assert told["cards"]["1-1"]["cost"] == {"red": 3}
    for wrong in (f"{GAME}.de.x", "chess.it.x"):
        assert client.get(f"/play/words/{wrong}.json").status_code == 404


def test_talk_over_http(alice, bob, as_alice, as_bob, charlie, stella):
    match = started_match(alice, bob)
    path = f"/play/{match.key}"
    assert as_bob.post(f"{path}/say/", {"say": "rude words"}).status_code == 200
    assert as_bob.post(f"{path}/say/", {"say": ""}).status_code == 409
    line = ChatLine.objects.get()
    assert as_alice.post(f"{path}/report/", {"line": line.pk, "reason": "rude"}).status_code == 200
    assert as_alice.post(f"{path}/report/", {"line": line.pk}).status_code == 409
    assert as_alice.post(f"{path}/report/", {"line": 0}).status_code == 404
    assert as_alice.post("/play/mute/", {"handle": "bob"}).json() == {"muted": ["bob"]}
    assert as_alice.post("/play/mute/", {"handle": "bob", "off": "1"}).json() == {"muted": []}
    assert not Mute.objects.exists()
    assert as_alice.get("/play/reports/").status_code == 403
    staff = logged_in(stella)
    assert "rude words" in staff.get("/play/reports/").content.decode()
    staff.post(f"/play/reports/{Report.objects.get().pk}/", {"remove": "1"})
    assert "rude words" not in json.dumps([line.text for line in chat.visible_lines(bob, match) if not line.removed])


def test_a_match_of_older_rules_is_shown_as_what_it_is(alice, bob, client, as_alice):
    match = started_match(alice, bob)
    Match.objects.filter(pk=match.pk).update(rules_version=0)
    page = as_alice.get(f"/play/{match.key}/")
    assert page.status_code == 200
    answer = as_alice.post(
        f"/play/{match.key}/move/", json.dumps({"ply": 0, "move": "take red"}), content_type="application/json"
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "old-rules")


def test_every_action_and_notice_of_ours_reads_aloud(alice, bob):
    match = open_table_with(alice, bob)
    for action in (action for action in audit.actions() if action.startswith("games.")):
        entry = audit.record(action, actor=alice, on=match, person=bob, game=match.title)
        assert "%" not in audit.render_entries([entry])[0].words
    for kind in (kind for kind in kind_names() if kind.startswith("games.")):
        notice = Notice(user=bob, kind=kind, actor=alice, params={"game": match.title})
        assert match.title in render(notice)


def test_a_visitor_with_the_link_is_shown_the_way_to_a_place(alice, client):
    match = setup.open_table(host=alice, setting=Setting(game=GAME, players=2, visibility=Match.Visibility.LINK))
    page = client.get(f"/play/{match.key}/").content.decode()
    for door in ("login", "signup"):
        assert f"/accounts/{door}/?next=/play/{match.key}/" in page


def test_a_newcomers_choice_is_kept_through_the_sign_up(client, db, mailoutbox):
    kept = f"/play/?game={GAME}&players=2&level=master"
    fields = {"username": "nova", "email": "nova@example.org", "password1": "a long and secret word", "next": kept}
    client.post("/accounts/signup/", fields)
    link = re.search(r"http://127.0.0.1:8000(/accounts/confirm-email/\S+)", mailoutbox[0].body)
    assert link
    answer = client.post(link[1])
    assert answer.url == kept
