"""The cast: Alice owns the club, Olga organises, Bob is a member, Charlie is a stranger; and seasons to play."""

from collections.abc import Sequence

import pytest
from django.db import transaction

from accounts import clubs
from accounts.models import Club, Membership, Role, User
from games import referee
from leagues import competitions, draw, enrol, presets, scoresheet
from leagues.models import Division, Entrant, League, Pairing, Result, Round, Season, Stage

DUEL = "splendor-marvel"


@pytest.fixture(autouse=True)
def nothing_remembered():
    """Ids start over with every test's database; what was remembered of another match of that id must not."""
    referee.forget()


@pytest.fixture(autouse=True)
def sent_tasks(monkeypatch) -> list[int]:
    """Matches whose bots were sent for. There is no worker here."""
    sent: list[int] = []
    monkeypatch.setattr("games.queue.send", sent.append)
    return sent


def person(handle: str, **fields) -> User:
    return User.objects.create_user(handle, f"{handle.lower()}@example.org", **fields)


@pytest.fixture
def alice(db) -> User:
    return person("alice", display_name="Alice A.")


@pytest.fixture
def olga(db) -> User:
    return person("olga")


@pytest.fixture
def bob(db) -> User:
    return person("bob")


@pytest.fixture
def charlie(db) -> User:
    return person("charlie")


@pytest.fixture
def club(alice, olga, bob) -> Club:
    return made_club(alice, olga, bob)


def made_club(owner: User, organiser: User, *members: User) -> Club:
    club = clubs.found(founder=owner, name="The Round Table")
    Membership.objects.create(club=club, user=organiser, role=Role.ORGANISER)
    for member in members:
        Membership.objects.create(club=club, user=member, role=Role.MEMBER)
    return club


@pytest.fixture
def league(club, alice) -> League:
    return competitions.found_league(actor=alice, club=club, name="Thursday league", game=DUEL)


def drafted(
    league: League,
    actor: User,
    format: str,
    settings: dict | None = None,
    planned: int | None = None,
    divisions: int = 1,
    **terms,
) -> Season:
    """A season of one stage a division, open for entries."""
    season = competitions.add_season(actor=actor, league=league, **terms)
    for level in range(1, divisions + 1):
        division = competitions.add_division(actor=actor, season=season, name=f"Division {level}")
        competitions.add_stage(actor=actor, division=division, format=format, settings=settings, planned=planned)
    return competitions.open_registration(actor=actor, season=season)


def guests(season: Season, actor: User, count: int, level: int = 1) -> list[Entrant]:
    division = Division.objects.get(season=season, level=level)
    return [enrol.add_guest(actor=actor, division=division, name=f"Guest {n}") for n in range(1, count + 1)]


def stage_of(season: Season, position: int = 1, level: int = 1) -> Stage:
    return Stage.objects.select_related("division__season__league__club").get(
        division__season=season, division__level=level, position=position
    )


def begun(league: League, actor: User, format: str, count: int, **how) -> Stage:
    """A running stage with so many guests."""
    season = drafted(league, actor, format, **how)
    guests(season, actor, count)
    draw.start(actor=actor, season=season)
    return stage_of(season)


def next_round(actor: User, stage: Stage) -> Round:
    return draw.publish(actor=actor, round=draw.pair(actor=actor, stage=stage))


@transaction.atomic
def decide(pairing: Pairing, ranks: Sequence[int] | None = None, scores: Sequence[int] | None = None) -> Result:
    """A confirmed result, as an organiser would enter it; by default in the order of the seats."""
    pairing = scoresheet.hold(pairing)
    count = pairing.seats.count()
    ranks = ranks or range(1, count + 1)
    places = [{"rank": rank, "score": scores[at] if scores else None} for at, rank in enumerate(ranks)]
    return scoresheet.write(
        pairing=pairing,
        kind=Result.Kind.CONFIRMED,
        source=Result.Source.ORGANISER,
        places=scoresheet.checked(pairing, places),
        by=None,
    )


def play_out(round_: Round) -> None:
    """Every open table ends in the order of its seats."""
    for pairing in Pairing.objects.open().filter(round=round_):
        decide(pairing)


def whole(league: League, actor: User, preset: str) -> Season:
    return presets.set_up(actor=actor, league=league, preset=preset)
