from typing import Any

from django.db.models import QuerySet
from django.http import Http404, QueryDict
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

import engine
from accounts.access import Actor
from accounts.api.base import Api
from accounts.api.fields import PersonSerializer
from accounts.infra.rest import Data, operation
from accounts.models import User
from games import access as tables
from games.api.serializers import GameField
from games.models import Match
from leagues.elo.result_types import SCALE
from leagues.leaderboards import change_breakdown, encounters, head_to_head
from leagues.leaderboards import rows as leaderboards_rows
from leagues.leaderboards.board_query import Board, board_from_query
from leagues.models import Rating, RatingChange

A_PAGE, LARGEST = 50, 200


@extend_schema_field({"type": "number"})
class Points(serializers.IntegerField):
    """Stored in thousandths, shown in points."""

    def to_representation(self, value: int) -> float:  # type: ignore[override]
        return value / SCALE


ROLES = " or ".join(
    f"`{role}`"
    for role in dict.fromkeys(
        role for rules in map(engine.game, engine.GAMES) if rules.solo_role for role in rules.roles(rules.players[-1])
    )
)


class Deviation(serializers.FloatField):
    """In points, to one decimal."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("help_text", "True strength lies within twice as many points with 95 % probability.")
        super().__init__(**options)

    def to_representation(self, value: float) -> float:  # type: ignore[override]
        return round(value, 1)


class ShareSerializer(serializers.Serializer[Any]):
    role = serializers.CharField(help_text="Empty for all.")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()


class RowSerializer(serializers.Serializer[Any]):
    place = serializers.IntegerField(allow_null=True, help_text="Null for somebody who is not ranked.")
    eligible = serializers.BooleanField(help_text="Whether they are ranked: certain enough, and active.")
    reason = serializers.CharField(help_text="Why they are not ranked, in words; empty otherwise.")
    person = PersonSerializer(source="user")
    rating = Points(source="number")
    deviation = Deviation()
    provisional = serializers.BooleanField(help_text="Whether the deviation is more than 100.")
    change = Points(allow_null=True, help_text="In the last thirty days.")
    games = serializers.IntegerField()
    wins = ShareSerializer(source="shares", many=True)
    curve = serializers.ListField(child=Points())


class BoardSerializer(serializers.Serializer[Any]):
    game = GameField()
    role = serializers.CharField()
    club = serializers.CharField(allow_null=True)
    bots = serializers.BooleanField()
    since = serializers.DateTimeField(allow_null=True)
    until = serializers.DateTimeField(allow_null=True)
    cooperative = serializers.BooleanField()
    page = serializers.IntegerField()
    next = serializers.CharField(allow_null=True, help_text="The address of the next page.")
    rows = RowSerializer(many=True)


class BoardQuery(serializers.Serializer[Any]):
    role = serializers.CharField(required=False, max_length=20, help_text=f"{ROLES}, where there are roles.")
    club = serializers.SlugField(required=False, max_length=60)
    bots = serializers.ChoiceField(["yes", "no"], required=False)
    all = serializers.ChoiceField(
        ["yes", "no"],
        required=False,
        help_text="`yes` ranks everybody, also those with provisional ratings or inactive.",
    )
    window = serializers.RegexField(
        r"^(30|90|365|season-[0-9]{1,9})\Z", required=False, help_text="`30`, `90`, `365` days, or `season-7`."
    )
    since = serializers.DateField(required=False, help_text="The first day, in UTC.")
    until = serializers.DateField(required=False, help_text="The last day, in UTC.")
    page = serializers.IntegerField(default=1, min_value=1, max_value=1_000_000)
    size = serializers.IntegerField(default=A_PAGE, min_value=1, max_value=LARGEST)


class RatingSerializer(serializers.Serializer[Any]):
    game = GameField(source="pool.game")
    rating = Points()
    deviation = Deviation()
    provisional = serializers.BooleanField(source="is_provisional", help_text="Whether the deviation is more than 100.")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    as_thanos = Points(source="as_solo", help_text="Where one plays against many.")
    as_hero = Points(source="as_team")
    last_at = serializers.DateTimeField()


class RatingsSerializer(serializers.Serializer[Any]):
    person = PersonSerializer()
    ratings = RatingSerializer(many=True)


class ChangeSerializer(serializers.Serializer[Any]):
    """The effect of one result on one rating."""

    id = serializers.IntegerField()
    person = PersonSerializer(source="user")
    game = GameField(source="pool.game")
    at = serializers.DateTimeField()
    seat = serializers.IntegerField()
    players = serializers.IntegerField()
    role = serializers.CharField()
    rank = serializers.IntegerField()
    won = serializers.BooleanField()
    left = serializers.BooleanField()
    before = Points()
    after = Points()
    moved = Points()
    deviation_before = Deviation(help_text="On the day of the game; 0 if computed by an earlier method.")
    deviation_after = Deviation(help_text="After it; 0 if computed by an earlier method.")
    games = serializers.IntegerField(help_text="Rated games before this one.")


class ChangeQuery(serializers.Serializer[Any]):
    game = GameField(required=False)


class SumSerializer(serializers.Serializer[Any]):
    label = serializers.CharField()  # type: ignore[assignment]
    k = serializers.FloatField(source="sum.k")
    share = serializers.IntegerField(help_text="How many players of one side share the change.")
    expected = serializers.FloatField(help_text="Of all lines together.")
    actual = serializers.FloatField()
    before = serializers.FloatField()
    after = serializers.FloatField()


class MetSerializer(serializers.Serializer[Any]):
    person = PersonSerializer(source="change.user", allow_null=True, help_text="Nobody for the line of a scenario.")
    rating = serializers.FloatField(source="number")
    deviation = Deviation(help_text="Of that number, on the day of the game.")
    expected = serializers.FloatField()
    actual = serializers.FloatField(source="meeting.actual")
    counts = serializers.FloatField(source="meeting.counts")
    points = serializers.FloatField()


class OpenedSerializer(serializers.Serializer[Any]):
    """The full calculation of a change, one line for each opponent: K x counts x (actual - expected)."""

    change = ChangeSerializer()
    table = ChangeSerializer(many=True, help_text="All changes of the same result.")
    sums = SumSerializer(many=True, source="parts")
    met = MetSerializer(
        many=True, help_text="The lines: opponents one by one, or the scenario. They add up to the change."
    )
    offset = serializers.FloatField(help_text="Of the seat, the team’s size or the scenario.")
    superseded = serializers.BooleanField(source="is_superseded", help_text="Whether a correction has replaced it.")
    match = serializers.CharField(allow_null=True, help_text="The table’s key, if you may see it.")


class ChangesSerializer(serializers.Serializer[Any]):
    changes = ChangeSerializer(many=True)


class BetweenGameSerializer(serializers.Serializer[Any]):
    game = GameField()
    won = serializers.IntegerField()
    tied = serializers.IntegerField()
    lost = serializers.IntegerField()
    together = serializers.IntegerField()
    together_won = serializers.IntegerField()
    expected = serializers.IntegerField(
        allow_null=True, help_text="Chance of the left player in the next game, in percent."
    )


class BetweenSerializer(serializers.Serializer[Any]):
    left = PersonSerializer()
    right = PersonSerializer()
    tables = serializers.IntegerField(help_text="That both sat at.")
    games = BetweenGameSerializer(many=True)


class Leaderboard(Api):
    tag = "ratings"

    @operation("read_leaderboard", gives=BoardSerializer, query=BoardQuery)
    def get(self, request: Request, game: str, query: Data) -> Any:
        """A leaderboard of a game, page by page."""
        board = _board(game, query, request.user)
        number, size = query["page"], query["size"]
        rows = leaderboards_rows.page(board, (number - 1) * size, size + 1)
        following = None
        if len(rows) > size:
            params = request.query_params.copy()
            params["page"] = str(number + 1)
            following = request.build_absolute_uri(f"{request.path}?{params.urlencode()}")
        return {
            "game": board.game,
            "role": board.role,
            "club": board.club.slug if board.club else None,
            "bots": board.bots,
            "since": board.window.since,
            "until": board.window.until,
            "cooperative": board.is_cooperative,
            "page": number,
            "next": following,
            "rows": rows[:size],
        }


def _board(game: str, query: Data, reader: Actor) -> Board:
    if ("since" in query) != ("until" in query) and "window" in query:
        raise ValidationError({"window": ["A window has a name, or a first and a last day."]})
    given = {"from" if name == "since" else "to" if name == "until" else name: str(query[name]) for name in query}
    wanted = QueryDict(mutable=True)
    wanted.update({name: value for name, value in given.items() if name not in ("page", "size")})
    return board_from_query(game, wanted, reader)


class RatingsOf(Api):
    tag = "ratings"

    @operation("read_ratings", gives=RatingsSerializer)
    def get(self, request: Request, handle: str) -> Any:
        """A player’s ratings in all games."""
        person = somebody(handle)
        rows = Rating.objects.filter(user=person).select_related("pool").order_by("pool__game")
        return {"person": person, "ratings": rows}


class ChangesOf(Api):
    tag = "ratings"

    @operation("list_rating_changes", gives=ChangeSerializer, query=ChangeQuery, pages=("-at", "-pk"))
    def get(self, request: Request, handle: str, query: Data) -> QuerySet[RatingChange]:
        """A player’s rating changes, the latest first."""
        rows = RatingChange.objects.standing().filter(user=somebody(handle)).select_related("pool", "user")
        rows = rows.exclude(result__source__in=encounters.hidden_sources(request.user))
        return rows.filter(pool__game=query["game"]) if "game" in query else rows


class OneChange(Api):
    tag = "ratings"

    @operation("read_rating_change", gives=OpenedSerializer)
    def get(self, request: Request, pk: int) -> Any:
        """One rating change with its full calculation."""
        change = get_object_or_404(RatingChange.objects.select_related("pool", "user", "result__match"), pk=pk)
        if not encounters.may_see_table(request.user, change.result.source):
            raise Http404
        opened = change_breakdown.change_breakdown(change)
        for row in opened.table:
            row.pool = change.pool
        match = change.result.match if encounters.linkable_matches(request.user, [opened.table]) else None
        return {
            "change": change,
            "table": opened.table,
            "parts": opened.parts,
            "met": opened.met,
            "offset": opened.offset,
            "is_superseded": opened.is_superseded,
            "match": match.key if match else None,
        }


class ChangesOfMatch(Api):
    tag = "ratings"

    @operation("read_match_ratings", gives=ChangesSerializer)
    def get(self, request: Request, key: str) -> Any:
        """The rating changes of a match."""
        match = Match.objects.with_people().filter(key=key).first()
        if match is None or not tables.may(request.user, tables.Permission.SEE, match):
            raise Http404
        rows = RatingChange.objects.standing().filter(result__match=match).select_related("pool", "user")
        return {"changes": rows.order_by("seat")}


class Between(Api):
    tag = "ratings"

    @operation("read_between", gives=BetweenSerializer)
    def get(self, request: Request, left: str, right: str) -> Any:
        """The head-to-head record of two players."""
        pair = somebody(left), somebody(right)
        if pair[0] == pair[1]:
            raise Http404
        shared = head_to_head.pairs(*pair, request.user)
        return {
            "left": pair[0],
            "right": pair[1],
            "tables": len(shared),
            "games": head_to_head.by_game(*pair, shared),
        }


def somebody(handle: str) -> User:
    return get_object_or_404(User, handle__iexact=handle, is_active=True)
