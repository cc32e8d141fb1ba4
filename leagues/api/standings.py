from typing import Any

from django.http import Http404
from rest_framework import serializers
from rest_framework.request import Request

from accounts.models import Scope
from accounts.rest import Api, Data, PersonRequest, operation
from leagues import catalogue, close, ranking, shown, words
from leagues.access import Permission, require
from leagues.api.common import found
from leagues.api.shapes import EntrantRef, SeasonShape
from leagues.formats.bracket import MatchState
from leagues.models import Round, Season, Stage
from leagues.words import said


class ColumnShape(serializers.Serializer):
    code = serializers.CharField()
    short = serializers.CharField()
    title = serializers.CharField()


class ValueShape(serializers.Serializer):
    code = serializers.CharField()
    text = serializers.CharField()
    note = serializers.CharField(help_text="Why there is no value; else empty.")


class StandingShape(serializers.Serializer):
    place = serializers.IntegerField(allow_null=True, help_text="Null before the first result: no order yet.")
    entrant = serializers.IntegerField(source="row.entrant")
    name = serializers.CharField()
    points = serializers.CharField(help_text="As people write them; `score` is exact.")
    score = serializers.IntegerField(source="row.score", help_text="In the smallest parts of a point.")
    played = serializers.IntegerField(source="row.played")
    values = ValueShape(many=True, help_text="Of the tie-breaks.")
    why = serializers.CharField(help_text="What put this line below the one above.")
    climbed = serializers.IntegerField(allow_null=True, help_text="Places since the round before.")


class ListingShape(serializers.Serializer):
    group = serializers.IntegerField(help_text="0 where there are no groups.")
    ranked = serializers.BooleanField(help_text="False before the first result: the lines are in alphabetical order.")
    columns = ColumnShape(many=True)
    lines = StandingShape(many=True)


class StandingsShape(serializers.Serializer):
    stage = serializers.IntegerField()
    after = serializers.IntegerField(allow_null=True, help_text="The round; null is now.")
    closed_rounds = serializers.ListField(child=serializers.IntegerField(), help_text="That have kept standings.")
    listings = ListingShape(many=True)


class AfterQuery(serializers.Serializer):
    after = serializers.IntegerField(
        required=False, min_value=1, max_value=100, help_text="As they were kept at the close of this round."
    )


class ContributionShape(serializers.Serializer):
    round = serializers.IntegerField()
    opponent = serializers.CharField()
    amount = serializers.CharField()
    cut = serializers.BooleanField()
    note = serializers.CharField()


class BreakdownShape(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    total = serializers.CharField()
    lines = ContributionShape(many=True)
    note = serializers.CharField(help_text="Why there is no value; else empty.")


class CellShape(serializers.Serializer):
    text = serializers.CharField()
    words = serializers.CharField()
    tone = serializers.CharField()


class CrossLineShape(serializers.Serializer):
    place = serializers.IntegerField()
    name = serializers.CharField()
    cells = CellShape(many=True)


class CrosstableShape(serializers.Serializer):
    group = serializers.IntegerField()
    against = serializers.BooleanField(help_text="Everybody against everybody; else round by round.")
    heads = serializers.ListField(child=serializers.CharField())
    lines = CrossLineShape(many=True)


class CrosstablesShape(serializers.Serializer):
    crosstables = CrosstableShape(many=True)


class BracketMatchShape(serializers.Serializer):
    id = serializers.CharField()
    side = serializers.CharField()
    round = serializers.IntegerField()
    entrants = EntrantRef(many=True, allow_null=True)
    state = serializers.ChoiceField([state.value for state in MatchState])
    winner = serializers.IntegerField(allow_null=True)
    why = serializers.CharField()


class BracketShape(serializers.Serializer):
    matches = BracketMatchShape(many=True)


class ClosingLineShape(serializers.Serializer):
    entrant = EntrantRef()
    division = serializers.CharField(source="division.name")
    place = serializers.IntegerField()
    level = serializers.IntegerField(source="new", allow_null=True, help_text="Of next season; null for who leaves.")
    why = serializers.CharField()


class ClosingShape(serializers.Serializer):
    """Final tables and movements, before they are final."""

    missing = serializers.ListField(child=serializers.CharField(), help_text="What keeps the season open.")
    lines = ClosingLineShape(many=True)


class Standings(Api):
    tag = "standings"

    @operation("read_standings", gives=StandingsShape, query=AfterQuery)
    def get(self, request: Request, pk: int, query: Data) -> Any:
        """The standings of a stage: now, or as they were kept after a round."""
        stage = found(request.user, Stage, pk=pk)
        closed = Round.objects.filter(stage=stage, status=Round.Status.CLOSED).order_by("number")
        numbers = list(closed.values_list("number", flat=True))
        after = query.get("after")
        if after is not None and after not in numbers:
            raise Http404
        listings = shown.listings(stage, after)
        return {"stage": stage.pk, "after": after, "closed_rounds": numbers, "listings": listings}


class Breakdown(Api):
    tag = "standings"

    @operation("explain_tie_break", gives=BreakdownShape)
    def get(self, request: Request, pk: int, entrant: int, code: str) -> shown.Explained:
        """How the value of a tie-break came about, contribution by contribution."""
        explained = shown.explained(found(request.user, Stage, pk=pk), entrant, code)
        if explained is None:
            raise Http404
        return explained


class Crosstables(Api):
    tag = "standings"

    @operation("read_crosstables", gives=CrosstablesShape)
    def get(self, request: Request, pk: int) -> Any:
        """Who did what against whom, or round by round; one table for each group."""
        stage = found(request.user, Stage, pk=pk)
        told = [(listing.group, shown.crosstable(stage, listing)) for listing in shown.listings(stage)]
        return {"crosstables": [_crosstable(group, table) for group, table in told if table]}


def _crosstable(group: int, table: shown.Crosstable) -> Data:
    lines = [{"place": line.row.place, "name": line.name, "cells": cells} for line, cells in table.lines]
    return {"group": group, "against": table.against, "heads": table.heads, "lines": lines}


class Bracket(Api):
    tag = "standings"

    @operation("read_bracket", gives=BracketShape)
    def get(self, request: Request, pk: int) -> Any:
        """The bracket of a knock-out stage."""
        stage = found(request.user, Stage, pk=pk)
        if catalogue.FORMATS[stage.format].ranks != "bracket" or stage.starters.count() < 2:
            raise Http404
        called = words.names(stage)
        return {"matches": [_match(match, called) for match in ranking.bracket_of(stage).matches]}


def _match(match: Any, called: dict[int, str]) -> Data:
    return {
        "id": match.id,
        "side": match.side,
        "round": match.round,
        "entrants": [{"id": who, "name": called[who]} for who in match.entrants if who in called],
        "state": match.state.value,
        "winner": match.winner if match.winner in called else None,
        "why": said(match.reason, called),
    }


class Closing(Api):
    tag = "seasons"

    @operation("preview_closing", gives=ClosingShape, private=True)
    def get(self, request: PersonRequest, pk: int) -> Any:
        """Who would go up and down if the season were closed now; for organisers."""
        season = found(request.user, Season, pk=pk)
        require(request.user, Permission.ORGANISE, season)
        seen = close.preview(season=season)
        called = {line.entrant.pk: line.entrant.name for line in seen.lines}
        lines = [
            {
                "entrant": line.entrant,
                "division": line.division,
                "place": line.place,
                "new": line.new,
                "why": said(line.reason, called, line.division.name),
            }
            for line in seen.lines
        ]
        return {"missing": seen.missing, "lines": lines}

    @operation("close_season", gives=SeasonShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Season:
        """Close a season: its tables and movements are final. Closed twice, closed once."""
        return close.close_season(actor=request.user, season=found(request.user, Season, pk=pk))
