"""The organiser's hand on a draw: exchanges, their cost, and pairs to keep apart."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import InputSerializer, Whole
from accounts.models import Scope
from leagues.api.common import get_visible_or_404
from leagues.api.serializers import EntrantRef, Id
from leagues.core.access import Permission, require
from leagues.core.reason_text import entrant_names
from leagues.formats.hand import Concern
from leagues.models import Entrant, MeetingRule, Round, Season
from leagues.rounds import hand
from leagues.rounds.hand_text import warning_words
from leagues.seasons import meeting_rules


class DrawCostSerializer(serializers.Serializer[Any]):
    """What a draw costs; the first number that differs decides which of two is better."""

    apart = serializers.IntegerField(help_text="Pairs that should be kept apart.")
    byes = serializers.IntegerField(help_text="Second byes.")
    repeats = serializers.IntegerField(help_text="Earlier meetings of all who share a table.")
    distance = serializers.IntegerField(help_text="Distances in score, in 1/120 point.")
    seats = serializers.IntegerField(help_text="People who have a seat too often.")


class DrawWarningSerializer(serializers.Serializer[Any]):
    concern = serializers.ChoiceField([each.value for each in Concern])
    table = serializers.IntegerField(help_text="The number of the table; 0 for a bye.")
    entrants = serializers.ListField(child=serializers.IntegerField())
    words = serializers.CharField()


class HandSerializer(serializers.Serializer[Any]):
    cost = DrawCostSerializer()
    machine = DrawCostSerializer(help_text="Of the draw before changes by hand.")
    changed = serializers.BooleanField(help_text="Whether the draw differs from the machine’s.")
    warnings = DrawWarningSerializer(many=True)


class ExchangeInput(InputSerializer):
    one = Id()
    other = Id()


class MeetingRuleSerializer(serializers.Serializer[Any]):
    id = serializers.IntegerField()
    one = EntrantRef()
    other = EntrantRef()
    from_round = serializers.IntegerField(allow_null=True, help_text="From which they may meet; null: they may not.")


class MeetingRuleInput(ExchangeInput):
    from_round = Whole(min_value=2, max_value=meeting_rules.LATEST, allow_null=True, default=None)


class Hand(Api):
    tag = "rounds"

    @operation("read_draw_cost", gives=HandSerializer, private=True)
    def get(self, request: PersonRequest, pk: int) -> Data:
        """What is questionable about a draw, beside the machine’s; for organisers."""
        current = get_visible_or_404(request.user, Round, pk=pk)
        require(request.user, Permission.ORGANISE, current)
        return _serialize(current)

    @operation("exchange_seats", takes=ExchangeInput, gives=HandSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Data:
        """Let two entrants of an unpublished draw change places."""
        current = get_visible_or_404(request.user, Round, pk=pk)
        require(request.user, Permission.ORGANISE, current)
        season = current.stage.division.season
        one, other = (
            get_object_or_404(Entrant.objects.named(), pk=data[name], season=season) for name in ("one", "other")
        )
        return _serialize(hand.exchange(actor=request.user, round=current, one=one, other=other))


def _serialize(current: Round) -> Data:
    board, names = hand.board(current), entrant_names(current.stage)
    return {
        "cost": board.now.cost,
        "machine": board.machine.cost,
        "changed": current.machine is not None,
        "warnings": [
            {
                "concern": each.concern.value,
                "table": each.table,
                "entrants": each.entrants,
                "words": warning_words(each, names),
            }
            for each in board.now.warnings
        ],
    }


class MeetingRules(Api):
    tag = "seasons"

    @operation("list_meeting_rules", gives=MeetingRuleSerializer, pages="pk", private=True)
    def get(self, request: PersonRequest, pk: int) -> QuerySet[MeetingRule]:
        """Pairs to keep apart, and pairs that may meet only late; for organisers."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        require(request.user, Permission.ORGANISE, season)
        return MeetingRule.objects.filter(season=season).select_related("one__user", "other__user")

    @operation(
        "add_meeting_rule", takes=MeetingRuleInput, gives=MeetingRuleSerializer, scope=Scope.ORGANISE, status=201
    )
    def post(self, request: PersonRequest, pk: int, data: Data) -> MeetingRule:
        """Keep two entrants apart: in all rounds, or before a round."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        require(request.user, Permission.ORGANISE, season)
        one, other = (
            get_object_or_404(Entrant.objects.named(), pk=data[name], season=season) for name in ("one", "other")
        )
        return meeting_rules.add_rule(
            actor=request.user, season=season, one=one, other=other, from_round=data["from_round"]
        )


class OneMeetingRule(Api):
    tag = "seasons"

    @operation("drop_meeting_rule", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, pk: int, rule: int) -> None:
        """Remove a rule about a pair."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        require(request.user, Permission.ORGANISE, season)
        row = get_object_or_404(MeetingRule.objects.select_related("season"), season=season, pk=rule)
        meeting_rules.drop_rule(actor=request.user, rule=row)
