"""Places tables on boards: place, lock, unlock, clear."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from accounts.notifications.registry import declare_kind
from accounts.notifications.service import notify
from leagues.core import locks, season_effects, table_numbers
from leagues.core.access import Permission, require
from leagues.models import Pairing, Placement, Season, Slot
from leagues.placement.commitments import people_at
from leagues.placement.conflicts import Conflict, Option, conflicts, options

PLACED = audit.declare_action(
    "leagues.table-placed",
    _("%(actor)s placed a table of round %(round)s: %(at)s, table %(board)s"),
)
SWAPPED = audit.declare_action(
    "leagues.tables-swapped",
    _("%(actor)s exchanged table %(table)s of round %(round)s and table %(other)s of round %(other_round)s"),
)
LOCKED = audit.declare_action(
    "leagues.table-locked", _("%(actor)s locked table %(table)s of round %(round)s where it is")
)
UNLOCKED = audit.declare_action("leagues.table-unlocked", _("%(actor)s unlocked table %(table)s of round %(round)s"))
CLEARED = audit.declare_action(
    "leagues.table-cleared", _("%(actor)s took table %(table)s of round %(round)s off the calendar")
)
PLACED_KIND = declare_kind(
    "leagues.table-placed",
    _("Your table in %(season)s: %(at)s, table %(board)s."),
    _("Your table at the club has a time and a place"),
)
CLEARED_KIND = declare_kind(
    "leagues.table-cleared",
    _("Your table in %(season)s has no time any more."),
    _("Your table at the club was taken off the calendar"),
)


__all__ = [
    "Conflict",
    "Option",
    "clear",
    "conflicts",
    "lock",
    "notify_players",
    "options",
    "place",
    "put",
    "release",
    "unlock",
]


# -- verbs


@transaction.atomic
def place(*, actor: User, pairing: Pairing, slot: Slot, board: int | None = None, lock: bool = False) -> Placement:
    """Put a table on a board of a slot, by default the first free one. Two tables that fit both ways are exchanged."""
    season = _lock_calendar(actor, pairing)
    slot = _slot_of(season, slot)
    occupant = Placement.objects.filter(slot=slot, board=board or 0).exclude(pairing=pairing).first()
    pairings = {row.pk: locks.pairing(row) for row in _by_number(pairing, occupant)}
    pairing = pairings[pairing.pk]
    _require_playable(pairing)
    before = Placement.objects.filter(pairing=pairing).select_related("slot__night__venue").first()
    option = options(pairing, [slot])[0]
    board = board or (before.board if before and before.slot_id == slot.pk else option.free)
    if board is not None and not 1 <= board <= slot.tables:
        raise Refused(gettext("There is no table %(board)s then.") % {"board": board})
    against = [each for each in option.against(board) if each.hard]
    if board is None or against:
        raise Refused(against[0].words)
    other = pairings.get(occupant.pairing_id) if occupant else None
    if before is not None and (before.slot_id, before.board) == (slot.pk, board):
        return _set_locked(before, actor, season) if lock and not before.locked else before
    Placement.objects.filter(pairing__in=[pk for pk in (pairing.pk, other and other.pk) if pk]).delete()
    placement = put(pairing, slot, board, locked=lock or bool(before and before.locked))
    known: dict[str, Any] = {"table": pairing.table, "round": pairing.round.number}
    if other is not None and before is not None:
        put(other, before.slot, before.board, locked=False)
        notify_players([other], season, actor=actor)
        season_effects.log_and_refresh(
            SWAPPED, actor=actor, season=season, other=other.table, other_round=other.round.number, **known
        )
    else:
        season_effects.log_and_refresh(
            PLACED, actor=actor, season=season, at=slot.starts_at.isoformat(), board=board, **known
        )
    notify_players([pairing], season, actor=actor)
    return placement


@transaction.atomic
def lock(*, actor: User, pairing: Pairing) -> Placement:
    """Lock a table, so that plans leave it where it is."""
    season = _lock_calendar(actor, pairing)
    return _set_locked(_lock_placement(pairing), actor, season)


@transaction.atomic
def unlock(*, actor: User, pairing: Pairing) -> Placement:
    season = _lock_calendar(actor, pairing)
    return _set_locked(_lock_placement(pairing), actor, season, locked=False)


@transaction.atomic
def clear(*, actor: User, pairing: Pairing) -> None:
    """Take a table off the calendar. Does nothing if it is not on it."""
    season = _lock_calendar(actor, pairing)
    pairing = locks.pairing(pairing)
    _require_playable(pairing)
    known: dict[str, Any] = {"table": pairing.table, "round": pairing.round.number}
    if release(pairing):
        notify_players([pairing], season, actor=actor)
        season_effects.log_and_refresh(CLEARED, actor=actor, season=season, **known)


# -- inside a transaction that holds the club


def put(pairing: Pairing, slot: Slot, board: int, *, locked: bool) -> Placement:
    """Write a placement and the time of its table. An old placement left on the board is deleted."""
    Placement.objects.filter(slot=slot, board=board).exclude(pairing=pairing).delete()
    placement, _new = Placement.objects.update_or_create(
        pairing=pairing, defaults={"slot": slot, "board": board, "locked": locked, "placed_at": timezone.now()}
    )
    pairing.table_number = board
    Pairing.objects.filter(pk=pairing.pk).update(
        starts_at=slot.starts_at, table_number=board, revision=F("revision") + 1
    )
    return placement


def release(pairing: Pairing) -> bool:
    """Delete the table's placement and time. Returns whether it had any."""
    if not Placement.objects.filter(pairing=pairing).delete()[0]:
        return False
    Pairing.objects.filter(pk=pairing.pk).update(starts_at=None, revision=F("revision") + 1)
    table_numbers.renumber(pairing)
    return True


def notify_players(pairings: Sequence[Pairing], season: Season, *, actor: User | None) -> None:
    """Notify the players of published tables where they play now, or that they have no time any more."""
    published = [pairing for pairing in pairings if pairing.round.is_published]
    placed = {
        each.pairing_id: each
        for each in Placement.objects.filter(pairing__in=published).select_related("slot__night__club")
    }
    people = people_at(pairing.pk for pairing in published)
    users = User.objects.in_bulk({person for each in people.values() for person in each})
    for pairing in published:
        readers = [users[person] for person in people[pairing.pk] if actor is None or person != actor.pk]
        known: dict[str, Any] = {
            "path": pairing.get_absolute_url(),
            "actor": actor,
            "club": season.league.club,
            "season": season.full_name,
        }
        if placement := placed.get(pairing.pk):
            notify(readers, PLACED_KIND, at=placement.slot.starts_at, board=placement.board, **known)
        else:
            notify(readers, CLEARED_KIND, **known)


def _lock_calendar(actor: User, pairing: Pairing) -> Season:
    season = pairing.round.stage.division.season
    require(actor, Permission.ORGANISE, pairing)
    locks.club(season.league.club)
    return season


def _slot_of(season: Season, slot: Slot) -> Slot:
    slots = Slot.objects.select_related("night__club", "night__venue").filter(
        pk=slot.pk, night__club=season.league.club_id
    )
    if not slots:
        raise Refused(gettext("This slot is not one of the club’s."))
    return slots[0]


def _by_number(pairing: Pairing, occupant: Placement | None) -> list[Pairing]:
    """Rows are locked in the order of their ids, so that two exchanges never deadlock."""
    rows = [pairing, *([occupant.pairing] if occupant else [])]
    return sorted(rows, key=lambda row: row.pk)


def _require_playable(pairing: Pairing) -> None:
    if pairing.where != Pairing.Where.CLUB:
        raise Refused(gettext("This table is played online."))
    if pairing.state != Pairing.State.SCHEDULED or pairing.round.is_closed:
        raise Refused(gettext("This table is being played or is over."))


def _lock_placement(pairing: Pairing) -> Placement:
    placement = Placement.objects.select_for_update(of=("self",)).filter(pairing=pairing).first()
    if placement is None:
        raise Refused(gettext("This table is not on the calendar yet."))
    placement.pairing = pairing
    return placement


def _set_locked(placement: Placement, actor: User, season: Season, *, locked: bool = True) -> Placement:
    if placement.locked != locked:
        placement.locked = locked
        placement.save(update_fields=["locked"])
        known: dict[str, Any] = {"table": placement.pairing.table, "round": placement.pairing.round.number}
        season_effects.log_and_refresh(LOCKED if locked else UNLOCKED, actor=actor, season=season, **known)
    return placement
