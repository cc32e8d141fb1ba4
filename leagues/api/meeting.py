"""Formats without rounds: challenges on a ladder, and waiting for an opponent in an arena."""

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope
from accounts.rest import Api, Data, PersonRequest, operation
from accounts.rest.fields import Terms
from leagues import access, arena, ladder
from leagues.access import Permission
from leagues.api.common import found
from leagues.api.round_shapes import WholePairingShape
from leagues.api.shapes import EntrantRef, Id
from leagues.models import Challenge, Entrant, Pairing, Stage, Waiting


class LadderChallengeShape(serializers.Serializer):
    id = serializers.IntegerField()
    stage = serializers.IntegerField(source="stage_id")
    challenger = EntrantRef()
    target = EntrantRef()
    made_at = serializers.DateTimeField()
    answered_at = serializers.DateTimeField(allow_null=True)
    pairing = serializers.CharField(source="pairing.key", allow_null=True, default=None)


class TargetTerms(Terms):
    target = Id(help_text="An entrant further up.")


class WaitingShape(serializers.Serializer):
    entrant = EntrantRef()
    since = serializers.DateTimeField()


class Challenges(Api):
    tag = "meetings"

    @operation("list_challenges", gives=LadderChallengeShape, pages="pk")
    def get(self, request: Request, pk: int) -> QuerySet[Challenge]:
        """Open challenges on a ladder."""
        stage = found(request.user, Stage, pk=pk)
        rows = Challenge.objects.filter(stage=stage, ended_at=None)
        return rows.select_related("challenger__user", "target__user", "pairing")

    @operation("challenge", takes=TargetTerms, gives=LadderChallengeShape, scope=Scope.PLAY, status=201)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Challenge:
        """Challenge somebody further up a ladder."""
        stage = found(request.user, Stage, pk=pk)
        target = get_object_or_404(Entrant.objects.named(), season=stage.division.season, pk=data["target"])
        return ladder.challenge(person=request.user, stage=stage, target=target)


class AnswerChallenge(Api):
    tag = "meetings"

    @operation("answer_challenge", gives=WholePairingShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> Pairing:
        """Take a challenge: there is a table for it."""
        rows = Challenge.objects.select_related("stage__division__season__league__club", "target__user")
        made = rows.filter(pk=pk).first()
        if made is None or not access.may(request.user, Permission.SEE, made):
            raise Http404
        table = ladder.answer(person=request.user, challenge=made)
        return found(request.user, Pairing, pk=table.pk)


class Waiters(Api):
    tag = "meetings"

    @operation("list_waiting", gives=WaitingShape, pages="pk")
    def get(self, request: Request, pk: int) -> QuerySet[Waiting]:
        """Who is ready to play in an arena."""
        return Waiting.objects.filter(stage=found(request.user, Stage, pk=pk)).select_related("entrant__user")

    @operation("wait_for_opponent", gives=WaitingShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> Waiting:
        """Be ready to play: the next wave finds an opponent."""
        return arena.wait(person=request.user, stage=found(request.user, Stage, pk=pk))

    @operation("rest", scope=Scope.PLAY)
    def delete(self, request: PersonRequest, pk: int) -> None:
        """Take a rest."""
        arena.rest(person=request.user, stage=found(request.user, Stage, pk=pk))
