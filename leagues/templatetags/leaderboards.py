"""Ratings on the pages of people, clubs and matches."""

from typing import Any

from django import template
from django.template import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

import engine
from accounts.models import Club, User
from games.models import Match
from leagues.elo.result_types import SCALE, points
from leagues.leaderboards import match_rating_panel, number_format, periods, player_records, recent_games
from leagues.leaderboards.board_query import Board
from leagues.leaderboards.insight_pages import Cell, Heading, Listing

register = template.Library()


@register.inclusion_tag("leaderboards/_player_records.html", takes_context=True)
def ratings_of(context: Context, person: User) -> dict[str, Any]:
    """A player's ratings, game by game, as their page shows them."""
    reader = context["request"].user
    return {"person": person, "records": player_records.records(person, reader), "user": reader}


@register.inclusion_tag("leaderboards/_recent_games.html", takes_context=True)
def games_of(context: Context, person: User) -> dict[str, Any]:
    """The latest games of a person, online and at the club."""
    request = context["request"]
    return {"person": person, "played": recent_games.latest(person, request.user), "request": request}


@register.inclusion_tag("leaderboards/_match_rating_panel.html", takes_context=True)
def ratings_after(context: Context, match: Match) -> dict[str, Any]:
    """What a finished match changed in the ratings. A page opened before that is known fetches it later."""
    return match_rating_panel.match_rating_panel(match, context["request"].user)


@register.simple_tag
def boards_of(club: Club) -> list[Board]:
    return [Board(game, club=club) for game in engine.GAMES]


@register.filter
def rounded(thousandths: int) -> int:
    return points(thousandths)


@register.filter
def exact(thousandths: int) -> float:
    return thousandths / SCALE


@register.filter
def with_headings(listing: Listing, row: list[Cell]) -> list[tuple[Heading, Cell]]:
    """The cells of a row, each with the heading of its column."""
    return list(zip(listing.headings, row))


register.filter("short_day", periods.format_day)
register.filter("signed", number_format.signed)
register.filter("trend", number_format.trend)


@register.simple_tag
def provisional() -> SafeString:
    title = gettext("Provisional: a first estimate, not sure enough yet")
    return format_html('<abbr class="provisional" title="{}">?</abbr>', title)
