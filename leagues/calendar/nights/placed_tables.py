"""What a change of a night does to the tables placed there, and who is notified. Inside the transaction of a verb."""

from collections.abc import Iterable
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.models import User
from accounts.notifications.registry import NotificationGroup, declare_kind
from accounts.notifications.service import notify
from leagues.core import access, locks, realtime, season_effects, table_numbers
from leagues.models import Answer, ClubNight, Pairing, PairingSeat, Placement
from leagues.rounds.tables import people_at

FREED = audit.declare_action(
    "leagues.table-freed",
    _("%(actor)s changed the night of %(day)s: table %(table)s of round %(round)s waits for a new time"),
)
FREED_KIND = declare_kind(
    "leagues.table-freed",
    _("Your table in %(season)s is no longer placed on %(starts_at)s: it waits for a new time."),
    _("Your table lost its place at the club"),
)
CANCELLED_KIND = declare_kind(
    "leagues.night-cancelled",
    _("%(night)s on %(starts_at)s is cancelled."),
    _("A club night is cancelled"),
    group=NotificationGroup.CLUBS,
)
RESTORED_KIND = declare_kind(
    "leagues.night-restored",
    _("%(night)s on %(starts_at)s takes place after all."),
    _("A cancelled club night takes place after all"),
    group=NotificationGroup.CLUBS,
)
CHANGED_KIND = declare_kind(
    "leagues.night-changed",
    _("%(night)s on %(starts_at)s has changed: see when and where it is now."),
    _("A club night has changed"),
    group=NotificationGroup.CLUBS,
)
SERIES_KIND = declare_kind(
    "leagues.series-changed",
    _("%(series)s has changed: see when and where it is now."),
    _("A series of club nights has changed"),
    group=NotificationGroup.CLUBS,
)


def unplayed_tables(night: ClubNight) -> list[Placement]:
    """Tables placed at the night that are still to be played."""
    placed = Placement.objects.filter(slot__night=night, pairing__state=Pairing.State.SCHEDULED)
    return list(placed.select_related("pairing", "slot").order_by("pairing"))


def free_tables(placements: Iterable[Placement], *, actor: User, night: ClubNight, day: str) -> set[int]:
    """Take tables off the night, notify their players, and return the ids of those players."""
    notified: set[int] = set()
    for placement in sorted(placements, key=lambda each: each.pairing_id):
        pairing = locks.pairing(placement.pairing)
        placement.delete()
        pairing.starts_at = None
        pairing.revision += 1
        pairing.save(update_fields=["starts_at", "revision"])
        season = pairing.round.stage.division.season
        freed = pairing.table
        table_numbers.renumber(pairing)
        season_effects.log_and_refresh(
            FREED, actor=actor, season=season, table=freed, round=pairing.round.number, day=day
        )
        if pairing.round.is_published:
            people = [person for person, level in people_at(pairing) if not level]
            path = pairing.get_absolute_url()
            params = {"season": season.full_name, "starts_at": placement.slot.starts_at}
            notify(people, FREED_KIND, path=path, actor=actor, club=night.club, **params)
            notified |= {person.pk for person in people}
    return notified


def move_tables_along(night: ClubNight) -> None:
    """Give the tables of a night that moved its new time and place."""
    seasons = {}
    for placement in unplayed_tables(night):
        pairing = locks.pairing(placement.pairing)
        pairing.starts_at = placement.slot.starts_at
        pairing.revision += 1
        pairing.save(update_fields=["starts_at", "revision"])
        season = pairing.round.stage.division.season
        seasons[season.pk] = season
    for season in seasons.values():
        realtime.broadcast_season_changed(season)


def people_concerned(nights: Iterable[ClubNight], *, actor: User, already_notified: Iterable[int] = ()) -> list[User]:
    """People who answered that they come or have a table there, without the actor and `already_notified`."""
    nights = list(nights)
    tables = Pairing.objects.seen().filter(placement__slot__night__in=nights)
    seats = PairingSeat.objects.filter(pairing__in=tables, absent=False)
    playing = User.objects.filter(
        Q(entries__in=seats.values("entrant")) | Q(teams__entrant__in=seats.values("entrant"))
    ).distinct()
    coming = User.objects.filter(availabilities__night__in=nights, availabilities__answer=Answer.YES)
    private = [night.club_id for night in nights if night.is_private]
    if private:
        # Who has left the club hears nothing more of its private nights.
        coming = coming.filter(pk__in=access.people_of(nights[0].club).values("pk"))
    people = {person.pk: person for person in [*coming, *playing]}
    return [person for pk, person in sorted(people.items()) if pk not in {*already_notified, actor.pk}]


def notify_about_night(people: Iterable[User], kind: str, *, night: ClubNight, actor: User, **params: Any) -> None:
    named = {"night": night.title, "starts_at": night.starts_at} | params
    notify(people, kind, path=night.get_absolute_url(), actor=actor, club=night.club, **named)
