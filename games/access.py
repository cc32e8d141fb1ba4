"""Who may do what at a table, in the manner of `accounts.access`."""

from enum import StrEnum, auto

from accounts.access import Actor
from accounts.infra.permissions import Policy
from accounts.models import Membership, User
from games.models import Match, Seat


class Permission(StrEnum):
    OPEN_TABLE = auto()
    # Challenge people, and look for a table with them.
    CHALLENGE = auto()
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


P = Permission

# What each may do at a table that they may see.
VISITOR = frozenset({P.SEE})
PERSON = VISITOR | {P.OPEN_TABLE, P.CHALLENGE, P.SIT, P.TALK, P.REPORT}
# Who plays without an account opens tables against bots alone, and talks to nobody.
TRIAL = VISITOR | {P.OPEN_TABLE}
SEATED = (PERSON - {P.SIT}) | {P.STAND_UP, P.PLAY, P.RESIGN, P.COME_BACK, P.REMATCH}
# What is possible only while the table is in this state.
WHILE = {
    Match.Status.OPEN: frozenset({P.SIT, P.STAND_UP, P.HOST}),
    Match.Status.PLAYING: frozenset({P.PLAY, P.RESIGN, P.COME_BACK, P.HOST}),
    Match.Status.FINISHED: frozenset({P.REMATCH, P.READ_RECORD}),
    Match.Status.ABORTED: frozenset(),
}
ALWAYS = frozenset({P.SEE, P.OPEN_TABLE, P.CHALLENGE, P.TALK, P.REPORT, P.MODERATE})


def allowed(user: Actor, match: Match | None = None) -> frozenset[Permission]:
    """All that this person may do at this table: two queries at most."""
    person = user if isinstance(user, User) and (user.is_active or user.is_trial) else None
    if match is None:
        return (TRIAL if person.is_trial else PERSON) if person else VISITOR
    seat = seat_of(person, match)
    if seat is None and not _may_see(person, match):
        return frozenset()
    permissions = (SEATED if seat else PERSON) if person else VISITOR
    if person and person.is_trial:
        own = TRIAL | {P.SIT} if match.host_id == person.pk else TRIAL
        permissions = SEATED - {P.TALK, P.REPORT, P.CHALLENGE} if seat else own
    if match.is_finished and not match.sealed:
        permissions |= {P.READ_RECORD}
    if person and (person.is_staff or match.host_id == person.pk):
        permissions |= {P.HOST}
    if person and person.is_staff:
        permissions |= {P.MODERATE}
    return permissions & (WHILE[Match.Status(match.status)] | ALWAYS)


def seat_of(person: Actor | None, match: Match) -> Seat | None:
    """The seat of a person, even while a bot plays for them."""
    if not isinstance(person, User):
        return None
    # Loaded with the match they are at hand; the manager would cost more than the search.
    loaded = getattr(match, "_prefetched_objects_cache", {}).get("seats")
    seats = match.seats.all() if loaded is None else loaded
    return next((seat for seat in seats if seat.user_id == person.pk), None)


def _may_see(person: User | None, match: Match) -> bool:
    """A table by link is open to all who know its key, which cannot be guessed; a club's table is for members.

    A sealed table is hidden while others still play the same deal.
    """
    if match.sealed:
        return person is not None and person.is_staff
    if not match.is_for_members or (person and (person.is_staff or match.host_id == person.pk)):
        return True
    return person is not None and Membership.objects.filter(club=match.club, user=person).exists()


policy = Policy(allowed)
may, require = policy.may, policy.require
