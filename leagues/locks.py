"""Row locks, always taken in this order: club, season, stage, table, people. Whoever holds one may change what
is below it.

They leave the keys free: a row that merely refers to a held one (an entry of the log, say) does not wait for it, which
is what would let two verbs wait for each other.
"""

from collections.abc import Iterable

from accounts.models import Club, User
from leagues.models import Pairing, Season, Stage


def club(row: Club) -> Club:
    """A club's calendar changes one by one: its venues, nights, slots, and what is placed in them."""
    return Club.objects.select_for_update(no_key=True).get(pk=row.pk)


def season(row: Season) -> Season:
    """Who may enter and what counts changes one by one."""
    return Season.objects.select_for_update(of=("self",), no_key=True).select_related("league__club").get(pk=row.pk)


def stage(row: Stage) -> Stage:
    """All that decides who plays whom goes through here."""
    locked = Stage.objects.select_for_update(of=("self",), no_key=True)
    return locked.select_related("division__season__league__club").get(pk=row.pk)


def pairing(row: Pairing) -> Pairing:
    """Results of one table are written one by one."""
    locked = Pairing.objects.select_for_update(of=("self",), no_key=True)
    return locked.select_related("round__stage__division__season__league__club").get(pk=row.pk)


def people(those: Iterable[User]) -> None:
    """The time of these people is given away one by one, whatever table it is for."""
    ids = sorted({person.pk for person in those})
    list(User.objects.select_for_update(of=("self",), no_key=True).filter(pk__in=ids).order_by("pk").values_list("pk"))
