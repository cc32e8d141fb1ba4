"""The promise before, the proof after."""

import hashlib
import json
import subprocess
import sys

import pytest

from games import engine_match, fairness, loading
from games.models import Match, Move, Seat
from games.presentation import share_card
from games.tables import leaving, seating, start
from tests.factories import finished_match, open_table_with, started_match


def test_the_promise_is_the_hash_of_the_secret(alice, bob):
    match = open_table_with(alice, bob)
    assert match.commitment == hashlib.sha256(match.secret.encode()).hexdigest()


def test_words_of_the_players_change_the_deal(alice, bob):
    match = open_table_with(alice, bob, draws_seats=False)
    without = engine_match.load_initial(match).hash()
    seating.add_word(person=bob, match=match, word="sesame")
    assert fairness.seed_of(match) == f"{match.secret} / sesame"
    assert engine_match.load_initial(match).hash() != without


def test_a_match_loaded_for_a_move_takes_the_words_of_its_own_table_only(alice, bob):
    match, other = open_table_with(alice, bob, draws_seats=False), open_table_with(alice, bob)
    seating.add_word(person=bob, match=match, word="sesame")
    seating.add_word(person=bob, match=other, word="elsewhere")
    for loaded in (loading.with_seats(match.key), loading.with_seats_by_id(match.pk)):
        assert fairness.seed_of(loaded) == f"{match.secret} / sesame"


@pytest.mark.parametrize("game", ["splendor-marvel", "infinity-gauntlet", "thanos-rising"])
def test_a_finished_match_verifies_here_and_with_the_engine_alone(alice, bob, game, tmp_path, client):
    match = open_table_with(alice, bob, game=game)
    seating.add_word(person=alice, match=match, word="zażółć gęślą jaźń")
    match = finished_match(start.start(person=alice, match=match))
    verdict = fairness.verify(match=match)
    assert verdict.is_fair
    assert verdict.digest == engine_match.load(match).hash()
    answer = client.get(f"/play/{match.key}/transcript.json")
    file = tmp_path / "match.json"
    file.write_bytes(answer.content)
    checked = subprocess.run(
        [sys.executable, "-m", "engine", "verify", file], capture_output=True, text=True, check=True
    )
    assert verdict.digest in checked.stdout


def test_a_match_that_was_resigned_verifies_too(alice, bob):
    match = started_match(alice, bob)
    leaving.resign(person=bob, match=match)
    assert fairness.verify(match=Match.objects.get(pk=match.pk)).is_fair


@pytest.mark.parametrize("tampering", ["secret", "word", "move", "digest", "score", "missing"])
def test_tampering_is_found(alice, bob, tampering):
    match = finished_match(started_match(alice, bob))
    if tampering == "secret":
        match.secret = "another"
    elif tampering == "word":
        Seat.objects.filter(match=match, user=bob).update(word="afterwards")
    elif tampering == "score":
        Seat.objects.filter(match=match, user=bob).update(score=99)
    elif tampering == "missing":
        Move.objects.filter(match=match, ply=match.ply - 1).delete()
    else:
        move = Move.objects.get(match=match, ply=3)
        setattr(move, "notation" if tampering == "move" else "digest", "pass")
        move.save()
    assert not fairness.verify(match=match).is_fair


def test_before_the_end_the_record_and_the_secret_are_nobodys(alice, bob, client, as_alice):
    match = started_match(alice, bob)
    for someone in (client, as_alice):
        for page in ("replay/", "replay.json", "transcript.json", "verify/"):
            assert someone.get(f"/play/{match.key}/{page}").status_code == 403, page
        for page in ("", "state/", "talk.json"):
            body = someone.get(f"/play/{match.key}/{page}").content.decode()
            assert match.secret not in body
            assert match.secret[:16] not in json.dumps(body)
    assert match.secret[:16] not in share_card.render_svg(match, list(match.seats.all()))
