from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.base import Api
from accounts.infra.rest import Data, operation
from leagues.api.common import get_visible_or_404
from leagues.api.serializers import EntrantRef
from leagues.models import Season
from leagues.seasons import summary


class PodiumSerializer(serializers.Serializer[Any]):
    place = serializers.IntegerField(help_text="Several may share one.")
    entrant = EntrantRef()


class PlaceLineSerializer(serializers.Serializer[Any]):
    entrant = EntrantRef()
    places = serializers.ListField(
        child=serializers.IntegerField(allow_null=True), help_text="After each round; null while not in the event."
    )
    final = serializers.IntegerField(help_text="The place at the end of the season.")


class PlaceHistorySerializer(serializers.Serializer[Any]):
    stage = serializers.IntegerField(source="stage.pk")
    rounds = serializers.ListField(child=serializers.IntegerField())
    lines = PlaceLineSerializer(many=True)


class UpsetSerializer(serializers.Serializer[Any]):
    winner = EntrantRef()
    loser = EntrantRef()
    gap = serializers.IntegerField(help_text="How much higher the loser was rated when the season started.")
    stage = serializers.IntegerField(source="stage.pk")
    round = serializers.IntegerField()


class StreakSerializer(serializers.Serializer[Any]):
    entrants = EntrantRef(many=True)
    length = serializers.IntegerField()


class DivisionSummarySerializer(serializers.Serializer[Any]):
    division = serializers.IntegerField(source="division.pk")
    name = serializers.CharField(source="division.name")
    champions = PodiumSerializer(many=True, help_text="Several if they share the first place.")
    podium = PodiumSerializer(many=True, help_text="The first three places.")
    histories = PlaceHistorySerializer(many=True, help_text="Places over the rounds, for each stage with rounds.")
    upset = UpsetSerializer(allow_null=True)
    streak = StreakSerializer(allow_null=True, help_text="The most wins in a row, from two on.")


class SeasonSummarySerializer(serializers.Serializer[Any]):
    divisions = DivisionSummarySerializer(many=True)


class SeasonSummary(Api):
    tag = "seasons"

    @operation("read_season_summary", gives=SeasonSummarySerializer)
    def get(self, request: Request, pk: int) -> Data:
        """Champions, podium and course of a closed season; 404 until it is closed."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        if not season.is_closed:
            raise Http404
        return {"divisions": summary.summarise(season)}
