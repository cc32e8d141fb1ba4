from typing import Any

from django import template
from django.template import Context

from accounts.models import Club, User
from games.analysis import skill
from games.forms import quick_forms
from games.models import Match
from games.presentation import result_text
from games.presentation.glance import glance
from games.puzzles import choosing
from games.tables.exhibition import keep_alive
from games.tables.listing import count_waiting_tables, match_to_show
from games.titles import game_title

register = template.Library()

SHOWN = 10
OWN_SHOWN = 6


register.simple_tag(result_text.clock_words)
register.filter("game_title", game_title)


@register.simple_tag
def winners(match: Match) -> str:
    return result_text.winners(match, list(match.seats.all()))


@register.inclusion_tag("games/_matches_of.html", takes_context=True)
def matches_of(context: Context, club: Club) -> dict[str, Any]:
    """The latest online matches of a club that the reader may see."""
    reader = context["request"].user
    listed = Match.objects.listed_for(reader).exclude(status=Match.Status.ABORTED).with_people()
    may_open = reader.is_authenticated and reader.memberships.filter(club=club).exists()
    return {
        "request": context["request"],
        "matches": listed.filter(club=club)[:SHOWN],
        "topic": f"club.{club.slug}",
        "may_open": club.slug if may_open else "",
    }


@register.inclusion_tag("games/_skills_of.html", takes_context=True)
def skills_of(context: Context, person: User) -> dict[str, Any]:
    """Luck and skill in a person's analysed matches; nothing where there are none."""
    return {"skills": skill.skills_of(person, context["request"].user)}


@register.inclusion_tag("games/_turn_count.html", takes_context=True)
def turns(context: Context) -> dict[str, Any]:
    """How many tables wait for the reader, beside "Play" on every page; it follows by itself."""
    return {"turns": count_waiting_tables(context["request"].user)}


@register.inclusion_tag("games/_own_tables.html", takes_context=True)
def own_tables(context: Context) -> dict[str, Any]:
    """The reader's open tables and running matches, those that wait for them first."""
    reader = context["request"].user
    return {"own": Match.objects.under_way_for(reader).with_people()[:OWN_SHOWN], "request": context["request"]}


@register.inclusion_tag("games/_glance.html", takes_context=True)
def live_table(context: Context) -> dict[str, Any]:
    """One public match that is being played, as a small board that moves; nothing where there is none."""
    match = match_to_show(context["request"].user)
    if match is not None and match.pace:
        keep_alive()
    return glance(match) if match else {}


@register.inclusion_tag("games/puzzles/_of_day.html", takes_context=True)
def puzzle_of_day(context: Context, linked: bool = True) -> dict[str, Any]:
    """The puzzle of the day, and whether the reader has tried it; nothing where there is none.

    `linked`: with a link to all of them.
    """
    puzzle, reader = choosing.puzzle_of_day(choosing.today()), context["request"].user
    tried = reader.puzzle_tries.filter(puzzle=puzzle).first() if puzzle and reader.is_authenticated else None
    rating = round(puzzle.rating / 1000) if puzzle else 0
    return {"puzzle": puzzle, "rating": rating, "tried": tried, "linked": linked}


@register.inclusion_tag("games/_play_now.html", takes_context=True)
def play_now(context: Context) -> dict[str, Any]:
    """The form to play now, on any page."""
    return {
        "quick": quick_forms(context["request"].user),
        "csrf_token": context.get("csrf_token"),
        "request": context["request"],
        "user": context["request"].user,
    }
