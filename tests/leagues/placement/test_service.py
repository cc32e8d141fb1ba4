"""Placing a table by hand: what is refused, what is only a warning, and what follows from it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry, Notice
from leagues.models import Availability, Pairing, Placement, Slot
from leagues.placement import service as placement
from leagues.results import reporting
from leagues.rounds import draw, tables
from leagues.seasons import setup
from tests.factories import create_user, draft_season, running_stage, stage_of
from tests.leagues.placement.conftest import drawn, night, people, slot_of, table


def codes(conflicts) -> set[str]:
    return {each.code for each in conflicts}


def test_a_table_gets_a_slot_a_board_and_a_time(club, season, olga):
    slot = slot_of(night(club, 7), 1)
    made = placement.place(actor=olga, pairing=table(season, 1, 1), slot=slot, board=2)
    pairing = table(season, 1, 1)
    assert (made.slot, made.board, made.locked) == (slot, 2, False)
    assert (pairing.starts_at, pairing.revision) == (slot.starts_at, 1)
    assert AuditEntry.objects.filter(action="leagues.table-placed", object_id=str(season.pk)).count() == 1
    # The same placement again changes nothing.
    placement.place(actor=olga, pairing=pairing, slot=slot, board=2)
    assert table(season, 1, 1).revision == 1
    placement.place(actor=olga, pairing=pairing, slot=slot)
    assert Placement.objects.get().board == 2


def test_without_a_board_it_is_the_first_free_one(club, season, olga):
    slot = slot_of(night(club, 7), 1)
    placement.place(actor=olga, pairing=table(season, 1, 1), slot=slot)
    made = placement.place(actor=olga, pairing=table(season, 1, 2), slot=slot)
    assert made.board == 2


def test_only_organisers_place(club, season, bob, charlie):
    slot = slot_of(night(club, 7), 1)
    for stranger in (bob, charlie):
        for act in (placement.lock, placement.unlock, placement.clear):
            with pytest.raises(NotAllowed):
                act(actor=stranger, pairing=table(season, 1, 1))
        with pytest.raises(NotAllowed):
            placement.place(actor=stranger, pairing=table(season, 1, 1), slot=slot)
    assert not Placement.objects.exists()


def test_players_are_told_once_the_round_is_published(club, league, alice, olga):
    """Members this time, since guests get no notices."""
    made = draft_season(league, alice, "round-robin", members_only=False)
    from leagues.entries import registration

    ada, ben = create_user("ada"), create_user("ben")
    for each in (ada, ben):
        registration.register(person=each, season=made)
    draw.start(actor=alice, season=made)
    round_ = draw.draw_next_round(actor=alice, stage=stage_of(made))
    slot = slot_of(night(club, 7), 1)
    placement.place(actor=olga, pairing=table(made, 1, 1), slot=slot)
    assert not Notice.objects.filter(kind="leagues.table-placed").exists()
    draw.publish(actor=alice, round=round_)
    placement.place(actor=olga, pairing=table(made, 1, 1), slot=slot, board=3)
    assert set(Notice.objects.filter(kind="leagues.table-placed").values_list("user", flat=True)) == {ada.pk, ben.pk}
    placement.clear(actor=olga, pairing=table(made, 1, 1))
    assert Notice.objects.filter(kind="leagues.table-cleared").count() == 2
    assert table(made, 1, 1).starts_at is None
    assert table(made, 1, 1).revision == 3


def test_nobody_is_in_two_places(club, season, olga):
    """Round 2 pairs the same four people in another way."""
    slot = slot_of(night(club, 7), 1)
    placement.place(actor=olga, pairing=table(season, 1, 1), slot=slot)
    other = table(season, 2, 1)
    conflicts = placement.conflicts(other, slot)
    assert "elsewhere" in codes(conflicts)
    assert any("table 1 of round 1" in each.words for each in conflicts)
    with pytest.raises(Refused, match="table 1 of round 1"):
        placement.place(actor=olga, pairing=other, slot=slot)
    # Half an hour later still overlaps.
    slot_2 = slot_of(night(club, 7), 1)
    Slot.objects.filter(pk=slot_2.pk).update(
        starts_at=slot.starts_at + timedelta(minutes=30), ends_at=slot.ends_at + timedelta(minutes=30)
    )
    assert "elsewhere" in codes(placement.conflicts(other, Slot.objects.select_related("night").get(pk=slot_2.pk)))


def test_nor_in_two_leagues_of_two_clubs(club, league, season, alice, olga, charlie):
    """A person who plays elsewhere that evening, also online at an agreed time; which table is not revealed."""
    from accounts import clubs
    from leagues.entries import registration

    elsewhere = clubs.create_club(founder=charlie, name="The Square Table")
    theirs = setup.create_league(actor=charlie, club=elsewhere, name="Away", game=league.game)
    away, home = (
        draft_season(each, who, "round-robin", members_only=False) for each, who in ((theirs, charlie), (league, alice))
    )
    ada, ben = create_user("ada"), create_user("ben")
    for made, owner in ((away, charlie), (home, alice)):
        for each in (ada, ben):
            registration.register(person=each, season=made)
        draw.start(actor=owner, season=made)
        draw.publish(actor=owner, round=draw.draw_next_round(actor=owner, stage=stage_of(made)))
    here, there = slot_of(night(club, 7), 2), slot_of(night(elsewhere, 7), 2)
    placement.place(actor=charlie, pairing=table(away, 1, 1), slot=there)
    conflicts = placement.conflicts(table(home, 1, 1), here)
    assert codes(conflicts) == {"elsewhere"}
    assert all("plays elsewhere then" in each.words for each in conflicts)
    placement.clear(actor=charlie, pairing=table(away, 1, 1))
    assert not placement.conflicts(table(home, 1, 1), here)
    Pairing.objects.filter(pk=table(away, 1, 1).pk).update(
        where="online", starts_at=here.starts_at - timedelta(minutes=30)
    )
    assert codes(placement.conflicts(table(home, 1, 1), here)) == {"elsewhere"}


def test_a_word_against_it_is_said_and_the_organiser_decides(club, season, olga):
    """People who cannot come, rounds out of order, the round's window: shown, not refused."""
    evening = night(club, 7)
    pairing = table(season, 2, 1)
    Availability.objects.create(night=evening, user=people(pairing)[0], answer="no")
    assert codes(placement.conflicts(pairing, slot_of(evening, 1))) == {"away"}
    placement.place(actor=olga, pairing=pairing, slot=slot_of(evening, 1))
    assert codes(placement.conflicts(table(season, 1, 1), slot_of(evening, 2))) >= {"order"}
    closes = slot_of(evening, 2).starts_at
    pairing.round.closes_at = closes
    pairing.round.save()
    assert "window" in codes(placement.conflicts(table(season, 2, 1), slot_of(evening, 2)))
    assert "window" not in codes(placement.conflicts(table(season, 2, 1), slot_of(evening, 1)))


def test_what_is_over_cancelled_full_or_foreign_is_refused(club, season, olga, charlie):
    pairing = table(season, 1, 1)
    full = night(club, 7, slots=1, tables=1)
    placement.place(actor=olga, pairing=table(season, 1, 2), slot=slot_of(full, 1), lock=True)
    assert codes(placement.conflicts(pairing, slot_of(full, 1))) == {"full"}
    with pytest.raises(Refused, match="Every board is taken"):
        placement.place(actor=olga, pairing=pairing, slot=slot_of(full, 1))
    with pytest.raises(Refused, match="Table 1 is taken"):
        placement.place(actor=olga, pairing=pairing, slot=slot_of(full, 1), board=1)
    with pytest.raises(Refused, match="no table 9"):
        placement.place(actor=olga, pairing=pairing, slot=slot_of(full, 1), board=9)
    past = night(club, -3)
    with pytest.raises(Refused, match="over"):
        placement.place(actor=olga, pairing=pairing, slot=slot_of(past, 1))
    off = night(club, 9)
    off.cancelled_at = timezone.now()
    off.save()
    with pytest.raises(Refused, match="cancelled"):
        placement.place(actor=olga, pairing=pairing, slot=slot_of(off, 1))
    from accounts import clubs

    foreign = night(clubs.create_club(founder=charlie, name="The Square Table"), 7)
    with pytest.raises(Refused, match="not one of the club’s"):
        placement.place(actor=olga, pairing=pairing, slot=slot_of(foreign, 1))
    assert table(season, 1, 1).revision == 0


def test_two_tables_change_places_when_both_fit(club, season, olga):
    one, two = night(club, 7), night(club, 14)
    placement.place(actor=olga, pairing=table(season, 1, 1), slot=slot_of(one, 1))
    placement.place(actor=olga, pairing=table(season, 1, 2), slot=slot_of(two, 1), board=3)
    made = placement.place(actor=olga, pairing=table(season, 1, 1), slot=slot_of(two, 1), board=3)
    other = Placement.objects.get(pairing=table(season, 1, 2))
    assert (made.slot, made.board) == (slot_of(two, 1), 3)
    assert (other.slot, other.board) == (slot_of(one, 1), 1)
    assert table(season, 1, 2).starts_at == slot_of(one, 1).starts_at
    assert AuditEntry.objects.filter(action="leagues.tables-swapped").count() == 1
    # A locked table is not exchanged.
    placement.lock(actor=olga, pairing=table(season, 1, 2))
    with pytest.raises(Refused, match="Table 1 is taken"):
        placement.place(actor=olga, pairing=table(season, 1, 1), slot=slot_of(one, 1), board=1)


def test_a_lock_is_noted_once_and_a_table_off_the_calendar_has_none(club, season, olga):
    pairing = table(season, 1, 1)
    with pytest.raises(Refused, match="not on the calendar"):
        placement.lock(actor=olga, pairing=pairing)
    placement.place(actor=olga, pairing=pairing, slot=slot_of(night(club, 7), 1), lock=True)
    placement.lock(actor=olga, pairing=pairing)
    assert not AuditEntry.objects.filter(action="leagues.table-locked").exists()
    assert not placement.unlock(actor=olga, pairing=pairing).locked
    assert placement.lock(actor=olga, pairing=pairing).locked


def test_a_table_that_is_played_voided_or_taken_back_is_off(club, season, olga, alice):
    evening = night(club, 7)
    for number in (1, 2):
        placement.place(actor=olga, pairing=table(season, 3, number), slot=slot_of(evening, 1))
    reporting.void(actor=olga, pairing=table(season, 3, 1), why="Drawn by mistake")
    assert not Placement.objects.filter(board=1).exists()
    with pytest.raises(Refused, match="being played or is over"):
        placement.place(actor=olga, pairing=table(season, 3, 1), slot=slot_of(evening, 1))
    placement.place(actor=olga, pairing=table(season, 1, 1), slot=slot_of(evening, 2), board=1)
    round_ = table(season, 2, 1).round
    placement.place(actor=olga, pairing=table(season, 2, 1), slot=slot_of(evening, 3))
    round_.delete()
    assert Placement.objects.count() == 2


def test_a_table_that_goes_online_leaves_its_board(club, league, alice, olga):
    from leagues.entries import registration

    made = draft_season(league, alice, "round-robin", where="both", members_only=False)
    for handle in ("ada", "ben"):
        registration.register(person=create_user(handle), season=made)
    draw.start(actor=alice, season=made)
    draw.draw_next_round(actor=alice, stage=stage_of(made))
    placement.place(actor=olga, pairing=table(made, 1, 1), slot=slot_of(night(club, 7), 1))
    tables.set_location(actor=olga, pairing=table(made, 1, 1), where="online")
    assert not Placement.objects.exists()
    with pytest.raises(Refused, match="online"):
        placement.place(actor=olga, pairing=table(made, 1, 1), slot=slot_of(night(club, 8), 1))


def test_all_slots_at_once_cost_no_more_questions(club, league, alice, django_assert_max_num_queries):
    made = drawn(running_stage(league, alice, "round-robin", 8), alice, 7)
    few = [slot_of(night(club, 7), 1)]
    many = [slot_of(night(club, days), number) for days in range(8, 16) for number in (1, 2, 3)]
    for at, slot in enumerate(many[:6]):
        placement.place(actor=alice, pairing=table(made, at + 1, 1), slot=slot)
    pairing = table(made, 7, 1)
    for slots in (few, many):
        with django_assert_max_num_queries(16):
            choices = placement.options(pairing, slots)
        assert len(choices) == len(slots)
