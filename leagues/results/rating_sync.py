"""Keeps the ratings ledger equal to the results of rated seasons."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

import engine
from accounts.infra.batches import batches
from accounts.models import User
from games.catalogue.ratability import scenario
from leagues.elo.result_types import FinishedTable, SeatResult
from leagues.models import Pairing, PairingSeat, RatedResult, Result, Season
from leagues.ratings import ledger, site_bots
from leagues.results import attestation, game_series
from leagues.results.attestation import Doubt

BY_HAND = "pairing:"
"""Prefix of the source of tables whose results were entered by hand."""


def source_of(pairing: Pairing) -> str:
    """The source of this table in the ledger: for an online table, its match."""
    return f"match:{pairing.match.key}" if pairing.match else f"{BY_HAND}{pairing.key}"


def batch_of(round_id: int) -> str:
    """The batch of a round: its tables are rated together, so that it does not matter which ended first."""
    return f"round:{round_id}"


def sync_rating(pairing: Pairing, *, actor: User | None) -> None:
    """Make the ledger equal to the table's current result, in the caller's transaction.

    The result of an online match itself is recorded by `from_matches`; here only what an organiser changed is.
    """
    season = pairing.round.stage.division.season
    if not season.rated:
        return
    source = source_of(pairing)
    result = Result.objects.filter(pairing=pairing, in_force=True).first()
    if result is None or doubt_about(pairing, result) or any(place["kind"] != "PLAYED" for place in result.places):
        # Won without a game: that says nothing about strength. In doubt: it may count later.
        ledger.void(source=source, actor=actor, reason=result.note if result else "")
    elif known := ledger.newest(source):
        seats = rated_seats(pairing, result)
        # A table imported with a league from another site has no match here, but may have had bots.
        if pairing.match or site_bots.keys().keys() & {user for user, *_rest in known.seats}:
            if game_series.is_exchanged(pairing, pairing.match):
                # As they sat in the match that decided the series.
                seats = [replace(seats[1 - at], index=at, role=seats[at].role) for at in (0, 1)]
            seats = with_actual_seats(seats, known)
        ledger.correct(source=source, seats=seats, actor=actor, reason=result.note)
    elif not pairing.match:
        ledger.record(
            source=source,
            game=season.league.game,
            finished_at=_played_at(pairing),
            seats=rated_seats(pairing, result),
            scenario=scenario(season.league.game, season.options, season.card_code),
            batch=batch_of(pairing.round_id),
            actor=actor,
        )


def doubt_about(pairing: Pairing, result: Result) -> Doubt | None:
    """Why the result of this table does not count for the ratings of the site; None if it does."""
    if pairing.match or result.source == Result.Source.MATCH:
        return None
    return attestation.doubt_about(pairing, result, seats_of(pairing, result))


def rated_seats(pairing: Pairing, result: Result) -> list[SeatResult]:
    """The seats that are compared with each other: without guests, where the game allows it."""
    seats = seats_of(pairing, result)
    if pairing.match:
        return seats
    sat = [seat.user_id for seat in seats if seat.user_id]
    people = set(User.objects.filter(pk__in=sat, is_guest=False).values_list("pk", flat=True))
    people -= attestation.unproven_guests(pairing, sat)
    return attestation.without_guests(pairing.round.stage.division.season.league.game, seats, people)


def record_past(*, season: Season, tables: Sequence[tuple[Pairing, Result, Sequence[SeatResult]]], actor: User) -> None:
    """Record many imported tables in the caller's transaction; each is rated at the time it was played."""
    doubts = attestation.doubts_about_past(season, tables, actor)
    sat = {seat.user_id for _pairing, _result, seats in tables for seat in seats if seat.user_id}
    people = {
        pk
        for some in batches(sat)
        for pk in User.objects.filter(pk__in=some, is_guest=False).values_list("pk", flat=True)
    }
    ledger.record_all(
        tables=[
            FinishedTable(
                source_of(pairing),
                season.league.game,
                result.at,
                attestation.without_guests(season.league.game, seats, people),
                scenario(season.league.game, season.options, season.card_code),
                batch=batch_of(pairing.round_id),
            )
            for (pairing, result, seats), doubt in zip(tables, doubts)
            if season.rated and doubt is None and all(place["kind"] == "PLAYED" for place in result.places)
        ],
        actor=actor,
    )


def seats_of(pairing: Pairing, result: Result) -> list[SeatResult]:
    """Everybody who sat at the table; each member of a team separately."""
    everybody: list[SeatResult] = []
    together = engine.game(pairing.round.stage.division.season.league.game).cooperative
    seats = PairingSeat.objects.filter(pairing=pairing).order_by("index").select_related("entrant")
    for seat, place in zip(seats.prefetch_related("entrant__members"), result.places):
        entrant = seat.entrant
        people = [entrant.user_id] if entrant.user_id else [member.user_id for member in entrant.members.all()]
        rank = (1 if result.grade and result.grade[0] else 2) if together else place["rank"]
        for person in people:
            everybody.append(SeatResult(len(everybody), rank, person, role=seat.role, left=seat.absent))
    return everybody


def with_actual_seats(seats: list[SeatResult], known: RatedResult) -> list[SeatResult]:
    """The seats as recorded by the match, with bots and stand-ins; only the ranks come from the organiser."""
    bots = site_bots.keys()
    return [
        replace(seat, user_id=None if user in bots else user, bot_key=bots.get(user, ""), left=left)
        for seat, (user, _rank, left, _role) in zip(seats, known.seats)
    ]


def _played_at(pairing: Pairing) -> datetime:
    """When the table first had a confirmed result: a correction does not change that time."""
    first = Result.objects.filter(pairing=pairing, kind=Result.Kind.CONFIRMED).order_by("version").first()
    assert first is not None
    return first.at
