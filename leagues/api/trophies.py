from typing import Any

from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.base import Api
from accounts.infra.rest import Data, operation
from leagues.api.ratings import somebody
from leagues.seasons import trophies


class TrophySerializer(serializers.Serializer[Any]):
    season = serializers.IntegerField(source="season.pk")
    page = serializers.CharField(source="season.get_absolute_url")
    league = serializers.CharField(source="season.league.name")
    name = serializers.CharField(source="season.name", help_text="Of the season.")
    club = serializers.CharField(source="season.league.club.slug")
    division = serializers.CharField(help_text="Empty where the season had only one.")
    team = serializers.CharField(help_text="Empty for a single player.")
    place = serializers.IntegerField(help_text="From 1, the title, to 3; several may share one.")
    field_size = serializers.IntegerField(help_text="How many there were in the division.")
    closed_at = serializers.DateTimeField(source="season.closed_at")


class TrophiesSerializer(serializers.Serializer[Any]):
    trophies = TrophySerializer(many=True)


class Trophies(Api):
    tag = "people"

    @operation("list_trophies", gives=TrophiesSerializer)
    def get(self, request: Request, handle: str) -> Data:
        """The first three places that somebody has won in closed seasons, the latest first."""
        return {"trophies": trophies.trophies(somebody(handle), request.user)}
