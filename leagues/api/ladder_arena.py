"""Formats without rounds: challenges on a ladder, and waiting for an opponent in an arena."""

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


class LadderChallengeSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    stage = serializers.IntegerField(source="stage_id")
    challenger = EntrantRef()
    target = EntrantRef()
    made_at = serializers.DateTimeField()
    answered_at = serializers.DateTimeField(allow_null=True)
    pairing = serializers.CharField(source="pairing.key", allow_null=True, default=None)


class TargetInput(InputSerializer):
    target = Id(help_text="An entrant further up.")


class WaitingSerializer(serializers.Serializer[Any]):
    entrant = EntrantRef()
    since = serializers.DateTimeField()


class Challenges(Api):
    tag = "meetings"

    @operation("list_challenges", gives=LadderChallengeSerializer, pages="pk")
    def get(self, request: Request, pk: int) -> QuerySet[Challenge]:
        """Open challenges on a ladder."""
        stage = get_visible_or_404(request.user, Stage, pk=pk)
        rows = Challenge.objects.filter(stage=stage, ended_at=None)
        return rows.select_related("challenger__user", "target__user", "pairing")

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
        rows = Challenge.objects.select_related("stage__division__season__league__club", "target__user")
        made = rows.filter(pk=pk).first()
        if made is None or not access.may(request.user, Permission.SEE, made):
            raise Http404
        table = ladder.answer(person=request.user, challenge=made)
        return get_visible_or_404(request.user, Pairing, pk=table.pk)


class Waiters(Api):
    tag = "meetings"

    @operation("list_waiting", gives=WaitingSerializer, pages="pk")
    def get(self, request: Request, pk: int) -> QuerySet[Waiting]:
        """Who is waiting in an arena."""
        return Waiting.objects.filter(stage=get_visible_or_404(request.user, Stage, pk=pk)).select_related(
            "entrant__user"
        )

    @operation("wait_for_opponent", gives=WaitingSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> Waiting:
        """Wait for an opponent."""
        return arena.wait(person=request.user, stage=get_visible_or_404(request.user, Stage, pk=pk))

    @operation("rest", scope=Scope.PLAY)
    def delete(self, request: PersonRequest, pk: int) -> None:
        """Stop waiting."""
        arena.stop_waiting(person=request.user, stage=get_visible_or_404(request.user, Stage, pk=pk))
