"""What can be read from a leaderboard beyond its places."""

from typing import Any

from django.http import QueryDict
from rest_framework import serializers
from rest_framework.request import Request

from accounts.access import Actor
from accounts.api.base import Api
from accounts.api.fields import PersonSerializer
from accounts.infra.rest import Data, operation
from accounts.models import User
from games.api.serializers import GameField
from leagues.api.ratings import ROLES, Points
from leagues.leaderboards import insight_pages, insights
from leagues.leaderboards.board_query import Board, board_from_query
from leagues.leaderboards.rows import LATELY


class RoleField(serializers.CharField):
    def __init__(self) -> None:
        super().__init__(required=False, max_length=20, help_text=f"{ROLES}, where there are roles.")


class WindowField(serializers.RegexField):
    def __init__(self) -> None:
        words = "`30`, `90`, `365` days, or `season-7`."
        super().__init__(r"^(30|90|365|season-[0-9]{1,9})\Z", required=False, help_text=words)


class CountedField(serializers.DateTimeField):
    def __init__(self) -> None:
        super().__init__(allow_null=True, help_text="When it was counted; null if it has not been yet.")


class DistributionQuery(serializers.Serializer[Any]):
    role = RoleField()
    club = serializers.SlugField(required=False, max_length=60)


class BarSerializer(serializers.Serializer[Any]):
    low = serializers.IntegerField(help_text="The first points of the bar.")
    high = serializers.IntegerField(help_text="The points at which the next bar begins.")
    players = serializers.IntegerField()


class StandpointSerializer(serializers.Serializer[Any]):
    rating = serializers.IntegerField(source="points")
    percent = serializers.IntegerField(help_text="How many of a hundred players have fewer points.")


class DistributionSerializer(serializers.Serializer[Any]):
    game = GameField()
    role = serializers.CharField()
    club = serializers.CharField(allow_null=True)
    counted_at = CountedField()
    players = serializers.IntegerField(help_text="Everyone with a place.")
    bars = BarSerializer(many=True)
    you = StandpointSerializer(allow_null=True, help_text="Your own place in it, if you have one.")


class ClimbersQuery(serializers.Serializer[Any]):
    club = serializers.SlugField(required=False, max_length=60)


class ClimberSerializer(serializers.Serializer[Any]):
    person = PersonSerializer(source="user")
    gained = Points()
    rating = Points(source="number")
    games = serializers.IntegerField(help_text="In these days.")


class ClimbersSerializer(serializers.Serializer[Any]):
    game = GameField()
    club = serializers.CharField(allow_null=True)
    counted_at = CountedField()
    days = serializers.IntegerField()
    rows = ClimberSerializer(many=True)


class RunSerializer(serializers.Serializer[Any]):
    person = PersonSerializer(source="user")
    wins = serializers.IntegerField()
    first = serializers.DateField()
    last = serializers.DateField()


class BoardUpsetSerializer(serializers.Serializer[Any]):
    winners = PersonSerializer(many=True, help_text="The winner, or in a cooperative game the team.")
    loser = PersonSerializer(allow_null=True, help_text="Null in a cooperative game.")
    scenario = serializers.CharField(help_text="Of a cooperative game; empty otherwise.")
    gap = Points(help_text="By how much the winner was weaker.")
    at = serializers.DateTimeField()
    change = serializers.IntegerField(help_text="The number of the winner’s rating change.")
    match = serializers.CharField(allow_null=True, help_text="The table’s key, if you may see it.")


class MostMatchesSerializer(serializers.Serializer[Any]):
    person = PersonSerializer(source="user")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()


class RecordsSerializer(serializers.Serializer[Any]):
    game = GameField()
    counted_at = CountedField()
    runs = RunSerializer(many=True, help_text="Of wins, the longest first.")
    upsets = BoardUpsetSerializer(many=True, help_text="Public games only.")
    most_matches = MostMatchesSerializer(many=True)


class TablesQuery(serializers.Serializer[Any]):
    players = serializers.IntegerField(
        required=False, min_value=2, max_value=99, help_text="The size of the tables; otherwise the smallest."
    )


class AtTableSerializer(serializers.Serializer[Any]):
    place = serializers.IntegerField()
    person = PersonSerializer(source="user")
    gained = Points(help_text="What games at tables of this size changed in the rating.")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()


class TablesSerializer(serializers.Serializer[Any]):
    game = GameField()
    players = serializers.IntegerField()
    counted_at = CountedField()
    rows = AtTableSerializer(many=True)


class CurvesQuery(serializers.Serializer[Any]):
    role = RoleField()
    window = WindowField()
    people = serializers.CharField(
        required=False,
        max_length=300,
        help_text=f"Handles, separated by commas, at most {insights.MAX_CURVES}; otherwise the first of the board.",
    )


class DaySerializer(serializers.Serializer[Any]):
    day = serializers.DateField()
    rating = Points(source="number")


class CurveSerializer(serializers.Serializer[Any]):
    person = PersonSerializer(source="user")
    games = serializers.IntegerField()
    days = DaySerializer(many=True, help_text="The rating at the end of each day with a game, in UTC.")


class CurvesSerializer(serializers.Serializer[Any]):
    game = GameField()
    role = serializers.CharField()
    curves = CurveSerializer(many=True)


class StoryQuery(serializers.Serializer[Any]):
    role = RoleField()
    window = WindowField()


class ReignSerializer(serializers.Serializer[Any]):
    person = PersonSerializer(source="user")
    first = serializers.DateField()
    last = serializers.DateField()
    days = serializers.IntegerField()
    rating = Points(source="number", help_text="On the last of these days.")


class StorySerializer(serializers.Serializer[Any]):
    game = GameField()
    role = serializers.CharField()
    counted_at = CountedField()
    reigns = ReignSerializer(many=True, help_text="The earliest first.")


class RatingDistribution(Api):
    tag = "ratings"

    @operation("read_rating_distribution", gives=DistributionSerializer, query=DistributionQuery)
    def get(self, request: Request, game: str, query: Data) -> Any:
        """How many players have which rating, and your own place among them."""
        board = _board("distribution", game, query, request.user)
        told = insights.distribution(board, request.user if isinstance(request.user, User) else None)
        named = {"game": game, "role": board.role, "club": board.club.slug if board.club else None}
        return named | {"counted_at": told.counted_at, "players": told.players, "bars": told.bars, "you": told.you}


class Climbers(Api):
    tag = "ratings"

    @operation("read_climbers", gives=ClimbersSerializer, query=ClimbersQuery)
    def get(self, request: Request, game: str, query: Data) -> Any:
        """Who has won most points in the last thirty days."""
        board = _board("climbers", game, query, request.user)
        counted_at, rows = insights.climbers(board)
        club = board.club.slug if board.club else None
        return {"game": game, "club": club, "counted_at": counted_at, "days": LATELY.days, "rows": rows}


class Records(Api):
    tag = "ratings"

    @operation("read_board_records", gives=RecordsSerializer)
    def get(self, request: Request, game: str) -> Any:
        """The longest runs of wins, the biggest upsets and the most matches of a game."""
        told = insights.records(_board("records", game, {}, request.user), request.user)
        upsets = [
            {
                "winners": [upset.change.user] if upset.loser else [seat.user for seat in upset.winner.table],
                "loser": upset.loser.user if upset.loser else None,
                "scenario": upset.change.result.scenario,
                "gap": upset.gap,
                "at": upset.change.at,
                "change": upset.change.pk,
                "match": upset.change.result.match.key if upset.winner.may_open and upset.change.result.match else None,
            }
            for upset in told.upsets
        ]
        rest = {"counted_at": told.counted_at, "runs": told.runs, "most_matches": told.most_matches}
        return {"game": game, "upsets": upsets, **rest}


class TableSizes(Api):
    tag = "ratings"

    @operation("read_table_size_board", gives=TablesSerializer, query=TablesQuery)
    def get(self, request: Request, game: str, query: Data) -> Any:
        """What tables of one size did to ratings, most points first."""
        board = _board("tables", game, {}, request.user)
        players = query.get("players", insights.sizes_of(game)[0])
        counted_at, rows = insights.at_tables_of(board, players)
        return {"game": game, "players": players, "counted_at": counted_at, "rows": rows}


class RatingCurves(Api):
    tag = "ratings"

    @operation("read_rating_curves", gives=CurvesSerializer, query=CurvesQuery)
    def get(self, request: Request, game: str, query: Data) -> Any:
        """The ratings of several players over time."""
        board = _board("curves", game, query, request.user)
        people = insights.people_named(board, query.get("people", ""))
        return {"game": game, "role": board.role, "curves": insights.curves(board, people, request.user)}


class BoardStory(Api):
    tag = "ratings"

    @operation("read_board_story", gives=StorySerializer, query=StoryQuery)
    def get(self, request: Request, game: str, query: Data) -> Any:
        """Who led a leaderboard when, in the last two years."""
        board = _board("story", game, query, request.user)
        counted_at, reigns = insights.story(board)
        return {"game": game, "role": board.role, "counted_at": counted_at, "reigns": reigns}


def _board(name: str, game: str, query: Data, reader: Actor) -> Board:
    wanted = QueryDict(mutable=True)
    wanted.update({key: str(query[key]) for key in ("role", "club", "window") if key in query})
    return insight_pages.narrowed(board_from_query(game, wanted, reader), name)
