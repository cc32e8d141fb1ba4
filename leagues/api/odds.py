"""Everybody’s chances, as numbers; the standings page shows the same as bars and curves."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from accounts.rest import Api, Data, operation
from leagues.api.common import found
from leagues.api.shapes import EntrantRef
from leagues.models import OddsAfter, Stage
from leagues.odds import shown
from leagues.odds.values import margin
from leagues.words import names_in


class ChancesShape(serializers.Serializer):
    """All chances are from 0 to 1."""

    entrant = EntrantRef()
    title = serializers.FloatField()
    up = serializers.FloatField(help_text="To be promoted.")
    down = serializers.FloatField(help_text="To be relegated.")
    expected = serializers.FloatField(help_text="The place on average.")
    places = serializers.ListField(child=serializers.FloatField(), help_text="Of each place, the first first.")


class TitleShape(serializers.Serializer):
    entrant = serializers.IntegerField()
    title = serializers.FloatField()


class TitlesShape(serializers.Serializer):
    round = serializers.IntegerField(help_text="So many rounds were closed.")
    titles = TitleShape(many=True)


class OddsShape(serializers.Serializer):
    """The chances in a division; `why_not` says in words why there are none."""

    made_at = serializers.DateTimeField()
    exact = serializers.BooleanField(help_text="Every way to the end was looked at, instead of many drawn by lot.")
    runs = serializers.IntegerField()
    margin = serializers.FloatField(
        allow_null=True, help_text="By how much a chance may be off, nineteen times in twenty."
    )
    why_not = serializers.CharField()
    current = serializers.BooleanField(help_text="Whether they include everything that has happened.")
    without = serializers.ListField(
        child=serializers.CharField(),
        help_text="What they do not include yet, in words: results, corrections, leavers.",
    )
    lines = ChancesShape(many=True)
    rounds = TitlesShape(many=True, help_text="How the chances of the title went.")


class OddsNow(Api):
    tag = "standings"

    @operation("read_odds", gives=OddsShape)
    def get(self, request: Request, pk: int) -> Any:
        """Everybody’s chances of the title and of moving up or down, while a season that shows them is played."""
        stage = found(request.user, Stage, pk=pk)
        now = shown.of(stage)
        if now is None:
            raise Http404
        called = names_in(stage.division_id)
        rows = [] if now.why_not else now.odds.rows
        return {
            "made_at": now.odds.made_at,
            "exact": now.odds.exact,
            "runs": now.odds.runs,
            "margin": None if now.why_not else margin(now.odds.runs, exact=now.odds.exact),
            "why_not": now.why_not,
            "current": not (now.why_not or now.without),
            "without": list(now.without),
            "lines": [
                row | {"entrant": {"id": row["entrant"], "name": called.get(row["entrant"], "")}} for row in rows
            ],
            "rounds": [_titles(after) for after in shown.after_rounds(stage)],
        }


def _titles(after: OddsAfter) -> Data:
    titles = [{"entrant": int(who), "title": chance} for who, chance in after.titles.items()]
    return {"round": after.number, "titles": titles}
