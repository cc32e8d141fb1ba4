"""Signing the final standings off: once, and then nothing changes them."""

import pytest

from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import AuditEntry
from leagues.models import Pairing, SignOff
from leagues.results import corrections
from leagues.seasons import closing, setup, sign_off, undo
from tests.factories import confirm_result
from tests.leagues.seasons.test_closing import play_season, two_divisions


def test_standings_are_signed_off_once_and_then_nothing_changes_them(league, alice, olga, bob):
    season = two_divisions(league, alice)
    with pytest.raises(Refused, match="not over"):
        sign_off.sign_off(actor=alice, season=season)
    play_season(season, alice)
    with pytest.raises(NotAllowed):
        sign_off.sign_off(actor=bob, season=season)
    pairing = Pairing.objects.filter(round__stage__division__season=season).first()
    swapped = [{"rank": 2}, {"rank": 1}]
    seen = corrections.preview(actor=alice, pairing=pairing, places=swapped).seal
    corrections.correct(actor=alice, pairing=pairing, places=swapped, why="misread", seen=seen)
    signed = sign_off.sign_off(actor=alice, season=season)
    assert sign_off.sign_off(actor=olga, season=season) == signed
    assert signed.by == alice
    for attempt in (
        lambda: corrections.preview(actor=alice, pairing=pairing, places=[{"rank": 1}, {"rank": 2}]),
        lambda: setup.change_tie_breaks(actor=alice, season=season, codes=["lot"]),
        lambda: undo.undo(actor=alice, undoable=undo.recent(season=season)[0].undoable),
    ):
        with pytest.raises(Refused, match="signed off"):
            attempt()
    with pytest.raises(Refused, match="Say why"):
        sign_off.take_sign_off_back(actor=olga, season=season, why=" ")
    sign_off.take_sign_off_back(actor=olga, season=season, why="Table 2 was misread")
    assert corrections.preview(actor=alice, pairing=pairing, places=[{"rank": 1}, {"rank": 2}]).standings
    actions = AuditEntry.objects.filter(action__startswith="leagues.sign").order_by("pk")
    assert list(actions.values_list("action", "actor")) == [
        ("leagues.signed-off", alice.pk),
        ("leagues.sign-off-back", olga.pk),
    ]


def test_only_what_was_signed_is_closed(league, alice, olga):
    season = two_divisions(league, alice)
    play_season(season, alice)
    sign_off.sign_off(actor=olga, season=season)
    pairing = Pairing.objects.filter(round__stage__division__season=season).first()
    confirm_result(pairing, ranks=[2, 1])
    with pytest.raises(Refused, match="not those that were signed"):
        closing.close_season(actor=alice, season=season)
    confirm_result(pairing, ranks=[1, 2])
    closing.close_season(actor=alice, season=season)
    assert SignOff.objects.get(season=season).by == olga
    with pytest.raises(Refused, match="closed"):
        sign_off.take_sign_off_back(actor=alice, season=season, why="too late")


def test_who_closes_without_signing_signs(league, alice):
    season = two_divisions(league, alice)
    play_season(season, alice)
    closing.close_season(actor=alice, season=season)
    assert SignOff.objects.get(season=season).by == alice
