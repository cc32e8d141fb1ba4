"""Opening, sitting, starting, leaving."""

import pytest

from accounts import clubs
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Membership, Notice
from games import engine_match
from games.models import Match, Seat
from games.tables import exhibition, leaving, seating, setup, start
from games.tables.setup import Clock, Setting
from tests.factories import GAME, finished_match, fresh, open_table_with, play_one_move, started_match, two_turns_each


def people_at(match: Match) -> list[str]:
    return [seat.name for seat in match.seats.order_by("index")]


def test_a_new_table_has_its_places_and_a_promise(alice):
    match = setup.open_table(host=alice, setting=Setting(GAME, 3))
    assert match.status == "open"
    assert match.seats.count() == 3
    assert len(match.commitment) == 64
    assert match.secret not in match.commitment


@pytest.mark.parametrize(
    ("setting", "word"),
    [
        (Setting("chess", 2), "chess"),
        (Setting(GAME, 9), "Players"),
        (Setting(GAME, 2, {"points": 99}), "Infinity Points"),
        (Setting(GAME, 2, {"points": "16"}), "Infinity Points"),
        (Setting(GAME, 2, {"colour": 1}), "colour"),
    ],
)
def test_a_table_the_game_does_not_take_is_refused_by_name(alice, setting, word):
    with pytest.raises(Refused, match=word):
        setup.open_table(host=alice, setting=setting)
    assert not Match.objects.exists()


def test_a_club_table_is_for_its_members(alice, bob, charlie):
    club = clubs.create_club(founder=alice, name="Round Table")
    Membership.objects.create(club=club, user=bob)
    match = setup.open_table(host=alice, setting=Setting(GAME, 2, visibility="club", club=club))
    seating.sit(person=bob, match=match)
    with pytest.raises(NotAllowed):
        seating.sit(person=charlie, match=match)
    with pytest.raises(Refused):
        setup.open_table(host=charlie, setting=Setting(GAME, 2, club=club))


def test_nobody_sits_twice_or_on_another(alice, bob):
    match = open_table_with(alice, bots=1)
    with pytest.raises(NotAllowed):
        seating.sit(person=alice, match=match)
    with pytest.raises(Refused):
        seating.sit(person=bob, match=match)
    assert people_at(match) == ["Alice A.", "Magpie"]


def test_standing_up_frees_the_place_and_forgets_the_word(alice, bob):
    match = open_table_with(alice, bob)
    seating.add_word(person=bob, match=match, word="  open   sesame ")
    assert Seat.objects.get(user=bob).word == "open sesame"
    seating.stand_up(person=bob, match=match)
    assert list(match.seats.filter(user=None).values_list("word", flat=True)) == [""]


def test_only_the_host_fills_clears_starts_and_calls_off(alice, bob):
    match = open_table_with(alice, bob)
    for verb in (
        lambda: seating.fill_with_bot(person=bob, match=match, level="regular"),
        lambda: seating.clear_place(person=bob, match=match, index=0),
        lambda: start.start(person=bob, match=match),
        lambda: start.call_off(person=bob, match=match),
    ):
        with pytest.raises(NotAllowed):
            verb()
    seating.clear_place(person=alice, match=match, index=1)
    with pytest.raises(Refused, match="free places"):
        start.start(person=alice, match=match)
    with pytest.raises(Refused):
        seating.fill_with_bot(person=alice, match=match, level="godlike")
    seating.fill_with_bot(person=alice, match=match, level="master")
    assert start.start(person=alice, match=match).status == "playing"


def test_a_wished_role_is_given_while_it_lasts(alice, bob):
    for _ in range(6):
        match = open_table_with(alice, bob, game="infinity-gauntlet", bots=1)
        seating.choose_role(person=bob, match=match, wish="thanos")
        match = start.start(person=alice, match=match)
        assert match.seats.get(index=0).user == bob
        assert sorted(seat.index for seat in match.seats.all()) == [0, 1, 2]


def test_two_who_wish_for_the_same_role_draw_lots(alice, bob):
    thanos = set()
    for _ in range(24):
        match = open_table_with(alice, bob, game="infinity-gauntlet")
        for someone in (alice, bob):
            seating.choose_role(person=someone, match=match, wish="thanos")
        thanos.add(start.start(person=alice, match=match).seats.get(index=0).user)
    assert thanos == {alice, bob}


def test_an_unknown_role_is_no_wish(alice):
    match = open_table_with(alice, bots=1)
    seating.choose_role(person=alice, match=match, wish="emperor")
    assert match.seats.get(user=alice).wish == ""


def test_calling_off_is_for_before_the_first_move(alice, bob):
    match = started_match(alice, bob)
    start.call_off(person=alice, match=match)
    assert fresh(match).status == "aborted"
    match = started_match(alice, bob)
    play_one_move(match)
    with pytest.raises(Refused, match="move has been made"):
        start.call_off(person=alice, match=match)


def test_resigning_against_one_rival_ends_the_match(alice, bob):
    match = two_turns_each(started_match(alice, bob))
    leaving.resign(person=alice, match=match)
    match = fresh(match)
    assert (match.status, match.cause, match.reason) == ("finished", "resigned", "resigned")
    assert {seat.user.handle: (seat.rank, seat.won) for seat in match.seats.all()} == {
        "alice": (2, False),
        "bob": (1, True),
    }


def test_resigning_at_a_larger_table_leaves_a_bot_and_ranks_last(alice, bob):
    match = started_match(alice, bob, bots=1)
    leaving.resign(person=alice, match=match)
    assert fresh(match).is_playing
    assert fresh(match).bot_due is not None
    with pytest.raises(Refused):
        leaving.come_back(person=alice, match=match)
    with pytest.raises(Refused):
        leaving.resign(person=alice, match=match)
    match = finished_match(match)
    seat = match.seats.get(user=alice)
    assert (seat.rank, seat.won) == (3, False)


def test_a_team_goes_on_without_the_one_who_left(alice, bob):
    match = started_match(alice, bob, game="thanos-rising")
    leaving.resign(person=bob, match=match)
    assert fresh(match).is_playing
    assert match.seats.get(user=bob).bot_level


def test_a_rematch_begins_when_all_people_are_back(alice, bob, charlie):
    match = finished_match(started_match(alice, bob, bots=1, clock=Clock("live", bank=300, increment=5)))
    with pytest.raises(NotAllowed):
        setup.rematch(person=charlie, match=match)
    offered = setup.rematch(person=bob, match=match)
    assert offered.is_open
    assert Notice.objects.filter(user=alice, kind="games.rematch").count() == 1
    assert setup.rematch(person=bob, match=match) == offered
    accepted = setup.rematch(person=alice, match=match)
    assert accepted == offered
    assert accepted.is_playing
    assert (accepted.clock, accepted.bank, accepted.secret != match.secret) == ("live", 300, True)


def test_a_match_against_bots_begins_at_once(alice):
    match = setup.play_now(person=alice, game=GAME, players=4, level="rookie")
    assert match.is_playing
    assert match.seats.filter(bot_level="rookie").count() == 3


def test_a_shared_deal_takes_no_words_and_deals_the_same(alice, bob):
    deals = set()
    for _ in range(2):
        match = setup.open_table(host=alice, setting=Setting(GAME, 2, draws_seats=False), secret="round 3, table 1")
        seating.sit(person=alice, match=match)
        seating.sit(person=bob, match=match)
        with pytest.raises(Refused):
            seating.add_word(person=alice, match=match, word="luck")
        deals.add(engine_match.load(start.start(person=alice, match=match)).hash())
    assert len(deals) == 1


def test_the_exhibition_rests_when_nobody_looks(db):
    match = exhibition.start_exhibition(game=GAME, players=2)
    assert match.pace
    assert exhibition.is_watched()
    assert exhibition.restart_exhibitions() == 0
    Match.objects.update(watched_at=match.started_at - 2 * exhibition.WATCHED_FOR)
    assert not exhibition.is_watched()
    finished_match(match)
    assert exhibition.restart_exhibitions() == 0
    Match.objects.update(watched_at=fresh(match).finished_at)
    assert exhibition.restart_exhibitions() == 1
