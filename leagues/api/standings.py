from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.models import Scope
from leagues.api.common import get_visible_or_404
from leagues.api.serializers import EntrantRef, SeasonSerializer
from leagues.core import reason_text
from leagues.core.access import Permission, require
from leagues.core.reason_text import render_reason
from leagues.formats.bracket import MatchState
from leagues.models import Round, Season, Stage
from leagues.rounds import draw
from leagues.seasons import closing, final_standings
from leagues.standings import bracket_presentation, luck, presentation


class ColumnSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    short = serializers.CharField()
    title = serializers.CharField()


class ValueSerializer(serializers.Serializer[Any]):
    code = serializers.CharField()
    text = serializers.CharField()
    note = serializers.CharField(help_text="Why there is no value; otherwise empty.")


class StandingSerializer(serializers.Serializer[Any]):
    place = serializers.IntegerField(allow_null=True, help_text="Null before the first result: no order yet.")
    entrant = serializers.IntegerField(source="row.entrant")
    name = serializers.CharField()
    points = serializers.CharField(help_text="For display; `score` is exact.")
    score = serializers.IntegerField(source="row.score", help_text="In the smallest parts of a point.")
    played = serializers.IntegerField(source="row.played")
    values = ValueSerializer(many=True, help_text="Of the tie-breaks.")
    why = serializers.CharField(help_text="What decided between this row and the one above.")
    climbed = serializers.IntegerField(allow_null=True, help_text="Places gained since the round before.")


class ListingSerializer(serializers.Serializer[Any]):
    group = serializers.IntegerField(help_text="0 where there are no groups.")
    ranked = serializers.BooleanField(help_text="False before the first result: the rows are in alphabetical order.")
    columns = ColumnSerializer(many=True)
    lines = StandingSerializer(many=True)


class StandingsSerializer(serializers.Serializer[Any]):
    stage = serializers.IntegerField()
    after = serializers.IntegerField(allow_null=True, help_text="The round; null: now.")
    closed_rounds = serializers.ListField(child=serializers.IntegerField(), help_text="Rounds with stored standings.")
    listings = ListingSerializer(many=True)


class LuckLineSerializer(serializers.Serializer[Any]):
    entrant = serializers.IntegerField()
    name = serializers.CharField()
    luck = serializers.IntegerField(help_text="In points of a hundred: 100 is a whole win.")
    error = serializers.IntegerField(help_text="The luck is within this of the number, nineteen times in twenty.")
    matches = serializers.IntegerField(help_text="Analysed ones that you may see.")


class LuckSerializer(serializers.Serializer[Any]):
    season = serializers.IntegerField()
    lines = LuckLineSerializer(many=True, help_text="The luckiest first.")


class AfterQuery(serializers.Serializer[Any]):
    after = serializers.IntegerField(
        required=False, min_value=1, max_value=100, help_text="As stored after this round."
    )


class ContributionSerializer(serializers.Serializer[Any]):
    round = serializers.IntegerField()
    opponent = serializers.CharField()
    amount = serializers.CharField()
    cut = serializers.BooleanField()
    note = serializers.CharField()


class BreakdownSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()
    total = serializers.CharField()
    lines = ContributionSerializer(many=True)
    note = serializers.CharField(help_text="Why there is no value; otherwise empty.")


class CellSerializer(serializers.Serializer[Any]):
    text = serializers.CharField()
    words = serializers.CharField()
    tone = serializers.CharField()


class CrossLineSerializer(serializers.Serializer[Any]):
    place = serializers.IntegerField()
    name = serializers.CharField()
    cells = CellSerializer(many=True)


class CrosstableSerializer(serializers.Serializer[Any]):
    group = serializers.IntegerField()
    against = serializers.BooleanField(help_text="Everybody against everybody; otherwise round by round.")
    heads = serializers.ListField(child=serializers.CharField())
    lines = CrossLineSerializer(many=True)


class CrosstablesSerializer(serializers.Serializer[Any]):
    crosstables = CrosstableSerializer(many=True)


class BracketLineSerializer(serializers.Serializer[Any]):
    seed = serializers.IntegerField(allow_null=True)
    name = serializers.CharField(help_text="Of the entrant; where they come from while that is open.")
    score = serializers.CharField(help_text="Empty without a score; + and − for a match without a game.")
    won = serializers.BooleanField()


class BracketMatchSerializer(serializers.Serializer[Any]):
    id = serializers.CharField()
    title = serializers.CharField(help_text="The name of its round.")
    lines = BracketLineSerializer(many=True)
    table = serializers.CharField(
        source="pairing.key", allow_null=True, default=None, help_text="The key of its table, to enter the result."
    )
    side = serializers.CharField()
    round = serializers.IntegerField()
    entrants = EntrantRef(many=True, allow_null=True)
    state = serializers.ChoiceField([state.value for state in MatchState])
    winner = serializers.IntegerField(allow_null=True)
    why = serializers.CharField()


class BracketSerializer(serializers.Serializer[Any]):
    champion = serializers.CharField(help_text="Empty until it is decided.")
    matches = BracketMatchSerializer(many=True)
    leftovers = serializers.ListField(child=serializers.CharField(), help_text="Results that no longer fit, in words.")


class ClosingLineSerializer(serializers.Serializer[Any]):
    entrant = EntrantRef()
    division = serializers.CharField(source="division.name")
    place = serializers.IntegerField()
    level = serializers.IntegerField(
        source="new", allow_null=True, help_text="Of next season; null for those who leave."
    )
    why = serializers.CharField()


class ClosingSerializer(serializers.Serializer[Any]):
    """Preview of the final standings and movements."""

    missing = serializers.ListField(child=serializers.CharField(), help_text="What is still open.")
    lines = ClosingLineSerializer(many=True)


class Standings(Api):
    tag = "standings"

    @operation("read_standings", gives=StandingsSerializer, query=AfterQuery)
    def get(self, request: Request, pk: int, query: Data) -> Any:
        """The standings of a stage: now, or as stored after a round."""
        stage = get_visible_or_404(request.user, Stage, pk=pk)
        closed = Round.objects.filter(stage=stage, status=Round.Status.CLOSED).order_by("number")
        numbers = list(closed.values_list("number", flat=True))
        after = query.get("after")
        if after is not None and after not in numbers:
            raise Http404
        listings = presentation.standings_tables(stage, after)
        return {"stage": stage.pk, "after": after, "closed_rounds": numbers, "listings": listings}


class Luck(Api):
    tag = "standings"

    @operation("read_luck", gives=LuckSerializer)
    def get(self, request: Request, pk: int) -> Any:
        """The luck of each entrant in the analysed matches of the stage's season. It changes no place."""
        season = get_visible_or_404(request.user, Stage, pk=pk).division.season
        return {"season": season.pk, "lines": luck.luck_in(season, request.user)}


class Breakdown(Api):
    tag = "standings"

    @operation("explain_tie_break", gives=BreakdownSerializer)
    def get(self, request: Request, pk: int, entrant: int, code: str) -> presentation.Explained:
        """The contributions to the value of a tie-break; with the code `points` to the points themselves."""
        explained = presentation.tie_break_breakdown(get_visible_or_404(request.user, Stage, pk=pk), entrant, code)
        if explained is None:
            raise Http404
        return explained


class Crosstables(Api):
    tag = "standings"

    @operation("read_crosstables", gives=CrosstablesSerializer)
    def get(self, request: Request, pk: int) -> Any:
        """Crosstables: everybody against everybody, or round by round; one for each group."""
        stage = get_visible_or_404(request.user, Stage, pk=pk)
        tables = [
            (listing.group, presentation.crosstable(stage, listing)) for listing in presentation.standings_tables(stage)
        ]
        return {"crosstables": [_crosstable(group, table) for group, table in tables if table]}


def _crosstable(group: int, table: presentation.Crosstable) -> Data:
    lines = [{"place": line.row.place, "name": line.name, "cells": cells} for line, cells in table.lines]
    return {"group": group, "against": table.against, "heads": table.heads, "lines": lines}


class Bracket(Api):
    tag = "standings"

    @operation("read_bracket", gives=BracketSerializer)
    def get(self, request: Request, pk: int) -> Any:
        """The bracket of a knock-out stage."""
        return _bracket(get_visible_or_404(request.user, Stage, pk=pk))

    @operation("open_bracket", gives=BracketSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Any:
        """Open the first matches of a bracket; the others follow from results. Repeating it changes nothing."""
        stage = get_visible_or_404(request.user, Stage, pk=pk)
        draw.open_bracket(actor=request.user, stage=stage)
        return _bracket(stage)


def _bracket(stage: Stage) -> Data:
    bracket = bracket_presentation.shown_bracket(stage)
    if bracket is None:
        raise Http404
    called = reason_text.entrant_names(stage)
    matches = [_match(shown, called) for shown in bracket.matches]
    return {"champion": bracket.champion, "matches": matches, "leftovers": bracket.leftovers}


def _match(shown: bracket_presentation.ShownMatch, called: dict[int, str]) -> Data:
    match = shown.match
    return {
        "id": match.id,
        "title": shown.title,
        "lines": shown.lines,
        "pairing": shown.pairing,
        "side": match.side,
        "round": match.round,
        "entrants": [{"id": who, "name": called[who]} for who in match.entrants if who in called],
        "state": match.state.value,
        "winner": match.winner if match.winner in called else None,
        "why": shown.said,
    }


class Closing(Api):
    tag = "seasons"

    @operation("preview_closing", gives=ClosingSerializer, private=True)
    def get(self, request: PersonRequest, pk: int) -> Any:
        """Who would be promoted and relegated if the season were closed now; for organisers."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        require(request.user, Permission.ORGANISE, season)
        seen = final_standings.preview(season=season)
        called = {line.entrant.pk: line.entrant.name for line in seen.lines}
        lines = [
            {
                "entrant": line.entrant,
                "division": line.division,
                "place": line.place,
                "new": line.new,
                "why": render_reason(line.reason, called, line.division.name),
            }
            for line in seen.lines
        ]
        return {"missing": seen.missing, "lines": lines}

    @operation("close_season", gives=SeasonSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Season:
        """Close a season: its standings and movements are final. Repeating it changes nothing."""
        return closing.close_season(actor=request.user, season=get_visible_or_404(request.user, Season, pk=pk))
