"""Title odds as numbers; the standings page shows the same as bars and curves."""

from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.base import Api
from accounts.infra.rest import Data, operation
from leagues.api.common import get_visible_or_404
from leagues.api.serializers import EntrantRef
from leagues.core.reason_text import entrant_names_in_division
from leagues.models import OddsAfter, Stage
from leagues.odds import presentation
from leagues.odds.simulation.values import margin


class ChancesSerializer(serializers.Serializer[Any]):
    """All chances are from 0 to 1."""

    entrant = EntrantRef()
    title = serializers.FloatField()
    up = serializers.FloatField(help_text="Chance of promotion.")
    down = serializers.FloatField(help_text="Chance of relegation.")
    expected = serializers.FloatField(help_text="The average place.")
    places = serializers.ListField(child=serializers.FloatField(), help_text="Chance of each place, from the first.")


class TitleSerializer(serializers.Serializer[Any]):
    entrant = serializers.IntegerField()
    title = serializers.FloatField()


class TitlesSerializer(serializers.Serializer[Any]):
    round = serializers.IntegerField(help_text="How many rounds were closed.")
    titles = TitleSerializer(many=True)


class OddsSerializer(serializers.Serializer[Any]):
    """The chances in a division; `why_not` says in words why there are none."""

    made_at = serializers.DateTimeField()
    exact = serializers.BooleanField(help_text="All possible endings were computed, not a random sample.")
    runs = serializers.IntegerField()
    margin = serializers.FloatField(allow_null=True, help_text="Largest error of a chance, with 95 % probability.")
    why_not = serializers.CharField()
    current = serializers.BooleanField(help_text="Whether they are up to date.")
    without = serializers.ListField(
        child=serializers.CharField(),
        help_text="What they do not include yet, in words: results, corrections, withdrawals.",
    )
    lines = ChancesSerializer(many=True)
    rounds = TitlesSerializer(many=True, help_text="The title chances after each round.")


class OddsNow(Api):
    tag = "standings"

    @operation("read_odds", gives=OddsSerializer)
    def get(self, request: Request, pk: int) -> Any:
        """Chances of the title, promotion and relegation, while a season that shows them is running."""
        stage = get_visible_or_404(request.user, Stage, pk=pk)
        now = presentation.odds_of(stage)
        if now is None:
            raise Http404
        called = entrant_names_in_division(stage.division_id)
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
            "rounds": [_titles(after) for after in presentation.after_rounds(stage)],
        }


def _titles(after: OddsAfter) -> Data:
    titles = [{"entrant": int(who), "title": chance} for who, chance in after.titles.items()]
    return {"round": after.number, "titles": titles}
