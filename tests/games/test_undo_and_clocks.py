"""Taking back and the clocks: an undo ends with the turn and costs nobody's time but one's own."""

from datetime import UTC, datetime, timedelta

import pytest
import time_machine

from engine.rng import stream
from games import engine_match
from games.errors import Illegal
from games.models import Move, Seat
from games.play.moves import play_as
from games.tables.setup import Clock
from tests.factories import finished_match, fresh, logged_in, play_one_move, started_match
from tests.games.user_bots.test_user_bots import Program, brought, seated, to_bots_turn

NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
BANK, BONUS, DAYS = 600, 5, 1
LIVE = Clock("live", bank=BANK, increment=BONUS)
BY_DAYS = Clock("days", days=DAYS)
TURN = ("take red", "take blue", "take orange")


@pytest.fixture
def time():
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def banks(match):
    return [
        left / 1000 for left in Seat.objects.filter(match=match).order_by("index").values_list("bank_left", flat=True)
    ]


def whole_turn(match, person):
    for move in TURN:
        match = play_as(person=person, match=match, ply=match.ply, move=move).match
    return match


class TestTheAttack:
    def test_days_cannot_be_drawn_out_for_ever(self, alice, bob, time):
        """Finish the turn, take it back, finish it again: each time the other had a fresh deadline, for ever."""
        match = whole_turn(started_match(alice, bob, clock=BY_DAYS), alice)
        due = match.deadline
        assert due == NOON + timedelta(days=DAYS)
        for _ in range(6):
            time.shift(3600)
            with pytest.raises(Illegal, match="nothing to take back"):
                play_as(person=alice, match=match, ply=match.ply, move="undo")
            assert (fresh(match).to_act, fresh(match).deadline, fresh(match).ply) == (1, due, 3)

    def test_within_the_turn_the_days_run_on(self, alice, bob, time):
        match = started_match(alice, bob, clock=BY_DAYS)
        for _ in range(6):
            time.shift(3600)
            match = play_as(person=alice, match=match, ply=match.ply, move="take red").match
            match = play_as(person=alice, match=match, ply=match.ply, move="undo").match
            assert match.deadline == NOON + timedelta(days=DAYS)

    def test_the_other_players_bank_is_out_of_reach(self, alice, bob, time):
        """Bob went from 60 s to 15 s while Alice, who finished and took back by turns, stayed at 65."""
        match = whole_turn(started_match(alice, bob, clock=Clock("live", bank=60, increment=5)), alice)
        for _ in range(9):
            time.shift(5)
            with pytest.raises(Illegal):
                play_as(person=alice, match=match, ply=match.ply, move="undo")
        match = play_as(person=bob, match=fresh(match), ply=3, move="take red").match
        assert banks(match) == [65, 15]  # 45 s of Bob's own thinking, in a turn that is his
        match = play_as(person=bob, match=match, ply=4, move="undo").match
        assert (match.to_act, banks(match)) == (1, [65, 15])

    def test_a_decided_match_stays_decided(self, alice, bob):
        match = finished_match(started_match(alice, bob))
        played = engine_match.load(match)
        assert not any(played.can_undo(seat) for seat in range(2))

    def test_a_bots_limit_is_not_renewed_by_taking_back(self, alice, time):
        """At a table without a clock a bot has a minute for every answer; going to and fro is not an answer."""
        new = brought(alice, "robo", accepts="anyone")
        match = to_bots_turn(seated(alice, new.bot))
        program, due = Program(new.secret), match.deadline
        for _ in range(5):
            time.shift(7)
            assert program.move(fresh(match), move="take red").status_code == 200
            time.shift(3)
            assert program.move(fresh(match), move="undo").status_code == 200
            due = due if due > fresh(match).deadline else fresh(match).deadline
        # The first answer was new ground and began a minute of its own; nothing since did.
        assert fresh(match).deadline == due == NOON + timedelta(seconds=67)


class TestWhatIsOffered:
    def test_page_and_api_offer_it_only_within_the_turn(self, alice, bob):
        match = started_match(alice, bob)
        client = logged_in(alice)

        def offered():
            state = client.get(f"/api/v1/matches/{match.key}/").json()["view"]["can_undo"]
            assert client.get(f"/api/v1/matches/{match.key}/legal/").json()["can_undo"] == state
            return state

        for move, after in zip(TURN, (True, True, False)):
            play_as(person=alice, match=fresh(match), ply=fresh(match).ply, move=move)
            assert offered() is after
        refused = client.post(f"/api/v1/matches/{match.key}/undo/", {"ply": 3}, content_type="application/json")
        assert (refused.status_code, refused.json()["code"]) == (422, "illegal-move")
        assert fresh(match).ply == 3

    def test_what_an_older_record_took_back_still_replays(self, alice, bob):
        """A row written when a take-back could still follow the end of a turn is a fact."""
        match = whole_turn(started_match(alice, bob), alice)
        played = engine_match.load(match)
        played.repeat(0, "undo")
        entry = played.entries[-1]
        Move.objects.create(match=match, ply=3, seat=0, notation="undo", digest=entry.digest, by=Move.By.PERSON)
        match.ply, match.to_act = 4, 0
        match.save(update_fields=["ply", "to_act"])
        engine_match.clear_cache()
        again = engine_match.load(fresh(match))
        assert (again.hash(), again.to_act, again.turns) == (played.hash(), 0, (0, 0))
        assert play_one_move(fresh(match)).ply == 5


GAMES = [("splendor-marvel", 2), ("splendor-marvel", 3), ("infinity-gauntlet", 3), ("thanos-rising", 2)]


@pytest.mark.parametrize("kind", ["live", "days"])
@pytest.mark.parametrize(("game", "players"), GAMES)
def test_every_clock_pays_for_its_own_thinking_only(alice, bob, charlie, time, game, players, kind):
    """The deal decides whether there is anything to take back, so matches follow until something was."""
    people = [alice, bob, charlie][:players]
    rng = stream(f"{game} {players} {kind}", "clocks")
    assert any(play_beside_a_model_of_the_clocks(people, time, game, kind, rng) for _ in range(10))


def play_beside_a_model_of_the_clocks(people, time, game, kind, rng):
    """Random moves, take-backs, other people's tokens and pauses, beside a model that knows no undo.

    Returns how often something was taken back.
    """
    match = started_match(*people, game=game, clock=LIVE if kind == "live" else BY_DAYS)
    players, taken_back = len(people), 0
    left, due = [BANK] * players, datetime.now(UTC) + timedelta(days=DAYS)
    while match.is_playing and match.ply < 45:
        pause = rng.below(4)
        time.shift(pause)
        played, waiting = engine_match.load(match), match.to_act
        offered = [seat for seat in range(players) if played.can_undo(seat)]
        assert offered in ([], [waiting])
        asides = [seat for seat in range(players) if seat != waiting and played.legal(seat)]
        seat = asides[0] if asides and rng.below(3) == 0 else waiting
        if offered and rng.below(2):
            move, seat = "undo", waiting
            taken_back += 1
        else:
            legal = played.legal(seat)
            move = played.notation(legal[rng.below(len(legal))], seat)
        match = play_as(person=people[seat], match=match, ply=match.ply, move=move).match
        left[waiting] -= pause
        if match.to_act != waiting:
            assert move != "undo"
            left[waiting] += BONUS
            due = datetime.now(UTC) + timedelta(days=DAYS)
        if kind == "live":
            assert banks(match) == left
            due = datetime.now(UTC) + timedelta(seconds=left[match.to_act or 0])
        assert match.deadline == (due if match.is_playing else None)
    return taken_back
