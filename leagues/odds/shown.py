"""Odds as a page shows them: percentages, bars, and the title's chances from round to round as a small chart."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from leagues.models import Odds, OddsAfter, Round, Season, Stage
from leagues.names import listed
from leagues.odds import reading, refresh
from leagues.odds.simulation import LEAST, RUNS
from leagues.odds.values import NoOdds, margin
from leagues.words import names_in

LINES = 5
"""Curves that can be told apart."""
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
    """A chance: in words, and as the length of a bar of a hundred."""

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
    """One name's chances of the title, round after round."""

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
class Shown:
    """`why_not` stands in place of lines where there are no odds.

    `without` says in words what has happened since they were computed; nothing while they are up to date.
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
        """Whether there will be no more runs although there should have been."""
        return not (self.odds.exact or self.odds.growing) and self.odds.runs < self.wanted

    @property
    def minutes(self) -> int:
        return max(1, round(self.odds.seconds / 60))


def of(stage: Stage) -> Shown | None:
    """The odds of the stage's division, if the season is being played, shows them, and this stage is the one."""
    season: Season = stage.division.season
    if not season.is_running or not season.odds or stage.status != Stage.Status.RUNNING:
        return None
    found = Odds.objects.filter(division=stage.division_id).first()
    if found is None or found.why_not in ("over", "too-few"):
        return None
    if found.why_not:
        return _nothing(found, found.why_not)
    if found.growing and found.runs < LEAST:
        return _nothing(found, "soon")
    called = names_in(stage.division_id)
    try:
        without = not_included(stage, found, called)
    except NoOdds as none:
        return None if none.code in ("over", "too-few") else _nothing(found, none.code)
    lines = tuple(
        Line(
            called.get(row["entrant"], ""),
            bar(row["title"]),
            bar(row["up"]),
            bar(row["down"]),
            number_format(row["expected"], 1),
            tuple(map(percent, row["places"])),
        )
        for row in found.rows
    )
    leaders = [row["entrant"] for row in found.rows[:LINES]]
    return Shown(
        odds=found,
        lines=lines,
        chart=_chart(stage, leaders, called),
        rises=any(row["up"] for row in found.rows),
        falls=any(row["down"] for row in found.rows),
        margin=number_format(100 * margin(found.runs, exact=found.exact), 1),
        without=without,
    )


def _nothing(found: Odds, code: str) -> Shown:
    return Shown(found, (), None, False, False, "", str(WHY_NOT.get(code, WHY_NOT["failed"])))


def not_included(stage: Stage, found: Odds, called: dict[int, str]) -> tuple[str, ...]:
    """What these odds do not know yet, in words. NoOdds where they are about something else altogether.

    The log says at a glance whether anything was written down since; only then all of it is compared.
    """
    if not refresh.is_behind(found, stage.division.season):
        return ()
    rest = reading.rest_of(stage.division)
    if reading.fingerprint(rest) == found.basis:
        return ()
    now, then = reading.knowledge(rest), found.knows
    if now["stage"] != then.get("stage"):
        raise NoOdds("soon")
    known: dict[str, Any] = then["results"]
    new = [key for key in now["results"] if key not in known]
    changed = [key for key in known if now["results"].get(key, known[key]) != known[key]]
    open_again = [key for key in known if key not in now["results"]]
    moved = sorted(called.get(who, "") for who in set(now["gone"]) ^ set(then["gone"]))
    without = [
        ngettext(
            "the result of table %(tables)s in round %(round)s",
            "the results of tables %(tables)s in round %(round)s",
            len(tables),
        )
        % {"round": number, "tables": listed(map(str, tables))}
        for number, tables in _by_round(new)
    ]
    without += [
        ngettext(
            "the correction of table %(tables)s in round %(round)s",
            "the corrections of tables %(tables)s in round %(round)s",
            len(tables),
        )
        % {"round": number, "tables": listed(map(str, tables))}
        for number, tables in _by_round(changed + open_again)
    ]
    if moved:
        without.append(gettext("that these have left or come back: %(names)s") % {"names": listed(moved)})
    return tuple(without) or (gettext("the latest draw, rules or ratings"),)


def _by_round(keys: Iterable[str]) -> list[tuple[int, list[int]]]:
    """Tables in order by round, from keys like "3.1"."""
    found = defaultdict(list)
    for key in keys:
        number, _dot, table = key.partition(".")
        found[int(number)].append(int(table))
    return [(number, sorted(found[number])) for number in sorted(found)]


def bar(chance: float) -> Bar:
    return Bar(percent(chance), round(BAR * chance, 1))


def percent(chance: float) -> str:
    """Never rounded to certainty: 0 % and 100 % are said only of what is impossible and certain as far as we saw."""
    if chance <= 0 or chance >= 1:
        return f"{100 * round(chance)}%"
    if chance < 0.01:
        return "<1%"
    if chance > 0.99:
        return ">99%"
    return f"{round(100 * chance)}%"


def after_rounds(stage: Stage) -> list[OddsAfter]:
    """The title's chances after each closed round; what was said after one that is open again does not count."""
    closed = Round.objects.filter(stage=stage, status=Round.Status.CLOSED).count()
    return list(OddsAfter.objects.filter(stage=stage, number__lte=closed).order_by("number"))


def _chart(stage: Stage, leaders: Sequence[int], called: dict[int, str]) -> Chart | None:
    """A single point is no curve."""
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
