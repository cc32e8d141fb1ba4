"""A club with a venue and nights ahead, and a duel season of eight whose three rounds are drawn and published."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Club, User
from leagues.models import ClubNight, Pairing, Season, Slot, Stage, Venue
from leagues.rounds import draw
from tests.factories import running_stage


@pytest.fixture(autouse=True)
def sent_plans(monkeypatch) -> list[int]:
    """Plans whose task was sent. There is no worker here."""
    sent: list[int] = []
    monkeypatch.setattr("leagues.placement.planning._send", sent.append)
    return sent


def night(club: Club, days: int, slots: int = 3, tables: int = 4) -> ClubNight:
    """An evening so many days ahead, with slots of an hour one after the other."""
    venue, _made = Venue.objects.get_or_create(club=club, name="The back room", defaults={"tables": 12})
    begins = timezone.now().replace(hour=18, minute=0, second=0, microsecond=0) + timedelta(days=days)
    made = ClubNight.objects.create(
        club=club, venue=venue, day=begins.date(), starts_at=begins, ends_at=begins + timedelta(hours=slots)
    )
    for number in range(1, slots + 1):
        starts = begins + timedelta(hours=number - 1)
        Slot.objects.create(
            night=made, number=number, starts_at=starts, ends_at=starts + timedelta(hours=1), tables=tables
        )
    return made


def slot_of(made: ClubNight, number: int) -> Slot:
    return made.slots.select_related("night__club").get(number=number)


def drawn(stage: Stage, actor: User, count: int = 3) -> Season:
    """So many rounds of the plan drawn and published; everybody plays in each of them."""
    for round_ in draw.draw_all_rounds(actor=actor, stage=stage)[:count]:
        draw.publish(actor=actor, round=round_)
    return stage.division.season


def table(season: Season, round_: int, number: int) -> Pairing:
    return Pairing.objects.select_related("round__stage__division__season__league__club").get(
        round__stage__division__season=season, round__number=round_, number=number
    )


def people(pairing: Pairing) -> list[User]:
    seats = pairing.seats.select_related("entrant__user").order_by("index")
    return [seat.entrant.user for seat in seats if seat.entrant.user]


@pytest.fixture
def season(league, alice) -> Season:
    """Four guests, a single round robin: three rounds of two tables."""
    return drawn(running_stage(league, alice, "round-robin", 4), alice)
