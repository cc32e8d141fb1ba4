"""Standings, crosstables and brackets ready to be read: names instead of numbers, values as people write them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from leagues import catalogue, history, ranking, standings, words
from leagues.drawing import NARROW, WIDE, Box, Drawing, drawings
from leagues.formats.bracket import NOBODY, MatchState
from leagues.formats.field import Field, Game
from leagues.formats.standings import Row, breakdown, levels
from leagues.formats.tiebreaks.base import Line, Sheet
from leagues.formats.tiebreaks.own import ScorePart
from leagues.formats.tiebreaks.parts import PARTS, parse
from leagues.formats.values import POINT, Kind
from leagues.formats.wording import TITLES
from leagues.models import Round, Stage

# What a column is called; the whole name is in `leagues.formats.wording.TITLES`.
SHORT: Mapping[str, str | Promise] = {
    "head-to-head": pgettext_lazy("tie-break", "Direct"),
    "wins": pgettext_lazy("tie-break", "Wins"),
    "games-won": pgettext_lazy("tie-break", "Won"),
    "firsts": pgettext_lazy("tie-break", "1st"),
    "seconds": pgettext_lazy("tie-break", "2nd"),
    "thirds": pgettext_lazy("tie-break", "3rd"),
    "buchholz": pgettext_lazy("tie-break", "BH"),
    "buchholz-cut-1": pgettext_lazy("tie-break", "BH-1"),
    "buchholz-cut-2": pgettext_lazy("tie-break", "BH-2"),
    "buchholz-median-1": pgettext_lazy("tie-break", "Med"),
    "buchholz-median-2": pgettext_lazy("tie-break", "Med-2"),
    "fore-buchholz": pgettext_lazy("tie-break", "Fore"),
    "fore-buchholz-cut-1": pgettext_lazy("tie-break", "Fore-1"),
    "opponents-buchholz": pgettext_lazy("tie-break", "Opp. BH"),
    "sonneborn-berger": pgettext_lazy("tie-break", "SB"),
    "sonneborn-berger-cut-1": pgettext_lazy("tie-break", "SB-1"),
    "koya": pgettext_lazy("tie-break", "Koya"),
    "progressive": pgettext_lazy("tie-break", "Run"),
    "progressive-cut-1": pgettext_lazy("tie-break", "Run-1"),
    "progressive-cut-2": pgettext_lazy("tie-break", "Run-2"),
    "average-rating": pgettext_lazy("tie-break", "Avg."),
    "average-rating-cut-1": pgettext_lazy("tie-break", "Avg.-1"),
    "performance": pgettext_lazy("tie-break", "Perf."),
    "linear-performance": pgettext_lazy("tie-break", "Lin."),
    "opponents-share": pgettext_lazy("tie-break", "Opp. %"),
    "share": pgettext_lazy("tie-break", "Share"),
    "mean-share": pgettext_lazy("tie-break", "Of first"),
    "margin": pgettext_lazy("tie-break", "Margin"),
    "seat-adjusted": pgettext_lazy("tie-break", "Seat"),
    "lot": pgettext_lazy("tie-break", "Lot"),
}
NOTES: Mapping[str, str | Promise] = {
    "own": _("not played: counts as an opponent with the own score"),
    "as-opponent": _("not played: counts as an opponent with the own score, but no more than the one who was drawn"),
    "as-draws": _("not played: counts as an opponent with the own score, but no more than a draw in every round"),
    "unrated": _("not rated: left out"),
    "below": _("below half of the points: left out"),
}
# A lot is a long number that says nothing to anybody: the page shows that it was drawn, not what.
WORDLESS = frozenset({"lot"})


@dataclass(frozen=True)
class Column:
    code: str
    short: str
    title: str


@dataclass(frozen=True)
class Value:
    """What a tie-break says of somebody; `note` says why it says nothing."""

    code: str
    text: str
    note: str = ""


@dataclass(frozen=True)
class Standing:
    """One line: `place` is None before the first result, `climbed` where there is nothing to compare with."""

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
class Listing:
    """The standings of a stage, or of one of its groups (0 for none)."""

    group: int
    columns: tuple[Column, ...]
    lines: tuple[Standing, ...]
    # A knock-out and a ladder have places, and no points.
    scores: bool
    # Before the first result there is no order: names alone, by the alphabet.
    ranked: bool


def listings(stage: Stage, after: int | None = None) -> list[Listing]:
    """The standings now, or as they were kept after a round."""
    called = words.names(stage)
    return [_listing(stage, group, after, called) for group in ranking.groups_of(stage) or [0]]


def _listing(stage: Stage, group: int, after: int | None, called: Mapping[int, str]) -> Listing:
    if after is None:
        rows = ranking.ranking(stage, group=group or None)
        codes = list(stage.division.season.tie_breaks)
        closed = Round.objects.filter(stage=stage, status=Round.Status.CLOSED).count()
        # While a round is under way the arrows tell what it changes; between rounds what the last one changed.
        before = standings.kept(stage, closed - (not has_open_round(stage)), group)
    else:
        kept = standings.latest(stage, after, group)
        rows = tuple(standings.from_json(row) for row in kept.rows) if kept else ()
        codes = list(kept.tie_breaks) if kept else []
        before = standings.kept(stage, after - 1, group)
    ranked = ranking.has_order(stage, group=group or None, upto=after)
    gained = standings.climbed(rows, before) if ranked else {}
    if not ranked:
        codes = []
    if not any(row.values for row in rows):
        codes = []
    lines = [
        Standing(
            row,
            row.place if ranked else None,
            called.get(row.entrant, ""),
            words.written(row.points),
            tuple(_shown_value(code, value) for code, value in zip(codes, row.values)),
            words.said(row.reason, called) if ranked else "",
            gained.get(row.entrant),
        )
        for row in rows
    ]
    if not ranked:
        lines.sort(key=lambda line: (line.name.casefold(), line.row.entrant))
    return Listing(group, columns(codes), tuple(lines), catalogue.FORMATS[stage.format].scores, ranked)


def has_open_round(stage: Stage) -> bool:
    return Round.objects.filter(stage=stage, status=Round.Status.PUBLISHED).exists()


def columns(codes: Sequence[str]) -> tuple[Column, ...]:
    return tuple(Column(code, str(SHORT[code]), gettext(TITLES[code])) for code in codes)


def _shown_value(code: str, value: Fraction | None) -> Value:
    if value is None and isinstance(PARTS[code], ScorePart):
        return Value(code, "–", gettext("Not given: some of these games have no scores."))
    return Value(code, _text(code, value))


def _text(code: str, value: Fraction | None) -> str:
    if value is None:
        return ""
    return "✓" if code in WORDLESS else words.written(value)


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


def explained(stage: Stage, entrant: int, code: str) -> Explained | None:
    """How a value came about; None where this stage has no such entrant or counts no such thing."""
    if code not in stage.division.season.tie_breaks or catalogue.FORMATS[stage.format].ranks != "standings":
        return None
    starter = stage.starters.filter(entrant=entrant).first()
    if starter is None:
        return None
    field = history.field(stage, group=starter.group)
    sheet = Sheet(field)
    tied = None
    if code == "head-to-head":
        # It is asked of those whom the tie-breaks before it leave level, not of all with as many points.
        codes = stage.division.season.tie_breaks
        groups, _deciding = levels(sheet, parse(codes[: codes.index(code)]))
        tied = next((group for group in groups if entrant in group), [])
    found = breakdown(sheet, PARTS[code], entrant, tied)
    called = words.names(stage)
    lines = tuple(_contribution(line, found.unit, called) for line in found.lines)
    value = _shown_value(code, found.value if PARTS[code].is_given(sheet, entrant) else None)
    return Explained(called.get(entrant, ""), gettext(TITLES[code]), value.text, lines, value.note)


def _contribution(line: Line, unit: int, called: Mapping[int, str]) -> Contribution:
    return Contribution(
        line.round,
        called.get(line.opponent, "") if line.opponent is not None else "",
        words.written(Fraction(line.amount) / unit),
        line.cut,
        str(NOTES.get(line.note, "")),
    )


@dataclass(frozen=True)
class Cell:
    """What somebody did in a round, or against somebody. `words` says it in full."""

    text: str
    words: str = ""
    tone: str = ""


@dataclass(frozen=True)
class Crosstable:
    """Everybody against everybody where all meet at tables of two; otherwise everybody round by round."""

    heads: tuple[str, ...]
    lines: tuple[tuple[Standing, tuple[Cell, ...]], ...]
    against: bool


def crosstable(stage: Stage, listing: Listing) -> Crosstable | None:
    if (
        not listing.ranked
        or not listing.lines
        or catalogue.FORMATS[stage.format].ranks not in ("standings", "marks", "arena")
    ):
        return None
    field = history.field(stage, group=listing.group or None)
    called = {line.row.entrant: line.name for line in listing.lines}
    if field.round_robin and all(len(game.others) < 2 for games in field.games.values() for game in games):
        heads = tuple(str(line.row.place) for line in listing.lines)
        lines = tuple(
            (line, tuple(_against(field, line.row.entrant, other, called) for other in called))
            for line in listing.lines
        )
        return Crosstable(heads, lines, against=True)
    numbers = range(1, len(field.history.rounds) + 1)
    places = {line.row.entrant: line.row.place for line in listing.lines}
    lines = tuple(
        (line, tuple(_in_round(field, line.row.entrant, number, called, places) for number in numbers))
        for line in listing.lines
    )
    return Crosstable(tuple(str(number) for number in numbers), lines, against=False)


def _against(field: Field, who: int, other: int, called: Mapping[int, str]) -> Cell:
    if who == other:
        return Cell("", gettext("themselves"), "self")
    taken = [took for game in field.games[who] for met, took in zip(game.others, game.took) if met == other]
    marks = {2: "1", 1: "½", 0: "0"}
    text = " ".join(marks[took] for took in taken)
    tone = "" if not taken else "won" if min(taken) == 2 else "lost" if max(taken) == 0 else "even"
    return Cell(text, gettext("against %(name)s") % {"name": called[other]}, tone)


def _in_round(field: Field, who: int, number: int, called: Mapping[int, str], places: Mapping[int, int]) -> Cell:
    game = next((game for game in field.games[who] if game.round == number), None)
    if game is None:
        return Cell("·", gettext("not decided yet"))
    if game.kind is not Kind.PLAYED or game.table is None:
        text, said = _unplayed(game.kind)
        worth = gettext("points: %(points)s") % {"points": words.written(Fraction(game.points, POINT))}
        return Cell(text, f"{said}, {worth}", "bye")
    rank = game.table.places[game.seat].rank
    met = ", ".join(called.get(other, "") for other in game.others)
    if met:
        said = gettext("place %(rank)s, with %(names)s") % {"rank": rank, "names": met}
    else:
        said = gettext("place %(rank)s") % {"rank": rank}
    return Cell(_ordinal(rank, game, places), said, "won" if rank == 1 else "")


def _ordinal(rank: int, game: Game, places: Mapping[int, int]) -> str:
    """The place at the table; and between brackets where the others of the table stand."""
    others = ",".join(str(places[other]) for other in game.others if other in places)
    return f"{rank} ({others})" if others else str(rank)


# What each kind of bye is called.
BYES: Mapping[str, str | Promise] = {
    Kind.PAB.name: pgettext_lazy("round without a game", "bye"),
    Kind.FPB.name: _("full-point bye"),
    Kind.HPB.name: _("half-point bye"),
    Kind.ZPB.name: _("zero-point bye"),
}


def _unplayed(kind: Kind) -> tuple[str, str]:
    """A round without a game, for a narrow cell and in words."""
    if kind.name in BYES:
        return str(BYES[Kind.PAB.name]), str(BYES[kind.name])
    return {
        Kind.FW: ("+", gettext("won without a game")),
        Kind.FL: ("−", gettext("lost without a game")),
        Kind.NP: ("–", gettext("had not entered yet")),
        Kind.WD: ("–", gettext("had withdrawn")),
    }[kind]


SIDES: Mapping[str, str | Promise] = {
    "winners": _("Winners’ side"),
    "losers": _("Losers’ side"),
    "final": pgettext_lazy("bracket", "Final"),
    "third": _("Third place"),
}


@dataclass(frozen=True)
class NamedBox:
    box: Box
    first: str
    second: str
    winner: int
    said: str


@dataclass(frozen=True)
class Side:
    drawing: Drawing
    title: str
    boxes: tuple[NamedBox, ...]


def bracket_sides(stage: Stage) -> list[tuple[Side, Side]]:
    """The bracket's sides, each drawn wide and narrow; nothing for stages that have none."""
    if catalogue.FORMATS[stage.format].ranks != "bracket" or stage.starters.count() < 2:
        return []
    tree = ranking.bracket_of(stage)
    called = words.names(stage)
    sides = {drawing.side for drawing in drawings(tree, WIDE)}
    plain = "losers" not in sides and "final" not in sides

    def named(drawing: Drawing) -> Side:
        title = gettext("Bracket") if plain and drawing.side == "winners" else str(SIDES[drawing.side])
        return Side(drawing, title, tuple(_named(box, called) for box in drawing.boxes))

    return [(named(wide), named(narrow)) for wide, narrow in zip(drawings(tree, WIDE), drawings(tree, NARROW))]


def _named(box: Box, called: Mapping[int, str]) -> NamedBox:
    match = box.match
    first, second = (_name(who, called) for who in match.entrants)
    winner = 0
    if match.state in (MatchState.DONE, MatchState.BYE) and match.winner not in (None, NOBODY):
        winner = 1 if match.winner == match.entrants[0] else 2
    said = words.said(match.reason, called)
    return NamedBox(box, first, second, winner, said)


def _name(who: int | None, called: Mapping[int, str]) -> str:
    if who is None:
        return ""
    return "–" if who == NOBODY else called.get(who, "")
