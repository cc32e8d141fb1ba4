"""Ratings on the pages of people, clubs and matches."""

from typing import Any

from django import template
from django.template import Context
from django.utils.formats import number_format

import engine
from accounts.models import Club, User
from games.models import Match
from leagues.boards import after, players
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


@register.filter
def signed(number: float | None, places: int = 1) -> str:
    """With its sign, as changes are written; a true minus, which is as wide as a plus."""
    if number is None:
        return ""
    size = number_format(abs(number), places if isinstance(number, float) else 0)
    return f"+{size}" if number > 0 else f"−{size}" if number < 0 else "±0"


@register.filter
def trend(number: float | None) -> str:
    return "up" if number and number > 0 else "down" if number and number < 0 else "level"
