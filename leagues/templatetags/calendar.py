"""Times on the club's clock, for pages that have it in `clock`."""

from datetime import date, datetime

from django import template
from django.template import Context
from django.utils.translation import gettext

from accounts.infra.datetimes import format_day
from leagues.models import Pairing, Placement, Slot
from leagues.placement.reason_text import Clock
from leagues.placement.service import Option

register = template.Library()


@register.simple_tag(takes_context=True)
def clock_day(context: Context, moment: datetime) -> str:
    return str(context["clock"].day(moment))


@register.simple_tag(takes_context=True)
def clock_hour(context: Context, moment: datetime) -> str:
    return str(context["clock"].hour(moment))


@register.simple_tag(takes_context=True)
def clock_slot(context: Context, slot: Slot) -> str:
    return str(context["clock"].slot(slot))


@register.filter
def night_day(day: date) -> str:
    """Fri 4 Dec, of a day on the club's clock."""
    return format_day(day)


@register.simple_tag
def boards_of(option: Option) -> list[tuple[int, str]]:
    """The boards that a table could have, each with a label."""
    boards = []
    for board in range(1, option.slot.tables + 1):
        against = option.boards.get(board)
        if not against:
            label = gettext("table %(table)s") if against is None else gettext("table %(table)s, exchange")
            boards.append((board, label % {"table": board}))
    return boards


@register.inclusion_tag("leagues/placement/_where.html", takes_context=True)
def where_played(context: Context, pairing: Pairing) -> dict[str, object]:
    """When and on which board a table is played, once that is known."""
    placement: Placement | None = getattr(pairing, "placement", None)
    return {"placement": placement, "clock": Clock(context["club"])}
