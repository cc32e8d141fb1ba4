"""The reasons of a plan in the reader's language, with times on the club's clock."""

from collections.abc import Iterable
from datetime import datetime

from babel.dates import format_skeleton, format_time
from django.utils.translation import gettext

from accounts.infra.datetimes import locale
from accounts.models import Club, User
from leagues.calendar.club_clock import zone_of
from leagues.core.text import join_names
from leagues.models import ClubNight, Pairing, Slot
from leagues.placement.solver.reason_templates import TEMPLATES
from leagues.placement.solver.values import Reason

# Who sits at a table, for its title.
SEATED = ("seats__entrant__user", "seats__entrant__members__user")


class Clock:
    """Formats times on the club's clock, for every reader."""

    def __init__(self, club: Club) -> None:
        self.zone = zone_of(club)

    def day(self, moment: datetime) -> str:
        """Fri 4 Dec."""
        return format_skeleton("MMMEd", moment.astimezone(self.zone), locale=locale())

    def hour(self, moment: datetime) -> str:
        return format_time(moment.astimezone(self.zone), format="short", locale=locale())

    def slot(self, slot: Slot) -> str:
        """Fri 4 Dec, 19:00."""
        return f"{self.day(slot.starts_at)}, {self.hour(slot.starts_at)}"


class ReasonRenderer:
    """Renders reasons. Reads all the names they need in a fixed number of queries."""

    def __init__(self, club: Club, reasons: Iterable[Reason]) -> None:
        wanted: dict[str, set[int]] = {"person": set(), "night": set(), "slot": set(), "table": set()}
        for reason in reasons:
            for name, value in reason.params:
                wanted.get(name, set()).add(value)
        clock = Clock(club)
        tables = Pairing.objects.select_related("round").prefetch_related(*SEATED)
        self.names = {
            "person": {each.pk: each.name for each in User.objects.filter(pk__in=wanted["person"])},
            "night": {each.pk: clock.day(each.starts_at) for each in ClubNight.objects.filter(pk__in=wanted["night"])},
            "slot": {each.pk: clock.slot(each) for each in Slot.objects.filter(pk__in=wanted["slot"])},
            "table": {each.pk: table_title(each) for each in tables.filter(pk__in=wanted["table"])},
        }

    def sentence(self, reason: Reason) -> str:
        params = {
            name: self.names[name].get(value, "–") if name in self.names else str(value)
            for name, value in reason.params
        }
        return gettext(TEMPLATES[reason.code]) % params


def table_title(pairing: Pairing) -> str:
    """A table by its people: on several evenings many have the same number. Fetch it with `SEATED`."""
    seats = sorted(pairing.seats.all(), key=lambda seat: seat.index)
    names = join_names(seat.entrant.name for seat in seats)
    return gettext("the table of %(names)s (round %(round)s)") % {"names": names, "round": pairing.round.number}
