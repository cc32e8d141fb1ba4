"""The organiser's hand: two people of an unpublished draw change places, and what that costs beside the machine's draw.

The draw before the first change is kept with the round, and forgotten when a change leads back to it.
"""

from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from leagues.core import format_catalogue, locks, season_effects
from leagues.core.access import Permission, require
from leagues.formats import hand
from leagues.formats.hand import Assessment
from leagues.formats.reasons import reason, to_json
from leagues.formats.score_table import ScoreTable
from leagues.formats.values import Kind, Ranking, Seat, Table
from leagues.models import Bye, Entrant, Pairing, PairingSeat, Round, Season
from leagues.placement import service as placement
from leagues.rounds import tables
from leagues.standings import history

EXCHANGED = audit.declare_action(
    "leagues.exchanged",
    _("%(actor)s let %(entrant)s and %(other)s change places in round %(round)s of %(division)s"),
)


@dataclass(frozen=True)
class Board:
    """A draw to change by hand. `machine` assesses the machine's draw; without changes it is the same as `now`."""

    round: Round
    field: ScoreTable
    tables: tuple[Table, ...]
    byes: frozenset[int]
    now: Assessment
    machine: Assessment
    level: bool

    def after(self, one: int, other: int) -> Assessment:
        """The assessment if these two changed places."""
        return hand.assess(self.field, *hand.exchange(self.tables, self.byes, one, other), level=self.level)


def board(round_: Round) -> Board:
    """The draw of a round with its warnings. Reads only."""
    stage = round_.stage
    known = format_catalogue.format_of(stage)
    field = history.load_score_table(stage, upto=round_.number - 1)
    # Marks are compared across tables, so scores do not decide who meets.
    level = known.ranking is Ranking.MARKS
    sitting = tuple(
        Table(
            pairing.number,
            tuple(Seat(seat.entrant_id, seat.index + 1, seat.role) for seat in pairing.seats.all()),
        )
        for pairing in round_.pairings.prefetch_related("seats").order_by("number")
    )
    byes = frozenset(round_.byes.filter(kind=Kind.PAB.name).values_list("entrant", flat=True))
    now = hand.assess(field, sitting, byes, level=level)
    machine = now
    if round_.machine is not None:
        machine = hand.assess(field, *_machine_draw(round_.machine), level=level)
    return Board(round_, field, sitting, byes, now, machine, level)


def _machine_draw(kept: dict[str, Any]) -> tuple[tuple[Table, ...], frozenset[int]]:
    drawn = tuple(
        Table(each["number"], tuple(Seat(who, at) for at, who in enumerate(each["seats"], 1)))
        for each in kept["tables"]
    )
    return drawn, frozenset(each["entrant"] for each in kept["byes"])


@transaction.atomic
def exchange(*, actor: User, round: Round, one: Entrant, other: Entrant) -> Round:
    """Let two people of an unpublished draw change places: seats, tables, or a seat and the allocated bye."""
    stage = locks.stage(round.stage)
    require(actor, Permission.ORGANISE, stage)
    round_ = _changeable(round)
    if one.pk == other.pk:
        raise Refused(gettext("Choose two different people."))
    before = _places(round_)
    for each in (one, other):
        if each.pk not in before:
            raise Refused(gettext("%(name)s is not in this draw.") % {"name": each.name})
    _exchange(round_, one.pk, other.pk)
    after = _places(round_)
    season_effects.log_and_refresh(
        EXCHANGED,
        actor=actor,
        season=stage.division.season,
        undo=(
            "exchange",
            {"round": round_.pk, "one": one.pk, "other": other.pk, "places": [after[one.pk], after[other.pk]]},
        ),
        entrant=one.who,
        other=other.who,
        round=round_.number,
        division=stage.division.name,
    )
    return round_


def undo_exchange(*, data: dict[str, Any]) -> None:
    """Exchange them back, if both are still where they were put; for the season's undo."""
    row = Round.objects.select_related("stage").filter(pk=data["round"]).first()
    if row is None:
        raise Refused(gettext("This cannot be undone any more: it was changed meanwhile."))
    locks.stage(row.stage)
    round_ = _changeable(row)
    places = _places(round_)
    if [places.get(data["one"]), places.get(data["other"])] != [list(place) for place in data["places"]]:
        raise Refused(gettext("This cannot be undone any more: it was changed meanwhile."))
    _exchange(round_, data["one"], data["other"])


def _changeable(round: Round) -> Round:
    """The round as it is now; refused unless it may be changed by hand."""
    round_ = Round.objects.select_related("stage__division__season__league__club").filter(pk=round.pk).first()
    if round_ is None:
        raise Refused(gettext("This round was taken back already."))
    if round_.is_published:
        raise Refused(gettext("Round %(number)s is published: take it back first.") % {"number": round_.number})
    if not format_catalogue.format_of(round_.stage).exchanges:
        raise Refused(gettext("In this format the tables follow from the plan: nobody can change places."))
    return round_


def _places(round_: Round) -> dict[int, list[int]]:
    """Where everybody is: the number of the table and the seat, or 0 and 0 for the allocated bye."""
    seats = PairingSeat.objects.filter(round=round_, absent=False)
    places = {who: [number, index] for who, number, index in seats.values_list("entrant", "pairing__number", "index")}
    resting = Bye.objects.filter(round=round_, kind=Kind.PAB.name).values_list("entrant", flat=True)
    return places | {who: [0, 0] for who in resting}


def _exchange(round_: Round, one: int, other: int) -> None:
    drawn = _drawn(round_)
    kept = round_.machine or drawn
    seats = list(PairingSeat.objects.filter(round=round_, entrant__in=[one, other]).select_related("pairing"))
    if not seats:
        raise Refused(gettext("Both sit out: there is nothing to change."))
    swap = {one: other, other: one}
    # Everybody sits once in a round, so both seats are emptied first.
    PairingSeat.objects.filter(pk__in=[seat.pk for seat in seats]).delete()
    byes = Bye.objects.filter(round=round_, kind=Kind.PAB.name, entrant__in=[one, other])
    for bye in byes:
        bye.entrant_id = swap[bye.entrant_id]
        bye.save(update_fields=["entrant"])
    for seat in seats:
        seat.pk, seat.entrant_id = None, swap[seat.entrant_id]
        seat.save(force_insert=True)
    touched = {seat.pairing_id: seat.pairing for seat in seats}
    _check_tables(round_, list(touched.values()))
    if len(touched) > 1 or len(seats) == 1:
        for pairing in touched.values():
            placement.release(pairing)
    now = _drawn(round_)
    is_as_drawn = [each["seats"] for each in now["tables"]] == [each["seats"] for each in kept["tables"]]
    round_.machine = None if is_as_drawn else kept
    round_.save(update_fields=["machine"])
    _explain(round_, kept, now)


def _check_tables(round_: Round, touched: list[Pairing]) -> None:
    """Refuse a table that cannot be played, and say where the others are played now."""
    season = round_.stage.division.season
    for pairing in touched:
        if pairing.state != Pairing.State.SCHEDULED:
            raise Refused(gettext("Table %(table)s is decided already.") % {"table": pairing.table})
        sitting = [seat.entrant for seat in pairing.seats.select_related("entrant__user")]
        has_bot = any(each.kind == Entrant.Kind.BOT for each in sitting)
        if season.where == Season.Where.BOTH and has_bot and any(each.user and each.user.is_guest for each in sitting):
            raise Refused(gettext("A guest cannot play online, and a bot cannot come to the club: they cannot meet."))
        where = tables.usual_place(season, sitting)
        if where != pairing.where:
            pairing.where = where
            pairing.save(update_fields=["where"])


def _drawn(round_: Round) -> dict[str, Any]:
    """The draw as it is, for `Round.machine`."""
    rows = round_.pairings.prefetch_related("seats").order_by("number")
    byes = round_.byes.filter(kind=Kind.PAB.name).order_by("pk")
    return {
        "tables": [
            {
                "number": pairing.number,
                "seats": [seat.entrant_id for seat in pairing.seats.all()],
                "reason": pairing.reason,
            }
            for pairing in rows
        ],
        "byes": [{"entrant": bye.entrant_id, "reason": bye.reason} for bye in byes],
    }


def _explain(round_: Round, kept: dict[str, Any], now: dict[str, Any]) -> None:
    """A table as the machine drew it keeps the machine's reason; the others were changed by hand."""
    for before, after in zip(kept["tables"], now["tables"]):
        why = before["reason"] if before["seats"] == after["seats"] else to_json(reason("hand.table"))
        if why != after["reason"]:
            round_.pairings.filter(number=after["number"]).update(reason=why)
    reasons = {each["entrant"]: each["reason"] for each in kept["byes"]}
    for each in now["byes"]:
        why = reasons.get(each["entrant"]) or to_json(reason("hand.bye", entrant=each["entrant"]))
        if why != each["reason"]:
            round_.byes.filter(entrant=each["entrant"]).update(reason=why)
