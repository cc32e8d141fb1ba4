"""Odds as a page shows them: percentages, bars, and the title's chances from round to round as a small chart."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from leagues.core.reason_text import entrant_names_in_division
from leagues.core.text import join_names
from leagues.models import Odds, OddsAfter, Pairing, Round, Season, Stage
from leagues.odds import inputs, refresh
from leagues.odds.simulation.monte_carlo import LEAST, RUNS
from leagues.odds.simulation.values import NoOdds, margin

LINES = 5
"""More curves would be hard to distinguish."""
WIDTH, HEIGHT = 340, 150
LEFT, RIGHT, TOP, BOTTOM = 40, 12, 10, 24
BAR = 100

WHY_NOT = {
    "soon": _("The chances are being computed: they appear here in a moment."),
    "free": _("In a ladder or an arena people play when and whom they like: nobody can say what is left to be played."),
    "rounds-unknown": _("The number of rounds is not set, so nobody can say what is left to be played."),
    "impossible": _("From here no round can be drawn by the rules: an organiser has to decide first."),
    "failed": _("The chances could not be computed this time; they are tried again after the next result."),
}


@dataclass(frozen=True)
class Bar:
    """A chance as text and as the length of a bar, from 0 to 100."""

    text: str
    length: float


@dataclass(frozen=True)
class Line:
    name: str
    title: Bar
    up: Bar
    down: Bar
    expected: str
    places: tuple[str, ...]


@dataclass(frozen=True)
class Dot:
    x: float
    y: float


@dataclass(frozen=True)
class Curve:
    """One entrant's chances of the title, round by round."""

    name: str
    points: str
    last: Dot
    values: tuple[str, ...]


@dataclass(frozen=True)
class Tick:
    at: float
    text: str


@dataclass(frozen=True)
class Chart:
    curves: tuple[Curve, ...]
    rounds: tuple[Tick, ...]
    levels: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    foot: int = HEIGHT - 6


@dataclass(frozen=True)
class OddsTable:
    """The odds for a page. `why_not` says why there are no lines.

    `without` lists what has happened since they were computed; empty while they are up to date.
    """

    odds: Odds
    lines: tuple[Line, ...]
    chart: Chart | None
    rises: bool
    falls: bool
    margin: str
    why_not: str = ""
    without: tuple[str, ...] = ()
    wanted: int = RUNS

    @property
    def stopped(self) -> bool:
        """Whether the time limit ended the runs early."""
        return not (self.odds.exact or self.odds.growing) and self.odds.runs < self.wanted

    @property
    def minutes(self) -> int:
        return max(1, round(self.odds.seconds / 60))


def odds_of(stage: Stage) -> OddsTable | None:
    """The odds of the stage's division, if the season and this stage are running and the season shows odds."""
    season: Season = stage.division.season
    if not season.is_running or not season.odds or stage.status != Stage.Status.RUNNING:
        return None
    odds = Odds.objects.filter(division=stage.division_id).first()
    if odds is None or odds.why_not in ("over", "too-few"):
        return None
    if odds.why_not:
        return _nothing(odds, odds.why_not)
    if odds.growing and odds.runs < LEAST:
        return _nothing(odds, "soon")
    called = entrant_names_in_division(stage.division_id)
    try:
        without = not_included(stage, odds, called)
    except NoOdds as none:
        return None if none.code in ("over", "too-few") else _nothing(odds, none.code)
    lines = tuple(
        Line(
            called.get(row["entrant"], ""),
            bar(row["title"]),
            bar(row["up"]),
            bar(row["down"]),
            number_format(row["expected"], 1),
            tuple(map(percent, row["places"])),
        )
        for row in odds.rows
    )
    leaders = [row["entrant"] for row in odds.rows[:LINES]]
    return OddsTable(
        odds=odds,
        lines=lines,
        chart=_chart(stage, leaders, called),
        rises=any(row["up"] for row in odds.rows),
        falls=any(row["down"] for row in odds.rows),
        margin=number_format(100 * margin(odds.runs, exact=odds.exact), 1),
        without=without,
    )


def _nothing(odds: Odds, code: str) -> OddsTable:
    return OddsTable(odds, (), None, False, False, "", str(WHY_NOT.get(code, WHY_NOT["failed"])))


def not_included(stage: Stage, odds: Odds, called: dict[int, str]) -> tuple[str, ...]:
    """What these odds do not include yet, in words. NoOdds if they are about another stage.

    The length of the log shows whether anything may have changed; only then everything is compared.
    """
    if not refresh.is_behind(odds, stage.division.season):
        return ()
    rest = inputs.load_remaining_season(stage.division)
    if inputs.fingerprint(rest) == odds.basis:
        return ()
    now, then = inputs.knowledge(rest), odds.knows
    if now["stage"] != then.get("stage"):
        raise NoOdds("soon")
    known: dict[str, Any] = then["results"]
    new = [key for key in now["results"] if key not in known]
    changed = [key for key in known if now["results"].get(key, known[key]) != known[key]]
    open_again = [key for key in known if key not in now["results"]]
    moved = sorted(called.get(who, "") for who in set(now["gone"]) ^ set(then["gone"]))
    numbers = _table_numbers(stage)
    without = [
        ngettext(
            "the result of table %(tables)s in round %(round)s",
            "the results of tables %(tables)s in round %(round)s",
            len(tables),
        )
        % {"round": number, "tables": join_names(map(str, tables))}
        for number, tables in _by_round(new, numbers)
    ]
    without += [
        ngettext(
            "the correction of table %(tables)s in round %(round)s",
            "the corrections of tables %(tables)s in round %(round)s",
            len(tables),
        )
        % {"round": number, "tables": join_names(map(str, tables))}
        for number, tables in _by_round(changed + open_again, numbers)
    ]
    if moved:
        without.append(gettext("that these have left or come back: %(names)s") % {"names": join_names(moved)})
    return tuple(without) or (gettext("the latest draw, rules or ratings"),)


def _table_numbers(stage: Stage) -> dict[tuple[int, int], int]:
    """The place where one sits, by the numbers of round and table in the draw."""
    rows = Pairing.objects.filter(round__stage=stage).select_related("round")
    return {(each.round.number, each.number): each.table for each in rows}


def _by_round(keys: Iterable[str], numbers: dict[tuple[int, int], int]) -> list[tuple[int, list[int]]]:
    """Tables in order by round, from keys like "3.1"."""
    tables_by_round = defaultdict(list)
    for key in keys:
        number, _dot, table = key.partition(".")
        drawn = (int(number), int(table))
        tables_by_round[int(number)].append(numbers.get(drawn, drawn[1]))
    return [(number, sorted(tables_by_round[number])) for number in sorted(tables_by_round)]


def bar(chance: float) -> Bar:
    return Bar(percent(chance), round(BAR * chance, 1))


def percent(chance: float) -> str:
    """A percentage. 0% and 100% are shown only for what never or always happened, not because of rounding."""
    if chance <= 0 or chance >= 1:
        return f"{100 * round(chance)}%"
    if chance < 0.01:
        return "<1%"
    if chance > 0.99:
        return ">99%"
    return f"{round(100 * chance)}%"


def after_rounds(stage: Stage) -> list[OddsAfter]:
    """The title chances after each closed round, without rounds that were reopened."""
    closed = Round.objects.filter(stage=stage, status=Round.Status.CLOSED).count()
    return list(OddsAfter.objects.filter(stage=stage, number__lte=closed).order_by("number"))


def _chart(stage: Stage, leaders: Sequence[int], called: dict[int, str]) -> Chart | None:
    """The chart of the title chances; None with fewer than two rounds."""
    past = [(each.number, each.titles) for each in after_rounds(stage)]
    if len(past) < 2:
        return None
    step = (WIDTH - LEFT - RIGHT) / (len(past) - 1)
    across = [round(LEFT + at * step, 1) for at in range(len(past))]
    best = max(titles.get(str(who), 0.0) for _number, titles in past for who in leaders)
    top = min(1.0, -(-best * 10 // 2) / 5) or 0.2
    curves = []
    for who in leaders:
        chances = [titles.get(str(who), 0.0) for _number, titles in past]
        dots = [(x, _y(chance, top)) for x, chance in zip(across, chances)]
        points = " ".join(f"{x},{y}" for x, y in dots)
        curves.append(Curve(called.get(who, ""), points, Dot(*dots[-1]), tuple(map(percent, chances))))
    levels = tuple(Tick(_y(top * at / 2, top), percent(top * at / 2)) for at in range(3))
    shown = set(range(len(past))) if len(past) <= 12 else {0, len(past) // 2, len(past) - 1}
    rounds = tuple(Tick(x, str(past[at][0]) if at in shown else "") for at, x in enumerate(across))
    return Chart(tuple(curves), rounds, levels)


def _y(chance: float, top: float) -> float:
    return round(TOP + (HEIGHT - TOP - BOTTOM) * (1 - chance / top), 1)
