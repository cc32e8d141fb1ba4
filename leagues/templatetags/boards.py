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
from leagues.boards import after, players, words
from leagues.boards.board import Board
from leagues.ratings.kinds import SCALE, points

register = template.Library()


@register.inclusion_tag("boards/_records.html", takes_context=True)
def ratings_of(context: Context, person: User) -> dict[str, Any]:
    """A player's ratings, game by game, as their page shows them."""
    reader = context["request"].user
    return {"person": person, "records": players.records(person, reader), "user": reader}


@register.inclusion_tag("boards/_match.html")
def ratings_after(match: Match) -> dict[str, Any]:
    """What a finished match did to the ratings; a page that is open before that is known fetches it."""
    return after.told(match)


@register.simple_tag
def boards_of(club: Club) -> list[Board]:
    return [Board(game, club=club) for game in engine.GAMES]


@register.filter
def rounded(thousandths: int) -> int:
    return points(thousandths)


@register.filter
def exact(thousandths: int) -> float:
    return thousandths / SCALE


register.filter("signed", words.signed)
register.filter("trend", words.trend)


@register.simple_tag
def provisional() -> SafeString:
    title = gettext("Provisional: not sure enough yet, a first guess")
    return format_html('<abbr class="provisional" title="{}">?</abbr>', title)
