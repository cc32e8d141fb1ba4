"""The score sheets: the only writer of results. Everything here runs inside the caller's transaction."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext

from accounts.errors import Refused
from accounts.models import User
from leagues import locks, news
from leagues.formats.values import Kind
from leagues.models import Pairing, PairingSeat, Result

HIGHEST_SCORE = 100_000


def hold(pairing: Pairing) -> Pairing:
    """Read the table again and lock its row: results of one table are written one by one."""
    return locks.pairing(pairing)


def write(
    *,
    pairing: Pairing,
    kind: str,
    source: str,
    places: Sequence[Mapping[str, Any]],
    by: User | None,
    grade: Sequence[int] = (),
    note: str = "",
    late: bool = False,
) -> Result:
    """Append a version to a table that is held. A confirmed one takes force from the one before it.

    A late one is only kept: the table stays as it was until an organiser decides.
    """
    latest = Result.objects.filter(pairing=pairing).order_by("-version").values_list("version", flat=True).first()
    counts = kind == Result.Kind.CONFIRMED and not late
    if counts or (kind == Result.Kind.VOID and not late):
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
        in_force=counts,
        by=by,
    )
    if not late:
        pairing.state = Pairing.State(kind)
        pairing.save(update_fields=["state"])
    if not late and kind in (Result.Kind.CONFIRMED, Result.Kind.VOID):
        news.tell_standings(pairing.round.stage)
    return result


def reopen(pairing: Pairing) -> None:
    """A table that is held is to be played after all: no result is in force."""
    Result.objects.filter(pairing=pairing, in_force=True).update(in_force=False)
    pairing.state = Pairing.State.SCHEDULED
    pairing.save(update_fields=["state"])
    news.tell_standings(pairing.round.stage)


def in_force(pairing: Pairing) -> Result | None:
    return Result.objects.filter(pairing=pairing, in_force=True).first()


def checked(pairing: Pairing, places: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The places in the form they are stored in; nonsense is refused. They follow the seats by index.

    Ranks may be given with holes or from scores: they are closed up, so that ties share the best place.
    """
    seats = list(PairingSeat.objects.filter(pairing=pairing).order_by("index"))
    if len(places) != len(seats):
        raise Refused(gettext("This table has %(count)s seats: give a result for each.") % {"count": len(seats)})
    return closed_up(places, [seat.absent for seat in seats])


def closed_up(places: Sequence[Mapping[str, Any]], absent: Sequence[bool]) -> list[dict[str, Any]]:
    """The same for seats that are not written yet."""
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
        raise Refused(gettext("A seat was played, or won or lost without a game."))
    if kind == Kind.FL.name:
        rank = 1 if rank is None else rank
    if type(rank) is not int or not 1 <= rank <= 12:
        raise Refused(gettext("A place is a number from 1."))
    if score is not None and (type(score) is not int or abs(score) > HIGHEST_SCORE):
        raise Refused(gettext("A score is a whole number."))
    return {"rank": rank, "score": score, "kind": str(kind)}


def forfeits(pairing: Pairing) -> list[dict[str, Any]] | None:
    """The places that follow when at most one seat is not absent; None while there is somebody to play against.

    A team alone at its table plays as long as it is there.
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


def settle_forfeits(pairing: Pairing, *, by: User | None) -> Result | None:
    """Decide a table that is held and that nobody can play any more."""
    places = forfeits(pairing)
    if places is None or not pairing.is_open:
        return None
    return write(pairing=pairing, kind=Result.Kind.CONFIRMED, source=Result.Source.FORFEIT, places=places, by=by)
