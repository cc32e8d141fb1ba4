"""Opening, sitting, starting, leaving."""

import pytest

from accounts import clubs
from accounts.errors import Refused
from accounts.models import Membership, Notice
from games import exhibition, referee, tables
from games.access import NotAllowed
from games.models import Match, Seat
from games.tables import Clock, Setting
from tests.games.conftest import GAME, begun, fresh, laid, play_on, played_out, two_turns_each


def people_at(match: Match) -> list[str]:
    return [seat.name for seat in match.seats.order_by("index")]


def test_a_new_table_has_its_places_and_a_promise(alice):
    match = tables.open_table(host=alice, setting=Setting(GAME, 3))
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
        tables.open_table(host=alice, setting=setting)
    assert not Match.objects.exists()


def test_a_club_table_is_for_its_members(alice, bob, charlie):
    club = clubs.found(founder=alice, name="Round Table")
    Membership.objects.create(club=club, user=bob)
    match = tables.open_table(host=alice, setting=Setting(GAME, 2, visibility="club", club=club))
    tables.sit(person=bob, match=match)
    with pytest.raises(NotAllowed):
        tables.sit(person=charlie, match=match)
    with pytest.raises(Refused):
        tables.open_table(host=charlie, setting=Setting(GAME, 2, club=club))


def test_nobody_sits_twice_or_on_another(alice, bob):
    match = laid(alice, bots=1)
    with pytest.raises(NotAllowed):
        tables.sit(person=alice, match=match)
    with pytest.raises(Refused):
        tables.sit(person=bob, match=match)
    assert people_at(match) == ["Alice A.", "Magpie"]


def test_standing_up_frees_the_place_and_forgets_the_word(alice, bob):
    match = laid(alice, bob)
    tables.add_word(person=bob, match=match, word="  open   sesame ")
    assert Seat.objects.get(user=bob).word == "open sesame"
    tables.stand_up(person=bob, match=match)
    assert list(match.seats.filter(user=None).values_list("word", flat=True)) == [""]


def test_only_the_host_fills_clears_starts_and_calls_off(alice, bob):
    match = laid(alice, bob)
    for verb in (
        lambda: tables.fill_with_bot(person=bob, match=match, level="regular"),
        lambda: tables.clear_place(person=bob, match=match, index=0),
        lambda: tables.start(person=bob, match=match),
        lambda: tables.call_off(person=bob, match=match),
    ):
        with pytest.raises(NotAllowed):
            verb()
    tables.clear_place(person=alice, match=match, index=1)
    with pytest.raises(Refused, match="free places"):
        tables.start(person=alice, match=match)
    with pytest.raises(Refused):
        tables.fill_with_bot(person=alice, match=match, level="godlike")
    tables.fill_with_bot(person=alice, match=match, level="master")
    assert tables.start(person=alice, match=match).status == "playing"


def test_a_wished_role_is_given_while_it_lasts(alice, bob):
    for _ in range(8):
        match = laid(alice, bob, game="infinity-gauntlet", bots=1)
        tables.choose_role(person=bob, match=match, wish="thanos")
        match = tables.start(person=alice, match=match)
        assert match.seats.get(index=0).user == bob
        assert sorted(seat.index for seat in match.seats.all()) == [0, 1, 2]


def test_two_who_wish_for_the_same_role_draw_lots(alice, bob):
    thanos = set()
    for _ in range(24):
        match = laid(alice, bob, game="infinity-gauntlet")
        for someone in (alice, bob):
            tables.choose_role(person=someone, match=match, wish="thanos")
        thanos.add(tables.start(person=alice, match=match).seats.get(index=0).user)
    assert thanos == {alice, bob}


def test_an_unknown_role_is_no_wish(alice):
    match = laid(alice, bots=1)
    tables.choose_role(person=alice, match=match, wish="emperor")
    assert match.seats.get(user=alice).wish == ""


def test_calling_off_is_for_before_the_first_move(alice, bob):
    match = begun(alice, bob)
    tables.call_off(person=alice, match=match)
    assert fresh(match).status == "aborted"
    match = begun(alice, bob)
    play_on(match)
    with pytest.raises(Refused, match="move has been made"):
        tables.call_off(person=alice, match=match)


def test_resigning_against_one_rival_ends_the_match(alice, bob):
    match = two_turns_each(begun(alice, bob))
    tables.resign(person=alice, match=match)
    match = fresh(match)
    assert (match.status, match.cause, match.reason) == ("finished", "resigned", "resigned")
    assert {seat.user.handle: (seat.rank, seat.won) for seat in match.seats.all()} == {
        "alice": (2, False),
        "bob": (1, True),
    }


def test_resigning_at_a_larger_table_leaves_a_bot_and_ranks_last(alice, bob):
    match = begun(alice, bob, bots=1)
    tables.resign(person=alice, match=match)
    assert fresh(match).is_playing
    assert fresh(match).bot_due is not None
    with pytest.raises(Refused):
        tables.come_back(person=alice, match=match)
    with pytest.raises(Refused):
        tables.resign(person=alice, match=match)
    match = played_out(match)
    seat = match.seats.get(user=alice)
    assert (seat.rank, seat.won) == (3, False)


def test_a_team_goes_on_without_the_one_who_left(alice, bob):
    match = begun(alice, bob, game="thanos-rising")
    tables.resign(person=bob, match=match)
    assert fresh(match).is_playing
    assert match.seats.get(user=bob).bot_level


def test_a_rematch_begins_when_all_people_are_back(alice, bob, charlie):
    match = played_out(begun(alice, bob, bots=1, clock=Clock("live", bank=300, increment=5)))
    with pytest.raises(NotAllowed):
        tables.rematch(person=charlie, match=match)
    offered = tables.rematch(person=bob, match=match)
    assert offered.is_open
    assert Notice.objects.filter(user=alice, kind="games.rematch").count() == 1
    assert tables.rematch(person=bob, match=match) == offered
    accepted = tables.rematch(person=alice, match=match)
    assert accepted == offered
    assert accepted.is_playing
    assert (accepted.clock, accepted.bank, accepted.secret != match.secret) == ("live", 300, True)


def test_a_match_against_bots_begins_at_once(alice):
    match = tables.play_now(person=alice, game=GAME, players=4, level="rookie")
    assert match.is_playing
    assert match.seats.filter(bot_level="rookie").count() == 3


def test_a_shared_deal_takes_no_words_and_deals_the_same(alice, bob):
    deals = set()
    for _ in range(2):
        match = tables.open_table(host=alice, setting=Setting(GAME, 2, draws_seats=False), secret="round 3, table 1")
        tables.sit(person=alice, match=match)
        tables.sit(person=bob, match=match)
        with pytest.raises(Refused):
            tables.add_word(person=alice, match=match, word="luck")
        deals.add(referee.at(tables.start(person=alice, match=match)).hash())
    assert len(deals) == 1


def test_the_exhibition_rests_when_nobody_looks(db):
    match = exhibition.begin(game=GAME, players=2)
    assert match.pace
    assert exhibition.is_watched()
    assert exhibition.keep_going() == 0
    Match.objects.update(watched_at=match.started_at - 2 * exhibition.PATIENCE)
    assert not exhibition.is_watched()
    played_out(match)
    assert exhibition.keep_going() == 0
    Match.objects.update(watched_at=fresh(match).finished_at)
    assert exhibition.keep_going() == 1
