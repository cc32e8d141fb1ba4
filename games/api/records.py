import json
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _
from rest_framework.request import Request

import engine
from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, Problem, operation
from accounts.models import Scope
from engine import transcript
from games import fairness
from games.analysis import request as requests
from games.api import serializers
from games.api.common import match_or_404, record_or_refusal
from games.models import Analysis, Match
from games.presentation.replay_frames import serialize_plies
from games.tables import setup


class Rematch(Api):
    tag = "matches"

    @operation("rematch", takes=serializers.RematchInput, gives=serializers.TableSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Match:
        """Offer a rematch, or accept the one on offer; answers with its table."""
        step = serializers.RematchInput.STEPS[data["bots"]]
        again = setup.rematch(person=request.user, match=match_or_404(request.user, key), step=step)
        return match_or_404(request.user, again.key)


class Plies(Api):
    tag = "matches"

    @operation("replay_match", gives=serializers.PliesSerializer, query=serializers.PliesQuery, also=(409,))
    def get(self, request: Request, key: str, query: Data) -> Data:
        """Some plies of a finished match as one seat saw them; without a seat, as spectators did."""
        match = record_or_refusal(request.user, key)
        seat, start = query.get("seat"), query["start"]
        if (seat is not None and seat >= match.players) or start > match.ply:
            raise Http404
        return {"last": match.ply, "plies": serialize_plies(match, seat, start)}


class Transcript(Api):
    tag = "matches"

    @operation("read_transcript", gives=serializers.TranscriptSerializer, also=(409,))
    def get(self, request: Request, key: str) -> Any:
        """The whole record of a finished match, seed and all."""
        match = record_or_refusal(request.user, key)
        try:
            return json.loads(transcript.dumps(engine.replay(fairness.transcript_of(match))))
        except engine.TranscriptError as error:
            raise Problem("refused", _("This match was played by older rules.")) from error


class MatchAnalysis(Api):
    tag = "matches"

    @operation("read_analysis", gives=serializers.AnalysisSerializer, also=(409,))
    def get(self, request: Request, key: str) -> Analysis:
        """What each turn of a finished match gave away, and what was luck; 404 until somebody has asked for it."""
        match = record_or_refusal(request.user, key)
        return get_object_or_404(Analysis, match=match)

    @operation("ask_analysis", gives=serializers.AnalysisSerializer, scope=Scope.PLAY, also=(409,))
    def post(self, request: PersonRequest, key: str) -> Analysis:
        """Ask for it. It is computed once, for everyone who may read the record; read it until its state is `done`."""
        return requests.ask(person=request.user, match=record_or_refusal(request.user, key))


class Verification(Api):
    tag = "matches"

    @operation("verify_match", gives=serializers.VerdictSerializer, also=(409,))
    def get(self, request: Request, key: str) -> fairness.Verdict:
        """A finished match recomputed from its record alone: was the shuffle the promised one, was all legal?"""
        return fairness.verify(match=record_or_refusal(request.user, key))
