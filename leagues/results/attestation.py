"""Whether a result that was entered by hand may change the ratings of the whole site.

A club's standings are its own affair. The ratings of the site compare people of all clubs, so a table counts there only
if two people with an account vouch for it: everybody at it agreed to play, and somebody who did not enter the result
confirmed it, or an organiser who did not play entered it. A match on the site needs none of this: its record proves it.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext

import engine
from accounts.models import Club, User
from leagues.core import consent
from leagues.core.text import join_names
from leagues.elo.result_types import RatingKind, SeatResult
from leagues.models import GuestJoin, Objection, Pairing, Result, ResultAnswer, Season
from leagues.models.rating import kind_of

NEW_CLUB = timedelta(days=14)
NEW_CLUB_TABLES_A_DAY = 60
"""So many tables of a new club count in a day: more than a club night has, fewer than an attack needs."""
NEW_ACCOUNT = timedelta(days=7)
NEW_ACCOUNT_TABLES = 30
"""So many tables entered by hand count for somebody whose account is new."""


@dataclass(frozen=True)
class Doubt:
    """Why a table does not count for the ratings of the site, for now."""

    code: str
    names: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        names = {"names": join_names(self.names)}
        match self.code:
            case "guests":
                return gettext(
                    "It does not change ratings: fewer than two people with an account sat here. "
                    "Guests can be invited to sign up."
                )
            case "guest-in-team":
                return gettext(
                    "It does not change ratings: in this game all who sit at a table need an account for that."
                )
            case "joined":
                return (
                    gettext(
                        "It does not change ratings: somebody sat here as a guest. "
                        "It can count once %(names)s says who that was."
                    )
                    % names
                )
            case "asked":
                return (
                    gettext(
                        "It does not change ratings yet: an organiser entered %(names)s, who has not agreed to play."
                    )
                    % names
                )
            case "unconfirmed":
                return (
                    gettext(
                        "It does not change ratings yet: it was entered by somebody who sat here. "
                        "As soon as %(names)s confirms it, it counts."
                    )
                    % names
                )
            case "objection":
                return gettext("It does not change ratings for now: %(names)s objects to this result.") % names
            case "new-club":
                return gettext(
                    "It does not change ratings: in a club\u2019s first two weeks %(count)s tables a day count."
                ) % {"count": NEW_CLUB_TABLES_A_DAY}
            case _:
                return gettext(
                    "It does not change ratings: in the first week of an account %(count)s tables count (%(names)s)."
                ) % {"count": NEW_ACCOUNT_TABLES, **names}


def doubt_about(pairing: Pairing, result: Result, seats: Sequence[SeatResult]) -> Doubt | None:
    """Why this result does not count for the ratings of the site; None if it does.

    `seats` is everybody who sat there, guests included.
    """
    season = pairing.round.stage.division.season
    everybody = User.objects.in_bulk([seat.user_id for seat in seats if seat.user_id])
    unproven = unproven_guests(pairing, everybody)
    people = {pk: person for pk, person in everybody.items() if has_account(person) and pk not in unproven}
    together = kind_of(season.league.game) is not RatingKind.FREE_FOR_ALL
    if len(people) < 2 or (together and (unproven or any(each.is_guest for each in everybody.values()))):
        if unproven and people:
            return Doubt("joined", _names(people, people))
        return Doubt("guest-in-team" if together and len(people) > 1 else "guests")
    if waiting := consent.undecided(season.pk, people):
        return Doubt("asked", _names(people, waiting))
    if objectors := objectors_to(pairing, result):
        return Doubt("objection", _names(people, objectors))
    if result.by_id in people and not (set(people) - {result.by_id}) & confirmed_by(pairing, result):
        return Doubt("unconfirmed", _names(people, set(people) - {result.by_id}))
    return limit_reached(season, people, result)


def doubts_about_past(
    season: Season, tables: Sequence[tuple[Pairing, Result, Sequence[SeatResult]]], actor: User
) -> list[Doubt | None]:
    """The same for the tables of an import, with a few queries for all of them.

    Nobody has confirmed them: a table that the importing organiser sat at waits for somebody else who did.
    """
    known = User.objects.in_bulk(
        {seat.user_id for _pairing, _result, seats in tables for seat in seats if seat.user_id}
    )
    waiting = consent.undecided(season.pk, known)
    together = kind_of(season.league.game) is not RatingKind.FREE_FOR_ALL
    now = timezone.now()
    room = None
    if season.league.club.founded_at > now - NEW_CLUB:
        room = NEW_CLUB_TABLES_A_DAY
    new = {pk: NEW_ACCOUNT_TABLES for pk, person in known.items() if person.joined_at > now - NEW_ACCOUNT}
    found: list[Doubt | None] = []
    for _pairing, _result, seats in tables:
        everybody = {seat.user_id: known[seat.user_id] for seat in seats if seat.user_id}
        people = {pk: person for pk, person in everybody.items() if has_account(person)}
        doubt = None
        if len(people) < 2:
            doubt = Doubt("guests")
        elif together and any(each.is_guest for each in everybody.values()):
            doubt = Doubt("guest-in-team")
        elif waiting & people.keys():
            doubt = Doubt("asked", _names(people, waiting))
        elif actor.pk in people:
            doubt = Doubt("unconfirmed", _names(people, set(people) - {actor.pk}))
        elif room == 0:
            doubt = Doubt("new-club")
        elif tired := [pk for pk in people if new.get(pk) == 0]:
            doubt = Doubt("new-account", _names(people, tired))
        else:
            room = None if room is None else room - 1
            new |= {pk: new[pk] - 1 for pk in people if pk in new}
        found.append(doubt)
    return found


def unproven_guests(pairing: Pairing, sat: Collection[int]) -> set[int]:
    """Who sat here as a guest, was joined to an account later, and is vouched for by nobody who sat here.

    To the ratings they stay guests at this table. A witness had an account already when the table was played; one who
    says no outweighs all who say yes.
    """
    joins = GuestJoin.objects.filter(person__in=list(sat), state=GuestJoin.State.JOINED).prefetch_related("witnesses")
    here = [join for join in joins if pairing.pk in join.tables]
    witnesses = set(sat) - {join.person_id for join in here}
    said = {
        join.person_id: {each.agrees for each in join.witnesses.all() if each.person_id in witnesses} for join in here
    }
    return {person for person, answers in said.items() if answers != {True}}


def has_account(person: User) -> bool:
    """Whether somebody can log in and answer for themselves."""
    return not (person.is_guest or person.is_bot)


def without_guests(game: str, seats: Sequence[SeatResult], people: Collection[int]) -> list[SeatResult]:
    """The seats that are compared: guests give nobody points, because anybody can invent them."""
    if kind_of(game) is not RatingKind.FREE_FOR_ALL or engine.game(game).cooperative:
        return list(seats)
    kept = [seat for seat in seats if seat.user_id in people]
    return [
        SeatResult(index, seat.rank, seat.user_id, seat.bot_key, seat.role, seat.left)
        for index, seat in enumerate(kept)
    ]


def confirmed_by(pairing: Pairing, result: Result) -> set[int]:
    """Who said that this result is right: about this version, or about an earlier one that says the same."""
    answers = ResultAnswer.objects.filter(result__pairing=pairing, agrees=True).select_related("result")
    return {each.by_id for each in answers if (each.result.places, each.result.grade) == (result.places, result.grade)}


def objectors_to(pairing: Pairing, result: Result) -> set[int]:
    """Whose objections to this version are open, or were found right."""
    rows = Objection.objects.filter(Q(decided_at=None) | Q(upheld=True), pairing=pairing, version=result.version)
    return set(rows.values_list("person_id", flat=True))


def limit_reached(season: Season, people: dict[int, User], result: Result) -> Doubt | None:
    now = timezone.now()
    club = season.league.club
    if club.founded_at > now - NEW_CLUB and _tables_of_club(club, result) >= NEW_CLUB_TABLES_A_DAY:
        return Doubt("new-club")
    for person in people.values():
        if person.joined_at > now - NEW_ACCOUNT and _tables_of(person, result) >= NEW_ACCOUNT_TABLES:
            return Doubt("new-account", (person.name,))
    return None


def _tables_of_club(club: Club, result: Result) -> int:
    """Tables of this club that were entered by hand in the day before this result."""
    rows = _by_hand(result).filter(pairing__round__stage__division__season__league__club=club)
    return rows.filter(at__gt=result.at - timedelta(days=1)).count()


def _tables_of(person: User, result: Result) -> int:
    sits = Q(pairing__seats__entrant__user=person) | Q(pairing__seats__entrant__members__user=person)
    return _by_hand(result).filter(sits).distinct().count()


def _by_hand(result: Result) -> "QuerySet[Result]":
    return Result.objects.filter(in_force=True, pairing__match=None, pk__lt=result.pk or 2**62)


def _names(people: dict[int, User], some: Collection[int]) -> tuple[str, ...]:
    return tuple(sorted(people[pk].name for pk in some if pk in people))
