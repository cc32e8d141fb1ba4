from typing import Any

from django.db.models import QuerySet
from django.http import Http404, QueryDict
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request

from accounts.models import User
from accounts.rest import Api, Data, operation
from accounts.rest.fields import PersonShape
from games import access as tables
from games.api.shapes import GAMES
from games.models import Match
from leagues.boards import between, meetings, places, sums
from leagues.boards.board import Board, asked
from leagues.models import Rating, RatingChange
from leagues.ratings.kinds import SCALE

A_PAGE, LARGEST = 50, 200


@extend_schema_field({"type": "number"})
class Points(serializers.IntegerField):
    """Kept in thousandths, told in points."""

    def to_representation(self, value: int) -> float:  # type: ignore[override]
        return value / SCALE


class Deviation(serializers.FloatField):
    """In points, to one decimal."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("help_text", "True strength lies within twice as many points, nineteen times in twenty.")
        super().__init__(**options)

    def to_representation(self, value: float) -> float:  # type: ignore[override]
        return round(value, 1)


class ShareShape(serializers.Serializer):
    role = serializers.CharField(help_text="Empty for all.")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()


class RowShape(serializers.Serializer):
    place = serializers.IntegerField()
    person = PersonShape(source="user")
    rating = Points(source="number")
    deviation = Deviation()
    provisional = serializers.BooleanField(help_text="Whether the deviation is more than 100.")
    change = Points(allow_null=True, help_text="In the last thirty days.")
    games = serializers.IntegerField()
    wins = ShareShape(source="shares", many=True)
    curve = serializers.ListField(child=Points())


class BoardShape(serializers.Serializer):
    game = serializers.ChoiceField(GAMES)
    role = serializers.CharField()
    club = serializers.CharField(allow_null=True)
    bots = serializers.BooleanField()
    since = serializers.DateTimeField(allow_null=True)
    until = serializers.DateTimeField(allow_null=True)
    cooperative = serializers.BooleanField()
    page = serializers.IntegerField()
    next = serializers.CharField(allow_null=True, help_text="The address of the next page.")
    rows = RowShape(many=True)


class BoardQuery(serializers.Serializer):
    role = serializers.CharField(required=False, max_length=20, help_text="`thanos` or `hero`, where there are roles.")
    club = serializers.SlugField(required=False, max_length=60)
    bots = serializers.ChoiceField(["yes", "no"], required=False)
    window = serializers.RegexField(
        r"^(30|90|365|season-[0-9]{1,9})\Z", required=False, help_text="`30`, `90`, `365` days, or `season-7`."
    )
    since = serializers.DateField(required=False, help_text="The first day, in UTC.")
    until = serializers.DateField(required=False, help_text="The last day, in UTC.")
    page = serializers.IntegerField(default=1, min_value=1, max_value=1_000_000)
    size = serializers.IntegerField(default=A_PAGE, min_value=1, max_value=LARGEST)


class RatingShape(serializers.Serializer):
    game = serializers.ChoiceField(GAMES, source="pool.game")
    rating = Points()
    deviation = Deviation()
    provisional = serializers.BooleanField(source="is_provisional", help_text="Whether the deviation is more than 100.")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    as_thanos = Points(source="as_solo", help_text="Where one plays against many.")
    as_hero = Points(source="as_team")
    last_at = serializers.DateTimeField()


class RatingsShape(serializers.Serializer):
    person = PersonShape()
    ratings = RatingShape(many=True)


class ChangeShape(serializers.Serializer):
    """What one result did to one rating."""

    id = serializers.IntegerField()
    person = PersonShape(source="user")
    game = serializers.ChoiceField(GAMES, source="pool.game")
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
    deviation_before = Deviation(help_text="On the day of the game; 0 where an earlier method made the change.")
    deviation_after = Deviation(help_text="After it; 0 where an earlier method made the change.")
    games = serializers.IntegerField(help_text="Rated games before this one.")


class ChangeQuery(serializers.Serializer):
    game = serializers.ChoiceField(GAMES, required=False)


class SumShape(serializers.Serializer):
    label = serializers.CharField()  # type: ignore[assignment]
    k = serializers.FloatField(source="sum.k")
    share = serializers.IntegerField(help_text="How many players of one side share the change.")
    expected = serializers.FloatField(help_text="Of all lines together.")
    actual = serializers.FloatField()
    before = serializers.FloatField()
    after = serializers.FloatField()


class MetShape(serializers.Serializer):
    person = PersonShape(source="change.user", allow_null=True, help_text="Nobody for the line of a scenario.")
    rating = serializers.FloatField(source="number")
    deviation = Deviation(help_text="Of that number, on the day of the game.")
    expected = serializers.FloatField()
    actual = serializers.FloatField(source="meeting.actual")
    counts = serializers.FloatField(source="meeting.counts")
    points = serializers.FloatField()


class OpenedShape(serializers.Serializer):
    """A change opened to its whole sum, one line an opponent: K x counts x (actual - expected)."""

    change = ChangeShape()
    table = ChangeShape(many=True, help_text="All changes that the same result made.")
    sums = SumShape(many=True, source="parts")
    met = MetShape(many=True, help_text="The lines: opponents one by one, or the scenario. They add up to the change.")
    offset = serializers.FloatField(help_text="Of the seat, the team’s size or the scenario.")
    superseded = serializers.BooleanField(source="is_superseded", help_text="Whether a correction has replaced it.")
    match = serializers.CharField(allow_null=True, help_text="The table’s key, where I may know it.")


class ChangesShape(serializers.Serializer):
    changes = ChangeShape(many=True)


class BetweenGameShape(serializers.Serializer):
    game = serializers.ChoiceField(GAMES)
    won = serializers.IntegerField()
    tied = serializers.IntegerField()
    lost = serializers.IntegerField()
    together = serializers.IntegerField()
    together_won = serializers.IntegerField()
    expected = serializers.IntegerField(allow_null=True, help_text="Chance of the left one next time, in percent.")


class BetweenShape(serializers.Serializer):
    left = PersonShape()
    right = PersonShape()
    tables = serializers.IntegerField(help_text="That both sat at.")
    games = BetweenGameShape(many=True)


class Leaderboard(Api):
    tag = "ratings"

    @operation("read_leaderboard", gives=BoardShape, query=BoardQuery)
    def get(self, request: Request, game: str, query: Data) -> Any:
        """A leaderboard of a game, page by page."""
        board = _board(game, query)
        number, size = query["page"], query["size"]
        rows = places.page(board, (number - 1) * size, size + 1)
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


def _board(game: str, query: Data) -> Board:
    if ("since" in query) != ("until" in query) and "window" in query:
        raise ValidationError({"window": ["A window has a name, or a first and a last day."]})
    said = {"from" if name == "since" else "to" if name == "until" else name: str(query[name]) for name in query}
    wanted = QueryDict(mutable=True)
    wanted.update({name: value for name, value in said.items() if name not in ("page", "size")})
    return asked(game, wanted)


class RatingsOf(Api):
    tag = "ratings"

    @operation("read_ratings", gives=RatingsShape)
    def get(self, request: Request, handle: str) -> Any:
        """Somebody’s ratings in all games."""
        person = somebody(handle)
        rows = Rating.objects.filter(user=person).select_related("pool").order_by("pool__game")
        return {"person": person, "ratings": rows}


class ChangesOf(Api):
    tag = "ratings"

    @operation("list_rating_changes", gives=ChangeShape, query=ChangeQuery, pages=("-at", "-pk"))
    def get(self, request: Request, handle: str, query: Data) -> QuerySet[RatingChange]:
        """How somebody’s ratings moved, the latest first."""
        rows = RatingChange.objects.standing().filter(user=somebody(handle)).select_related("pool", "user")
        return rows.filter(pool__game=query["game"]) if "game" in query else rows


class OneChange(Api):
    tag = "ratings"

    @operation("read_rating_change", gives=OpenedShape)
    def get(self, request: Request, pk: int) -> Any:
        """One rating change with the whole sum behind it."""
        change = get_object_or_404(RatingChange.objects.select_related("pool", "user", "result__match"), pk=pk)
        opened = sums.opened(change)
        for row in opened.table:
            row.pool = change.pool
        match = change.result.match if meetings.open_to(request.user, [opened.table]) else None
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

    @operation("read_match_ratings", gives=ChangesShape)
    def get(self, request: Request, key: str) -> Any:
        """What a match has done to its players’ ratings."""
        match = Match.objects.with_people().filter(key=key).first()
        if match is None or not tables.may(request.user, tables.Permission.SEE, match):
            raise Http404
        rows = RatingChange.objects.standing().filter(result__match=match).select_related("pool", "user")
        return {"changes": rows.order_by("seat")}


class Between(Api):
    tag = "ratings"

    @operation("read_between", gives=BetweenShape)
    def get(self, request: Request, left: str, right: str) -> Any:
        """All that has been between two players."""
        pair = somebody(left), somebody(right)
        if pair[0] == pair[1]:
            raise Http404
        shared = between.pairs(*pair, request.user)
        return {
            "left": pair[0],
            "right": pair[1],
            "tables": len(shared),
            "games": between.by_game(*pair, shared),
        }


def somebody(handle: str) -> User:
    return get_object_or_404(User, handle__iexact=handle, is_active=True)
