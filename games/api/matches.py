from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.request import Request

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, Problem, operation
from accounts.models import Scope, User
from engine.kernel import MAX_NAMED, UNDO
from games import access, coach, engine_match
from games.api import serializers
from games.api.common import match_or_404, record_or_refusal, state_of
from games.errors import Illegal, Stale
from games.models import Match, Move
from games.play import help_window
from games.play.moves import is_repeated, play_as
from games.tables import leaving
from games.tables.tempo import set_tempo


class State(Api):
    tag = "matches"

    @operation("read_match", gives=serializers.StateSerializer, query=serializers.StateQuery)
    def get(self, request: Request, key: str, query: Data) -> Data:
        """A match as I may see it: my seat’s view with its legal moves, or a spectator’s."""
        return state_of(request.user, key, query.get("after"))


class Coach(Api):
    tag = "matches"

    @operation("read_coach", gives=serializers.CoachSerializer, private=True)
    def get(self, request: PersonRequest, key: str) -> Data:
        """What the coach of my tutorial says and asks for now."""
        match = match_or_404(request.user, key)
        return coach.current(match) if access.seat_of(request.user, match) else coach.NOTHING


class Legal(Api):
    tag = "matches"

    @operation("list_legal_moves", gives=serializers.LegalSerializer)
    def get(self, request: Request, key: str) -> Any:
        """What my seat can play now; nothing for a spectator, or out of turn."""
        state = state_of(request.user, key)
        view = state["view"] or {"to_act": None, "legal": [], "can_undo": False}
        return {"ply": state["v"], "seat": state["seat"], **{name: view[name] for name in view if name != "seat"}}


class Moves(Api):
    tag = "matches"

    @operation("list_moves", gives=serializers.MoveSerializer, pages="ply", also=(409,))
    def get(self, request: Request, key: str) -> QuerySet[Move]:
        """The record of a match that is over."""
        return Move.objects.filter(match=record_or_refusal(request.user, key))

    @operation(
        "play_move", takes=serializers.MoveInput, gives=serializers.StateSerializer, scope=Scope.PLAY, also=(422,)
    )
    def post(self, request: PersonRequest, key: str, data: Data) -> Data:
        """Play a move at a ply: it counts once, however often it is sent.

        The same move at the same ply again is answered like the first time. When the match is at another ply the
        answer is the problem `stale`, with the `ply` it is at: look again.
        """
        return played(request.user, key, data["ply"], data["move"])


class Undo(Api):
    tag = "matches"

    @operation(
        "undo_move", takes=serializers.PlyInput, gives=serializers.StateSerializer, scope=Scope.PLAY, also=(422,)
    )
    def post(self, request: PersonRequest, key: str, data: Data) -> Data:
        """Take back one’s last answer in the own turn, while nothing was revealed since; `can_undo` says when."""
        return played(request.user, key, data["ply"], UNDO)


class Help(Api):
    tag = "matches"

    @operation("answer_help", takes=serializers.HelpInput, gives=serializers.StateSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Data:
        """Answer an act that waits for me, or ask for help in my own turn. Tokens are played as moves."""
        match = match_or_404(request.user, key)
        act = data["act"]
        message = {"pass": act.removeprefix("pass-")} if act.startswith("pass-") else {act: True}
        help_window.answer(person=request.user, match=match, message=message)
        return state_of(request.user, key)


class Tempo(Api):
    tag = "matches"

    @operation("set_tempo", takes=serializers.TempoInput, gives=serializers.TableSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Match:
        """Set the pace of the bots at a table: for its host, and for who plays against bots alone."""
        set_tempo(person=request.user, match=match_or_404(request.user, key), tempo=data["tempo"])
        return match_or_404(request.user, key)


class Resign(Api):
    tag = "matches"

    @operation("resign", gives=serializers.TableSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str) -> Match:
        """Leave a running match for good."""
        leaving.resign(person=request.user, match=match_or_404(request.user, key))
        return match_or_404(request.user, key)


class ComeBack(Api):
    tag = "matches"

    @operation("come_back", gives=serializers.TableSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str) -> Match:
        """Take one’s seat back from the bot that kept it."""
        leaving.come_back(person=request.user, match=match_or_404(request.user, key))
        return match_or_404(request.user, key)


def played(person: User, key: str, ply: int, move: str) -> Data:
    match = match_or_404(person, key)
    if not is_repeated(person, match, ply, move):
        try:
            play_as(person=person, match=match, ply=ply, move=move)
        except Stale as stale:
            raise Problem("stale", _("Somebody was faster: look again."), ply=stale.ply) from stale
        except Illegal as error:
            raise Problem("illegal-move", _refusal(error), choices=error.choices) from error
        except engine_match.UnsupportedRules as error:
            raise Problem("refused", _("This match was played by older rules and cannot go on.")) from error
    return state_of(person, key, ply)


def _refusal(illegal: Illegal) -> str:
    """Why a move is refused, with the first few legal moves."""
    if not illegal.choices:
        return _("This move is not possible now.")
    named = ", ".join(illegal.choices[:MAX_NAMED]) + (", …" if len(illegal.choices) > MAX_NAMED else "")
    return _("This move is not possible now. Possible are: %(choices)s.") % {"choices": named}
