"""The only place that writes results. `_apply_consequences` has everything that a result causes.

Everything here runs in the caller's transaction, with the table locked.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q
from django.utils.translation import gettext, ngettext

from accounts.infra.errors import Refused
from accounts.models import User
from leagues.core import locks, season_effects, webhook_emit
from leagues.core.season_log import Undo
from leagues.elo.result_types import SeatResult
from leagues.formats.values import Kind
from leagues.models import Pairing, PairingSeat, Result, Round, Season, Stage
from leagues.results import game_series, rating_sync
from leagues.standings import snapshots

HIGHEST_SCORE = 100_000

# Called in the same transaction after every change of what counts at a table, with the table and whoever changed it.
Follower = Callable[[Pairing, User | None], None]
FOLLOWERS: list[Follower] = []

Places = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class LogEntry:
    """The log entry of a result. `undo` makes the undo data from the result that was written."""

    action: str
    actor: User | None
    undo: Callable[[Result], Undo] | None = None
    params: Mapping[str, Any] = field(default_factory=dict)


def lock_pairing(pairing: Pairing) -> Pairing:
    """Read the table again and lock its row."""
    return locks.pairing(pairing)


def record_result(
    *,
    pairing: Pairing,
    kind: str,
    source: str,
    places: Places,
    by: User | None,
    grade: Sequence[int] = (),
    note: str = "",
    late: bool = False,
    log: LogEntry | None = None,
    refresh_snapshots: bool = False,
) -> Result:
    """Append a version of the result to a locked table, with all consequences. A confirmed one replaces the one before.

    A late one is only stored: the table stays as it was until an organiser decides. With `log` None the caller writes
    one log entry itself, by `season_effects.log_and_refresh`. Only callers that have locked the stage may refresh
    snapshots, because only they may change a closed round.
    """
    latest = Result.objects.filter(pairing=pairing).order_by("-version").values_list("version", flat=True).first()
    decides = kind in (Result.Kind.CONFIRMED, Result.Kind.VOID) and not late
    if decides:
        Result.objects.filter(pairing=pairing, in_force=True).update(in_force=False)
    result = Result.objects.create(
        pairing=pairing,
        version=(latest or 0) + 1,
        kind=kind,
        source=source,
        places=list(places),
        grade=list(grade),
        note=note,
        late=late,
        in_force=decides and kind == Result.Kind.CONFIRMED,
        by=by,
    )
    if not late:
        pairing.state = Pairing.State(kind)
        pairing.save(update_fields=["state"])
    _apply_consequences(
        pairing,
        result,
        actor=by,
        counts_changed=decides,
        # A match played here is rated by `from_matches.rate`, which knows who really sat there.
        sync_rating=source != Result.Source.MATCH,
        refresh_snapshots=refresh_snapshots,
        log=log,
    )
    return result


def refresh_rating(*, pairing: Pairing, by: User | None) -> None:
    """Look again at whether the result of a locked table counts for ratings: somebody confirmed it, or objected."""
    rating_sync.sync_rating(pairing, actor=by)


def refresh_ratings_of(person: User, season: Season) -> None:
    """Look again at the tables of somebody who has agreed to play only now."""
    sits = Q(seats__entrant__user=person) | Q(seats__entrant__members__user=person)
    tables = Pairing.objects.filter(sits, round__stage__division__season=season, match=None).distinct()
    for pairing in tables.filter(results__in_force=True).order_by("pk"):
        refresh_rating(pairing=lock_pairing(pairing), by=None)


def reopen_result(*, pairing: Pairing, by: User | None) -> None:
    """Let a locked table be played after all: no result counts. The caller writes the log."""
    Result.objects.filter(pairing=pairing, in_force=True).update(in_force=False)
    pairing.state = Pairing.State.SCHEDULED
    pairing.save(update_fields=["state"])
    _apply_consequences(
        pairing, None, actor=by, counts_changed=True, sync_rating=True, refresh_snapshots=False, log=None
    )


def record_forfeits(pairing: Pairing, *, by: User | None) -> Result | None:
    """Record forfeits at a locked table that can no longer be played. The caller writes the log."""
    places = forfeits(pairing)
    if places is None or not pairing.is_open:
        return None
    return record_result(
        pairing=pairing, kind=Result.Kind.CONFIRMED, source=Result.Source.FORFEIT, places=places, by=by
    )


def record_past_results(
    *,
    stage: Stage,
    rounds: Sequence[Round],
    tables: Sequence[tuple[Pairing, Result, Sequence[SeatResult]]],
    log: LogEntry,
) -> None:
    """Import closed rounds: the same as `_apply_consequences`, for all their tables at once."""
    assert log.actor is not None
    season = stage.division.season
    Result.objects.bulk_create([result for _pairing, result, _seats in tables], batch_size=500)
    rating_sync.record_past(season=season, tables=tables, actor=log.actor)
    changed = [snapshots.snapshot_round(round=round_) for round_ in rounds]
    if any(changed):
        webhook_emit.emit_standings_changed(stage)
    season_effects.log_and_refresh(log.action, actor=log.actor, season=season, **log.params)


def _apply_consequences(
    pairing: Pairing,
    result: Result | None,
    *,
    actor: User | None,
    counts_changed: bool,
    sync_rating: bool,
    refresh_snapshots: bool,
    log: LogEntry | None,
) -> None:
    """Everything that a result causes."""
    round_ = pairing.round
    stage = round_.stage
    if counts_changed:
        if sync_rating:
            rating_sync.sync_rating(pairing, actor=actor)
        if refresh_snapshots:
            snapshots.refresh_snapshots_from(stage=stage, number=round_.number)
        webhook_emit.emit_standings_changed(stage)
    if log is not None:
        season_effects.log_and_refresh(
            log.action,
            actor=log.actor,
            season=stage.division.season,
            undo=log.undo(result) if log.undo and result else None,
            table=pairing.table,
            round=round_.number,
            division=stage.division.name,
            **log.params,
        )
    if counts_changed:
        for follow in FOLLOWERS:
            follow(pairing, actor)


def in_force(pairing: Pairing) -> Result | None:
    return Result.objects.filter(pairing=pairing, in_force=True).first()


def validate_places(pairing: Pairing, places: Places) -> list[dict[str, Any]]:
    """The places as they are stored, in the order of the seats; invalid ones are refused.

    Gaps between ranks are closed, and tied seats share the best place.
    """
    seats = list(PairingSeat.objects.filter(pairing=pairing).order_by("index"))
    if len(places) != len(seats):
        words = ngettext(
            "This table has %(count)s seat: give a result for it.",
            "This table has %(count)s seats: give a result for each.",
            len(seats),
        )
        raise Refused(words % {"count": len(seats)})
    was_played = all(place.get("kind", Kind.PLAYED.name) == Kind.PLAYED.name for place in places)
    is_series = game_series.length(pairing) > 1 and was_played and not any(seat.absent for seat in seats)
    if is_series and not game_series.ended_used_up(pairing, places):
        places = game_series.ranked(pairing.round.stage, places)
    return close_rank_gaps(places, [seat.absent for seat in seats])


def close_rank_gaps(places: Places, absent: Sequence[bool]) -> list[dict[str, Any]]:
    """The same for seats that are not in the database yet."""
    tidy = [_checked(place, absent=away) for place, away in zip(places, absent)]
    stayed = [place["rank"] for place in tidy if place["kind"] != Kind.FL.name]
    for place in tidy:
        lost = place["kind"] == Kind.FL.name
        place["rank"] = len(stayed) + 1 if lost else 1 + sum(rank < place["rank"] for rank in stayed)
    return tidy


def _checked(place: Mapping[str, Any], *, absent: bool) -> dict[str, Any]:
    rank, score, kind = place.get("rank"), place.get("score"), place.get("kind", Kind.PLAYED.name)
    if absent:
        kind = Kind.FL.name
    if kind not in (Kind.PLAYED.name, Kind.FW.name, Kind.FL.name):
        raise Refused(gettext("A seat is played, or won or lost without a game."))
    if kind == Kind.FL.name:
        rank = 1 if rank is None else rank
    if type(rank) is not int or not 1 <= rank <= 12:
        raise Refused(gettext("A place is a whole number, 1 or more."))
    if score is not None and (type(score) is not int or abs(score) > HIGHEST_SCORE):
        raise Refused(gettext("A score is a whole number."))
    return {"rank": rank, "score": score, "kind": str(kind)}


def forfeits(pairing: Pairing) -> list[dict[str, Any]] | None:
    """The places when at most one seat is present; None while there is an opponent.

    A team alone at its table can play, so only an absent one forfeits.
    """
    seats = list(PairingSeat.objects.filter(pairing=pairing).order_by("index"))
    here = [seat for seat in seats if not seat.absent]
    if len(here) > 1 or (len(seats) == 1 and here):
        return None
    return [
        {"rank": 2, "score": None, "kind": Kind.FL.name}
        if seat.absent and here
        else {"rank": 1, "score": None, "kind": Kind.FL.name if seat.absent else Kind.FW.name}
        for seat in seats
    ]
