from typing import Any

from django import template
from django.template import Context
from django.utils.translation import gettext, ngettext

from accounts.models import Club, User
from games import results
from games.models import Match
from games.views.lobby import quick_forms, waiting_tables

register = template.Library()

SHOWN = 10
OWN_SHOWN = 6


@register.simple_tag
def clock_words(match: Match) -> str:
    if match.clock == Match.Clock.LIVE:
        return gettext("%(minutes)s min + %(seconds)s s") % {
            "minutes": f"{match.bank / 60:g}",
            "seconds": match.increment,
        }
    if match.clock == Match.Clock.DAYS:
        return ngettext("%(days)s day a turn", "%(days)s days a turn", match.days) % {"days": match.days}
    return gettext("No clock")


@register.simple_tag
def winners(match: Match) -> str:
    return results.winners(match, list(match.seats.all()))


@register.inclusion_tag("games/_matches_of.html", takes_context=True)
def matches_of(context: Context, whose: User | Club) -> dict[str, Any]:
    """The latest matches of a person or a club, as far as the reader may know of them."""
    reader = context["request"].user
    listed = Match.objects.listed_for(reader).exclude(status=Match.Status.ABORTED).with_people()
    if isinstance(whose, User):
        return {
            "request": context["request"],
            "matches": listed.filter(seats__user=whose)[:SHOWN],
            "topic": f"person.{whose.handle}",
        }
    may_open = reader.is_authenticated and reader.memberships.filter(club=whose).exists()
    return {
        "request": context["request"],
        "matches": listed.filter(club=whose)[:SHOWN],
        "topic": f"club.{whose.slug}",
        "may_open": whose.slug if may_open else "",
    }


@register.inclusion_tag("games/_turns.html", takes_context=True)
def turns(context: Context) -> dict[str, Any]:
    """How many tables wait for the reader, beside "Play" on every page; it follows by itself."""
    return {"turns": waiting_tables(context["request"].user)}


@register.inclusion_tag("games/_own.html", takes_context=True)
def own_tables(context: Context) -> dict[str, Any]:
    """The reader's open tables and running matches, those that wait for them first."""
    reader = context["request"].user
    return {"own": Match.objects.under_way_for(reader).with_people()[:OWN_SHOWN], "request": context["request"]}


@register.inclusion_tag("games/_quick.html", takes_context=True)
def play_now(context: Context) -> dict[str, Any]:
    """The quick way to a table, on any page."""
    return {
        "quick": quick_forms(),
        "csrf_token": context.get("csrf_token"),
        "request": context["request"],
        "user": context["request"].user,
    }
