"""Requests to enter a season, with the answers to its questions."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers

from accounts.api.base import Api, PersonRequest
from accounts.api.fields import PersonSerializer
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import Flag, InputSerializer, Text
from accounts.models import Scope
from leagues.api.common import get_visible_or_404
from leagues.api.serializers import AnswersField, EnterInput
from leagues.core import access
from leagues.core.access import Permission
from leagues.entries import entry_requests
from leagues.models import Division, EntryRequest, Season


class EntryRequestSerializer(serializers.Serializer[Any]):
    """For the person and the organisers only."""

    id = serializers.IntegerField()
    season = serializers.IntegerField(source="season_id")
    division = serializers.IntegerField(source="division_id", allow_null=True)
    person = PersonSerializer(source="user")
    state = serializers.ChoiceField(EntryRequest.State.choices)
    answers = serializers.DictField(help_text="By the id of the question.")
    asked_at = serializers.DateTimeField()
    decided_at = serializers.DateTimeField(allow_null=True)
    note = serializers.CharField(help_text="A word of the organiser who decided.")


class EntryRequestQuery(serializers.Serializer[Any]):
    state = serializers.ChoiceField(EntryRequest.State.choices, required=False)


class AnswersInput(InputSerializer):
    answers = AnswersField()


class DecisionInput(InputSerializer):
    approves = Flag()
    note = Text(max_length=entry_requests.LONGEST_NOTE, default="", allow_blank=True, help_text="A word to the person.")

    class Meta:
        ref_name = "EntryDecision"


class EntryRequests(Api):
    tag = "entrants"

    @operation("list_entry_requests", gives=EntryRequestSerializer, query=EntryRequestQuery, pages="pk", private=True)
    def get(self, request: PersonRequest, pk: int, query: Data) -> QuerySet[EntryRequest]:
        """Who asked to enter a season, and everybody’s answers; for organisers."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        access.require(request.user, Permission.ORGANISE, season)
        return EntryRequest.objects.filter(season=season, **query).select_related("user")

    @operation("ask_to_enter", takes=EnterInput, gives=EntryRequestSerializer, scope=Scope.PLAY, status=201)
    def post(self, request: PersonRequest, pk: int, data: Data) -> EntryRequest:
        """Ask to enter a season whose organisers approve entries."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        division = get_object_or_404(Division, season=season, pk=data["division"]) if "division" in data else None
        return entry_requests.ask(person=request.user, season=season, division=division, answers=data["answers"])


class OwnEntryRequest(Api):
    tag = "entrants"

    @operation("read_own_entry_request", gives=EntryRequestSerializer, private=True)
    def get(self, request: PersonRequest, pk: int) -> EntryRequest:
        """Your own request to enter, with your answers."""
        mine = entry_requests.own(get_visible_or_404(request.user, Season, pk=pk), request.user)
        if mine is None:
            raise Http404
        return mine

    @operation("answer_entry_questions", takes=AnswersInput, gives=EntryRequestSerializer, scope=Scope.PLAY)
    def put(self, request: PersonRequest, pk: int, data: Data) -> EntryRequest:
        """Answer the season’s questions again, until it starts; for those who have asked to enter or entered."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        return entry_requests.change_answers(person=request.user, season=season, answers=data["answers"])

    @operation("take_back_entry_request", gives=EntryRequestSerializer, scope=Scope.PLAY)
    def delete(self, request: PersonRequest, pk: int) -> EntryRequest:
        """Ask no longer to enter."""
        return entry_requests.take_back(person=request.user, season=get_visible_or_404(request.user, Season, pk=pk))


class OneEntryRequest(Api):
    tag = "entrants"

    @operation("decide_entry_request", takes=DecisionInput, gives=EntryRequestSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int, entry: int, data: Data) -> EntryRequest:
        """Approve or decline a request to enter. Who is approved has a place, or one on the waiting list."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        access.require(request.user, Permission.ORGANISE, season)
        asked = get_object_or_404(EntryRequest.objects.select_related("user"), season=season, pk=entry)
        verb = entry_requests.approve if data["approves"] else entry_requests.decline
        return verb(actor=request.user, request=asked, note=data["note"])
