import json
from typing import Any

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.request import Request

import engine
from accounts.models import Scope
from accounts.rest import Api, Data, PersonRequest, Problem, operation
from engine import transcript
from games import fairness, tables
from games.api import shapes
from games.api.common import match_or_404, record_or_refusal
from games.models import Match
from games.views.after import PLIES_AT_ONCE, told


class Rematch(Api):
    tag = "matches"

    @operation("rematch", gives=shapes.TableShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str) -> Match:
        """Offer a rematch, or accept the one on offer; answers with its table."""
        again = tables.rematch(person=request.user, match=match_or_404(request.user, key))
        return match_or_404(request.user, again.key)


class Plies(Api):
    tag = "matches"

    @operation("replay_match", gives=shapes.PliesShape, query=shapes.PliesQuery, also=(409,))
    def get(self, request: Request, key: str, query: Data) -> Data:
        """Some plies of a finished match as one seat saw them; without a seat, as spectators did."""
        match = record_or_refusal(request.user, key)
        seat, start = query.get("seat"), query["start"]
        if (seat is not None and seat >= match.players) or start > match.ply:
            raise Http404
        return {"last": match.ply, "plies": told(match, seat, start, min(start + PLIES_AT_ONCE, match.ply + 1))}


class Transcript(Api):
    tag = "matches"

    @operation("read_transcript", gives=shapes.TranscriptShape, also=(409,))
    def get(self, request: Request, key: str) -> Any:
        """The whole record of a finished match, seed and all."""
        match = record_or_refusal(request.user, key)
        try:
            return json.loads(transcript.dumps(engine.replay(fairness.record_of(match))))
        except engine.TranscriptError as error:
            raise Problem("refused", _("This match was played by older rules.")) from error


class Verification(Api):
    tag = "matches"

    @operation("verify_match", gives=shapes.VerdictShape, also=(409,))
    def get(self, request: Request, key: str) -> fairness.Verdict:
        """A finished match recomputed from its record alone: was the shuffle the promised one, was all legal?"""
        return fairness.verify(match=record_or_refusal(request.user, key))
