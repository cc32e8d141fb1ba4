"""Which leaderboard: game, role, club, window of time, with or without bots, who is ranked; and its address."""

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import BadRequest
from django.http import Http404, QueryDict
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

import engine
from accounts.models import Club
from games import terms
from leagues.boards import windows
from leagues.boards.windows import Window
from leagues.models import RatingPool
from leagues.ratings.kinds import SOLO, Kind, kind_of
from leagues.ratings.read import pool_of

SOLO_SIDE, TEAM_SIDE = "solo", "team"


ALWAYS = Window("")


@dataclass(frozen=True)
class Board:
    """One leaderboard. `role` is empty for the overall one."""

    game: str
    role: str = ""
    club: Club | None = None
    window: Window = ALWAYS
    bots: bool = False
    everyone: bool = False
    """Whether everybody has a place, and not only those who are sure and active."""

    @property
    def title(self) -> str:
        return engine.game(self.game).title

    @property
    def kind(self) -> Kind:
        return kind_of(self.game)

    @property
    def is_cooperative(self) -> bool:
        return self.kind is Kind.COOPERATIVE

    @cached_property
    def pool(self) -> RatingPool | None:
        return pool_of(self.game)

    @property
    def side(self) -> str:
        """What the columns of this role begin with."""
        return (SOLO_SIDE if self.role == SOLO else TEAM_SIDE) if self.role else ""

    @property
    def column(self) -> str:
        return f"as_{self.side}" if self.side else "rating"

    @property
    def sure_column(self) -> str:
        """The last day on which the number is sure enough for a place."""
        return f"{self.side}_sure_until" if self.side else "sure_until"

    @property
    def games_column(self) -> str:
        return f"{self.side}_games" if self.side else "games"

    @property
    def query(self) -> dict[str, str]:
        """What its address says, always in the same order; what is usual goes without saying."""
        found: dict[str, str] = {}
        if self.role:
            found["role"] = self.role
        if self.club:
            found["club"] = self.club.slug
        if self.bots:
            found["bots"] = "yes"
        if self.everyone:
            found["all"] = "yes"
        return found | self.window.query

    def address(self, view: str = "board", **more: Any) -> str:
        query = urlencode(self.query | {name: value for name, value in more.items() if value})
        return reverse(f"boards:{view}", args=[self.game]) + (f"?{query}" if query else "")

    def get_absolute_url(self) -> str:
        return self.address()

    def but(self, **changed: Any) -> "Board":
        return replace(self, **changed)


def roles_of(game: str) -> list[str]:
    """The roles with a board of their own."""
    if kind_of(game) is not Kind.ONE_VS_MANY:
        return []
    known = engine.game(game)
    return list(dict.fromkeys(known.roles(known.players[-1])))


def role_label(game: str, role: str) -> str:
    """What the board of a role is called."""
    if not role:
        return _("Overall")
    return _("As %(role)s") % {"role": terms.of_game(game).get(role, role)}


def asked(game: str, query: QueryDict) -> Board:
    """The board that an address asks for. What does not exist is not found; what cannot be read is said to be so."""
    if game not in engine.GAMES:
        raise Http404
    role = query.get("role", "")
    if role and role not in roles_of(game):
        raise Http404
    club, window = _club(query.get("club", "")), windows.asked(game, query)
    return Board(game, role, club, window, _is_yes(query, "bots"), _is_yes(query, "all"))


def _is_yes(query: QueryDict, name: str) -> bool:
    given = query.get(name, "")
    if given not in ("", "no", "yes"):
        raise BadRequest(f"{name} is yes or no")
    return given == "yes"


def _club(slug: str) -> Club | None:
    if not slug:
        return None
    club = Club.objects.filter(slug=slug).first() if "\0" not in slug else None
    if club is None:
        raise Http404
    return club
