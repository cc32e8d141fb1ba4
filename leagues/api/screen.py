"""The screen of a club evening: what it shows, its clock and its secret link."""

from typing import Any

from django.urls import reverse
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import InputSerializer, Whole
from accounts.models import Scope
from leagues.api.common import get_visible_or_404
from leagues.core import access
from leagues.core.access import Permission
from leagues.models import Screen, Season
from leagues.seasons import screen
from leagues.seasons.screen_now import ScreenNow, screen_now


class ScreenSeatSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    score = serializers.CharField(help_text="The score or, with a full stop, the place; empty before a result.")
    leads = serializers.BooleanField()
    absent = serializers.BooleanField()


class ScreenTableSerializer(serializers.Serializer[Any]):
    key = serializers.CharField(source="pairing.key")
    table = serializers.IntegerField(source="number", help_text="The number of the place where one sits.")
    division = serializers.CharField()
    round = serializers.IntegerField()
    state = serializers.ChoiceField(["waiting", "playing", "reported", "disputed", "done", "void"])
    words = serializers.CharField()
    seats = ScreenSeatSerializer(many=True)


class ScreenLineSerializer(serializers.Serializer[Any]):
    place = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    climbed = serializers.IntegerField(allow_null=True, help_text="Places gained since the round before.")
    points = serializers.CharField()


class ScreenStandingsSerializer(serializers.Serializer[Any]):
    division = serializers.CharField()
    group = serializers.IntegerField(help_text="0 without groups.")
    lines = ScreenLineSerializer(many=True, source="table.lines")


class ScreenNewsSerializer(serializers.Serializer[Any]):
    table = serializers.IntegerField()
    words = serializers.CharField()
    at = serializers.DateTimeField()


class ScreenClockSerializer(serializers.Serializer[Any]):
    """Counts down to `until`, or up from `since`."""

    code = serializers.ChoiceField(["round", "break", "since"])
    words = serializers.CharField()
    since = serializers.DateTimeField(allow_null=True)
    until = serializers.DateTimeField(allow_null=True)


class ScreenSerializer(serializers.Serializer[Any]):
    title = serializers.CharField(help_text="The round that is played.")
    tables = ScreenTableSerializer(many=True)
    standings = ScreenStandingsSerializer(many=True)
    news = ScreenNewsSerializer(many=True, help_text="The latest results.")
    byes = serializers.CharField(help_text="Names of those without a table.")
    clock = ScreenClockSerializer(allow_null=True)
    now = serializers.DateTimeField()

    class Meta:
        ref_name = "EveningScreen"


class ScreenClockInput(InputSerializer):
    clock = serializers.ChoiceField(Screen.Clock.values, help_text="Of a round, or of a break until the next.")
    minutes = Whole(min_value=1, max_value=screen.LONGEST)


class ScreenLinkSerializer(serializers.Serializer[Any]):
    path = serializers.CharField(help_text="The secret: whoever has it sees the screen.")


class OneScreen(Api):
    tag = "seasons"

    @operation("read_screen", gives=ScreenSerializer)
    def get(self, request: Request, pk: int) -> ScreenNow:
        """What the screen of the evening shows: tables, results, standings and clock."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        return screen_now(season, sees_nights=access.may(request.user, Permission.COME, season.league.club))


class ScreenClock(Api):
    tag = "seasons"

    @operation("start_screen_clock", takes=ScreenClockInput, gives=ScreenSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int, data: Data) -> ScreenNow:
        """Let the screen count down the minutes of a round or of a break; a clock that runs is replaced."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        screen.start_clock(actor=request.user, season=season, **data)
        return screen_now(season, sees_nights=True)

    @operation("stop_screen_clock", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, pk: int) -> None:
        """Take the clock off the screen."""
        screen.stop_clock(actor=request.user, season=get_visible_or_404(request.user, Season, pk=pk))


class ScreenLink(Api):
    tag = "seasons"

    @operation("make_screen_link", gives=ScreenLinkSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Data:
        """Make a secret link to the screen; the one before stops working."""
        made = screen.make_link(actor=request.user, season=get_visible_or_404(request.user, Season, pk=pk))
        return {"path": reverse("leagues:screen-by-link", args=[made.key])}

    @operation("remove_screen_link", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, pk: int) -> None:
        """Remove the secret link to the screen."""
        screen.remove_link(actor=request.user, season=get_visible_or_404(request.user, Season, pk=pk))
