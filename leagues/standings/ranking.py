"""The ranking of a stage in any format, always as the same kind of rows."""

from collections.abc import Callable, Sequence
from typing import cast

import engine
from leagues.core import format_catalogue
from leagues.formats import bracket, order_rules
from leagues.formats.adapters import DrawInput, bracket_now
from leagues.formats.reasons import reason
from leagues.formats.standings import Row, standings
from leagues.formats.tiebreaks.registry import parse
from leagues.formats.values import Ranking
from leagues.models import Pairing, PairingSeat, Result, Stage, Starter
from leagues.standings import history, ladder_order


def ranking(stage: Stage, *, group: int | None = None, upto: int | None = None) -> tuple[Row, ...]:
    """Everybody in the stage, best first. `upto` is the last round that counts."""
    known = format_catalogue.format_of(stage)
    if known.grouped and group is None:
        return _across_groups(stage, upto)
    return _BY[known.ranking](stage, group, upto)


def has_order(stage: Stage, *, group: int | None = None, upto: int | None = None) -> bool:
    """Whether there is an order yet: from the first confirmed result on. A ladder has one from the start."""
    if format_catalogue.format_of(stage).is_ladder:
        return True
    seats = PairingSeat.objects.filter(round__stage=stage, pairing__state=Pairing.State.CONFIRMED)
    if upto is not None:
        seats = seats.filter(round__number__lte=upto)
    if group is not None:
        seats = seats.filter(entrant__in=Starter.objects.filter(stage=stage, group=group).values("entrant"))
    return seats.exists()


def _by_points(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    field = history.load_score_table(stage, group=group, upto=upto)
    return standings(field, parse(stage.division.season.tie_breaks))


def _across_groups(stage: Stage, upto: int | None) -> tuple[Row, ...]:
    numbers = groups_of(stage)
    return order_rules.across_groups(row for number in numbers for row in ranking(stage, group=number, upto=upto))


def groups_of(stage: Stage) -> list[int]:
    starters = Starter.objects.filter(stage=stage, group__isnull=False).order_by("group")
    return [group for group in starters.values_list("group", flat=True).distinct() if group is not None]


def draw_input(stage: Stage, *, upto: int | None = None, drafts: bool = False) -> DrawInput:
    """All that a draw or a bracket of this stage depends on."""
    return draw_inputs([stage], upto=upto, drafts=drafts)[stage.pk]


def draw_inputs(stages: Sequence[Stage], *, upto: int | None = None, drafts: bool = False) -> dict[int, DrawInput]:
    """The same for several stages by their ids, with as many queries as one of them needs."""
    past = history.load_histories(stages, upto=upto, drafts=drafts)
    groups: dict[int, dict[int, int]] = {stage.pk: {} for stage in stages}
    grouped = Starter.objects.filter(stage__in=stages, group__isnull=False)
    for at, who, group in grouped.values_list("stage", "entrant", "group"):
        groups[at][who] = cast(int, group)
    known = _slots([stage for stage in stages if format_catalogue.format_of(stage).has_bracket])
    return {
        stage.pk: DrawInput(
            history=past[stage.pk],
            settings=stage.settings,
            scheme=history.scheme(stage),
            roles=engine.game(stage.division.season.league.game).roles,
            group=groups[stage.pk],
            slots=[
                (known[stage.pk, each.number, table.number], table)
                for each in past[stage.pk].rounds
                for table in each.tables
                if (stage.pk, each.number, table.number) in known
            ],
            deals=stage.secret,
        )
        for stage in stages
    }


def _slots(stages: Sequence[Stage]) -> dict[tuple[int, int, int], str]:
    if not stages:
        return {}
    rows = Pairing.objects.filter(round__stage__in=stages).exclude(slot="")
    listed = rows.values_list("round__stage", "round__number", "number", "slot")
    return {(stage, number, table): slot for stage, number, table, slot in listed}


def bracket_of(stage: Stage, *, upto: int | None = None) -> bracket.Bracket:
    return bracket_now(draw_input(stage, upto=upto))


def _by_bracket(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    return order_rules.by_bracket(draw_input(stage, upto=upto))


def _by_heats(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    return order_rules.by_heats(draw_input(stage, upto=upto))


def _by_ladder(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    played = order_rules.games_played(history.load_score_table(stage))
    order = ladder_order.ladder_now(stage).ladder.order
    listed = [(place, [who], 0, reason("place.ladder", place=place)) for place, who in enumerate(order, 1)]
    return order_rules.rows_of(listed, played)


def _by_arena(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    return order_rules.by_arena(history.load_score_table(stage, upto=upto))


def _by_marks(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    together = engine.game(stage.division.season.league.game).cooperative
    return order_rules.by_marks(history.load_score_table(stage, upto=upto), grades(stage), together=together)


def grades(stage: Stage) -> order_rules.Grades:
    counting = Result.objects.filter(pairing__round__stage=stage, in_force=True)
    rows = counting.values_list("pairing__round__number", "pairing__number", "grade")
    return {(number, table): grade for number, table, grade in rows}


def _by_own_order(stage: Stage, group: int | None, upto: int | None) -> tuple[Row, ...]:
    order = format_catalogue.format_of(stage).order
    assert order is not None
    return order(history.load_score_table(stage, group=group, upto=upto))


_BY: dict[Ranking, Callable[[Stage, int | None, int | None], tuple[Row, ...]]] = {
    Ranking.STANDINGS: _by_points,
    Ranking.BRACKET: _by_bracket,
    Ranking.HEATS: _by_heats,
    Ranking.LADDER: _by_ladder,
    Ranking.ARENA: _by_arena,
    Ranking.MARKS: _by_marks,
    Ranking.OWN: _by_own_order,
}
