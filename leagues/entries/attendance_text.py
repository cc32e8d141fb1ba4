"""Attendance in words: why somebody is here or away, and what happens in formats that need everybody."""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.infra.datetimes import format_day
from leagues.core import format_catalogue
from leagues.entries.attendance import Attending, RoundList, Why
from leagues.models import ClubNight, RequestedBye, Stage


def attendance_words(row: Attending, night: ClubNight | None) -> str:
    """Why somebody counts as here or away."""
    known = {"day": format_day(night.day) if night else "", "name": row.member}
    match row.why, row.is_here:
        case Why.SAID, True:
            return pgettext("attendance", "here")
        case Why.SAID, False:
            return pgettext("attendance", "away")
        case Why.NIGHT, True:
            return _("comes on %(day)s") % known
        case Why.HABIT, True:
            return _("usually comes on this day")
        case Why.NIGHT, False if row.member:
            return _("%(name)s cannot come on %(day)s") % known
        case Why.HABIT, False if row.member:
            return _("%(name)s usually cannot come on this day") % known
        case Why.NIGHT, False:
            return _("cannot come on %(day)s") % known
        case Why.HABIT, False:
            return _("usually cannot come on this day")
        case _:
            return _("no answer: expected")


def bye_words(kind: str) -> str:
    """Full point, half a point or no point."""
    return str(dict(RequestedBye.KINDS)[kind])


def left_out_words(listed: RoundList) -> str:
    """Whom the draw left out and why, in one line; empty if nobody."""
    words = _("%(name)s (%(why)s; %(bye)s)")
    return ", ".join(
        words % {"name": row.entrant.name, "why": attendance_words(row, listed.night), "bye": bye_words(row.bye)}
        for row in listed.away
    )


def planned_words(stage: Stage) -> str:
    """What happens to somebody who cannot come where the format needs everybody; empty where draws leave them out."""
    known = format_catalogue.format_of(stage)
    if known.requested_byes:
        return ""
    if not known.rounds:
        return _("There are no rounds to miss here: players start their games themselves, when they are there.")
    if known.knock_out:
        return _(
            "In a knock-out everybody is needed: nobody is left out. A table waits until both can play, or an "
            "organiser decides it without a game; whoever does not come is then out."
        )
    return _(
        "Here all meetings are planned from the start: nobody is left out. A table of somebody who cannot come is "
        "played at another time, or an organiser decides it without a game."
    )
