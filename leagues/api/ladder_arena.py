"""Formats without rounds: challenges on a ladder, and waiting for an opponent in an arena."""

from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import InputSerializer
from accounts.models import Scope
from leagues.api.common import get_visible_or_404
from leagues.api.round_serializers import WholePairingSerializer
from leagues.api.serializers import EntrantRef, Id
from leagues.core import access
from leagues.core.access import Permission
from leagues.models import Challenge, Entrant, Pairing, Stage, Waiting
from leagues.rounds import arena, ladder
from leagues.standings import ladder_order


class LadderChallengeSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    stage = serializers.IntegerField(source="stage_id")
    challenger = EntrantRef()
    target = EntrantRef()
    made_at = serializers.DateTimeField()
    answer_by = serializers.SerializerMethodField(help_text="Not answered until then, it is won by the challenger.")
    answered_at = serializers.DateTimeField(allow_null=True)
    declined_at = serializers.DateTimeField(allow_null=True)
    pairing = serializers.CharField(source="pairing.key", allow_null=True, default=None)

    def get_answer_by(self, challenge: Challenge) -> datetime:
        return ladder_order.answer_by(challenge.stage, challenge)


class TargetInput(InputSerializer):
    target = Id(help_text="An entrant further up.")


class WaitingSerializer(serializers.Serializer[Any]):
    entrant = EntrantRef()
    since = serializers.DateTimeField()


class WaitedSerializer(WaitingSerializer):
    pairing = serializers.CharField(
        allow_null=True, default=None, help_text="The key of one’s table, for whoever was paired at once."
    )


class Challenges(Api):
    tag = "meetings"

    @operation("list_challenges", gives=LadderChallengeSerializer, pages="pk")
    def get(self, request: Request, pk: int) -> QuerySet[Challenge]:
        """Open challenges on a ladder."""
        stage = get_visible_or_404(request.user, Stage, pk=pk)
        found = [each.pk for each in ladder_order.open_challenges(stage)]
        return _challenges().filter(pk__in=found)

    @operation("challenge", takes=TargetInput, gives=LadderChallengeSerializer, scope=Scope.PLAY, status=201)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Challenge:
        """Challenge an entrant further up a ladder."""
        stage = get_visible_or_404(request.user, Stage, pk=pk)
        target = get_object_or_404(Entrant.objects.named(), season=stage.division.season, pk=data["target"])
        return ladder.challenge(person=request.user, stage=stage, target=target)


class AnswerChallenge(Api):
    tag = "meetings"

    @operation("answer_challenge", gives=WholePairingSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> Pairing:
        """Accept a challenge: its table is created."""
        table = ladder.answer(person=request.user, challenge=_visible(request, pk))
        return get_visible_or_404(request.user, Pairing, pk=table.pk)


class DeclineChallenge(Api):
    tag = "meetings"

    @operation("decline_challenge", gives=LadderChallengeSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> Challenge:
        """Decline a challenge and keep one’s place, as often in a row as the ladder’s rules allow."""
        declined = ladder.decline(person=request.user, challenge=_visible(request, pk))
        return _challenges().get(pk=declined.pk)


def _challenges() -> QuerySet[Challenge]:
    return Challenge.objects.select_related(
        "stage__division__season__league__club", "challenger__user", "target__user", "pairing"
    )


def _visible(request: Request, pk: int) -> Challenge:
    made = _challenges().filter(pk=pk).first()
    if made is None or not access.may(request.user, Permission.SEE, made):
        raise Http404
    return made


class Waiters(Api):
    tag = "meetings"

    @operation("list_waiting", gives=WaitingSerializer, pages="pk")
    def get(self, request: Request, pk: int) -> QuerySet[Waiting]:
        """Who is waiting in an arena."""
        return Waiting.objects.filter(stage=get_visible_or_404(request.user, Stage, pk=pk)).select_related(
            "entrant__user"
        )

    @operation("wait_for_opponent", gives=WaitedSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> Data:
        """Wait for an opponent. The season’s `ends_at` is the end of the arena."""
        stage = get_visible_or_404(request.user, Stage, pk=pk)
        waiting = arena.wait(person=request.user, stage=stage)
        table = arena.open_table(request.user, stage)
        return {"entrant": waiting.entrant, "since": waiting.since, "pairing": table.key if table else None}

    @operation("rest", scope=Scope.PLAY)
    def delete(self, request: PersonRequest, pk: int) -> None:
        """Stop waiting."""
        arena.stop_waiting(person=request.user, stage=get_visible_or_404(request.user, Stage, pk=pk))
