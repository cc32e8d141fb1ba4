"""Standings and crosstables for pages: with names, and numbers in the reader's language."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from leagues.core import format_catalogue, reason_text
from leagues.formats.score_table import Game, ScoreTable
from leagues.formats.standings import Row, breakdown, levels
from leagues.formats.tiebreaks import base
from leagues.formats.tiebreaks.base import TieBreakInput
from leagues.formats.tiebreaks.registry import PARTS, parse
from leagues.formats.values import POINT, Kind
from leagues.models import Entrant, Round, Stage
from leagues.standings import history, ranking, snapshots

NOTES: Mapping[str, str | Promise] = {
    "own": _("not played: counts as an opponent with the same score as the player"),
    "as-opponent": _(
        "not played: counts as an opponent with the same score as the player, but no more than the one who was drawn"
    ),
    "as-draws": _(
        "not played: counts as an opponent with the same score as the player, but no more than a draw in every round"
    ),
    "unrated": _("not rated: left out"),
    "below": _("below half of the points: left out"),
}


@dataclass(frozen=True)
class Column:
    code: str
    short: str
    title: str


@dataclass(frozen=True)
class Value:
    """The value of a tie-break; `note` says why there is none."""

    code: str
    text: str
    note: str = ""


@dataclass(frozen=True)
class StandingsRow:
    """One row. `place` is None before the first result; `climbed` is None if there is no earlier round."""

    row: Row
    place: int | None
    name: str
    points: str
    values: tuple[Value, ...]
    why: str
    climbed: int | None

    @property
    def steps(self) -> int:
        return abs(self.climbed or 0)


@dataclass(frozen=True)
class StandingsTable:
    """The standings of a stage, or of one of its groups (0 for none)."""

    group: int
    columns: tuple[Column, ...]
    lines: tuple[StandingsRow, ...]
    # A knock-out and a ladder have places but no points.
    scores: bool
    # Before the first result there is no order: names in alphabetical order.
    ranked: bool
    # How many rounds of everybody count; 0: all.
    best: int = 0
    # Whether the points can be opened round by round.
    explains_points: bool = False


def standings_tables(stage: Stage, after: int | None = None) -> list[StandingsTable]:
    """The standings now, or as stored after a round."""
    called = reason_text.entrant_names(stage)
    return [_listing(stage, group, after, called) for group in ranking.groups_of(stage) or [0]]


def _listing(stage: Stage, group: int, after: int | None, called: Mapping[int, str]) -> StandingsTable:
    if after is None:
        rows = ranking.ranking(stage, group=group or None)
        codes = list(stage.division.season.tie_breaks)
        closed = Round.objects.filter(stage=stage, status=Round.Status.CLOSED).count()
        # During a round the arrows show its changes; between rounds those of the last one.
        before = snapshots.stored_rows(stage, closed - (not has_open_round(stage)), group)
    else:
        kept = snapshots.latest(stage, after, group)
        rows = tuple(snapshots.row_from_json(row) for row in kept.rows) if kept else ()
        codes = list(kept.tie_breaks) if kept else []
        before = snapshots.stored_rows(stage, after - 1, group)
    ranked = ranking.has_order(stage, group=group or None, upto=after)
    gained = snapshots.places_gained(rows, before) if ranked else {}
    if not ranked:
        codes = []
    if not any(row.values for row in rows):
        codes = []
    lines = [
        StandingsRow(
            row,
            row.place if ranked else None,
            called.get(row.entrant, ""),
            reason_text.format_fraction(row.points),
            tuple(_shown_value(code, value) for code, value in zip(codes, row.values)),
            reason_text.render_reason(row.reason, called) if ranked else "",
            gained.get(row.entrant),
        )
        for row in rows
    ]
    if not ranked:
        lines.sort(key=lambda line: (line.name.casefold(), line.row.entrant))
    known, best = format_catalogue.FORMATS[stage.format], history.scheme(stage).best
    explains_points = ranked and bool(best) and known.counts_points_by_round
    return StandingsTable(group, columns(codes), tuple(lines), known.scores, ranked, best, explains_points)


def has_open_round(stage: Stage) -> bool:
    return Round.objects.filter(stage=stage, status=Round.Status.PUBLISHED).exists()


def columns(codes: Sequence[str]) -> tuple[Column, ...]:
    return tuple(Column(code, reason_text.tie_break_short(code), reason_text.tie_break_title(code)) for code in codes)


def _shown_value(code: str, value: Fraction | None) -> Value:
    if value is None and PARTS[code].needs_scores:
        return Value(code, "–", gettext("Not given: some of these games have no scores."))
    return Value(code, _text(code, value))


def _text(code: str, value: Fraction | None) -> str:
    if value is None:
        return ""
    return "✓" if PARTS[code].hide_value else reason_text.format_fraction(value)


@dataclass(frozen=True)
class Contribution:
    round: int
    opponent: str
    amount: str
    cut: bool
    note: str


@dataclass(frozen=True)
class Explained:
    """A tie-break's value with everything that went into it."""

    name: str
    title: str
    total: str
    lines: tuple[Contribution, ...]
    note: str = ""


POINTS = "points"
"""Stands for the points themselves where a breakdown is asked for."""


def tie_break_breakdown(stage: Stage, entrant: int, code: str) -> Explained | None:
    """The contributions to a value, or to the points; None if the stage has no such entrant or tie-break."""
    if code == POINTS:
        return _points_breakdown(stage, entrant)
    if code not in stage.division.season.tie_breaks or not format_catalogue.format_of(stage).explains_tie_breaks:
        return None
    starter = stage.starters.filter(entrant=entrant).first()
    if starter is None:
        return None
    field = history.load_score_table(stage, group=starter.group)
    sheet = TieBreakInput(field)
    tied = None
    if PARTS[code].needs_tied_group:
        # It is computed among those level in the tie-breaks before it, not among all with as many points.
        codes = stage.division.season.tie_breaks
        groups, _deciding = levels(sheet, parse(codes[: codes.index(code)]))
        tied = next((group for group in groups if entrant in group), [])
    parts = breakdown(sheet, PARTS[code], entrant, tied)
    called = reason_text.entrant_names(stage)
    lines = tuple(_contribution(line, parts.unit, called) for line in parts.lines)
    value = _shown_value(code, parts.value if PARTS[code].is_given(sheet, entrant) else None)
    return Explained(called.get(entrant, ""), reason_text.tie_break_title(code), value.text, lines, value.note)


def _points_breakdown(stage: Stage, entrant: int) -> Explained | None:
    """The points round by round; those that do not count are marked."""
    known = format_catalogue.format_of(stage)
    starter = stage.starters.filter(entrant=entrant).first()
    if starter is None or not known.counts_points_by_round:
        return None
    field = history.load_score_table(stage, group=starter.group)
    called, dropped = reason_text.entrant_names(stage), field.dropped_rounds(entrant)
    left_out = gettext("not among the best %(count)s: left out") % {"count": field.scheme.best}
    lines = []
    for game in field.games[entrant]:
        met = ", ".join(called.get(other, "") for other in game.others) or _unplayed_words(game.kind)
        worth = reason_text.format_fraction(Fraction(game.points, POINT))
        cut = game.round in dropped
        lines.append(Contribution(game.round, met, worth, cut, left_out if cut else ""))
    total = reason_text.format_fraction(Fraction(field.score[entrant], POINT))
    return Explained(called.get(entrant, ""), gettext("points"), total, tuple(lines))


def _unplayed_words(kind: Kind) -> str:
    return "" if kind is Kind.PLAYED else _unplayed(kind)[1]


def _contribution(line: base.Contribution, unit: int, called: Mapping[int, str]) -> Contribution:
    return Contribution(
        line.round,
        called.get(line.opponent, "") if line.opponent is not None else "",
        reason_text.format_fraction(Fraction(line.amount) / unit),
        line.cut,
        str(NOTES.get(line.note, "")),
    )


@dataclass(frozen=True)
class Cell:
    """A result in a round or against an opponent. `words` is the full text."""

    text: str
    words: str = ""
    tone: str = ""


@dataclass(frozen=True)
class Crosstable:
    """A table of everybody against everybody in a round robin of two; otherwise everybody round by round.

    Of a series (`series`) it has the games won by each.
    """

    heads: tuple[str, ...]
    lines: tuple[tuple[StandingsRow, tuple[Cell, ...]], ...]
    against: bool
    series: bool = False


def crosstable(stage: Stage, listing: StandingsTable) -> Crosstable | None:
    if not (listing.ranked and listing.lines and format_catalogue.format_of(stage).has_crosstable):
        return None
    field = history.load_score_table(stage, group=listing.group or None)
    series = format_catalogue.best_of(stage) > 1
    called = {line.row.entrant: line.name for line in listing.lines}
    if field.round_robin and all(len(game.others) < 2 for games in field.games.values() for game in games):
        heads = tuple(str(line.row.place) for line in listing.lines)
        lines = tuple(
            (line, tuple(_against(field, line.row.entrant, other, called, series) for other in called))
            for line in listing.lines
        )
        return Crosstable(heads, lines, against=True, series=series)
    numbers = range(1, len(field.history.rounds) + 1)
    places = {line.row.entrant: line.row.place for line in listing.lines}
    by_round = format_catalogue.format_of(stage).counts_points_by_round
    dropped = {who: field.dropped_rounds(who) if by_round else set() for who in places}
    lines = tuple(
        (
            line,
            tuple(
                _in_round(field, line.row.entrant, number, called, places, dropped[line.row.entrant], series)
                for number in numbers
            ),
        )
        for line in listing.lines
    )
    return Crosstable(tuple(str(number) for number in numbers), lines, against=False, series=series)


def _against(field: ScoreTable, who: int, other: int, called: Mapping[int, str], series: bool) -> Cell:
    if who == other:
        return Cell("", gettext("themselves"), "self")
    met_here = [(took, game) for game in field.games[who] for met, took in zip(game.others, game.took) if met == other]
    taken = [took for took, _game in met_here]
    marks = {2: "1", 1: "½", 0: "0"}
    text = " ".join((_games_won(game) if series else "") or marks[took] for took, game in met_here)
    tone = "" if not taken else "won" if min(taken) == 2 else "lost" if max(taken) == 0 else "even"
    return Cell(text, gettext("against %(name)s") % {"name": called[other]}, tone)


def _games_won(game: Game) -> str:
    """The games of a series that was played, the own ones first; empty for others."""
    if game.kind is not Kind.PLAYED or game.table is None or len(game.table.places) != 2:
        return ""
    own, other = game.table.places[game.seat].score, game.table.places[1 - game.seat].score
    return "" if own is None or other is None else f"{own}–{other}"


def _in_round(
    field: ScoreTable,
    who: int,
    number: int,
    called: Mapping[int, str],
    places: Mapping[int, int],
    dropped: set[int],
    series: bool,
) -> Cell:
    game = next((game for game in field.games[who] if game.round == number), None)
    if game is None:
        return Cell("·", gettext("not decided yet"))
    cell = _cell_of(game, called, places, series)
    if number not in dropped:
        return cell
    left_out = gettext("does not count")
    return Cell(cell.text, f"{cell.words}, {left_out}", f"{cell.tone} dropped".strip())


def _cell_of(game: Game, called: Mapping[int, str], places: Mapping[int, int], series: bool) -> Cell:
    if game.kind is not Kind.PLAYED or game.table is None:
        text, words = _unplayed(game.kind)
        worth = gettext("points: %(points)s") % {"points": reason_text.format_fraction(Fraction(game.points, POINT))}
        return Cell(text, f"{words}, {worth}", "bye")
    rank = game.table.places[game.seat].rank
    met = ", ".join(called.get(other, "") for other in game.others)
    if met:
        words = gettext("place %(rank)s, with %(names)s") % {"rank": rank, "names": met}
    else:
        words = gettext("place %(rank)s") % {"rank": rank}
    result = (_games_won(game) if series else "") or str(rank)
    return Cell(_with_others(result, game, places), words, "won" if rank == 1 else "")


def _with_others(result: str, game: Game, places: Mapping[int, int]) -> str:
    """The place at the table or the games won, and in brackets the places of the others in the standings."""
    others = ",".join(str(places[other]) for other in game.others if other in places)
    return f"{result} ({others})" if others else result


# The names of byes.
BYES: Mapping[str, str | Promise] = {
    Kind.PAB.name: pgettext_lazy("round without a game", "bye"),
    Kind.FPB.name: _("full-point bye"),
    Kind.HPB.name: _("half-point bye"),
    Kind.ZPB.name: _("zero-point bye"),
}


def _unplayed(kind: Kind) -> tuple[str, str]:
    """A round without a game: short for a cell, and as text."""
    if kind.name in BYES:
        return str(BYES[Kind.PAB.name]), str(BYES[kind.name])
    return {
        Kind.FW: ("+", gettext("won without a game")),
        Kind.FL: ("−", gettext("lost without a game")),
        Kind.NP: ("–", gettext("had not entered yet")),
        Kind.WD: ("–", gettext("had withdrawn")),
    }[kind]


@dataclass(frozen=True)
class Facts:
    """How somebody came into a round: the place and points before it, and the rating at the start of the season."""

    place: int | None
    points: str
    rating: int | None


def facts_before(round_: Round) -> dict[int, Facts]:
    """By entrant, what a card of the round says about them beside the name."""
    stage, before = round_.stage, round_.number - 1
    ranked = before > 0 and ranking.has_order(stage, upto=before)
    grouped = format_catalogue.format_of(stage).grouped
    scores = format_catalogue.FORMATS[stage.format].scores
    rows: dict[int, Row] = {}
    if ranked:
        for group in ranking.groups_of(stage) if grouped else [None]:
            rows |= {row.entrant: row for row in ranking.ranking(stage, group=group, upto=before)}
    entrants = Entrant.objects.filter(starters__stage=stage).values_list("pk", "rating")
    facts = {}
    for who, rating in entrants:
        row = rows.get(who)
        points = reason_text.format_fraction(row.points) if row is not None and scores else ""
        if row is not None or rating is not None:
            facts[who] = Facts(row.place if row else None, points, rating)
    return facts
