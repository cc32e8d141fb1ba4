"""After a match: mistakes that are tried again, and playing on; during one against bots: hints."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Membership
from engine.kernel import ANEW
from games import engine_match, fairness
from games.analysis import compute, hints, request
from games.analysis.learn import Lesson
from games.models import Analysis, Hint, Match, Move
from games.play.moves import play_as
from games.tables import leaving, play_on
from tests.factories import create_user, finished_match, fresh, logged_in, play_one_move, started_match
from tests.games.planted import planted_match

pytestmark = pytest.mark.django_db
GAMES = ["splendor-marvel", "infinity-gauntlet", "thanos-rising"]


@pytest.fixture
def anna():
    return create_user("anna")


@pytest.fixture
def bela():
    return create_user("bela")


@pytest.fixture
def planted(anna, bela):
    """Thanos could snap, which wins at once, and never did; analysed."""
    match = planted_match(anna, bela)
    request.ask(person=anna, match=match)
    assert compute.analyse(match_id=match.pk)
    return fresh(match)


def lesson_of(match, seat=0):
    return Lesson(match, list(match.seats.all()), seat)


def snap_number(match):
    """Which of the mistakes of Thanos was not to snap."""
    turns = lesson_of(match).turns
    return next(number for number, turn in enumerate(turns, start=1) if turn["worst"]["better"] == "snap")


# -- mistakes


def test_a_blunder_is_tried_again_and_judged(anna, planted):
    lesson, number = lesson_of(planted), snap_number(planted)
    mistake = lesson.mistake(number)
    assert mistake.kind == "blunder"
    assert "snap" in lesson.position(number)["view"]["legal"]
    right = lesson.judge(number, "Snap ")
    assert (right.verdict, right.best) == ("best", "snap")
    assert right.answers[0].chance == 100
    again = lesson.judge(number, mistake.played)
    assert again.verdict == "same"
    assert [answer.was_played for answer in again.answers].count(True) == 1
    with pytest.raises(Refused, match="not possible"):
        lesson.judge(number, "fly away")
    with pytest.raises(Refused):
        lesson.judge(99, "snap")
    with pytest.raises(Refused):
        lesson_of(planted, seat=7)


def test_before_the_choice_a_page_and_a_program_get_only_what_the_seat_knew_then(anna, planted):
    number = snap_number(planted)
    mistake = lesson_of(planted).mistake(number)
    then = fairness.position_at(planted, mistake.ply)
    client = logged_in(anna)
    page = client.get(reverse("games:learn", args=[planted.key]), {"number": number})
    told = client.get(f"/api/v1/matches/{planted.key}/mistakes/{number}/").json()
    known = json.loads(json.dumps({**then.view(0), "can_undo": False}))
    for shown in (page.context["state"], told):
        assert {"why_not": {}, **shown["view"]} == known
        assert shown["events"] == json.loads(json.dumps(then.events(0)))
        assert shown["v"] == mistake.ply
    # The same bytes at a table that differs in what the seat cannot know, and in all that came later.
    other = then.imagine(0, "other hidden cards")
    assert {**other.view(0), "can_undo": False} == page.context["state"]["view"]
    assert set(told) == {"mistake", "v", "view", "events", "undone", "may_leave"}
    assert set(told["mistake"]) == {"number", "ply", "seat", "kind", "lost", "played", "played_words"}
    assert fairness.seed_of(planted) not in page.content.decode()
    assert right_answers_of(planted, number).isdisjoint(page.context["mistake"].__dict__.values())
    said = {name: value for name, value in page.context["state"].items() if name not in ("ui", "levels", "links")}
    text = json.dumps(said)
    for later in ("answers", "chance", "better", "believed", "loss"):
        assert f'"{later}"' not in text
    for ply in range(mistake.ply + 1, planted.ply + 1):
        assert f'"ply": {ply}' not in text.replace(f'"ply": {mistake.ply}', "")


def right_answers_of(match, number):
    worst = lesson_of(match).turns[number - 1]["worst"]
    return {answer["move"] for answer in worst["answers"]} - {worst["played"]}


def test_the_page_and_the_api_judge_and_store_nothing(anna, planted):
    number, client = snap_number(planted), logged_in(anna)
    before = (Move.objects.count(), Match.objects.count(), Analysis.objects.get().report)
    path = reverse("games:learn-answer", args=[planted.key])
    right = client.post(path, {"seat": 0, "number": number, "move": "snap"})
    assert right.json()["verdict"] == "best"
    wrong = client.post(path, {"seat": 0, "number": number, "move": "nonsense"})
    assert (wrong.status_code, wrong.json()["detail"]) == (422, "This move is not possible now.")
    for bad in ({}, {"seat": "x", "number": "1"}, {"seat": 0, "number": -1, "move": "snap"}):
        assert client.post(path, bad).status_code == 422
    api = f"/api/v1/matches/{planted.key}/mistakes/"
    listed = client.get(api).json()
    assert listed["seat"] == 0
    assert listed["mistakes"][number - 1]["kind"] == "blunder"
    tried = client.post(f"{api}{number}/", {"move": "snap"}, content_type="application/json").json()
    assert (tried["verdict"], tried["best"]) == ("best", "snap")
    assert client.post(f"{api}99/", {"move": "snap"}, content_type="application/json").status_code == 409
    assert before == (Move.objects.count(), Match.objects.count(), Analysis.objects.get().report)


def test_without_a_usable_analysis_it_says_so(anna, bela, planted):
    running = started_match(anna, bela, game="infinity-gauntlet", visibility="link")
    client = logged_in(anna)
    assert client.get(reverse("games:learn", args=[running.key])).status_code == 403
    plain = finished_match(started_match(anna, bela, game="infinity-gauntlet", visibility="link"))
    answer = client.get(reverse("games:learn", args=[plain.key]), follow=True)
    assert "There is no analysis of this match yet" in answer.content.decode()
    Analysis.objects.update(version=1)
    answer = client.get(reverse("games:learn", args=[planted.key]), follow=True)
    assert "older version" in answer.content.decode()
    Analysis.objects.update(version=compute.VERSION)
    Match.objects.filter(pk=planted.pk).update(rules_version=99)
    with pytest.raises(Refused, match="older rules"):
        lesson_of(fresh(planted)).position(1)
    Match.objects.filter(pk=planted.pk).update(rules_version=planted.rules_version)
    Move.objects.filter(match=planted, ply=0).delete()
    with pytest.raises(Refused, match="does not replay"):
        lesson_of(fresh(planted)).position(1)


def test_the_panel_leads_to_the_better_move_and_to_the_lesson(anna, planted):
    shown = logged_in(anna).get(reverse("games:analysis", args=[planted.key])).content.decode()
    assert 'data-better="snap"' in shown
    assert "Learn from your mistakes" in shown
    assert "What anna could know" in shown
    assert 'class="known known-0"' in shown


# -- playing on


@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_on_replays_and_verifies(anna, bela, game):
    match = finished_match(started_match(anna, bela, game=game, visibility="link", rated=False))
    table = play_on.play_on(person=anna, match=match, ply=6)
    assert (table.rated, table.host, table.visibility, table.status) == (False, anna, "link", "playing")
    assert (table.plies_taken_over, table.ply) == (6, 7)
    assert [seat.is_bot for seat in table.seats.order_by("index")] == [False, True]
    then, now = fairness.position_at(match, 6), engine_match.load(table)
    assert now.view(0)["table"] == then.view(0)["table"]
    assert now.events(0) == then.events(0)
    assert now.state.ints() != then.state.ints()
    assert table.to_act == then.to_act
    over = finished_match(table)
    assert fairness.verify(match=over).is_fair
    moves = fairness.transcript_of(over)["moves"]
    assert moves[:6] == fairness.transcript_of(match)["moves"][:6]
    assert moves[6][:2] == [0, ANEW]
    client = logged_in(anna)
    for name in ("replay", "verify", "transcript", "table"):
        assert client.get(reverse(f"games:{name}", args=[over.key])).status_code == 200
    assert "Played on from move 6" in client.get(reverse("games:verify", args=[over.key])).content.decode()
    again = play_on.play_on(person=anna, match=over, ply=9, seat=1)
    assert fairness.verify(match=finished_match(again)).is_fair


def test_the_player_finds_the_cards_neither_by_the_old_record_nor_in_the_running_match(anna, bela):
    match = finished_match(started_match(anna, bela, game="infinity-gauntlet", visibility="link"))
    table = play_on.play_on(person=anna, match=match, ply=2)
    client = logged_in(anna)
    state = client.get(reverse("games:table", args=[table.key])).content.decode()
    api = client.get(f"/api/v1/matches/{table.key}/").content.decode()
    for text in (state, api):
        assert fairness.seed_of(match) not in text
        assert table.secret not in text
    assert client.get(reverse("games:transcript", args=[table.key])).status_code == 403
    # Two draws from the same position differ: each table has promised a secret of its own.
    deals = {engine_match.load(play_on.play_on(person=anna, match=match, ply=2)).hash() for _ in range(4)}
    assert len(deals) > 1


def test_bad_input_is_refused_in_words_and_opens_nothing(anna, bela):
    match = finished_match(started_match(anna, bela, game="infinity-gauntlet", visibility="link"))
    before, client = Match.objects.count(), logged_in(anna)

    def refused(words, **asked):
        answer = client.post(reverse("games:play-on", args=[match.key]), asked, follow=True)
        assert words in answer.content.decode()
        numbers = {name: int(value) for name, value in asked.items() if str(value).isdecimal()}
        if "ply" in numbers:
            told = client.post(
                f"/api/v1/matches/{match.key}/play-on/",
                {**asked, **numbers},
                content_type="application/json",
            )
            assert told.status_code in {400, 409, 422}
        assert Match.objects.count() == before

    refused("This match has no such move.", ply=match.ply + 1)
    refused("This match has no such move.", ply="x")
    refused("The match is over at this move.", ply=match.ply)
    refused("There is no such seat", ply=1, seat=7)
    refused("There is no such seat", ply=1, seat="x")
    refused("There is no such bot.", ply=1, level="champion")
    edited = Move.objects.get(match=match, ply=0)
    Move.objects.filter(pk=edited.pk).delete()
    refused("does not replay", ply=1)
    edited.digest = "00000000"
    edited.save(force_insert=True)
    refused("does not replay", ply=1)
    Match.objects.filter(pk=match.pk).update(rules_version=99)
    refused("older rules", ply=1)


def test_a_match_that_was_resigned_in_its_first_turn_can_be_played_on_and_has_nothing_to_learn(anna, bela):
    match = started_match(anna, bela, game="infinity-gauntlet", visibility="link")
    leaving.resign(person=bela, match=match)
    match = fresh(match)
    request.ask(person=anna, match=match)
    compute.analyse(match_id=match.pk)
    with pytest.raises(Refused, match="no analysis"):
        lesson_of(match)
    assert play_on.play_on(person=anna, match=match, ply=0).ply == 1


def test_it_is_as_closed_as_the_match_it_comes_from(anna, bela, club):
    Membership.objects.bulk_create(Membership(club=club, user=each) for each in (anna, bela))
    match = finished_match(started_match(anna, bela, visibility="club", club=club))
    stranger = create_user("stranger")
    with pytest.raises(NotAllowed):
        play_on.play_on(person=stranger, match=match, ply=1)
    table = play_on.play_on(person=anna, match=match, ply=1)
    assert (table.visibility, table.club) == ("club", club)
    assert logged_in(stranger).get(reverse("games:table", args=[table.key])).status_code == 404
    Match.objects.filter(pk=match.pk).update(sealed=True)
    with pytest.raises(NotAllowed):
        play_on.play_on(person=anna, match=fresh(match), ply=1)
    with pytest.raises(NotAllowed):
        play_on.play_on(person=anna, match=started_match(anna, bela), ply=0)


def test_it_counts_as_one_of_the_tables_that_one_may_have(anna, bela):
    match = finished_match(started_match(anna, bela, visibility="link"))
    for _ in range(6):
        play_on.play_on(person=anna, match=match, ply=1)
    with pytest.raises(Refused, match="under way"):
        play_on.play_on(person=anna, match=match, ply=1)


# -- hints


@pytest.fixture
def against_bots(anna):
    return started_match(anna, game="infinity-gauntlet", bots=1, visibility="link", options={"thanos_life": 2})


def to_anna(match):
    """Until it is the person's turn."""
    while (match := fresh(match)).to_act != 0:
        match = play_one_move(match)
    return match


def test_a_hint_is_asked_for_computed_and_said(anna, against_bots):
    match, client = to_anna(against_bots), logged_in(anna)
    path = reverse("games:hint", args=[match.key])
    assert 'id="hint"' in client.get(reverse("games:table", args=[match.key])).content.decode()
    assert client.get(path).json()["state"] == ""
    assert client.post(path).json()["state"] == "waiting"
    assert client.post(path).json()["state"] == "waiting"
    hint = Hint.objects.get()
    assert hints.compute(hint_id=hint.pk)
    assert not hints.compute(hint_id=hint.pk)
    told = client.get(path).json()
    assert told["state"] == "done"
    assert told["move"] in engine_match.load(match).view(0)["legal"]
    assert told["words"]
    assert client.get(f"/api/v1/matches/{match.key}/hint/").json() == told
    assert client.post(f"/api/v1/matches/{match.key}/hint/", {}, content_type="application/json").json() == told


def test_a_rated_match_gives_hints_only_when_its_rating_is_given_up(anna):
    match = to_anna(started_match(anna, game="infinity-gauntlet", bots=1, rated=True))
    client, path = logged_in(anna), reverse("games:hint", args=[match.key])
    answer = client.post(path)
    assert (answer.status_code, answer.json()["detail"]) == (
        409,
        "This match is rated. Confirm first that it is no longer rated.",
    )
    assert fresh(match).rated
    assert not Hint.objects.exists()
    assert client.post(path, {"unrated": "yes"}).json()["state"] == "waiting"
    assert not fresh(match).rated
    assert not finished_match(match).rated


def test_who_may_not_have_hints(anna, bela, against_bots):
    match = to_anna(against_bots)
    with pytest.raises(NotAllowed):
        hints.ask(person=bela, match=match)
    with pytest.raises(Refused, match="against the site’s bots"):
        hints.ask(person=anna, match=to_anna(started_match(anna, bela, game="infinity-gauntlet")))
    for change in ({"sealed": True}, {"takes_words": False}, {"host": None}):
        Match.objects.filter(pk=match.pk).update(**change)
        with pytest.raises((Refused, NotAllowed)):
            hints.ask(person=anna, match=fresh(match))
        Match.objects.filter(pk=match.pk).update(sealed=False, takes_words=True, host=anna)
    Match.objects.filter(pk=match.pk).update(to_act=1)
    with pytest.raises(Refused, match="not your turn"):
        hints.ask(person=anna, match=fresh(match))
    assert not Hint.objects.exists()
    assert logged_in(bela).get(reverse("games:hint", args=[match.key])).status_code == 403


def test_hints_are_limited_and_a_lost_one_is_asked_for_again(anna, against_bots):
    match = to_anna(against_bots)
    hint = hints.ask(person=anna, match=match)
    assert hints.ask(person=anna, match=match).pk == hint.pk
    Hint.objects.update(asked_at=timezone.now() - 2 * hints.LOST_AFTER)
    assert hints.ask(person=anna, match=match).pk != hint.pk
    Hint.objects.all().delete()
    Hint.objects.bulk_create(
        Hint(match=match, ply=1000 + number, seat=0, person=anna) for number in range(hints.AN_HOUR)
    )
    with pytest.raises(Refused, match="in the last hour"):
        hints.ask(person=anna, match=match)
    Hint.objects.update(asked_at=timezone.now() - timedelta(hours=2))
    assert hints.ask(person=anna, match=match)


def test_a_hint_for_a_decision_that_is_past_is_not_computed(anna, against_bots):
    match = to_anna(against_bots)
    hint = hints.ask(person=anna, match=match)
    legal = engine_match.load(match).view(0)["legal"]
    play_as(person=anna, match=match, ply=match.ply, move=legal[0])
    assert not hints.compute(hint_id=hint.pk)
    assert Hint.objects.get().state == "waiting"
