"""Who stands where: the rows of a leaderboard.

A board is read along an index, page by page: first the players of the page, then everything else that the page shows
for these few alone. So a page costs the same with a thousand or a hundred thousand players. A past period is the
exception: ratings at its end are looked up for everyone who played in it.

Players with a sure rating who have played lately have a place. The others follow without one, each with the reason, so
that nobody leads a board by one lucky win or by staying away. A past period ranks everyone who played in it, and so
does a board that is asked to rank everybody.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, F, IntegerField, JSONField, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.infra.text import plain
from accounts.models import Club, Membership, User
from leagues.elo.deviation import utc_day
from leagues.elo.result_types import PROVISIONAL, points
from leagues.leaderboards import number_format
from leagues.leaderboards.board_query import Board, roles_of, side_of
from leagues.leaderboards.chart_svg import Spark, spark
from leagues.models import Entrant, Rating, RatingChange, TeamMember

PAGE_SIZE = 50
LATELY = timedelta(days=30)
ACTIVE = timedelta(days=90)
"""How long a player without a game keeps their place."""
CURVE = 24
MAX_FOUND = 8


@dataclass(frozen=True)
class Share:
    """Games and wins in one role or in all."""

    role: str
    games: int
    wins: int

    @property
    def percent(self) -> int:
        return round(100 * self.wins / self.games) if self.games else 0

    @property
    def percent_text(self) -> str:
        return f"{self.percent}%" if self.games else "–"

    @property
    def games_text(self) -> str:
        return str(self.games) if self.games else ""


@dataclass(frozen=True)
class LeaderboardRow:
    """One row of a board. The rating is in thousandths of a point, as it is stored."""

    place: int | None
    user: User
    number: int
    change: int | None
    games: int
    shares: tuple[Share, ...]
    curve: tuple[int, ...]
    deviation: float
    last_at: datetime

    @property
    def provisional(self) -> bool:
        return self.deviation > PROVISIONAL

    @property
    def eligible(self) -> bool:
        return self.place is not None

    @property
    def reason(self) -> str:
        """Why the player has no place."""
        if self.eligible:
            return ""
        if self.provisional:
            return _("Not ranked yet: ± %(points)s is still too unsure") % {
                "points": number_format.plus_minus(self.deviation)
            }
        return _("No game since %(day)s") % {"day": date_format(self.last_at, "DATE_FORMAT")}

    @property
    def points(self) -> int:
        return points(self.number)

    @property
    def moved(self) -> int | None:
        """The difference between the two rounded ratings."""
        return None if self.change is None else self.points - points(self.number - self.change)

    @cached_property
    def spark(self) -> Spark | None:
        return spark(self.curve)

    # As text, because formatting numbers in a template is slow.

    @property
    def place_text(self) -> str:
        return "–" if self.place is None else str(self.place)

    @property
    def number_text(self) -> str:
        return str(self.number)

    @property
    def points_text(self) -> str:
        return str(self.points)

    @property
    def plus_minus_text(self) -> str:
        return f"± {number_format.plus_minus(self.deviation)}"

    @property
    def games_text(self) -> str:
        return str(self.games)

    @property
    def games_words(self) -> str:
        return ngettext("%(games)s game", "%(games)s games", self.games) % {"games": self.games}

    @property
    def moved_text(self) -> str:
        return number_format.signed(self.moved) or "–"

    @property
    def trend(self) -> str:
        return number_format.trend(self.moved)


class Listed(Subquery):
    """The column `number` of a query, as a list."""

    output_field = JSONField()
    template = "(SELECT json_group_array(listed.number) FROM (%(subquery)s) listed)"

    def as_postgresql(self, compiler: Any, connection: Any, **more: Any) -> Any:
        template = "(SELECT jsonb_agg(listed.number) FROM (%(subquery)s) listed)"
        return self.as_sql(compiler, connection, template, **more)


def ranked(board: Board) -> QuerySet[Any]:
    """Everyone with a place, best first, with the `number` they are ranked by. Equal numbers share a place."""
    return listed(board).filter(_eligible(board))


def unranked(board: Board) -> QuerySet[Any]:
    """Everyone else on the board, in the same order."""
    return listed(board).exclude(_eligible(board))


def _eligible(board: Board) -> Q:
    """Sure enough and active. A Q without conditions includes everybody."""
    if ranks_everyone(board):
        return Q()
    now = timezone.now()
    # One condition that is never NULL: players who never were sure must be among the unranked.
    sure = Q(**{f"{board.sure_column}__isnull": False, f"{board.sure_column}__gte": utc_day(now)})
    return sure & Q(last_at__gte=now - ACTIVE)


def ranks_everyone(board: Board) -> bool:
    return board.everyone or board.window.is_past


def listed(board: Board) -> QuerySet[Any]:
    """Everyone on the board, with a place or without."""
    ratings = Rating.objects.filter(pool=board.pool)
    if board.side:
        ratings = ratings.filter(**{f"{board.games_column}__gt": 0})
    if not board.bots:
        ratings = ratings.filter(is_bot=False)
    ratings = ratings.filter(_of_club(board.club)) if board.club else ratings.filter(is_guest=False)
    window = board.window
    if window.since:
        ratings = ratings.filter(last_at__gte=window.since)
    if window.until or (window.since and board.side):
        ratings = ratings.filter(Exists(_played(board)))
    number: Combinable = Subquery(_newest(board)[:1]) if window.is_past else F(board.column)
    return ratings.annotate(number=number).order_by(F("number").desc(), "user_id")


def _of_club(club: Club) -> Q:
    """Members, and guests who have entered one of its seasons."""
    entered = Entrant.objects.filter(season__league__club=club).values("user")
    in_teams = TeamMember.objects.filter(season__league__club=club).values("user")
    guests = Q(is_guest=True) & (Q(user__in=entered) | Q(user__in=in_teams))
    return Q(user__in=Membership.objects.filter(club=club).values("user")) | guests


def page(board: Board, offset: int, count: int = PAGE_SIZE) -> list[LeaderboardRow]:
    """So many rows from an offset on: ranked players, then the others."""
    if board.pool is None:
        return []
    rows = _ranked_rows(board, offset, count)
    missing = count - len(rows)
    if missing and not ranks_everyone(board):
        before = offset + len(rows) if rows else ranked(board).count()
        rows += _unranked_rows(board, max(0, offset - before), missing)
    return rows


def _ranked_rows(board: Board, offset: int, count: int) -> list[LeaderboardRow]:
    order = ranked(board)
    ratings = list(detailed(board, order.values("user_id")[offset : offset + count]))
    if not ratings:
        return []
    number = _number(ratings[0])
    # Players with the same number share the best of their places, also across pages.
    place = 1 + order.filter(number__gt=number).count() if offset else 1
    tallies = _tallies(board, [each.user_id for each in ratings])
    rows = []
    for at, rating in enumerate(ratings):
        if _number(rating) != number:
            number, place = _number(rating), offset + at + 1
        rows.append(_row(board, place, rating, tallies))
    return rows


def _unranked_rows(board: Board, offset: int, count: int) -> list[LeaderboardRow]:
    ratings = list(detailed(board, unranked(board).values("user_id")[offset : offset + count]))
    tallies = _tallies(board, [each.user_id for each in ratings]) if ratings else {}
    return [_row(board, None, rating, tallies) for rating in ratings]


def detailed(board: Board, users: QuerySet[Any, Any]) -> QuerySet[Any]:
    """The ratings of these players with everything a row shows, in the order of the board."""
    changes = _changes(board).filter(at__gte=board.window.since or _now(board) - LATELY).order_by("at", "pk")
    of_role = changes.filter(role=board.role) if board.role else changes
    if board.window.is_past:
        # The number is that of the role's last game: compare it with that of its first.
        changes = of_role
    ratings = Rating.objects.filter(pool=board.pool, user_id__in=users).select_related("user")
    return ratings.annotate(
        number=Subquery(_newest(board)[:1]) if board.window.is_past else F(board.column),
        before=Subquery(changes.values("before")[:1]),
        role_before=Subquery(of_role.values("role_before")[:1]),
        curve=Listed(_newest(board)[:CURVE]),
    ).order_by(F("number").desc(), "user_id")


def offset_of(board: Board, user: User) -> int | None:
    """How many rows are before this player's; None if they are not on the board."""
    if board.pool is None:
        return None
    offset = _offset_in(ranked(board), user)
    if offset is not None or ranks_everyone(board):
        return offset
    offset = _offset_in(unranked(board), user)
    return None if offset is None else ranked(board).count() + offset


def _offset_in(order: QuerySet[Any], user: User) -> int | None:
    own_number = order.filter(user=user).values_list("number", flat=True).first()
    if own_number is None:
        return None
    return order.filter(Q(number__gt=own_number) | Q(number=own_number, user_id__lt=user.pk)).count()


def place_of(board: Board, user: User) -> int | None:
    """A player's place, shared by equal numbers; None without a place."""
    if board.pool is None:
        return None
    order = ranked(board)
    own_number = order.filter(user=user).values_list("number", flat=True).first()
    return None if own_number is None else 1 + order.filter(number__gt=own_number).count()


def size(board: Board) -> int:
    """How many rows the board has, with a place or without."""
    return listed(board).count() if board.pool else 0


def find_players(board: Board, search: str) -> list[User]:
    """The first few players on the board whose name or handle contains all these words."""
    if board.pool is None or not plain(search).split():
        return []
    ratings = listed(board).select_related("user")
    for word in plain(search).split()[:5]:
        ratings = ratings.filter(user__search__contains=word)
    return [rating.user for rating in ratings[:MAX_FOUND]]


def _changes(board: Board, role: str = "") -> QuerySet[RatingChange]:
    """What changed the rating of the row's player until the period ended."""
    changes = RatingChange.objects.standing().filter(pool=board.pool, user=OuterRef("user_id"))
    if role:
        changes = changes.filter(role=role)
    return changes.filter(at__lt=board.window.until) if board.window.until else changes


def _played(board: Board) -> QuerySet[RatingChange]:
    changes = _changes(board, board.role)
    return changes.filter(at__gte=board.window.since) if board.window.since else changes


def _newest(board: Board) -> QuerySet[RatingChange, Any]:
    """The number after each game of the board's role, the last one first."""
    number = F("after") + F("role_after") if board.role else F("after")
    return _changes(board, board.role).order_by("-at", "-pk").annotate(number=number).values("number")


def _now(board: Board) -> datetime:
    """Now, or the end of the period."""
    return board.window.until if board.window.until and board.window.is_past else timezone.now()


def _tallies(board: Board, users: Sequence[int]) -> dict[int, dict[str, Share]]:
    """Games and wins in the period by player and role; empty where the ratings already have them."""
    window = board.window
    if window.is_all_time:
        return {}
    changes = RatingChange.objects.standing().filter(pool=board.pool, user_id__in=users)
    if window.since:
        changes = changes.filter(at__gte=window.since)
    if window.until:
        changes = changes.filter(at__lt=window.until)
    counted = (
        changes.order_by()
        .values_list("user_id", "role")
        .annotate(games=Count("pk"), wins=Count("pk", filter=Q(won=True), output_field=IntegerField()))
    )
    tallies: dict[int, dict[str, Share]] = {user: {} for user in users}
    for user, role, games, wins in counted:
        tallies[user][role] = Share(role, games, wins)
    return tallies


def _row(board: Board, place: int | None, rating: Rating, tallies: dict[int, dict[str, Share]]) -> LeaderboardRow:
    shares = _shares(board, rating, tallies)
    assert board.pool is not None
    rating.pool = board.pool
    games = next((share.games for share in shares if share.role == board.role), 0)
    return LeaderboardRow(
        place=place,
        user=rating.user,
        number=_number(rating),
        change=_change(board, rating),
        games=games if board.role else sum(share.games for share in shares),
        shares=shares,
        curve=tuple(reversed(getattr(rating, "curve", None) or ())),
        deviation=rating.deviation_on(utc_day(_now(board)), board.side),
        last_at=rating.last_at,
    )


def _shares(board: Board, rating: Rating, tallies: dict[int, dict[str, Share]]) -> tuple[Share, ...]:
    """By role if the game has roles, otherwise all in one."""
    roles = roles_of(board.game)
    if tallies:
        by_role = tallies[rating.user_id]
        if roles:
            return tuple(by_role.get(role, Share(role, 0, 0)) for role in roles)
        return (Share("", sum(one.games for one in by_role.values()), sum(one.wins for one in by_role.values())),)
    if not roles:
        return (Share("", rating.games, rating.wins),)
    sides = {role: side_of(board.game, role) for role in roles}
    return tuple(
        Share(role, getattr(rating, f"{side}_games"), getattr(rating, f"{side}_wins")) for role, side in sides.items()
    )


def _change(board: Board, rating: Rating) -> int | None:
    """How the period, or the last month, changed the number."""
    before = getattr(rating, "before", None)
    if before is None:
        return None
    if not board.side:
        return _number(rating) - int(before)
    role_before = getattr(rating, "role_before", None)
    if role_before is None:
        role_before = getattr(rating, f"{board.side}_delta")
    return _number(rating) - int(before) - int(role_before)


def _number(rating: Rating) -> int:
    return int(rating.number)  # type: ignore[attr-defined]
