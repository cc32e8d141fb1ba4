"""Playing on from a position of a finished match, against bots: a table of its own, unrated.

The record of the new match begins with that of the old one up to there, so that it replays and verifies like any other.
Then all that the player's seat could not know is drawn anew, from a secret that the new table has promised: the true
hidden cards are never played on with, though the old record is open to its readers.
"""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

import engine
from accounts.infra.errors import Refused
from accounts.models import User
from engine.bots import LEVELS
from games import access, engine_match, fairness
from games.access import Permission
from games.models import Match, Move
from games.play import fair_share
from games.tables import seating
from games.tables.setup import Setting, open_table
from games.tables.start import begin


@transaction.atomic
def play_on(*, person: User, match: Match, ply: int, seat: int | None = None, level: str = "regular") -> Match:
    """A new casual table at the position after `ply` moves; without a seat one's own, or the one that is to act."""
    access.require(person, Permission.READ_RECORD, match)
    if level not in LEVELS:
        raise Refused(gettext("There is no such bot."))
    position = _position(match, ply)
    mine = access.seat_of(person, match)
    index = seat if seat is not None else mine.index if mine else position.to_act
    assert index is not None
    if index >= match.players:
        raise Refused(gettext("There is no such seat at this table."))
    fair_share.check_running(person)
    table = open_table(host=person, setting=_setting(match))
    table.played_on_from, table.plies_taken_over = match, ply
    table.earlier_seeds = fairness.seed_of(match)
    table.save(update_fields=["played_on_from", "plies_taken_over", "earlier_seeds"])
    seating.seat_person(match=table, person=person, index=index)
    for _place in range(match.players - 1):
        seating.seat_bot(match=table, level=level)
    played = _begun(table, position, index)
    begun = begin(match=seating.lock_match(table), actor=person, played=played)
    _write_record(begun, played, match)
    return begun


def _position(match: Match, ply: int) -> engine.Match:
    if not match.is_current:
        raise Refused(gettext("This match was played by older rules and cannot go on."))
    if not 0 <= ply <= match.ply:
        raise Refused(gettext("This match has no such move."))
    try:
        position = fairness.position_at(match, ply)
    except engine.TranscriptError as error:
        raise Refused(gettext("The record of this match does not replay, so it cannot be played on.")) from error
    if position.outcome is not None:
        raise Refused(gettext("The match is over at this move. Go back to an earlier one."))
    return position


def _setting(match: Match) -> Setting:
    """As closed as the old table: the new record has its moves."""
    club = match.club if match.is_for_members or match.card_file else None
    visibility = Match.Visibility.CLUB if match.is_for_members else Match.Visibility.LINK
    return Setting(
        match.game, match.players, match.options, visibility, club, draws_seats=False, tempo=match.tempo,
        card_file=match.card_file,
    )  # fmt: skip


def _begun(table: Match, position: engine.Match, seat: int) -> engine.Match:
    """The new match as the engine plays it: the same moves, then what the seat cannot know drawn anew."""
    played = engine_match.load_initial(table)
    for entry in position.entries:
        played.repeat(entry.seat, entry.move)
    played.draw_anew(seat)
    return played


def _write_record(table: Match, played: engine.Match, match: Match) -> None:
    """The moves that were taken over, each by whom it was, and the draw that the player asked for."""
    earlier = list(Move.objects.filter(match=match).order_by("ply").values_list("by", flat=True))
    whose, now = [*earlier[: table.plies_taken_over], Move.By.PERSON], timezone.now()
    Move.objects.bulk_create(
        Move(match=table, ply=ply, seat=entry.seat, notation=entry.move, digest=entry.digest, by=by, at=now)
        for ply, (entry, by) in enumerate(zip(played.entries, whose, strict=True))
    )
