"""The order in a stage as it stands, whatever the format: rows of the same kind for tables, brackets and ladders."""

from collections.abc import Callable

import engine
from leagues import catalogue, history, ladder, orders
from leagues.formats import bracket
from leagues.formats.reasons import reason
from leagues.formats.standings import Row, standings
from leagues.formats.tiebreaks.parts import parse
from leagues.models import Pairing, PairingSeat, Result, Stage, Starter
from leagues.rounds import Situation, bracket_now


def ranking(stage: Stage, *, group: int | None = None, upto: int | None = None) -> tuple[Row, ...]:
    """Everybody who has entered the stage, best first. `upto` leaves later rounds out."""
    known = catalogue.FORMATS[stage.format]
    if known.code == "groups" and group is None:
        return _across_groups(stage, upto)
    return _BY[known.ranks](stage, group, upto)


def has_order(stage: Stage, *, group: int | None = None, upto: int | None = None) -> bool:
    """Whether any result counts yet: before the first there is only a list. A ladder begins with its order."""
    if catalogue.FORMATS[stage.format].ranks == "ladder":
        return True
    seats = PairingSeat.objects.filter(round__stage=stage, pairing__state=Pairing.State.CONFIRMED)
    if upto is not None:
        seats = seats.filter(round__number__lte=upto)
    if group is not None:
        seats = seats.filter(entrant__in=Starter.objects.filter(stage=stage, group=group).values("entrant"))
    return seats.exists()


def _by_points(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    field = history.field(stage, group=group, upto=upto)
    return standings(field, parse(stage.division.season.tie_breaks))


def _across_groups(stage: Stage, upto: int | None) -> tuple[Row, ...]:
    numbers = groups_of(stage)
    return orders.across_groups(row for number in numbers for row in ranking(stage, group=number, upto=upto))


def groups_of(stage: Stage) -> list[int]:
    found = Starter.objects.filter(stage=stage, group__isnull=False).order_by("group")
    return [group for group in found.values_list("group", flat=True).distinct() if group is not None]


def situation(stage: Stage, *, upto: int | None = None, drafts: bool = False) -> Situation:
    """All that a draw or a bracket of this stage depends on."""
    past = history.history(stage, upto=upto, drafts=drafts)
    grouped = Starter.objects.filter(stage=stage).values_list("entrant", "group")
    known = _slots(stage) if catalogue.FORMATS[stage.format].ranks == "bracket" else {}
    slots = [
        (known[each.number, table.number], table)
        for each in past.rounds
        for table in each.tables
        if (each.number, table.number) in known
    ]
    return Situation(
        history=past,
        settings=stage.settings,
        scheme=history.scheme(stage),
        roles=engine.game(stage.division.season.league.game).roles,
        group={who: group for who, group in grouped if group is not None},
        slots=slots,
        deals=stage.secret,
    )


def _slots(stage: Stage) -> dict[tuple[int, int], str]:
    rows = Pairing.objects.filter(round__stage=stage).exclude(slot="")
    return {(number, table): slot for number, table, slot in rows.values_list("round__number", "number", "slot")}


def bracket_of(stage: Stage, *, upto: int | None = None) -> bracket.Bracket:
    return bracket_now(situation(stage, upto=upto))


def _by_bracket(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    return orders.by_bracket(situation(stage, upto=upto))


def _by_heats(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    return orders.by_heats(situation(stage, upto=upto))


def _by_ladder(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    played = orders.games_played(history.field(stage))
    order = ladder.standing(stage).ladder.order
    listed = [(place, [who], 0, reason("place.ladder", place=place)) for place, who in enumerate(order, 1)]
    return orders.rows_of(listed, played)


def _by_arena(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    return orders.by_arena(history.field(stage, upto=upto))


def _by_marks(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    together = engine.game(stage.division.season.league.game).cooperative
    return orders.by_marks(history.field(stage, upto=upto), grades(stage), together=together)


def grades(stage: Stage) -> orders.Grades:
    found = Result.objects.filter(pairing__round__stage=stage, in_force=True)
    rows = found.values_list("pairing__round__number", "pairing__number", "grade")
    return {(number, table): grade for number, table, grade in rows}


_BY: dict[str, Callable[[Stage, int | None, int | None], tuple[Row, ...]]] = {
    "standings": _by_points,
    "bracket": _by_bracket,
    "heats": _by_heats,
    "ladder": _by_ladder,
    "arena": _by_arena,
    "marks": _by_marks,
}
