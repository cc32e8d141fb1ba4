"""Puzzles that are a whole turn: answered choice by choice on the dice of the record, judged as a sum at the end."""

import json

import pytest
from django.test import Client
from django.urls import reverse

import engine
from accounts import people
from accounts.infra.errors import Refused
from games.models import PuzzleLine, PuzzleTry
from games.puzzles import tries
from tests.factories import create_turn_puzzle, create_user, logged_in
from tests.games.test_schema import check

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clean_match_cache", "sent_tasks")]


@pytest.fixture
def anna():
    return create_user("anna")


@pytest.fixture
def puzzle():
    return create_turn_puzzle()


def moves_of(puzzle, number):
    return [each["move"] for each in puzzle.turn["positions"][number]["answers"]]


def test_a_turn_is_played_to_its_end_and_rated_once(anna, puzzle):
    client = logged_in(anna)
    state = client.get(puzzle.get_absolute_url()).context["state"]
    check("page", "PuzzleState", state)
    assert state["moves"] == []
    first, second = moves_of(puzzle, 0)[0], moves_of(puzzle, 1)[0]
    told = client.post(state["answer"], {"move": first}).json()
    check("page", "Solved", told)
    # The table after the answer, by the record; how good it was is not said.
    match = engine.replay(puzzle.document)
    match.play(first)
    while len(match.legal()) == 1:
        match.play(match.legal()[0])
    assert told["goes_on"]
    assert told["position"]["v"] == match.ply
    assert json.loads(json.dumps(match.view(puzzle.seat)["legal"])) == told["position"]["view"]["legal"]
    assert (told["answers"], told["choices"], told["best"]) == ([], [], "")
    assert not PuzzleTry.objects.exists()
    # On another device it goes on from there.
    assert logged_in(anna).get(puzzle.get_absolute_url()).context["state"]["moves"] == [first]
    done = client.post(state["answer"], {"move": second, "before": [first]}).json()
    check("page", "Solved", done)
    assert (done["solved"], done["rated"], done["goes_on"]) == (True, True, False)
    assert [choice["lost"] for choice in done["choices"]] == [0, 0]
    assert "gives away 0 of 100" in done["words"]
    assert PuzzleTry.objects.get().solved
    assert not PuzzleLine.objects.exists()
    # From now on one may try what one likes, unrated.
    again = tries.answer(person=anna, puzzle=puzzle, move=moves_of(puzzle, 0)[2])
    assert (again.solved, again.rated) == (False, False)


def test_who_has_seen_the_dice_may_not_begin_again(anna, puzzle):
    first, other, bad = moves_of(puzzle, 0)
    tries.answer(person=anna, puzzle=puzzle, move=first)
    for moves in ([other], [bad], [first]):
        with pytest.raises(Refused, match="answered this already"):
            tries.answer(person=anna, puzzle=puzzle, move=moves[0])
    assert PuzzleLine.objects.get().moves == [first]
    assert not PuzzleTry.objects.exists()


def test_an_erased_person_leaves_no_answers(anna, puzzle):
    tries.answer(person=anna, puzzle=puzzle, move=moves_of(puzzle, 0)[0])
    assert PuzzleLine.objects.exists()
    people.delete_account(person=anna)
    assert not PuzzleLine.objects.exists()


def test_small_losses_add_up_and_a_large_one_ends_the_turn(anna, puzzle):
    first, second = moves_of(puzzle, 0), moves_of(puzzle, 1)
    # 3 of 100 are less than an inaccuracy; 40 are not, and the turn ends there.
    for number, (moves, solved) in enumerate((([first[1]], True), ([first[2]], False), ([first[0], second[1]], True))):
        person = create_user(f"person-{number}")
        for at, move in enumerate(moves):
            verdict = tries.answer(person=person, puzzle=puzzle, move=move, before=moves[:at])
        assert verdict.solved is solved
        assert PuzzleTry.objects.get(person=person).solved is solved
    puzzle.turn["positions"][0]["answers"][0]["loss"] = 0.03
    puzzle.save()
    tries.answer(person=anna, puzzle=puzzle, move=first[0])
    verdict = tries.answer(person=anna, puzzle=puzzle, move=second[1], before=[first[0]])
    assert not verdict.solved
    assert [choice.lost for choice in verdict.choices] == [3, 3]
    assert verdict.best == second[0]


def test_bad_input_is_refused_and_visitors_leave_nothing(anna, puzzle):
    first, second = moves_of(puzzle, 0), moves_of(puzzle, 1)
    visitor = Client()
    path = reverse("puzzles:answer", args=[puzzle.pk])
    assert visitor.post(path, {"move": first[0]}).json()["goes_on"]
    assert visitor.post(path, {"move": second[0], "before": [first[0]]}).json()["solved"]
    for bad in (
        {"move": second[0]},
        {"move": "fly", "before": [first[0]]},
        {"move": first[0], "before": [first[2]]},
        {"move": second[0], "before": [first[0], second[0]]},
        {"move": first[0], "before": ["x"] * 500},
    ):
        assert visitor.post(path, bad).status_code == 422
    assert not PuzzleTry.objects.exists()
    assert not PuzzleLine.objects.exists()
    client = logged_in(anna)
    api = f"/api/v1/puzzles/{puzzle.pk}/"
    assert client.get(api).json()["is_whole_turn"] is True
    told = client.post(api, {"move": first[0]}, content_type="application/json").json()
    assert told["goes_on"]
    body = {"move": second[0], "before": [first[0]]}
    assert client.post(api, body, content_type="application/json").json()["solved"]
