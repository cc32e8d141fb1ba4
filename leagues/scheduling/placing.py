"""Tables on boards: put one somewhere, lock it there, take it off again, and what would speak against it."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, notices
from accounts.errors import Refused
from accounts.models import User
from leagues import locks, log
from leagues.access import Permission, require
from leagues.models import Pairing, Placement, Season, Slot
from leagues.scheduling.conflicts import Conflict, Option, conflicts, options
from leagues.scheduling.engagements import people_at

PLACED = audit.action(
    "leagues.table-placed",
    _("%(actor)s placed table %(table)s of round %(round)s: %(at)s, board %(board)s"),
)
SWAPPED = audit.action(
    "leagues.tables-swapped",
    _("%(actor)s exchanged table %(table)s of round %(round)s and table %(other)s of round %(other_round)s"),
)
LOCKED = audit.action("leagues.table-locked", _("%(actor)s locked table %(table)s of round %(round)s where it is"))
UNLOCKED = audit.action("leagues.table-unlocked", _("%(actor)s unlocked table %(table)s of round %(round)s"))
CLEARED = audit.action("leagues.table-cleared", _("%(actor)s took table %(table)s of round %(round)s off the calendar"))
TOLD_PLACED = notices.kind(
    "leagues.table-placed",
    _("Your table in %(season)s: %(at)s, board %(board)s."),
    _("Your table at the club has a time and a board"),
)
TOLD_CLEARED = notices.kind(
    "leagues.table-cleared",
    _("Your table in %(season)s has no time any more."),
    _("Your table at the club was taken off the calendar"),
)


__all__ = ["Conflict", "Option", "clear", "conflicts", "lock", "options", "place", "put", "release", "tell", "unlock"]


# -- verbs


@transaction.atomic
def place(*, actor: User, pairing: Pairing, slot: Slot, board: int | None = None, lock: bool = False) -> Placement:
    """Put a table on a board of a slot, the first free one unless said. Two tables that fit both ways are exchanged."""
    season = _held_season(actor, pairing)
    slot = _slot_of(season, slot)
    occupant = Placement.objects.filter(slot=slot, board=board or 0).exclude(pairing=pairing).first()
    held = {row.pk: locks.pairing(row) for row in _in_order(pairing, occupant)}
    pairing = held[pairing.pk]
    _playable(pairing)
    before = Placement.objects.filter(pairing=pairing).select_related("slot__night__venue").first()
    option = options(pairing, [slot])[0]
    board = board or (before.board if before and before.slot_id == slot.pk else option.free)
    if board is not None and not 1 <= board <= slot.tables:
        raise Refused(gettext("This slot has no board %(board)s.") % {"board": board})
    against = [each for each in option.against(board) if each.hard]
    if board is None or against:
        raise Refused(against[0].words)
    other = held.get(occupant.pairing_id) if occupant else None
    if before is not None and (before.slot_id, before.board) == (slot.pk, board):
        return _relocked(before, actor, season) if lock and not before.locked else before
    Placement.objects.filter(pairing__in=[pk for pk in (pairing.pk, other and other.pk) if pk]).delete()
    made = put(pairing, slot, board, locked=lock or bool(before and before.locked))
    known: dict[str, Any] = {"table": pairing.number, "round": pairing.round.number}
    if other is not None and before is not None:
        put(other, before.slot, before.board, locked=False)
        tell([other], season, actor=actor)
        log.note(SWAPPED, actor=actor, season=season, other=other.number, other_round=other.round.number, **known)
    else:
        log.note(PLACED, actor=actor, season=season, at=slot.starts_at.isoformat(), board=board, **known)
    tell([pairing], season, actor=actor)
    return made


@transaction.atomic
def lock(*, actor: User, pairing: Pairing) -> Placement:
    """Whoever plans anew leaves this table where it is."""
    season = _held_season(actor, pairing)
    return _relocked(_placement(pairing), actor, season)


@transaction.atomic
def unlock(*, actor: User, pairing: Pairing) -> Placement:
    season = _held_season(actor, pairing)
    return _relocked(_placement(pairing), actor, season, locked=False)


@transaction.atomic
def clear(*, actor: User, pairing: Pairing) -> None:
    """Take a table off the calendar; one that is not on it stays off."""
    season = _held_season(actor, pairing)
    pairing = locks.pairing(pairing)
    _playable(pairing)
    if release(pairing):
        tell([pairing], season, actor=actor)
        known: dict[str, Any] = {"table": pairing.number, "round": pairing.round.number}
        log.note(CLEARED, actor=actor, season=season, **known)


# -- inside a transaction that holds the club


def put(pairing: Pairing, slot: Slot, board: int, *, locked: bool) -> Placement:
    """Write a placement, the time of its table, and that both changed. Whatever is gone from the board makes room."""
    Placement.objects.filter(slot=slot, board=board).exclude(pairing=pairing).delete()
    made, _new = Placement.objects.update_or_create(
        pairing=pairing, defaults={"slot": slot, "board": board, "locked": locked, "placed_at": timezone.now()}
    )
    Pairing.objects.filter(pk=pairing.pk).update(starts_at=slot.starts_at, revision=F("revision") + 1)
    return made


def release(pairing: Pairing) -> bool:
    """The table is played nowhere for now, if it had a place at all."""
    if not Placement.objects.filter(pairing=pairing).delete()[0]:
        return False
    Pairing.objects.filter(pk=pairing.pk).update(starts_at=None, revision=F("revision") + 1)
    return True


def tell(pairings: Sequence[Pairing], season: Season, *, actor: User | None) -> None:
    """Let the players of published tables know where they play now, or that they have no time any more."""
    told = [pairing for pairing in pairings if pairing.round.is_published]
    placed = {
        each.pairing_id: each for each in Placement.objects.filter(pairing__in=told).select_related("slot__night__club")
    }
    people = people_at(pairing.pk for pairing in told)
    users = User.objects.in_bulk({person for each in people.values() for person in each})
    for pairing in told:
        readers = [users[person] for person in people[pairing.pk] if actor is None or person != actor.pk]
        known: dict[str, Any] = {
            "path": pairing.get_absolute_url(),
            "actor": actor,
            "club": season.league.club,
            "season": season.full_name,
        }
        if placement := placed.get(pairing.pk):
            notices.tell(readers, TOLD_PLACED, at=placement.slot.starts_at, board=placement.board, **known)
        else:
            notices.tell(readers, TOLD_CLEARED, **known)


def _held_season(actor: User, pairing: Pairing) -> Season:
    season = pairing.round.stage.division.season
    require(actor, Permission.ORGANISE, pairing)
    locks.club(season.league.club)
    return season


def _slot_of(season: Season, slot: Slot) -> Slot:
    found = Slot.objects.select_related("night__club", "night__venue").filter(
        pk=slot.pk, night__club=season.league.club_id
    )
    if not found:
        raise Refused(gettext("This slot is not one of the club's."))
    return found[0]


def _in_order(pairing: Pairing, occupant: Placement | None) -> list[Pairing]:
    """Rows are locked by their numbers, so that two who exchange tables never wait for each other."""
    rows = [pairing, *([occupant.pairing] if occupant else [])]
    return sorted(rows, key=lambda row: row.pk)


def _playable(pairing: Pairing) -> None:
    if pairing.where != Pairing.Where.CLUB:
        raise Refused(gettext("This table is played online."))
    if pairing.state != Pairing.State.SCHEDULED or pairing.round.is_closed:
        raise Refused(gettext("This table is being played, or was."))


def _placement(pairing: Pairing) -> Placement:
    found = Placement.objects.select_for_update(of=("self",)).filter(pairing=pairing).first()
    if found is None:
        raise Refused(gettext("This table is not on the calendar yet."))
    found.pairing = pairing
    return found


def _relocked(placement: Placement, actor: User, season: Season, *, locked: bool = True) -> Placement:
    if placement.locked != locked:
        placement.locked = locked
        placement.save(update_fields=["locked"])
        known: dict[str, Any] = {"table": placement.pairing.number, "round": placement.pairing.round.number}
        log.note(LOCKED if locked else UNLOCKED, actor=actor, season=season, **known)
    return placement
