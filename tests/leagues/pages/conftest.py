"""A club with eight players and a league, at every stage of an evening."""

from types import SimpleNamespace

import pytest

from accounts.models import Club, User
from leagues.entries import registration
from leagues.models import League, Pairing, Round, Season, Stage
from leagues.results import reporting
from leagues.rounds import closing, draw
from leagues.seasons import presets, setup
from tests.factories import add_member, create_user

GAME = "splendor-marvel"


@pytest.fixture
def league(club: Club, olga: User) -> League:
    return setup.create_league(actor=olga, club=club, name="Friday Splendor", game=GAME)


@pytest.fixture
def season(league: League, olga: User) -> Season:
    """An evening of table Swiss, open for entries, without check-in."""
    made = presets.set_up(actor=olga, league=league, preset="table-swiss-evening", name="Spring")
    return setup.edit_season(actor=olga, season=made, check_in=False)


@pytest.fixture
def players(club: Club, bob: User) -> list[User]:
    made = [bob]
    for handle in ("dora", "emil", "fay", "gus", "hana", "ivo", "jana"):
        made.append(create_user(handle))
        add_member(club, made[-1])
    return made


@pytest.fixture
def running(season: Season, players: list[User], olga: User) -> Season:
    for each in players:
        registration.register(person=each, season=season)
    return draw.start(actor=olga, season=season)


@pytest.fixture
def stage(running: Season) -> Stage:
    return Stage.objects.get(division__season=running)


@pytest.fixture
def drawn(stage: Stage, olga: User) -> Round:
    return draw.draw_next_round(actor=olga, stage=stage)


@pytest.fixture
def published(drawn: Round, olga: User) -> Round:
    return draw.publish(actor=olga, round=drawn)


@pytest.fixture
def bobs_table(published: Round, bob: User) -> SimpleNamespace:
    """Bob's table: the pairing, the people at it in order of seats, Bob first among `others`' opposite."""
    pairing = Pairing.objects.get(round=published, seats__entrant__user=bob)
    people = [seat.entrant.user for seat in pairing.seats.order_by("index")]
    return SimpleNamespace(pairing=pairing, people=people, others=[each for each in people if each != bob])


@pytest.fixture
def played(published: Round, olga: User) -> Round:
    """Round 1 with every result in, closed."""
    for pairing in published.pairings.all():
        reporting.enter_result(actor=olga, pairing=pairing, places=in_order(pairing))
    return closing.close_round(actor=olga, round=published)


def in_order(pairing: Pairing) -> list[dict]:
    """Seat by seat: the first won."""
    return [{"rank": at, "score": 20 - at, "kind": "PLAYED"} for at, _ in enumerate(pairing.seats.all(), 1)]


def sheet(pairing: Pairing, ranks: list[int] | None = None, prefix: str = "") -> dict[str, str]:
    """What a browser sends for a table: one rank a seat."""
    indices = list(pairing.seats.order_by("index").values_list("index", flat=True))
    given = ranks or list(range(1, len(indices) + 1))
    return {f"{prefix}rank-{index}": str(rank) for index, rank in zip(indices, given)}
