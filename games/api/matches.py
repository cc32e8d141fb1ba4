from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from rest_framework.request import Request

from accounts.models import Scope, User
from accounts.rest import Api, Data, PersonRequest, Problem, operation
from engine.kernel import MOST_NAMED, UNDO
from games import access, referee, tables
from games.api import shapes
from games.api.common import match_or_404, record_or_refusal, state_of
from games.errors import Illegal, Stale
from games.models import Match, Move
from games.play import LONGEST_MOVE, play_as


class State(Api):
    tag = "matches"

    @operation("read_match", gives=shapes.StateShape, query=shapes.StateQuery)
    def get(self, request: Request, key: str, query: Data) -> Data:
        """A match as I may see it: my seat’s view with its legal moves, or a spectator’s."""
        return state_of(request.user, key, query.get("after"))


class Legal(Api):
    tag = "matches"

    @operation("list_legal_moves", gives=shapes.LegalShape)
    def get(self, request: Request, key: str) -> Any:
        """What my seat can play now; nothing for a spectator, or out of turn."""
        state = state_of(request.user, key)
        view = state["view"] or {"to_act": None, "legal": [], "can_undo": False}
        return {"ply": state["v"], "seat": state["seat"], **{name: view[name] for name in view if name != "seat"}}


class Moves(Api):
    tag = "matches"

    @operation("list_moves", gives=shapes.MoveShape, pages="ply", also=(409,))
    def get(self, request: Request, key: str) -> QuerySet[Move]:
        """The record of a match that is over."""
        return Move.objects.filter(match=record_or_refusal(request.user, key))

    @operation("play_move", takes=shapes.MoveTerms, gives=shapes.StateShape, scope=Scope.PLAY, also=(422,))
    def post(self, request: PersonRequest, key: str, data: Data) -> Data:
        """Play a move at a ply: it counts once, however often it is sent.

        The same move at the same ply again is answered like the first time. When the match is at another ply the
        answer is the problem `stale`, with the `ply` it is at: look again.
        """
        return played(request.user, key, data["ply"], data["move"])


class Undo(Api):
    tag = "matches"

    @operation("undo_move", takes=shapes.PlyTerms, gives=shapes.StateShape, scope=Scope.PLAY, also=(422,))
    def post(self, request: PersonRequest, key: str, data: Data) -> Data:
        """Take back one’s last answer in the own turn, while nothing was revealed since; `can_undo` says when."""
        return played(request.user, key, data["ply"], UNDO)


class Resign(Api):
    tag = "matches"

    @operation("resign", gives=shapes.TableShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str) -> Match:
        """Leave a running match for good."""
        tables.resign(person=request.user, match=match_or_404(request.user, key))
        return match_or_404(request.user, key)


class ComeBack(Api):
    tag = "matches"

    @operation("come_back", gives=shapes.TableShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str) -> Match:
        """Take one’s seat back from the bot that kept it."""
        tables.come_back(person=request.user, match=match_or_404(request.user, key))
        return match_or_404(request.user, key)


def played(person: User, key: str, ply: int, move: str) -> Data:
    match = match_or_404(person, key)
    if not _is_repeated(person, match, ply, move):
        try:
            play_as(person=person, match=match, ply=ply, move=move)
        except Stale as stale:
            raise Problem("stale", _("Somebody was faster: look again."), ply=stale.ply) from stale
        except Illegal as error:
            raise Problem("illegal-move", _refusal(error), choices=error.choices) from error
        except referee.OldRules as error:
            raise Problem("refused", _("This match was played by older rules and cannot go on.")) from error
    return state_of(person, key, ply)


def _refusal(illegal: Illegal) -> str:
    """Why a move is refused, with what could be played; the first few where there are many."""
    if not illegal.choices:
        return _("This move is not possible now.")
    named = ", ".join(illegal.choices[:MOST_NAMED]) + (", …" if len(illegal.choices) > MOST_NAMED else "")
    return _("This move is not possible now. Possible are: %(choices)s.") % {"choices": named}


def _is_repeated(person: User, match: Match, ply: int, move: str) -> bool:
    """Whether this person has played this very move here before: its answer was lost on the way."""
    seat = access.seat_of(person, match)
    if seat is None or match.ply <= ply:
        return False
    said = " ".join(move[:LONGEST_MOVE].lower().split())
    return Move.objects.filter(match=match, ply=ply, seat=seat.index, notation=said, by=Move.By.PERSON).exists()
