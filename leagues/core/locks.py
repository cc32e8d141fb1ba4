"""Row locks, always taken in this order: club, season, stage, table, people. The holder of a lock may change
what is below it. The numbers of a season's tables are locked last of all.

They do not lock keys (FOR NO KEY UPDATE): inserting a row that refers to a locked one, such as a log entry, does not
wait. Otherwise two verbs could deadlock.
"""

from collections.abc import Iterable

from accounts.models import Club, User
from leagues.models import Division, Pairing, Season, Stage


def club(row: Club) -> Club:
    """For changes of the club's calendar: venues, nights, slots and placements."""
    return Club.objects.select_for_update(no_key=True).get(pk=row.pk)


def season(row: Season) -> Season:
    """For changes of entries and settings."""
    return Season.objects.select_for_update(of=("self",), no_key=True).select_related("league__club").get(pk=row.pk)


def stage(row: Stage) -> Stage:
    """For changes of rounds and pairings."""
    locked = Stage.objects.select_for_update(of=("self",), no_key=True)
    return locked.select_related("division__season__league__club").get(pk=row.pk)


def pairing(row: Pairing) -> Pairing:
    """For changes of a table's result. In a bracket other matches follow from it, so its stage is locked first."""
    if stage_id := Pairing.objects.filter(pk=row.pk).exclude(slot="").values_list("round__stage", flat=True).first():
        list(Stage.objects.select_for_update(of=("self",), no_key=True).filter(pk=stage_id).values_list("pk"))
    locked = Pairing.objects.select_for_update(of=("self",), no_key=True)
    return locked.select_related("round__stage__division__season__league__club").get(pk=row.pk)


def table_numbers(row: Season) -> None:
    """For choosing free numbers: by whoever makes or moves a table, whatever else they hold."""
    divisions = Division.objects.select_for_update(of=("self",), no_key=True).filter(season=row)
    list(divisions.order_by("pk").values_list("pk"))


def people(those: Iterable[User]) -> None:
    """For changes of when these people play, at any table."""
    ids = sorted({person.pk for person in those})
    list(User.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=ids).order_by("pk").values_list("pk"))
