"""What a change of a night does to tables placed there, and who is told. Inside the transaction of a verb."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts import audit, notices
from accounts.models import User
from leagues import locks, log
from leagues.models import Answer, ClubNight, Pairing, PairingSeat, Placement
from leagues.tables import people_at

FREED = audit.action(
    "leagues.table-freed",
    _("%(actor)s changed the night of %(day)s: table %(table)s of round %(round)s waits for a new time"),
)
TOLD_FREED = notices.kind(
    "leagues.table-freed",
    _("Your table in %(season)s is no longer placed on %(starts_at)s: it waits for a new time."),
    _("Your table lost its place at the club"),
)
TOLD_CANCELLED = notices.kind(
    "leagues.night-cancelled",
    _("%(night)s on %(starts_at)s is cancelled."),
    _("A club night is cancelled"),
    group=notices.Group.CLUBS,
)
TOLD_RESTORED = notices.kind(
    "leagues.night-restored",
    _("%(night)s on %(starts_at)s takes place after all."),
    _("A cancelled club night takes place after all"),
    group=notices.Group.CLUBS,
)
TOLD_CHANGED = notices.kind(
    "leagues.night-changed",
    _("%(night)s on %(starts_at)s has changed: see when and where it is now."),
    _("A club night has changed"),
    group=notices.Group.CLUBS,
)
TOLD_SERIES = notices.kind(
    "leagues.series-changed",
    _("%(series)s has changed: see when and where it is now."),
    _("A series of club nights has changed"),
    group=notices.Group.CLUBS,
)


def waiting(night: ClubNight) -> list[Placement]:
    """Tables placed at the night that are still to be played; what was played there stays there."""
    placed = Placement.objects.filter(slot__night=night, pairing__state=Pairing.State.SCHEDULED)
    return list(placed.select_related("pairing", "slot").order_by("pairing"))


def free(placements: Iterable[Placement], *, actor: User, night: ClubNight, day: str) -> set[int]:
    """Take tables off the night; their players are told, and named by their ids."""
    told: set[int] = set()
    for placement in sorted(placements, key=lambda each: each.pairing_id):
        pairing = locks.pairing(placement.pairing)
        placement.delete()
        pairing.starts_at = None
        pairing.revision += 1
        pairing.save(update_fields=["starts_at", "revision"])
        season = pairing.round.stage.division.season
        log.note(FREED, actor=actor, season=season, table=pairing.number, round=pairing.round.number, day=day)
        if pairing.round.is_published:
            people = [person for person, level in people_at(pairing) if not level]
            path = pairing.get_absolute_url()
            told_of = {"season": season.full_name, "starts_at": placement.slot.starts_at}
            notices.tell(people, TOLD_FREED, path=path, actor=actor, club=night.club, **told_of)
            told |= {person.pk for person in people}
    return told


def follow(night: ClubNight) -> None:
    """Tables that stay at a night that moved have its new time and place."""
    seasons = {}
    for placement in waiting(night):
        pairing = locks.pairing(placement.pairing)
        pairing.starts_at = placement.slot.starts_at
        pairing.revision += 1
        pairing.save(update_fields=["starts_at", "revision"])
        season = pairing.round.stage.division.season
        seasons[season.pk] = season
    for season in seasons.values():
        log.live.changed(season)


def concerned(nights: Iterable[ClubNight], *, actor: User, told: Iterable[int] = ()) -> list[User]:
    """Who said that they come, and who has a table there; without those who know already."""
    nights = list(nights)
    tables = Pairing.objects.seen().filter(placement__slot__night__in=nights)
    seats = PairingSeat.objects.filter(pairing__in=tables, absent=False)
    playing = User.objects.filter(
        Q(entries__in=seats.values("entrant")) | Q(teams__entrant__in=seats.values("entrant"))
    ).distinct()
    coming = User.objects.filter(availabilities__night__in=nights, availabilities__answer=Answer.YES)
    found = {person.pk: person for person in [*coming, *playing]}
    return [person for pk, person in sorted(found.items()) if pk not in {*told, actor.pk}]


def tell(people: Iterable[User], kind: str, *, night: ClubNight, actor: User, **params: Any) -> None:
    named = {"night": night.title, "starts_at": night.starts_at} | params
    notices.tell(people, kind, path=night.get_absolute_url(), actor=actor, club=night.club, **named)
