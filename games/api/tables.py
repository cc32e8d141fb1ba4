from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from rest_framework.request import Request

import engine
from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, Problem, operation
from accounts.models import Scope, User
from engine.errors import brief
from games import card_files
from games.api import serializers
from games.api.common import match_or_404
from games.catalogue import option_labels
from games.errors import OptionRefused
from games.models import CardFile, Match
from games.models.match import MatchQuerySet
from games.tables import closing, seating, setup, tutorials
from games.tables.setup import Clock, Setting


class Tables(Api):
    tag = "tables"

    @operation("list_tables", gives=serializers.TableSerializer, query=serializers.TableQuery, pages="-pk")
    def get(self, request: Request, query: Data) -> MatchQuerySet:
        """Tables that may stand in my list, the latest first."""
        listed = Match.objects.listed_for(request.user).with_people()
        person = request.user if isinstance(request.user, User) else None
        if query["mine"]:
            listed = listed.of(person) if person else listed.none()
        if query["my_turn"]:
            listed = listed.filter(pk__in=Match.objects.waiting_for(person).values("pk")) if person else listed.none()
        if "club" in query:
            listed = listed.filter(club__slug=query["club"])
        return listed.filter(**{name: query[name] for name in ("status", "game") if name in query})

    @operation(
        "open_table",
        takes=serializers.TableInput,
        gives=serializers.TableSerializer,
        scope=Scope.PLAY,
        status=201,
        also=(422,),
    )
    def post(self, request: PersonRequest, data: Data) -> Match:
        """Open a table, and take a place at it."""
        with rules(), transaction.atomic():
            match = setup.open_table(host=request.user, setting=_setting(data))
            if data["sit"]:
                seating.sit(person=request.user, match=match)
        return match_or_404(request.user, match.key)


class PlayNow(Api):
    tag = "tables"

    @operation(
        "play_now",
        takes=serializers.PlayNowInput,
        gives=serializers.TableSerializer,
        scope=Scope.PLAY,
        status=201,
        also=(422,),
    )
    def post(self, request: PersonRequest, data: Data) -> Match:
        """A match against bots, begun at once."""
        with rules():
            return match_or_404(request.user, setup.play_now(person=request.user, **data).key)


class BeginTutorial(Api):
    tag = "tables"

    @operation(
        "begin_tutorial",
        takes=serializers.TutorialInput,
        gives=serializers.TableSerializer,
        scope=Scope.PLAY,
        status=201,
    )
    def post(self, request: PersonRequest, data: Data) -> Match:
        """A first match of a game with a coach, unrated; one that I have begun goes on where it was."""
        return match_or_404(request.user, tutorials.begin_tutorial(person=request.user, **data).key)


class CloseAll(Api):
    tag = "tables"

    @operation("close_own_tables", gives=serializers.ClosedSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest) -> Data:
        """Close my open tables at which no other person sits, and my casual matches against bots alone."""
        return {"closed": closing.close_own(person=request.user)}


class Table(Api):
    tag = "tables"

    @operation("read_table", gives=serializers.TableSerializer)
    def get(self, request: Request, key: str) -> Match:
        """A table: who sits where, by which rules and clock, how it ended."""
        return match_or_404(request.user, key)


@contextmanager
def rules() -> Iterator[None]:
    """Turn a refused option into an error at its field."""
    try:
        yield
    except OptionRefused as refused:
        field = refused.option if refused.option == "players" else f"options.{brief(refused.option)}"
        raise Problem("unprocessable", refused.message, errors={field: [refused.message]}) from refused


def _setting(data: Data) -> Setting:
    known = {option.name for option in option_labels.form_options(engine.game(data["game"]))}
    for name in data["options"]:
        if name not in known:
            raise OptionRefused(name, _("There is no such option: %(option)s.") % {"option": brief(name)})
    taken = ("game", "players", "options", "visibility", "club", "rated", "tempo")
    terms: dict[str, Any] = {name: data[name] for name in taken}
    return Setting(**terms, clock=Clock(**data.get("clock", {})), card_file=_card_file(data))


def _card_file(data: Data) -> CardFile | None:
    """The card file of the table's own club; another club's is not there, whether it exists or not."""
    if data["card_file"] is None:
        return None
    found = CardFile.objects.filter(pk=data["card_file"], club=data["club"], game=data["game"]).first()
    if found is None:
        message = card_files.no_such_file()
        raise Problem("unprocessable", message, errors={"card_file": [message]})
    return found
