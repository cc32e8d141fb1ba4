"""Which leaderboard an address asks for: game, role, club, period, with or without bots, who is ranked."""

from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import BadRequest
from django.http import Http404, QueryDict
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

import engine
from accounts.access import Actor
from accounts.models import Club
from games.catalogue import terms
from games.catalogue.spec import spec
from games.titles import game_title
from leagues.elo.result_types import RatingKind
from leagues.leaderboards import periods
from leagues.leaderboards.periods import Window
from leagues.models import RatingPool
from leagues.models.rating import kind_of
from leagues.ratings.queries import pool_of

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
    """Whether everybody has a place, not only players with a sure rating who are active."""

    @property
    def title(self) -> str:
        return game_title(self.game)

    @property
    def kind(self) -> RatingKind:
        return kind_of(self.game)

    @property
    def rating_notes(self) -> dict[str, str]:
        """Notes about ratings where one plays against many, in the terms of the game."""
        known = spec(self.game)
        return {name: str(known.rating_note(name)) for name in ("about", "offsets")}

    @property
    def is_cooperative(self) -> bool:
        return self.kind is RatingKind.COOPERATIVE

    @cached_property
    def pool(self) -> RatingPool | None:
        return pool_of(self.game)

    @property
    def side(self) -> str:
        """The prefix of this role's columns."""
        return side_of(self.game, self.role) if self.role else ""

    @property
    def column(self) -> str:
        return f"as_{self.side}" if self.side else "rating"

    @property
    def sure_column(self) -> str:
        """The column with the last day on which the rating is sure enough for a place."""
        return f"{self.side}_sure_until" if self.side else "sure_until"

    @property
    def games_column(self) -> str:
        return f"{self.side}_games" if self.side else "games"

    @property
    def query(self) -> dict[str, str]:
        """The board's address parameters, always in the same order, without defaults."""
        params: dict[str, str] = {}
        if self.role:
            params["role"] = self.role
        if self.club:
            params["club"] = self.club.slug
        if self.bots:
            params["bots"] = "yes"
        if self.everyone:
            params["all"] = "yes"
        return params | self.window.query

    def address(self, view: str = "board", **more: Any) -> str:
        query = urlencode(self.query | {name: value for name, value in more.items() if value})
        return reverse(f"boards:{view}", args=[self.game]) + (f"?{query}" if query else "")

    def get_absolute_url(self) -> str:
        return self.address()

    def but(self, **changed: Any) -> "Board":
        return replace(self, **changed)


def side_of(game: str, role: str) -> str:
    """The prefix of a role's columns."""
    return SOLO_SIDE if role == engine.game(game).solo_role else TEAM_SIDE


def roles_of(game: str) -> list[str]:
    """The roles with a board of their own."""
    if kind_of(game) is not RatingKind.ONE_VS_MANY:
        return []
    known = engine.game(game)
    return list(dict.fromkeys(known.roles(known.players[-1])))


def role_label(game: str, role: str) -> str:
    """The label of a role's board."""
    if not role:
        return _("Overall")
    return _("As %(role)s") % {"role": terms.of_game(game).get(role, role)}


def board_from_query(game: str, query: QueryDict, reader: Actor) -> Board:
    """The board that an address asks for. 404 for what does not exist, 400 for what cannot be read."""
    if game not in engine.GAMES:
        raise Http404
    role = query.get("role", "")
    if role and role not in roles_of(game):
        raise Http404
    club, window = _club(query.get("club", ""), reader), periods.window_from_query(game, query)
    return Board(game, role, club, window, _is_yes(query, "bots"), _is_yes(query, "all"))


def _is_yes(query: QueryDict, name: str) -> bool:
    value = query.get(name, "")
    if value not in ("", "no", "yes"):
        raise BadRequest(f"{name} is yes or no")
    return value == "yes"


def _club(slug: str, reader: Actor) -> Club | None:
    if not slug:
        return None
    club = Club.objects.seen_by(reader).filter(slug=slug).first() if "\0" not in slug else None
    if club is None:
        raise Http404
    return club
