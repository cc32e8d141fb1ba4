"""Between a table's result and the ratings: whatever counts in a rated season is what the ledger knows."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import engine
from accounts.models import User
from games.rated import scenario
from leagues.models import Pairing, PairingSeat, RatedResult, Result, Season
from leagues.ratings import housebots, ledger
from leagues.ratings.kinds import Ended, SeatResult


def source_of(pairing: Pairing) -> str:
    """The name under which ratings know this table: an online table is known by its match."""
    return f"match:{pairing.match.key}" if pairing.match else f"pairing:{pairing.key}"


def batch_of(round_id: int) -> str:
    """What the tables of one round are rated together as, so that it does not matter which of them ended first."""
    return f"round:{round_id}"


def settle(pairing: Pairing, *, actor: User | None) -> None:
    """Inside the caller's transaction: bring what ratings know of a table in line with its result in force.

    A live table's own result is taken up by ratings themselves; only what an organiser made of it comes from here.
    """
    season = pairing.round.stage.division.season
    if not season.rated:
        return
    source = source_of(pairing)
    result = Result.objects.filter(pairing=pairing, in_force=True).first()
    if result is None or any(place["kind"] != "PLAYED" for place in result.places):
        # Won without a game: nobody showed any strength.
        ledger.void(source=source, actor=actor, reason=result.note if result else "")
    elif known := ledger.newest(source):
        seats = seats_of(pairing, result)
        # A table that came in with its league from another house has no match here, and may have had its bots.
        if pairing.match or housebots.keys().keys() & {user for user, *_rest in known.seats}:
            seats = as_they_sat(seats, known)
        ledger.correct(source=source, seats=seats, actor=actor, reason=result.note)
    elif not pairing.match:
        ledger.record(
            source=source,
            game=season.league.game,
            finished_at=_played_at(pairing),
            seats=seats_of(pairing, result),
            scenario=scenario(season.league.game, season.options),
            batch=batch_of(pairing.round_id),
            actor=actor,
        )


def record_past(*, season: Season, tables: Sequence[tuple[Pairing, Result, Sequence[SeatResult]]], actor: User) -> None:
    """Many tables of long ago at once, inside the caller's transaction: each is rated when it was played."""
    ledger.record_all(
        tables=[
            Ended(
                source_of(pairing),
                season.league.game,
                result.at,
                seats,
                scenario(season.league.game, season.options),
                batch=batch_of(pairing.round_id),
            )
            for pairing, result, seats in tables
            if season.rated and all(place["kind"] == "PLAYED" for place in result.places)
        ],
        actor=actor,
    )


def seats_of(pairing: Pairing, result: Result) -> list[SeatResult]:
    """Everybody who sat at the table, the members of a team one by one."""
    found: list[SeatResult] = []
    together = engine.game(pairing.round.stage.division.season.league.game).cooperative
    seats = PairingSeat.objects.filter(pairing=pairing).order_by("index").select_related("entrant")
    for seat, place in zip(seats.prefetch_related("entrant__members"), result.places):
        entrant = seat.entrant
        people = [entrant.user_id] if entrant.user_id else [member.user_id for member in entrant.members.all()]
        rank = (1 if result.grade and result.grade[0] else 2) if together else place["rank"]
        for person in people:
            found.append(SeatResult(len(found), rank, person, role=seat.role, left=seat.absent))
    return found


def as_they_sat(seats: list[SeatResult], known: RatedResult) -> list[SeatResult]:
    """A live table knows who really sat there, bots and stand-ins included: only the ranks are the organiser's."""
    bots = housebots.keys()
    return [
        replace(seat, user_id=None if user in bots else user, bot_key=bots.get(user, ""), left=left)
        for seat, (user, _rank, left, _role) in zip(seats, known.seats)
    ]


def _played_at(pairing: Pairing) -> datetime:
    """When it first counted: a correction does not move a game in time."""
    first = Result.objects.filter(pairing=pairing, kind=Result.Kind.CONFIRMED).order_by("version").first()
    assert first is not None
    return first.at
