"""Overview of a season: its divisions, stages and rounds. Reads only."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Count, Q

from accounts.models import User
from leagues.core import format_catalogue
from leagues.core.reason_text import entrant_names, render_reason
from leagues.formats.standings import Row
from leagues.models import Division, Entrant, Round, Season, Stage
from leagues.standings.ranking import groups_of, has_order, ranking

# Rows of the standings on a season's page.
ROWS = 20


@dataclass(frozen=True)
class StageNow:
    stage: Stage
    title: str
    rounds: list[Round]
    order: list[tuple[Row, str]] = field(default_factory=list)
    # False before the first result of every group: the order is only a list of names.
    is_ranked: bool = True
    trouble: str = ""

    @property
    def is_planned(self) -> bool:
        return format_catalogue.FORMATS[self.stage.format].is_planned

    @property
    def asks_who_is_here(self) -> bool:
        return format_catalogue.FORMATS[self.stage.format].requested_byes

    @property
    def has_chosen_length(self) -> bool:
        return format_catalogue.FORMATS[self.stage.format].has_chosen_length

    @property
    def best_of(self) -> int:
        """How many games two play at most when they meet."""
        return format_catalogue.best_of(self.stage)

    @property
    def scores(self) -> bool:
        return format_catalogue.FORMATS[self.stage.format].scores

    @property
    def is_bracket(self) -> bool:
        return format_catalogue.FORMATS[self.stage.format].has_bracket


@dataclass(frozen=True)
class DivisionNow:
    division: Division
    entered: int
    waiting: int
    stages: list[StageNow]


def rounds_by_stage(seasons: Iterable[Season], *, drawn: bool) -> dict[int, list[Round]]:
    """All rounds of these seasons by the ids of their stages, with the numbers of their tables, in one query."""
    rounds: dict[int, list[Round]] = {}
    counted = Round.objects.filter(stage__division__season__in=list(seasons)).annotate(
        tables=Count("pairings", distinct=True),
        left=Count("pairings", ~Q(pairings__state__in=["confirmed", "void"]), distinct=True),
    )
    for each in counted.order_by("stage", "number"):
        if drawn or each.is_published:
            rounds.setdefault(each.stage_id, []).append(each)
    return rounds


def divisions(season: Season, *, drawn: bool, ranked: bool = False) -> list[DivisionNow]:
    """The season's divisions with their stages and rounds, in a few queries. `drawn` includes unpublished rounds."""
    rounds = rounds_by_stage([season], drawn=drawn)
    stages: dict[int, list[StageNow]] = {}
    for stage in Stage.objects.filter(division__season=season).select_related("division").order_by("position"):
        stage.division.season = season
        called = entrant_names(stage) if ranked or stage.trouble else {}
        order = ranking(stage) if ranked and stage.status != Stage.Status.PLANNED else ()
        groups = groups_of(stage) if format_catalogue.format_of(stage).grouped else [None]
        is_ranked = not order or all(has_order(stage, group=each) for each in groups)
        if not is_ranked:
            order = tuple(sorted(order, key=lambda row: (called.get(row.entrant, "").casefold(), row.entrant)))
        now = StageNow(
            stage,
            str(format_catalogue.FORMATS[stage.format].title),
            rounds.get(stage.pk, []),
            [(row, called.get(row.entrant, "")) for row in order[:ROWS]],
            is_ranked,
            render_reason(stage.trouble, called),
        )
        stages.setdefault(stage.division_id, []).append(now)
    entered = Count("entrants", ~Q(entrants__status__in=["waiting", "withdrawn"]))
    waiting = Count("entrants", Q(entrants__status="waiting"))
    rows = Division.objects.filter(season=season).annotate(entered=entered, queue=waiting)
    listed = []
    for division in rows.order_by("level", "number"):
        division.season = season
        listed.append(DivisionNow(division, division.entered, division.queue, stages.get(division.pk, [])))
    return listed


def entries_of(season: Season, person: User | None) -> Entrant | None:
    """The reader's own entry, alone or in a team."""
    if person is None:
        return None
    own = Q(user=person) | Q(members__user=person)
    return Entrant.objects.named().select_related("division").filter(own, season=season).first()
