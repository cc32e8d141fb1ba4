"""Who met whom at rated tables: opponents, and those who played on the same side."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, F, Q, QuerySet, Value, When
from django.db.models.fields import BooleanField

from accounts.models import User
from games.models import Match
from leagues.models import RatingChange
from leagues.ratings.kinds import Kind, kind_of

MOST = 8


@dataclass(frozen=True)
class Tally:
    """Games with one other player, seen from the person whose page it is: against them, or beside them."""

    user: User
    beside: bool
    games: int
    won: int
    tied: int
    lost: int


def others(person: User) -> QuerySet[Any]:
    """Everyone else's changes at the person's tables, each beside the person's own rank and role there."""
    tables = RatingChange.objects.standing().filter(result__changes__user=person, result__changes__superseded_by=None)
    return tables.exclude(user=person).annotate(
        my_rank=F("result__changes__rank"),
        my_role=F("result__changes__role"),
        my_won=F("result__changes__won"),
        alike=Case(When(role=F("result__changes__role"), then=Value(True)), default=False, output_field=BooleanField()),
    )


def is_beside(game: str, alike: bool) -> bool:
    """Whether two with the same role, or not, played on the same side."""
    kind = kind_of(game)
    return kind is Kind.COOPERATIVE or (kind is Kind.ONE_VS_MANY and alike)


def tallies(person: User) -> dict[str, list[Tally]]:
    """By game: with whom the person has played, the most frequent first."""
    rows = (
        others(person)
        .order_by()
        .values("pool__game", "user", "alike")
        .annotate(
            games=Count("pk"),
            ahead=Count("pk", filter=Q(rank__gt=F("result__changes__rank"))),
            level=Count("pk", filter=Q(rank=F("result__changes__rank"))),
            shared=Count("pk", filter=Q(result__changes__won=True)),
        )
    )
    counted: dict[tuple[str, bool], list[dict[str, Any]]] = {}
    for row in rows:
        counted.setdefault((row["pool__game"], is_beside(row["pool__game"], row["alike"])), []).append(row)
    kept = {key: sorted(group, key=lambda row: (-row["games"], row["user"]))[:MOST] for key, group in counted.items()}
    users = User.objects.in_bulk({row["user"] for group in kept.values() for row in group})
    found: dict[str, list[Tally]] = {}
    for (game, beside), group in sorted(kept.items()):
        found.setdefault(game, []).extend(_tally(row, users[row["user"]], beside) for row in group)
    return found


def _tally(row: dict[str, Any], user: User, beside: bool) -> Tally:
    games, won = row["games"], row["shared"] if beside else row["ahead"]
    tied = 0 if beside else row["level"]
    return Tally(user, beside, games, won, tied, games - won - tied)


def best_win(person: User, game: str) -> RatingChange | None:
    """The strongest opponent ever beaten, as they stood that day; of a team against a scenario, the hardest one."""
    kind = kind_of(game)
    if kind is Kind.COOPERATIVE:
        mine = RatingChange.objects.standing().filter(user=person, pool__game=game, won=True)
        return mine.select_related("result", "user").order_by("-offset", "at").first()
    beaten = others(person).filter(pool__game=game, rank__gt=F("my_rank"), my_won=True)
    if kind is Kind.ONE_VS_MANY:
        beaten = beaten.filter(alike=False)
    strongest = beaten.select_related("user", "result").annotate(strength=F("before") + F("role_before"))
    return strongest.order_by("-strength", "at").first()


def tables_of(results: Iterable[int]) -> dict[int, list[RatingChange]]:
    """Everyone at these tables, by result, in the order of the seats."""
    found: dict[int, list[RatingChange]] = {}
    seats = RatingChange.objects.standing().filter(result__in=list(results))
    for change in seats.select_related("pool", "user", "result__match").order_by("result", "seat"):
        found.setdefault(change.result_id, []).append(change)
    return found


def open_to(reader: object, tables: Iterable[list[RatingChange]]) -> set[int]:
    """Which of these tables' matches may be linked to: the address of a table by link is for its players alone."""
    matches = [table[0].result.match_id for table in tables if table[0].result.match_id]
    return set(Match.objects.listed_for(reader).filter(pk__in=matches).values_list("pk", flat=True))
