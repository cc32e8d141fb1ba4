"""A person's latest games, online and at the club."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.urls import reverse

from accounts.models import User
from games.models import Match
from games.presentation.result_text import SeatResult, winners, won_by
from games.titles import game_title
from leagues.leaderboards import encounters
from leagues.models import League, RatingChange, Result, Round
from leagues.results import presentation, rating_sync


@dataclass(frozen=True)
class Played:
    """One game in a list: title, link, players, outcome and time."""

    title: str
    url: str
    names: list[str]
    result: str
    at: datetime


def latest(person: User, reader: object, limit: int = 8) -> list[Played]:
    """The newest games of a person that the reader may see."""
    games = [*_online(person, reader, limit), *_at_the_club(person, reader, limit), *_only_rated(person, limit)]
    return sorted(games, key=lambda one: one.at, reverse=True)[:limit]


def _online(person: User, reader: object, limit: int) -> Iterator[Played]:
    listed = Match.objects.listed_for(reader).exclude(status=Match.Status.ABORTED).with_people()
    for match in listed.filter(seats__user=person, is_tutorial=False)[:limit]:
        seats = list(match.seats.all())
        result = winners(match, seats) if match.is_finished else match.get_status_display()
        names = [seat.name or "…" for seat in seats]
        yield Played(match.title, match.get_absolute_url(), names, result, match.finished_at or match.created_at)


def _at_the_club(person: User, reader: object, limit: int) -> Iterator[Played]:
    """Results of league tables that were entered by hand."""
    sat = Q(pairing__seats__entrant__user=person) | Q(pairing__seats__entrant__members__user=person)
    results = (
        Result.objects.filter(sat, in_force=True, pairing__match=None)
        .exclude(source=Result.Source.FORFEIT)
        .exclude(pairing__round__status=Round.Status.DRAWN)
        .filter(pairing__round__stage__division__season__league__in=League.objects.seen_by(reader))
        .select_related("pairing__round__stage__division__season__league")
        .prefetch_related("pairing__seats__entrant__user", "pairing__seats__entrant__members__user")
        .order_by("-at", "-pk")
        .distinct()
    )
    for result in results[:limit]:
        pairing = result.pairing
        names = [seat.entrant.name for seat in presentation.seats_of(pairing)]
        title = game_title(presentation.game_of(pairing))
        yield Played(title, pairing.get_absolute_url(), names, presentation.result_headline(pairing, result), result.at)


def _only_rated(person: User, limit: int) -> Iterator[Played]:
    """Rated results without a league and without a match."""
    changes = (
        RatingChange.objects.standing()
        .filter(user=person, result__match=None)
        .exclude(result__source__startswith=rating_sync.BY_HAND)
        .select_related("pool")
        .order_by("-at", "-pk")[:limit]
    )
    tables = encounters.tables_of(change.result_id for change in changes)
    for change in changes:
        table = tables[change.result_id]
        game = change.pool.game
        result = won_by(game, [SeatResult(seat.user.name, seat.role, seat.won) for seat in table])
        url = reverse("boards:change", args=[change.pk])
        yield Played(game_title(game), url, [seat.user.name for seat in table], result, change.at)
