"""The time of a table: suggestions, and requests for more time."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers

from accounts.api.base import Api, PersonRequest
from accounts.api.fields import PersonSerializer
from accounts.infra.permissions import NotAllowed
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import InputSerializer, Text
from accounts.models import Scope
from leagues.api.common import get_visible_or_404
from leagues.api.round_serializers import WholePairingSerializer
from leagues.api.serializers import Id
from leagues.core import access
from leagues.core.access import Permission
from leagues.models import Extension, Pairing, ProposedTime, Season, TimeProposal
from leagues.models.time_proposal import MOST_TIMES
from leagues.windows import extensions, time_proposals


class ProposedSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    starts_at = serializers.DateTimeField()


class ProposalSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    by = PersonSerializer()
    status = serializers.ChoiceField(TimeProposal.Status.choices)
    times = ProposedSerializer(many=True, source="times.all")
    answer_by = serializers.DateTimeField(allow_null=True)
    agreed = serializers.DateTimeField(allow_null=True)


class ProposalsSerializer(serializers.Serializer[Any]):
    proposals = ProposalSerializer(many=True)


class TimesInput(InputSerializer):
    times = serializers.ListField(child=serializers.DateTimeField(), min_length=1, max_length=MOST_TIMES)


class SayTimeInput(InputSerializer):
    """`yes` names the time; `no` may suggest others; `back` takes your own suggestion back."""

    say = serializers.ChoiceField(["yes", "no", "back"])
    time = Id(required=False)
    times = serializers.ListField(child=serializers.DateTimeField(), default=list, max_length=MOST_TIMES)

    class Meta:
        ref_name = "TimeAnswer"


class MoreTimeInput(InputSerializer):
    reason = Text(max_length=300)


class UntilInput(InputSerializer):
    until = serializers.DateTimeField()


class ExtensionSerializer(serializers.Serializer[Any]):
    """More time for a table: asked for, given or refused."""

    id = serializers.IntegerField()
    pairing = serializers.CharField(source="pairing.key")
    status = serializers.ChoiceField(Extension.Status.choices)
    cause = serializers.ChoiceField(Extension.Cause.choices)
    asked_by = PersonSerializer(allow_null=True, help_text="Null: the site asks.")
    reason = serializers.CharField()
    until = serializers.DateTimeField(allow_null=True)
    made_at = serializers.DateTimeField()


class ExtensionsSerializer(serializers.Serializer[Any]):
    requests = ExtensionSerializer(many=True)


class Times(Api):
    tag = "pairings"

    @operation("list_suggested_times", gives=ProposalsSerializer, private=True)
    def get(self, request: PersonRequest, key: str) -> Data:
        """Suggested times of a table, the oldest first."""
        pairing = get_visible_or_404(request.user, Pairing, key=key)
        if not access.allowed(request.user, pairing) & {Permission.SIT, Permission.ORGANISE}:
            raise NotAllowed(Permission.SIT)
        rows = TimeProposal.objects.filter(pairing=pairing).select_related("by").prefetch_related("times")
        return {"proposals": rows}

    @operation("suggest_times", takes=TimesInput, gives=ProposalSerializer, scope=Scope.PLAY, status=201)
    def post(self, request: PersonRequest, key: str, data: Data) -> TimeProposal:
        """Suggest up to three times to the others at the table."""
        pairing = get_visible_or_404(request.user, Pairing, key=key)
        return time_proposals.propose(person=request.user, pairing=pairing, times=data["times"])


class AnswerTimes(Api):
    tag = "pairings"

    @operation("answer_times", takes=SayTimeInput, gives=WholePairingSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, pk: int, data: Data) -> Pairing:
        """Answer suggested times."""
        pairing = get_visible_or_404(request.user, Pairing, key=key)
        proposal = get_object_or_404(TimeProposal, pairing=pairing, pk=pk)
        match data["say"]:
            case "yes":
                time = ProposedTime.objects.filter(proposal=proposal, pk=data.get("time", 0)).first()
                if time is None:
                    raise Http404
                time_proposals.accept(person=request.user, time=time)
            case "no":
                time_proposals.decline(person=request.user, proposal=proposal, times=data["times"])
            case _:
                time_proposals.withdraw(person=request.user, proposal=proposal)
        return get_visible_or_404(request.user, Pairing, key=key)


class MoreTime(Api):
    tag = "pairings"

    @operation("ask_for_more_time", takes=MoreTimeInput, gives=ExtensionSerializer, scope=Scope.PLAY, status=201)
    def post(self, request: PersonRequest, key: str, data: Data) -> Extension:
        """Ask the organisers for more time to play a table."""
        pairing = get_visible_or_404(request.user, Pairing, key=key)
        return extensions.ask(person=request.user, pairing=pairing, reason=data["reason"])

    @operation("give_more_time", takes=UntilInput, gives=ExtensionSerializer, scope=Scope.ORGANISE)
    def put(self, request: PersonRequest, key: str, data: Data) -> Extension:
        """Set a later deadline for a table."""
        pairing = get_visible_or_404(request.user, Pairing, key=key)
        return extensions.grant(actor=request.user, pairing=pairing, until=data["until"])


class RefuseTime(Api):
    tag = "pairings"

    @operation("refuse_more_time", gives=ExtensionSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, key: str, pk: int) -> Extension:
        """Refuse more time for a table."""
        pairing = get_visible_or_404(request.user, Pairing, key=key)
        extension = get_object_or_404(Extension, pairing=pairing, pk=pk)
        return extensions.refuse(actor=request.user, extension=extension)


class WaitingForTime(Api):
    tag = "pairings"

    @operation("list_more_time", gives=ExtensionsSerializer, private=True)
    def get(self, request: PersonRequest, pk: int) -> Data:
        """Open requests for more time in a season; for organisers."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        access.require(request.user, Permission.ORGANISE, season)
        return {"requests": extensions.waiting(season)}
