"""The organiser's desk: everything to decide, and the draw of all divisions at once."""

from typing import Any

from rest_framework import serializers

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import InputSerializer
from accounts.models import Scope
from leagues.api import round_serializers
from leagues.api.common import get_visible_or_404
from leagues.models import Season
from leagues.rounds import all_divisions
from leagues.seasons import desk, organiser_tasks


class DecisionSerializer(serializers.Serializer[Any]):
    """Something that waits for an organiser. `path` is its page; with `post`, its button sends `form` there."""

    code = serializers.ChoiceField(organiser_tasks.CODES, source="task.code")
    season = serializers.IntegerField(source="season.pk")
    league = serializers.CharField(source="season.league.slug")
    title = serializers.CharField(source="season.full_name", help_text="The names of league and season.")
    stage = serializers.IntegerField(source="task.stage", allow_null=True)
    round = serializers.IntegerField(source="task.round", allow_null=True)
    words = serializers.CharField(source="task.words")
    button = serializers.CharField(source="task.label", help_text="What its button says.")
    path = serializers.CharField(source="task.path")
    post = serializers.BooleanField(source="task.post")
    form = serializers.DictField(source="task.fields", child=serializers.CharField())
    since = serializers.DateTimeField(source="task.since", help_text="When it arose, or is due.")


class DeskSerializer(serializers.Serializer[Any]):
    decisions = DecisionSerializer(many=True, help_text="The oldest first.")


class SeenInput(InputSerializer):
    seen = serializers.IntegerField(
        min_value=0,
        max_value=100_000,
        required=False,
        help_text="How many rounds you know of in all divisions: with it, repeating the request draws nothing more.",
    )


class Desk(Api):
    tag = "leagues"

    @operation("read_desk", gives=DeskSerializer, private=True)
    def get(self, request: PersonRequest) -> Data:
        """Everything that waits for you as an organiser, in all leagues of your clubs."""
        return {"decisions": desk.decisions(request.user)}


class DrawAndPublish(Api):
    tag = "rounds"

    @operation("draw_and_publish_all", takes=SeenInput, gives=round_serializers.RoundsSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Data:
        """Draw and publish the next round of every division that is ready: all of them or none."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        return {"rounds": all_divisions.draw_and_publish_all(actor=request.user, season=season, seen=data.get("seen"))}
