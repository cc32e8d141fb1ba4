"""Who stands where: the rows of a leaderboard.

A board is read along an index, page by page: whoever is on a page is found there first, and everything else that the
page shows is looked up for those few alone. So a page costs the same whether a thousand or a hundred thousand play.
A window that has ended is the exception: what a rating was then is looked up for everyone who played in it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, F, IntegerField, JSONField, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import ngettext

from accounts.models import Club, Membership, User
from accounts.text import plain
from leagues.boards import words
from leagues.boards.board import SOLO_SIDE, TEAM_SIDE, Board, roles_of
from leagues.boards.curves import Spark, spark
from leagues.models import Entrant, Rating, RatingChange, TeamMember
from leagues.ratings.deviation import utc_day
from leagues.ratings.kinds import PROVISIONAL, SOLO, points

A_PAGE = 50
LATELY = timedelta(days=30)
CURVE = 24
FOUND = 8


@dataclass(frozen=True)
class Share:
    """How many of so many games were won, in one role or in all."""

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
class Row:
    """One line of a board. The number is in thousandths of a point, as all ratings are kept."""

    place: int
    user: User
    number: int
    change: int | None
    games: int
    shares: tuple[Share, ...]
    curve: tuple[int, ...]
    deviation: float

    @property
    def provisional(self) -> bool:
        return self.deviation > PROVISIONAL

    @property
    def points(self) -> int:
        return points(self.number)

    @property
    def moved(self) -> int | None:
        """The change as people see it: between the two numbers that they saw."""
        return None if self.change is None else self.points - points(self.number - self.change)

    @cached_property
    def spark(self) -> Spark | None:
        return spark(self.curve)

    # As a page writes them. Text costs a template nothing; a number is asked how it is written here, every time.

    @property
    def place_text(self) -> str:
        return str(self.place)

    @property
    def number_text(self) -> str:
        return str(self.number)

    @property
    def points_text(self) -> str:
        return str(self.points)

    @property
    def plus_minus_text(self) -> str:
        return f"± {words.plus_minus(self.deviation)}"

    @property
    def games_text(self) -> str:
        return str(self.games)

    @property
    def games_words(self) -> str:
        return ngettext("%(games)s game", "%(games)s games", self.games) % {"games": self.games}

    @property
    def moved_text(self) -> str:
        return words.signed(self.moved) or "–"

    @property
    def trend(self) -> str:
        return words.trend(self.moved)


class Listed(Subquery):
    """The one column `number` of a query, as a list."""

    output_field = JSONField()
    template = "(SELECT json_group_array(listed.number) FROM (%(subquery)s) listed)"

    def as_postgresql(self, compiler: Any, connection: Any, **more: Any) -> Any:
        template = "(SELECT jsonb_agg(listed.number) FROM (%(subquery)s) listed)"
        return self.as_sql(compiler, connection, template, **more)


def ranked(board: Board) -> QuerySet[Any]:
    """Everyone on the board, best first, with the `number` they stand by; those with the same stand side by side."""
    found = Rating.objects.filter(pool=board.pool)
    if board.side:
        found = found.filter(**{f"{board.games_column}__gt": 0})
    if not board.bots:
        found = found.filter(is_bot=False)
    found = found.filter(_of_club(board.club)) if board.club else found.filter(is_guest=False)
    window = board.window
    if window.since:
        found = found.filter(last_at__gte=window.since)
    if window.until or (window.since and board.side):
        found = found.filter(Exists(_played(board)))
    number: Combinable = Subquery(_newest(board)[:1]) if window.is_past else F(board.column)
    return found.annotate(number=number).order_by(F("number").desc(), "user_id")


def _of_club(club: Club) -> Q:
    """Members, and the guests who have entered one of its seasons: they are known nowhere else."""
    entered = Entrant.objects.filter(season__league__club=club).values("user")
    in_teams = TeamMember.objects.filter(season__league__club=club).values("user")
    guests = Q(is_guest=True) & (Q(user__in=entered) | Q(user__in=in_teams))
    return Q(user__in=Membership.objects.filter(club=club).values("user")) | guests


def page(board: Board, offset: int, count: int = A_PAGE) -> list[Row]:
    """So many rows from this one on."""
    if board.pool is None:
        return []
    order = ranked(board)
    rows = list(detailed(board, order.values("user_id")[offset : offset + count]))
    if not rows:
        return []
    first = _number(rows[0])
    # Those who stand on the same number share the best of their places, also across pages.
    place = 1 + order.filter(number__gt=first).count() if offset else 1
    tallies = _tallies(board, [each.user_id for each in rows])
    told = []
    for at, rating in enumerate(rows):
        if _number(rating) != first:
            first, place = _number(rating), offset + at + 1
        told.append(_row(board, place, rating, tallies))
    return told


def detailed(board: Board, users: QuerySet[Any, Any]) -> QuerySet[Any]:
    """The ratings of these players with all that a row shows, in the order of the board."""
    changes = _changes(board).filter(at__gte=board.window.since or _now(board) - LATELY).order_by("at", "pk")
    of_role = changes.filter(role=board.role) if board.role else changes
    if board.window.is_past:
        # The number is the one of the role's last game then: it is compared with the one of its first.
        changes = of_role
    found = Rating.objects.filter(pool=board.pool, user_id__in=users).select_related("user")
    return found.annotate(
        number=Subquery(_newest(board)[:1]) if board.window.is_past else F(board.column),
        before=Subquery(changes.values("before")[:1]),
        role_before=Subquery(of_role.values("role_before")[:1]),
        curve=Listed(_newest(board)[:CURVE]),
    ).order_by(F("number").desc(), "user_id")


def offset_of(board: Board, user: User) -> int | None:
    """How many rows stand before this player's; None for somebody who is not on the board."""
    if board.pool is None:
        return None
    order = ranked(board)
    mine = order.filter(user=user).values_list("number", flat=True).first()
    if mine is None:
        return None
    return order.filter(Q(number__gt=mine) | Q(number=mine, user_id__lt=user.pk)).count()


def place_of(board: Board, user: User) -> int | None:
    """A player's place; those with the same number share it."""
    if board.pool is None:
        return None
    order = ranked(board)
    mine = order.filter(user=user).values_list("number", flat=True).first()
    return None if mine is None else 1 + order.filter(number__gt=mine).count()


def size(board: Board) -> int:
    return ranked(board).count() if board.pool else 0


def named(board: Board, asked: str) -> list[User]:
    """The first few on the board whose name or handle has all these words in it."""
    if board.pool is None or not plain(asked).split():
        return []
    found = ranked(board).select_related("user")
    for word in plain(asked).split()[:5]:
        found = found.filter(user__search__contains=word)
    return [rating.user for rating in found[:FOUND]]


def _changes(board: Board, role: str = "") -> QuerySet[RatingChange]:
    """What moved the rating of the row's player until the window closed."""
    found = RatingChange.objects.standing().filter(pool=board.pool, user=OuterRef("user_id"))
    if role:
        found = found.filter(role=role)
    return found.filter(at__lt=board.window.until) if board.window.until else found


def _played(board: Board) -> QuerySet[RatingChange]:
    found = _changes(board, board.role)
    return found.filter(at__gte=board.window.since) if board.window.since else found


def _newest(board: Board) -> QuerySet[RatingChange, Any]:
    """The number after each game of the board's role, the last one first."""
    number = F("after") + F("role_after") if board.role else F("after")
    return _changes(board, board.role).order_by("-at", "-pk").annotate(number=number).values("number")


def _now(board: Board) -> datetime:
    """The present, or when the window closed."""
    return board.window.until if board.window.until and board.window.is_past else timezone.now()


def _tallies(board: Board, users: Sequence[int]) -> dict[int, dict[str, Share]]:
    """Games and wins within the window by player and role; empty where the ratings themselves say it."""
    window = board.window
    if window.is_all_time:
        return {}
    found = RatingChange.objects.standing().filter(pool=board.pool, user_id__in=users)
    if window.since:
        found = found.filter(at__gte=window.since)
    if window.until:
        found = found.filter(at__lt=window.until)
    counted = (
        found.order_by()
        .values_list("user_id", "role")
        .annotate(games=Count("pk"), wins=Count("pk", filter=Q(won=True), output_field=IntegerField()))
    )
    tallies: dict[int, dict[str, Share]] = {user: {} for user in users}
    for user, role, games, wins in counted:
        tallies[user][role] = Share(role, games, wins)
    return tallies


def _row(board: Board, place: int, rating: Rating, tallies: dict[int, dict[str, Share]]) -> Row:
    shares = _shares(board, rating, tallies)
    assert board.pool is not None
    rating.pool = board.pool
    games = next((share.games for share in shares if share.role == board.role), 0)
    return Row(
        place=place,
        user=rating.user,
        number=_number(rating),
        change=_change(board, rating),
        games=games if board.role else sum(share.games for share in shares),
        shares=shares,
        curve=tuple(reversed(getattr(rating, "curve", None) or ())),
        deviation=rating.deviation_on(utc_day(_now(board)), board.side),
    )


def _shares(board: Board, rating: Rating, tallies: dict[int, dict[str, Share]]) -> tuple[Share, ...]:
    """By role where the game has roles, else all in one."""
    roles = roles_of(board.game)
    if tallies:
        mine = tallies[rating.user_id]
        if roles:
            return tuple(mine.get(role, Share(role, 0, 0)) for role in roles)
        return (Share("", sum(one.games for one in mine.values()), sum(one.wins for one in mine.values())),)
    if not roles:
        return (Share("", rating.games, rating.wins),)
    sides = {role: SOLO_SIDE if role == SOLO else TEAM_SIDE for role in roles}
    return tuple(
        Share(role, getattr(rating, f"{side}_games"), getattr(rating, f"{side}_wins")) for role, side in sides.items()
    )


def _change(board: Board, rating: Rating) -> int | None:
    """What the window, or the last month, has made of the number."""
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
