"""Who may do what at a table: the only place that decides, in the manner of `accounts.access`."""

from enum import StrEnum, auto

from accounts.access import Actor
from accounts.access import NotAllowed as NotAllowedInClubs
from accounts.models import Membership, User
from games.models import Match, Seat


class Permission(StrEnum):
    OPEN_TABLE = auto()
    SEE = auto()
    SIT = auto()
    STAND_UP = auto()
    HOST = auto()
    PLAY = auto()
    RESIGN = auto()
    COME_BACK = auto()
    REMATCH = auto()
    TALK = auto()
    REPORT = auto()
    MODERATE = auto()
    READ_RECORD = auto()


class NotAllowed(NotAllowedInClubs):
    """The person may not do this at this table."""


P = Permission

# What each may do once they may see the table at all.
VISITOR = frozenset({P.SEE})
PERSON = VISITOR | {P.OPEN_TABLE, P.SIT, P.TALK, P.REPORT}
SEATED = (PERSON - {P.SIT}) | {P.STAND_UP, P.PLAY, P.RESIGN, P.COME_BACK, P.REMATCH}
# What can be done only while the table is in this state.
WHILE = {
    Match.Status.OPEN: frozenset({P.SIT, P.STAND_UP, P.HOST}),
    Match.Status.PLAYING: frozenset({P.PLAY, P.RESIGN, P.COME_BACK, P.HOST}),
    Match.Status.FINISHED: frozenset({P.REMATCH, P.READ_RECORD}),
    Match.Status.ABORTED: frozenset(),
}
ALWAYS = frozenset({P.SEE, P.OPEN_TABLE, P.TALK, P.REPORT, P.MODERATE})


def may(user: Actor, permission: Permission, match: Match | None = None) -> bool:
    return permission in allowed(user, match)


def require(user: Actor, permission: Permission, match: Match | None = None) -> None:
    if not may(user, permission, match):
        raise NotAllowed(permission)  # type: ignore[arg-type]


def allowed(user: Actor, match: Match | None = None) -> frozenset[Permission]:
    """All that this person may do at this table: two queries at most."""
    person = user if isinstance(user, User) and user.is_active else None
    if match is None:
        return PERSON if person else VISITOR
    seat = seat_of(person, match)
    if seat is None and not _may_see(person, match):
        return frozenset()
    permissions = (SEATED if seat else PERSON) if person else VISITOR
    if match.is_finished and not match.sealed:
        permissions |= {P.READ_RECORD}
    if person and (person.is_staff or match.host_id == person.pk):
        permissions |= {P.HOST}
    if person and person.is_staff:
        permissions |= {P.MODERATE}
    return permissions & (WHILE[Match.Status(match.status)] | ALWAYS)


def seat_of(person: Actor | None, match: Match) -> Seat | None:
    """The seat that belongs to a person, even while a bot keeps it warm."""
    if not isinstance(person, User):
        return None
    return next((seat for seat in match.seats.all() if seat.user_id == person.pk), None)


def _may_see(person: User | None, match: Match) -> bool:
    """Knowing the unguessable key is what opens a table by link; a club's table asks for membership.

    Nobody looks over a shoulder while others still play the same deal.
    """
    if match.sealed:
        return person is not None and person.is_staff
    if match.visibility != Match.Visibility.CLUB or (person and (person.is_staff or match.host_id == person.pk)):
        return True
    return person is not None and Membership.objects.filter(club=match.club, user=person).exists()
