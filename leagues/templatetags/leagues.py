from datetime import datetime
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext

from accounts.models import Club
from leagues import access, catalogue, names, results, scorecard
from leagues.access import Permission
from leagues.forms.competition import POINTS, tie_break_words
from leagues.models import League, Pairing, Result, Season, Stage
from leagues.scheduling import feeds, listing, verdicts
from leagues.views.directory import with_seasons

register = template.Library()

TONES = {
    Season.Status.DRAFT: "badge-organiser",
    Season.Status.REGISTRATION: "badge-info",
    Season.Status.RUNNING: "badge-ok",
    Season.Status.CLOSED: "",
    Pairing.State.SCHEDULED: "",
    Pairing.State.PLAYING: "badge-info",
    Pairing.State.REPORTED: "badge-waits",
    Pairing.State.DISPUTED: "badge-danger",
    Pairing.State.CONFIRMED: "badge-ok",
    Pairing.State.VOID: "",
}


@register.simple_tag(takes_context=True)
def keeps_up(context: Context, part: str, event: str = "season") -> SafeString:
    """Attributes of a part of the page that fetches itself anew when the season, or what else is named, changes.

    A page that answers something sent elsewhere says its own `address`. Only what stands inside is exchanged: with the
    element itself what changes while it is being fetched would be lost.
    """
    return format_html(
        'id="{}" hx-get="{}" hx-select="#{} > *" hx-trigger="live:{} from:body delay:150ms, live:resync from:body" '
        'hx-swap="innerHTML"',
        part,
        context.get("address") or context["request"].get_full_path(),
        part,
        event,
    )


@register.filter
def tone(state: str) -> str:
    """The badge that goes with a state of a season or a table."""
    return TONES.get(state, "")  # type: ignore[call-overload]


@register.filter
def left(moment: datetime) -> str:
    return names.left(moment)


@register.filter
def noted(note: str) -> str:
    """A result's note: the house's own in the reader's language, a person's as it was written."""
    return gettext(note) if note in verdicts.NOTES or note == results.LEFT_EARLY else note


@register.inclusion_tag("leagues/_scorecard.html")
def scored(pairing: Pairing, result: Result) -> dict[str, Any]:
    return {
        "pairing": pairing,
        "result": result,
        "lines": scorecard.lines(pairing, result),
        "headline": scorecard.headline(pairing, result),
        "together": scorecard.scoring(pairing) is scorecard.Scoring.TOGETHER,
    }


@register.filter
def when(moment: datetime) -> str:
    """Fri 4 Dec, 19:00, on the reader's clock."""
    return names.when(moment)


@register.filter
def points_of(score: int) -> str:
    """A score in units as people read it: points with at most two decimals."""
    from fractions import Fraction

    from leagues.formats.values import POINT
    from leagues.words import written

    return written(Fraction(score, POINT))


@register.simple_tag
def entries_words(count: int) -> str:
    return ngettext("%(count)s entry", "%(count)s entries", count) % {"count": count}


@register.inclusion_tag("leagues/_ranking_rules.html")
def ranking_rules(season: Season) -> dict[str, Any]:
    """How places of a season are decided: points, tie-breaks in order, and their edition. Nothing without points."""
    formats = Stage.objects.filter(division__season=season).values_list("format", flat=True)
    if not any(catalogue.FORMATS[each].ranks == "standings" for each in formats):
        return {}
    return {
        "points": POINTS[season.points],
        "tie_breaks": [tie_break_words(code) for code in season.tie_breaks],
        "edition": season.get_tie_break_edition_display(),
    }


@register.inclusion_tag("leagues/_of_club.html", takes_context=True)
def leagues_of(context: Context, club: Club) -> dict[str, Any]:
    """The leagues of a club, on its page."""
    reader = context["request"].user
    found = with_seasons(club.leagues.open().select_related("club"), reader)
    return {
        "club": club,
        "leagues": list(found.order_by("-running", "-entering", "name")),
        "may_found": access.may(reader, Permission.ORGANISE, club),
    }


@register.inclusion_tag("leagues/_coming.html", takes_context=True)
def nights_of(context: Context, club: Club, most: int = 3) -> dict[str, Any]:
    """The next nights of a club, on its own page and on those of its seasons."""
    reader = context["request"].user
    can = access.allowed(reader, club)
    rows = listing.listed(listing.next_nights(club, most), reader, asked=Permission.COME in can)
    title = gettext("Club nights") if most > 1 else gettext("Next at the club")
    # A season's page invites nobody to plan the club's nights.
    runs = Permission.ORGANISE in can and most > 1
    return {"request": context["request"], "club": club, "rows": rows, "runs": runs, "title": title}


@register.inclusion_tag("leagues/_coming.html", takes_context=True)
def own_nights(context: Context) -> dict[str, Any]:
    """The next night of each club of the reader's, on the front page."""
    rows = listing.next_for(context["request"].user)
    return {"request": context["request"], "rows": rows, "title": gettext("Next at the club"), "with_club": True}


@register.inclusion_tag("leagues/_subscribe.html")
def subscribe(what: League | Club) -> dict[str, Any]:
    """A button that puts a league's or a club's calendar into the reader's own, in their language."""
    kind = "league" if isinstance(what, League) else "club"
    path = reverse(f"calendar:{kind}", args=[what.slug], query={"language": get_language() or "en"})
    return {"webcal": feeds.webcal(settings.SITE_URL + path)}
