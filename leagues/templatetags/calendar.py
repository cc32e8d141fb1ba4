"""Moments on the club's clock, on pages that have one in `clock`."""

from datetime import datetime

from django import template
from django.template import Context
from django.utils.translation import gettext

from leagues.models import Pairing, Placement, Slot
from leagues.scheduling.placing import Option
from leagues.scheduling.said import Clock

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


@register.simple_tag
def boards_of(option: Option) -> list[tuple[int, str]]:
    """The boards that a table could have, and what would happen there."""
    found = []
    for board in range(1, option.slot.tables + 1):
        against = option.boards.get(board)
        if not against:
            words = gettext("board %(board)s") if against is None else gettext("board %(board)s, exchange")
            found.append((board, words % {"board": board}))
    return found


@register.inclusion_tag("leagues/_where.html", takes_context=True)
def where_played(context: Context, pairing: Pairing) -> dict[str, object]:
    """When and on which board a table is played, once that is known."""
    placement: Placement | None = getattr(pairing, "placement", None)
    return {"placement": placement, "clock": Clock(context["club"])}
