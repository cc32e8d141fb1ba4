from collections.abc import Iterable
from datetime import datetime
from typing import Any

from django import template
from django.conf import settings
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext

from accounts.infra.datetimes import format_datetime
from accounts.models import Club, User
from engine import Scoring
from leagues.calendar import presentation as calendar_presentation
from leagues.core import access, format_catalogue, text
from leagues.core.access import Permission
from leagues.entries import attendance_text
from leagues.entries.attendance import Attending
from leagues.feeds import service as feeds
from leagues.forms.season import points_words, tie_break_words
from leagues.models import Entrant, League, Pairing, Result, Round, Season, Stage
from leagues.results import presentation as results_presentation
from leagues.results import reporting
from leagues.seasons import announcements, trophies
from leagues.seasons import showcase as seasons_showcase
from leagues.seasons.directory import with_seasons
from leagues.standings.bracket_presentation import ShownMatch
from leagues.windows import outcomes

register = template.Library()

NEWS_ON_A_PAGE = 3

TONES: dict[str, str] = {
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
    """Attributes of a part of the page that reloads itself when the season (or another event, or several) changes.

    A page that answers a form sent elsewhere gives its own `address`. Only the content is exchanged: if the element
    itself were, changes during the request would be lost.
    """
    return format_html(
        'id="{}" hx-get="{}" hx-select="#{} > *" hx-trigger="{}, live:resync from:body" hx-swap="innerHTML"',
        part,
        context.get("address") or context["request"].get_full_path(),
        part,
        ", ".join(f"live:{each} from:body delay:150ms" for each in event.split()),
    )


@register.simple_tag(takes_context=True)
def match_link(context: Context, shown: ShownMatch) -> str:
    """Where pressing a match leads: to its score, its correction or its table; empty while it has none."""
    pairing, stage = shown.pairing, context["stage"]
    if pairing is None:
        return ""
    season = stage.division.season
    if shown.is_open and pairing.where == Pairing.Where.CLUB:
        user = context["request"].user
        own = isinstance(user, User) and any(access.plays_as(user, seat.entrant) for seat in pairing.seats.all())
        if context["runs"] or own:
            page = reverse("leagues:bracket", args=[season.league.slug, season.number, stage.pk])
            return f"{page}?match={shown.match.id}#match"
    if context["runs"] and pairing.state == Pairing.State.CONFIRMED and not season.is_closed:
        return reverse("leagues:correct", args=[pairing.key])
    return pairing.get_absolute_url()


@register.simple_tag
def match_words(shown: ShownMatch) -> str:
    """A match for those who do not see the drawing."""
    first, second = shown.lines
    words = f"{shown.title}, {shown.match.id}: {first.name} – {second.name}"
    if won := next((line for line in shown.lines if line.won), None):
        scores = f" {first.score}:{second.score}" if first.score and second.score else ""
        return f"{words}{scores}. " + gettext("%(name)s moves on.") % {"name": won.name}
    return f"{words}. {shown.said}"


@register.filter
def entry(known: dict[int, Any] | str, key: int) -> Any:
    """The value of a dictionary; nothing where a page has none."""
    return known.get(key) if isinstance(known, dict) else None


@register.filter
def tone(state: str) -> str:
    """The badge style of a season's or table's state."""
    return TONES.get(state, "")


@register.filter
def bye_words(kind: str) -> str:
    """What a missed round gives."""
    return attendance_text.bye_words(kind)


@register.filter
def answers_of_person(answers: dict[int, list[tuple[str, str]]], person: int) -> list[tuple[str, str]]:
    """What somebody answered to the season's questions."""
    return answers.get(person, [])


@register.filter
def answers_of_entrant(answers: dict[int, list[tuple[str, str]]], entrant: Entrant) -> list[tuple[str, str]]:
    """The same for an entrant; in a team, each member's."""
    if entrant.user_id:
        return answers.get(entrant.user_id, [])
    members = entrant.members.all()
    return [(f"{each.user.name}: {text}", said) for each in members for text, said in answers.get(each.user_id, [])]


@register.filter
def attending_names(rows: Iterable[Attending]) -> str:
    return text.join_names(row.entrant.name for row in rows)


@register.filter
def left(moment: datetime) -> str:
    return text.time_left(moment)


@register.filter
def result_note(note: str) -> str:
    """A result's note: translated if it is the site's own, as written if it is a person's."""
    return gettext(note) if note in outcomes.NOTES or note == reporting.LEFT_EARLY else note


@register.inclusion_tag("leagues/results/_result.html")
def scored(pairing: Pairing, result: Result) -> dict[str, Any]:
    return {
        "pairing": pairing,
        "result": result,
        "lines": results_presentation.result_rows(pairing, result),
        "headline": results_presentation.result_headline(pairing, result),
        "together": results_presentation.scoring(pairing) is Scoring.TEAM,
        "grade": results_presentation.grade_words(pairing, result),
    }


@register.filter
def when(moment: datetime) -> str:
    """Fri 4 Dec, 19:00, on the reader's clock."""
    return format_datetime(moment)


@register.filter
def points_of(score: int) -> str:
    """A score as points with at most two decimals."""
    from fractions import Fraction

    from leagues.core.reason_text import format_fraction
    from leagues.formats.values import POINT

    return format_fraction(Fraction(score, POINT))


@register.simple_tag
def entries_words(count: int) -> str:
    return ngettext("%(count)s entry", "%(count)s entries", count) % {"count": count}


@register.inclusion_tag("leagues/standings/_ranking_rules.html")
def ranking_rules(season: Season) -> dict[str, Any]:
    """How the season is ranked: points, tie-breaks in order, and their edition. Without points only its series."""
    stages = list(Stage.objects.filter(division__season=season).order_by("division", "position"))
    lengths = {(each.format, format_catalogue.best_of(each)): None for each in stages}
    series = [(format_catalogue.FORMATS[code].title, length) for code, length in lengths if length > 1]
    if not any(format_catalogue.format_of(each).explains_tie_breaks for each in stages):
        return {"series": series}
    return {
        "series": series,
        "points": points_words(season),
        "best_rounds": season.best_rounds,
        "tie_breaks": [tie_break_words(code) for code in season.tie_breaks],
        "edition": season.get_tie_break_edition_display(),
    }


@register.inclusion_tag("leagues/rounds/_tables.html")
def round_tables(rounds: list[Round]) -> dict[str, Any]:
    """Pairings and results of these rounds, the latest first."""
    return {"rounds": results_presentation.tables_of_rounds(rounds)[::-1]}


@register.inclusion_tag("leagues/seasons/_club_leagues.html", takes_context=True)
def leagues_of(context: Context, club: Club) -> dict[str, Any]:
    """The leagues of a club, on its page."""
    reader = context["request"].user
    leagues = with_seasons(club.leagues.open().seen_by(reader).select_related("club"), reader)
    return {
        "club": club,
        "leagues": list(leagues.order_by("-running", "-entering", "name")),
        "may_create": access.may(reader, Permission.ORGANISE, club),
    }


@register.inclusion_tag("leagues/announcements/_latest.html", takes_context=True)
def announcements_of(context: Context, about: Season | Club) -> dict[str, Any]:
    """The latest announcement of a season, or the latest news of a club, on its page."""
    season = about if isinstance(about, Season) else None
    path = reverse("leagues:club-announcements", args=[about.slug]) if isinstance(about, Club) else ""
    if season is not None:
        path = reverse("leagues:announcements", args=[season.league.slug, season.number])
    return {
        "season": season,
        "rows": announcements.latest(about)[: 1 if season else NEWS_ON_A_PAGE],
        "may_write": access.may(context["request"].user, Permission.ORGANISE, about),
        "all_of_them": path,
    }


@register.inclusion_tag("leagues/seasons/_trophies.html", takes_context=True)
def trophies_of(context: Context, person: User) -> dict[str, Any]:
    """The first three places that somebody has won, on their page."""
    return {"won": trophies.trophies(person, context["request"].user)}


@register.inclusion_tag("leagues/announcements/_own_news.html", takes_context=True)
def own_news(context: Context) -> dict[str, Any]:
    """The latest news of the reader's clubs, on the home page."""
    return {"rows": announcements.news_of_own_clubs(context["request"].user)[:NEWS_ON_A_PAGE]}


@register.inclusion_tag("leagues/calendar/_upcoming_nights.html", takes_context=True)
def nights_of(context: Context, club: Club, limit: int = 3) -> dict[str, Any]:
    """The next nights of a club, on its page and on those of its seasons."""
    reader = context["request"].user
    can = access.allowed(reader, club)
    rows = calendar_presentation.night_rows(
        calendar_presentation.next_nights(club, reader, limit), reader, asked=Permission.COME in can
    )
    title = gettext("Club nights") if limit > 1 else gettext("Next at the club")
    # A season's page does not offer to plan the club's nights.
    runs = Permission.ORGANISE in can and limit > 1
    return {"request": context["request"], "club": club, "rows": rows, "runs": runs, "title": title}


@register.inclusion_tag("leagues/calendar/_upcoming_nights.html", takes_context=True)
def own_nights(context: Context) -> dict[str, Any]:
    """The next night of each of the reader's clubs, on the home page."""
    rows = calendar_presentation.next_for(context["request"].user)
    return {"request": context["request"], "rows": rows, "title": gettext("Next at the club"), "with_club": True}


@register.inclusion_tag("leagues/_showcase.html")
def showcase() -> dict[str, Any]:
    """A running season with its standings and the next club night, for visitors of the front page."""
    return {"shown": seasons_showcase.running_season(), "coming": seasons_showcase.next_night()}


@register.inclusion_tag("leagues/calendar/_subscribe.html")
def subscribe(what: League | Club) -> dict[str, Any]:
    """A button to subscribe to a league's or a club's calendar, in the reader's language."""
    kind = "league" if isinstance(what, League) else "club"
    path = reverse(f"calendar:{kind}", args=[what.slug], query={"language": get_language() or "en"})
    return {"webcal": feeds.webcal_address(settings.SITE_URL + path)}
