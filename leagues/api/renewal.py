"""Renewal for the next season, and offers of free places."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import Flag, InputSerializer
from accounts.models import Scope
from leagues.api.common import get_visible_or_404
from leagues.api.serializers import EntrantRef
from leagues.core import access
from leagues.core.access import Permission
from leagues.models import Season
from leagues.models.renewal import PlaceOffer, ReturnQuestion
from leagues.seasons import renewal


class ReturnInput(InputSerializer):
    answer = serializers.ChoiceField([choice for choice in ReturnQuestion.Answer.values if choice != "none"])


class QuestionSerializer(serializers.Serializer[Any]):
    """The answer of an entrant of the last season, and their division."""

    id = serializers.IntegerField()
    entrant = EntrantRef()
    division = serializers.IntegerField(source="division_id")
    answer = serializers.ChoiceField(ReturnQuestion.Answer.choices)


class OfferSerializer(serializers.Serializer[Any]):
    """An offer of a free place further up."""

    id = serializers.IntegerField()
    entrant = EntrantRef(source="question.entrant")
    division = serializers.IntegerField(source="division_id")
    made_at = serializers.DateTimeField()


class AskedAgainSerializer(serializers.Serializer[Any]):
    """Your questions and offers before a season; organisers see all."""

    deadline = serializers.DateTimeField()
    keep_silent = serializers.BooleanField(help_text="Whether those without an answer are entered.")
    questions = QuestionSerializer(many=True)
    offers = OfferSerializer(many=True, help_text="Open offers.")


class TakeInput(InputSerializer):
    takes = Flag()


class Returning(Api):
    tag = "entrants"

    @operation("list_returning", gives=AskedAgainSerializer, private=True)
    def get(self, request: PersonRequest, pk: int) -> Data:
        """Questions whether to play again, and offers of free places: your own, or all for organisers."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        runs = access.may(request.user, Permission.ORGANISE, season)
        asked = renewal.asked(season, request.user, runs=runs)
        if asked is None:
            raise Http404
        return {
            "deadline": asked.call.deadline,
            "keep_silent": asked.call.keep_silent,
            "questions": asked.everybody if runs else asked.mine,
            "offers": asked.open_offers if runs else asked.offers,
        }


class PlayAgain(Api):
    tag = "entrants"

    @operation("answer_returning", takes=ReturnInput, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int, question: int, data: Data) -> None:
        """Answer whether you play again next season."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        rows = ReturnQuestion.objects.select_related("call__season")
        asked = get_object_or_404(rows, call__season=season, pk=question)
        renewal.answer(actor=request.user, question=asked, answer=data["answer"])


class TakePlace(Api):
    tag = "entrants"

    @operation("answer_place_offer", takes=TakeInput, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int, offer: int, data: Data) -> None:
        """Accept or decline an offered place."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        rows = PlaceOffer.objects.select_related("question__call__season")
        offered = get_object_or_404(rows, question__call__season=season, pk=offer)
        renewal.answer_offer(actor=request.user, offer=offered, takes=data["takes"])
