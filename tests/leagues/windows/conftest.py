"""A league that plays online at agreed times: a window of eight days, from a Monday noon."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from accounts.models import User
from leagues.entries import registration
from leagues.models import League, Pairing
from leagues.rounds import draw
from tests.factories import draft_season, next_round, stage_of

NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ENDS = NOON + 8 * DAY
TERMS: dict[str, Any] = {
    "where": "online",
    "clock": "live",
    "bank": 600,
    "members_only": False,
    "window_days": 8,
    "on_unplayed": "forfeit",
    "answer_hours": 48,
    "no_show_minutes": 15,
}


@pytest.fixture
def clock(time_machine):
    """The time stays at noon until a test moves it."""
    time_machine.move_to(NOON, tick=False)
    return time_machine


@pytest.fixture
def pairing(clock, league, alice, bob) -> Pairing:
    """Alice and Bob at a table of two."""
    return seated(league, alice, [alice, bob])


def seated(league: League, actor: User, people: Sequence[User], bots: int = 0, **terms) -> Pairing:
    """One table with all of these people."""
    seats = len(people) + bots
    format, settings = ("swiss", None) if seats == 2 else ("table-swiss", {"seats": seats})
    season = draft_season(league, actor, format, settings, planned=1, **(TERMS | terms))
    for each in people:
        registration.register(person=each, season=season)
    for _bot in range(bots):
        registration.add_bot(actor=actor, division=season.divisions.get(), level="rookie")
    draw.start(actor=actor, season=season)
    return fresh(next_round(actor, stage_of(season)).pairings.get())


def fresh(pairing: Pairing) -> Pairing:
    return Pairing.objects.select_related("round__stage__division__season__league__club", "match").get(pk=pairing.pk)


def kinds(pairing: Pairing) -> dict[str, str]:
    """How each person's seat ended, by handle."""
    result = pairing.results.get(in_force=True)
    seats = pairing.seats.order_by("index").values_list("entrant__user__handle", flat=True)
    return {handle: place["kind"] for handle, place in zip(seats, result.places)}
