"""All that somebody has played, online and at the club: what their ratings count is what their page lists."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q
from django.urls import reverse

import engine
from accounts.models import User
from games.models import Match
from games.results import winners, won_by
from leagues import rated, scorecard
from leagues.boards import meetings
from leagues.models import RatingChange, Result, Round


@dataclass(frozen=True)
class Played:
    """One game in a list: what, where to read more, who, how it ended and when."""

    title: str
    url: str
    names: list[str]
    result: str
    at: datetime


def latest(person: User, reader: object, most: int = 8) -> list[Played]:
    """The newest games of a person, as far as the reader may know of them."""
    found = [*_online(person, reader, most), *_at_the_club(person, most), *_only_rated(person, most)]
    return sorted(found, key=lambda one: one.at, reverse=True)[:most]


def _online(person: User, reader: object, most: int) -> Iterator[Played]:
    listed = Match.objects.listed_for(reader).exclude(status=Match.Status.ABORTED).with_people()
    for match in listed.filter(seats__user=person)[:most]:
        seats = list(match.seats.all())
        result = winners(match, seats) if match.is_finished else match.get_status_display()
        names = [seat.name or "…" for seat in seats]
        yield Played(match.title, match.get_absolute_url(), names, result, match.finished_at or match.created_at)


def _at_the_club(person: User, most: int) -> Iterator[Played]:
    """Results of a league's tables that were entered by hand."""
    sat = Q(pairing__seats__entrant__user=person) | Q(pairing__seats__entrant__members__user=person)
    results = (
        Result.objects.filter(sat, in_force=True, pairing__match=None)
        .exclude(source=Result.Source.FORFEIT)
        .exclude(pairing__round__status=Round.Status.DRAWN)
        .select_related("pairing__round__stage__division__season__league")
        .prefetch_related("pairing__seats__entrant__user", "pairing__seats__entrant__members__user")
        .order_by("-at", "-pk")
        .distinct()
    )
    for result in results[:most]:
        pairing = result.pairing
        names = [seat.entrant.name for seat in scorecard.seats_of(pairing)]
        title = engine.game(scorecard.game_of(pairing)).title
        yield Played(title, pairing.get_absolute_url(), names, scorecard.headline(pairing, result), result.at)


def _only_rated(person: User, most: int) -> Iterator[Played]:
    """Rated results of no league and no match."""
    mine = (
        RatingChange.objects.standing()
        .filter(user=person, result__match=None)
        .exclude(result__source__startswith=rated.BY_HAND)
        .select_related("pool")
        .order_by("-at", "-pk")[:most]
    )
    tables = meetings.tables_of(change.result_id for change in mine)
    for change in mine:
        table = tables[change.result_id]
        game = change.pool.game
        result = won_by(game, [seat.user.name for seat in table if seat.won])
        url = reverse("boards:change", args=[change.pk])
        yield Played(engine.game(game).title, url, [seat.user.name for seat in table], result, change.at)
