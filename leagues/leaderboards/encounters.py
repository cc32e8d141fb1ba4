"""Who met whom at rated tables: opponents, and players on the same side."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Case, Count, F, Q, QuerySet, Value, When
from django.db.models.fields import BooleanField
from django.db.models.functions import Concat

from accounts.models import User
from games.models import Match
from leagues.elo.result_types import RatingKind
from leagues.models import League, Pairing, RatingChange
from leagues.models.rating import kind_of
from leagues.results import rating_sync

MAX_PLAYERS = 8


@dataclass(frozen=True)
class Tally:
    """A person's games with one other player: against them, or on the same side."""

    user: User
    beside: bool
    games: int
    won: int
    tied: int
    lost: int


def changes_of_others(person: User) -> QuerySet[Any]:
    """Everyone else's changes at the person's tables, each with the person's own rank and role."""
    tables = RatingChange.objects.standing().filter(result__changes__user=person, result__changes__superseded_by=None)
    return tables.exclude(user=person).annotate(
        my_rank=F("result__changes__rank"),
        my_role=F("result__changes__role"),
        my_won=F("result__changes__won"),
        alike=Case(When(role=F("result__changes__role"), then=Value(True)), default=False, output_field=BooleanField()),
    )


def is_beside(game: str, alike: bool) -> bool:
    """Whether two players with the same role (or not) were on the same side."""
    kind = kind_of(game)
    return kind is RatingKind.COOPERATIVE or (kind is RatingKind.ONE_VS_MANY and alike)


def tallies(person: User, reader: object) -> dict[str, list[Tally]]:
    """By game: the players the person has met, the most frequent first."""
    rows = (
        changes_of_others(person)
        .exclude(result__source__in=hidden_sources(reader))
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
    most_frequent = {
        key: sorted(group, key=lambda row: (-row["games"], row["user"]))[:MAX_PLAYERS] for key, group in counted.items()
    }
    users = User.objects.in_bulk({row["user"] for group in most_frequent.values() for row in group})
    by_game: dict[str, list[Tally]] = {}
    for (game, beside), group in sorted(most_frequent.items()):
        by_game.setdefault(game, []).extend(_tally(row, users[row["user"]], beside) for row in group)
    return by_game


def _tally(row: dict[str, Any], user: User, beside: bool) -> Tally:
    games, won = row["games"], row["shared"] if beside else row["ahead"]
    tied = 0 if beside else row["level"]
    return Tally(user, beside, games, won, tied, games - won - tied)


def best_win(person: User, game: str, reader: object) -> RatingChange | None:
    """The strongest opponent ever beaten, by rating on that day; in a cooperative game, the hardest scenario."""
    kind = kind_of(game)
    if kind is RatingKind.COOPERATIVE:
        wins = RatingChange.objects.standing().filter(user=person, pool__game=game, won=True)
        wins = wins.exclude(result__source__in=hidden_sources(reader))
        return wins.select_related("result", "user").order_by("-offset", "at").first()
    others = changes_of_others(person).exclude(result__source__in=hidden_sources(reader))
    beaten = others.filter(pool__game=game, rank__gt=F("my_rank"), my_won=True)
    if kind is RatingKind.ONE_VS_MANY:
        beaten = beaten.filter(alike=False)
    strongest = beaten.select_related("user", "result").annotate(strength=F("before") + F("role_before"))
    best: RatingChange | None = strongest.order_by("-strength", "at").first()
    return best


def tables_of(results: Iterable[int]) -> dict[int, list[RatingChange]]:
    """Everyone at these tables, by result, in the order of the seats."""
    by_result: dict[int, list[RatingChange]] = {}
    seats = RatingChange.objects.standing().filter(result__in=list(results))
    for change in seats.select_related("pool", "user", "result__match").order_by("result", "seat"):
        by_result.setdefault(change.result_id, []).append(change)
    return by_result


def hidden_sources(reader: object) -> QuerySet[Pairing, str]:
    """Sources of results in private leagues that are not the reader's."""
    leagues = League.objects.filter(Q(is_private=True) | Q(club__is_private=True))
    hidden = leagues.exclude(pk__in=League.objects.seen_by(reader).values("pk"))
    tables = Pairing.objects.filter(round__stage__division__season__league__in=hidden)
    by_hand = Concat(Value(rating_sync.BY_HAND), "key")
    source = Case(When(match=None, then=by_hand), default=Concat(Value("match:"), "match__key"))
    return tables.order_by().annotate(ledger_source=source).values_list("ledger_source", flat=True)


def may_see_table(reader: object, source: str) -> bool:
    """Whether the reader may see who sat at the table that a rating change comes from."""
    hidden: Any = hidden_sources(reader)
    return not hidden.filter(ledger_source=source).exists()


def linkable_matches(reader: object, tables: Iterable[list[RatingChange]]) -> set[int]:
    """Matches of these tables that may be linked to: the address of a table by link is only for its players."""
    matches = [table[0].result.match_id for table in tables if table[0].result.match_id]
    return set(Match.objects.listed_for(reader).filter(pk__in=matches).values_list("pk", flat=True))
