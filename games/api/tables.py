from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from rest_framework.request import Request

import engine
from accounts.models import Scope, User
from accounts.rest import Api, Data, PersonRequest, Problem, operation
from engine.errors import brief
from games import options, tables
from games.api import shapes
from games.api.common import match_or_404
from games.errors import OptionRefused
from games.models import Match
from games.models.match import MatchQuerySet
from games.tables import Clock, Setting


class Tables(Api):
    tag = "tables"

    @operation("list_tables", gives=shapes.TableShape, query=shapes.TableQuery, pages="-pk")
    def get(self, request: Request, query: Data) -> MatchQuerySet:
        """Tables that may stand in my list, the latest first."""
        found = Match.objects.listed_for(request.user).with_people()
        person = request.user if isinstance(request.user, User) else None
        if query["mine"]:
            found = found.of(person) if person else found.none()
        if query["my_turn"]:
            found = found.filter(pk__in=Match.objects.waiting_for(person).values("pk")) if person else found.none()
        if "club" in query:
            found = found.filter(club__slug=query["club"])
        return found.filter(**{name: query[name] for name in ("status", "game") if name in query})

    @operation(
        "open_table", takes=shapes.TableTerms, gives=shapes.TableShape, scope=Scope.PLAY, status=201, also=(422,)
    )
    def post(self, request: PersonRequest, data: Data) -> Match:
        """Open a table, and take a place at it."""
        with rules(), transaction.atomic():
            match = tables.open_table(host=request.user, setting=_setting(data))
            if data["sit"]:
                tables.sit(person=request.user, match=match)
        return match_or_404(request.user, match.key)


class PlayNow(Api):
    tag = "tables"

    @operation(
        "play_now", takes=shapes.PlayNowTerms, gives=shapes.TableShape, scope=Scope.PLAY, status=201, also=(422,)
    )
    def post(self, request: PersonRequest, data: Data) -> Match:
        """A match against bots, begun at once."""
        with rules():
            return match_or_404(request.user, tables.play_now(person=request.user, **data).key)


class Table(Api):
    tag = "tables"

    @operation("read_table", gives=shapes.TableShape)
    def get(self, request: Request, key: str) -> Match:
        """A table: who sits where, by which rules and clock, how it ended."""
        return match_or_404(request.user, key)


@contextmanager
def rules() -> Iterator[None]:
    """What the rules of a game refuse is told at its field."""
    try:
        yield
    except OptionRefused as refused:
        field = refused.option if refused.option == "players" else f"options.{brief(refused.option)}"
        raise Problem("unprocessable", refused.message, errors={field: [refused.message]}) from refused


def _setting(data: Data) -> Setting:
    known = {option.name for option in options.shown(engine.game(data["game"]))}
    for name in data["options"]:
        if name not in known:
            raise OptionRefused(name, _("There is no such option: %(option)s.") % {"option": brief(name)})
    terms: dict[str, Any] = {name: data[name] for name in ("game", "players", "options", "visibility", "club", "rated")}
    return Setting(**terms, clock=Clock(**data.get("clock", {})))
