"""Tutorials: every script is played through the real rules and on the site, and leads nobody astray."""

import string
from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext

import engine
from accounts import trials
from accounts.infra.errors import Refused
from accounts.models import User
from games import coach, engine_match, fairness
from games.analysis import request as analysis
from games.models import Match, Move
from games.play import bot_turns
from games.play.moves import play_as
from games.tables import closing, leaving, tutorials
from tests.factories import create_user, fresh, logged_in, script_of
from tests.games.test_schema import check, state_in

pytestmark = pytest.mark.django_db
GAMES = ["splendor-marvel", "infinity-gauntlet", "thanos-rising"]


@pytest.fixture
def anna():
    return create_user("anna")


def dealt(game: str) -> engine.Match:
    script = script_of(game)
    return engine.game(game).start(script.players, script.seed, script.options)


def reply(played: engine.Match, replies) -> None:
    """The others play what the script says, each in its turn."""
    for seat, move in replies:
        assert played.to_act == seat, move
        played.play(move, seat)


def let_bots_move(match: Match) -> Match:
    bot_turns.take_bot_turns(match_id=match.pk)
    return fresh(match)


def take_step(person: User, match: Match, moves) -> Match:
    for move in moves:
        match = play_as(person=person, match=fresh(match), ply=fresh(match).ply, move=move).match
    return let_bots_move(match)


def play_guided_part(person: User, match: Match) -> Match:
    match = let_bots_move(match)
    for step in script_of(match.game).steps:
        match = take_step(person, match, step.moves)
    return match


# -- the scripts


@pytest.mark.parametrize("game", GAMES)
def test_every_step_is_legal_and_the_others_answer_by_the_rules(game):
    """Whoever changes a deal, a die or a notation finds out here, and not in somebody's first match."""
    script, played = script_of(game), dealt(game)
    reply(played, script.first)
    for step in script.steps:
        assert played.to_act == script.seat, step.ask
        after = set()
        for order in permutations(step.moves):
            branch = played.clone()
            for move in order:
                branch.play(move, script.seat)
            after.add(branch.hash())
        assert len(after) == 1, f"the order matters: {step.ask}"
        played = branch
        reply(played, step.then)
    assert played.outcome is None
    assert played.ply == script.plies
    assert 6 <= len(script.steps) <= 16


@pytest.mark.parametrize("language", ["it", "pl"])
@pytest.mark.parametrize("game", GAMES)
def test_the_coach_speaks_every_language(game, language):
    script = script_of(game)
    texts = [
        script.ending,
        *(step.ask for step in script.steps),
        *(say.text for step in script.steps for say in step.says),
    ]
    for text in texts:
        with translation.override("en"):
            english = str(text)
        with translation.override(language):
            said = gettext(english)
        assert said != english, english
        named = {field for _, field, _, _ in string.Formatter().parse(english) if field}
        assert {field for _, field, _, _ in string.Formatter().parse(said) if field} == named
        assert named <= script.named.keys()
        # It has to fit its place on a phone.
        assert len(said) <= 150, said


# -- at the table


@pytest.mark.parametrize("game", GAMES)
def test_a_tutorial_from_its_first_step_to_its_end(anna, game):
    match = tutorials.begin_tutorial(person=anna, game=game)
    script = script_of(game)
    assert (match.is_tutorial, match.rated, match.visibility) == (True, False, "link")
    assert [seat.is_bot for seat in match.seats.order_by("index")].count(False) == 1
    match = let_bots_move(match)
    for number, step in enumerate(script.steps):
        told = coach.current(match)
        assert (told["state"], told["step"], told["moves"]) == ("asking", number + 1, list(dict.fromkeys(step.moves)))
        refuse_everything_else(anna, match, step.moves)
        # Left and come back to: the same table, the same step.
        assert tutorials.begin_tutorial(person=anna, game=game) == match
        match = take_step(anna, match, step.moves)
    assert match.ply >= script.plies
    assert coach.current(match)["state"] == "done"
    assert match.is_playing
    # From here on the rules alone decide, and bots of their own play.
    while match.to_act != script.seat:
        match = let_bots_move(match)
    view = engine_match.load(match).view(script.seat)
    match = play_as(person=anna, match=match, ply=match.ply, move=view["legal"][0]).match
    assert Move.objects.filter(match=match).count() == match.ply
    leaving.resign(person=anna, match=match)
    assert fairness.verify(match=fresh(match)).is_fair


def refuse_everything_else(person: User, match: Match, moves) -> None:
    """What was not asked for is refused in words, legal or not, and nothing is written."""
    played = engine_match.load(match)
    legal = [played.notation(action) for action in played.legal()]
    before = (match.ply, Move.objects.count(), match.snapshot)
    ask = coach.current(match)["ask"]
    for wrong in [*(move for move in legal if move not in moves), "undo", "dance"]:
        with pytest.raises(Refused) as refused:
            play_as(person=person, match=fresh(match), ply=match.ply, move=wrong)
        assert refused.value.message == f"That comes later. Now: {ask}"
    now = fresh(match)
    assert before == (now.ply, Move.objects.count(), now.snapshot)


def test_the_page_has_the_coach_and_others_see_a_plain_table(anna):
    match = let_bots_move(tutorials.begin_tutorial(person=anna, game="infinity-gauntlet"))
    with translation.override("it"):
        told = coach.serialize(match)
    assert told["steps"][2]["ask"].startswith("Gioca")
    page = logged_in(anna).get(match.get_absolute_url())
    state = state_in(page.content)
    check("page", "MatchState", state)
    assert 'id="coach"' in page.content.decode()
    assert [step["ply"] for step in state["coach"]["steps"]] == [2, 3, 6, 7, 13, 14]
    assert state["view"]["can_undo"] is False
    assert script_of(match.game).seed not in page.content.decode()
    watching = logged_in(create_user("bela")).get(match.get_absolute_url())
    assert state_in(watching.content)["coach"] is None
    assert 'id="coach"' not in watching.content.decode()


def test_a_record_that_is_not_the_scripts_is_played_on_without_a_coach(anna):
    """A new release may have another script."""
    match = tutorials.begin_tutorial(person=anna, game="splendor-marvel")
    Match.objects.filter(pk=match.pk).update(secret="another deal")
    match = fresh(match)
    engine_match.clear_cache()
    assert coach.serialize(match) is None
    assert coach.current(match)["state"] == "none"
    view = engine_match.load(match).view(0)
    match = play_as(person=anna, match=match, ply=0, move=view["legal"][-1]).match
    assert match.ply == 1
    assert tutorials.begin_tutorial(person=anna, game="splendor-marvel") != match
    assert fresh(match).is_called_off


# -- nothing comes of it


def test_a_tutorial_counts_nowhere(anna):
    match = let_bots_move(tutorials.begin_tutorial(person=anna, game="infinity-gauntlet"))
    bela = create_user("bela")
    assert match not in Match.objects.listed_for(bela)
    assert match in Match.objects.under_way_for(anna)
    assert not leaving.resign(person=anna, match=match)
    match = fresh(match)
    assert (match.is_called_off, match.rated) == (True, False)
    with pytest.raises(Refused, match="not analysed"):
        analysis.ask(person=anna, match=match)
    # Where more than two sit, no bot plays on alone.
    assert match.bot_due is None


def test_an_abandoned_tutorial_is_closed_after_a_day(anna):
    with time_machine.travel(datetime(2026, 11, 17, 12, tzinfo=UTC), tick=False) as clock:
        match = let_bots_move(tutorials.begin_tutorial(person=anna, game="infinity-gauntlet"))
        clock.shift(timedelta(hours=23))
        assert closing.close_abandoned() == 0
        clock.shift(timedelta(hours=2))
        assert closing.close_abandoned() == 1
    assert fresh(match).is_called_off


# -- how one comes to it


def test_it_is_offered_until_a_match_was_played(anna):
    every = dict.fromkeys(GAMES, "begin")
    assert tutorials.offers(anna, GAMES) == every
    match = tutorials.begin_tutorial(person=anna, game="infinity-gauntlet")
    assert tutorials.offers(anna, GAMES) == every | {"infinity-gauntlet": "go-on"}
    page = logged_in(anna).get(reverse("games:lobby")).content.decode()
    assert page.count("Learn it in five minutes") == 2
    assert page.count("Go on learning it") == 1
    match = play_guided_part(anna, match)
    del every["infinity-gauntlet"]
    assert tutorials.offers(anna, GAMES) == every
    assert "Learn it" not in logged_in(anna).get("/rules/infinity-gauntlet/").content.decode()
    # Whoever asks for it again gets it from the start, and the old one is closed.
    again = tutorials.begin_tutorial(person=anna, game="infinity-gauntlet")
    assert again != match
    assert fresh(match).is_called_off
    assert again.ply == 0


def test_a_visitor_learns_without_an_account(db):
    visitor = Client()
    assert "Learn it in five minutes" in visitor.get("/rules/splendor-marvel/").content.decode()
    answer = visitor.post(reverse("games:tutorial", args=["splendor-marvel"]))
    match = Match.objects.get()
    assert answer.url == match.get_absolute_url()
    assert match.host.is_trial
    page = visitor.get(answer.url).content.decode()
    assert 'id="coach"' in page
    sent = {"ply": 0, "move": "take red"}
    refused = visitor.post(f"{answer.url}move/", sent, content_type="application/json")
    assert (refused.status_code, refused.json()["detail"]) == (409, "That comes later. Now: Take two orange tokens.")
    visitor.post(f"{answer.url}move/", {"ply": 0, "move": "take orange"}, content_type="application/json")
    assert fresh(match).ply == 1


def test_bad_input_is_refused_in_words_and_writes_nothing(anna, settings):
    lobby = logged_in(anna).post(reverse("games:tutorial", args=["chess"]), follow=True).content.decode()
    assert "There is no tutorial of this game." in lobby
    visitor = Client()
    visitor.post(reverse("games:tutorial", args=["chess"]))
    assert trials.SESSION_KEY not in visitor.session
    assert visitor.get(reverse("games:tutorial", args=["splendor-marvel"])).status_code == 405
    settings.TRIAL_ACCOUNTS = 0
    assert visitor.post(reverse("games:tutorial", args=["splendor-marvel"])).url == "/accounts/login/?next=/play/"
    assert not Match.objects.exists()
    assert User.objects.count() == 1


def test_programs_learn_too(anna):
    client = logged_in(anna)
    made = client.post("/api/v1/tables/tutorial/", {"game": "infinity-gauntlet"}, content_type="application/json")
    assert made.status_code == 201
    assert made.json()["is_tutorial"] is True
    key = made.json()["key"]
    match = let_bots_move(Match.objects.get(key=key))
    told = client.get(f"/api/v1/matches/{key}/coach/").json()
    assert (told["state"], told["step"], told["steps"], told["ask"]) == ("asking", 1, 6, "Play Falcon.")
    assert told["moves"] == ["play falcon"]
    wrong = {"ply": match.ply, "move": "play nebula"}
    refused = client.post(f"/api/v1/matches/{key}/moves/", wrong, content_type="application/json")
    assert (refused.status_code, refused.json()["detail"]) == (409, "That comes later. Now: Play Falcon.")
    other = logged_in(create_user("bela")).get(f"/api/v1/matches/{key}/coach/").json()
    assert (other["state"], other["moves"]) == ("none", [])
    assert (
        client.post("/api/v1/tables/tutorial/", {"game": "chess"}, content_type="application/json").status_code == 400
    )
