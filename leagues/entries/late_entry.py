"""How somebody without an entry gets into a season that is running, or why not. Reads only."""

from dataclasses import dataclass
from typing import Any

from django.db.models import Count
from django.utils.translation import gettext as _

from accounts.models import Club, Membership, Role, User
from leagues.core import format_catalogue
from leagues.core.text import join_names
from leagues.entries import registration
from leagues.models import Division, Season, Stage

MOST_NAMES = 3


@dataclass(frozen=True)
class LateEntry:
    """`divisions` are those that still take somebody. `club` is where to go first, for those who are no members."""

    words: str
    divisions: tuple[Division, ...]
    club: Club | None

    @property
    def is_possible(self) -> bool:
        return bool(self.divisions)


def late_entry(season: Season, person: User | None) -> LateEntry | None:
    """For a reader without an entry; None unless the season is running."""
    if not season.is_running:
        return None
    club = season.league.club
    is_member = person is not None and Membership.objects.filter(club=club, user=person).exists()
    outside = None if is_member else club
    open_ = _open_divisions(season)
    if not open_:
        words = _("This season is running and takes no late entries: its tables are planned, or it is full.")
        hear = _("As a member of %(club)s you will be notified when the next one opens.")
        if not is_member:
            hear = _("Join %(club)s, and you will be notified when the next one opens.")
        return LateEntry(f"{words} {hear % {'club': club.name}}", (), outside)
    where = join_names(_("%(division)s, from round %(round)s on") % known for _division, known in open_)
    words = _("This season is running, and you can still join: %(where)s.") % {"where": where}
    how = _("Ask an organiser to enter you: %(names)s.")
    if not is_member:
        how = _("Join %(club)s first, then ask an organiser to enter you: %(names)s.")
    runs = Membership.objects.filter(club=club, role__in=[Role.OWNER, Role.ORGANISER], user__is_active=True)
    names = [each.user.name for each in runs.select_related("user").order_by("joined_at", "pk")[:MOST_NAMES]]
    how %= {"club": club.name, "names": join_names(names)}
    return LateEntry(f"{words} {how}", tuple(division for division, _known in open_), outside)


def _open_divisions(season: Season) -> list[tuple[Division, dict[str, object]]]:
    """The divisions that an organiser can still enter a single person in, as `registration.admit_or_queue` would."""
    first: dict[int, Any] = {}
    stages = Stage.objects.filter(division__season=season).select_related("division").annotate(drawn=Count("rounds"))
    for stage in stages.order_by("division__level", "division__number", "position"):
        first.setdefault(stage.division_id, stage)
    open_ = []
    for stage in first.values():
        known, drawn = format_catalogue.FORMATS[stage.format], stage.drawn
        takes = stage.status == Stage.Status.RUNNING and not known.teams and (known.late_entry or not drawn)
        if takes and not registration.is_full(stage.division):
            open_.append((stage.division, {"division": stage.division.name, "round": drawn + 1}))
    return open_
