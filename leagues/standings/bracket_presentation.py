"""A bracket for pages and programs: rounds with names, and matches with seeds, names, scores and tables."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from leagues.core import format_catalogue, reason_text
from leagues.formats.bracket import NOBODY, Bracket, Match, MatchState, Source, places
from leagues.formats.values import Kind
from leagues.models import Pairing, Stage, Starter
from leagues.standings import ranking
from leagues.standings.bracket_svg import WIDE, Box, BracketLayout, layout_bracket

SIDES: Mapping[str, str | Promise] = {
    "winners": _("Winners’ side"),
    "losers": _("Losers’ side"),
    "final": pgettext_lazy("bracket", "Final"),
    "third": _("Third place"),
}


@dataclass(frozen=True)
class Line:
    """One of the two in a match. `name` says where they come from while that is open (`known` is False)."""

    seed: int | None
    name: str
    known: bool
    score: str
    won: bool


@dataclass(frozen=True)
class ShownMatch:
    match: Match
    title: str
    lines: tuple[Line, Line]
    pairing: Pairing | None
    said: str

    @property
    def is_open(self) -> bool:
        """Whether it can be played now: it has a table without a result that counts."""
        return self.match.state is MatchState.READY and self.pairing is not None and self.pairing.is_open


@dataclass(frozen=True)
class Column:
    """One round of a side, in its own order from the top."""

    title: str
    x: int
    middle: int
    matches: tuple[ShownMatch, ...]


@dataclass(frozen=True)
class Side:
    code: str
    title: str
    drawing: BracketLayout
    boxes: tuple[tuple[Box, ShownMatch], ...]
    columns: tuple[Column, ...]


@dataclass(frozen=True)
class ShownBracket:
    sides: tuple[Side, ...]
    # All of them, in playing order.
    matches: tuple[ShownMatch, ...]
    champion: str
    # Results that no longer fit anywhere, in words.
    leftovers: tuple[str, ...]

    def match(self, id: str) -> ShownMatch | None:
        return next((shown for shown in self.matches if shown.match.id == id), None)


def has_bracket(stage: Stage) -> bool:
    return format_catalogue.format_of(stage).has_bracket and stage.starters.count() > 1


def shown_bracket(stage: Stage) -> ShownBracket | None:
    """The whole bracket; None for stages without one."""
    if not has_bracket(stage):
        return None
    tree = ranking.bracket_of(stage)
    called = reason_text.entrant_names(stage)
    seeds = dict(Starter.objects.filter(stage=stage).values_list("entrant", "seed"))
    tables = tables_of(stage)
    titles = round_titles(tree)
    shown = {
        match.id: _present_match(match, titles[match.side, match.round], called, seeds, tables)
        for match in tree.matches
    }
    sides = tuple(_side(drawing, titles, shown) for drawing in layout_bracket(tree, WIDE))
    leftovers = tuple(reason_text.render_reason(each, called) for each in tree.orphans)
    return ShownBracket(sides, tuple(shown.values()), champion(tree, called), leftovers)


def champion(tree: Bracket, called: Mapping[int, str]) -> str:
    listed = places(tree)
    return called.get(listed[0][1][0], "") if listed and listed[0][0] == 1 else ""


Pair = frozenset[int]


def tables_of(stage: Stage) -> dict[tuple[str, Pair], Pairing]:
    """The latest published table of every match, by its id and the two who sit there."""
    rows = (
        Pairing.objects.seen()
        .filter(round__stage=stage)
        .exclude(slot="")
        .select_related("round")
        .prefetch_related("seats__entrant", "results", "games")
        .order_by("round__number", "number")
    )
    return {(row.slot, frozenset(seat.entrant_id for seat in row.seats.all())): row for row in rows}


# By side and number of the round.
Titles = Mapping[tuple[str, int], str]


def _side(drawing: BracketLayout, titles: Titles, shown: Mapping[str, ShownMatch]) -> Side:
    boxes = tuple((box, shown[box.match.id]) for box in drawing.boxes)
    columns = []
    for number in sorted({box.match.round for box in drawing.boxes}):
        here = sorted((each for each in boxes if each[0].match.round == number), key=lambda each: each[0].y)
        x = here[0][0].x
        matches = tuple(match for _box, match in here)
        columns.append(Column(titles[drawing.side, number], x, x + drawing.box_width // 2, matches))
    plain = not any(side == "final" for side, _number in titles)
    title = gettext("Bracket") if plain and drawing.side == "winners" else str(SIDES[drawing.side])
    return Side(drawing.side, title, drawing, boxes, tuple(columns))


def round_titles(tree: Bracket) -> Titles:
    """The names of the rounds of all sides."""
    count = Counter((match.side, match.round) for match in tree.matches)
    last = {side: max(number for each, number in count if each == side) for side, _number in count}
    names = {1: pgettext("bracket", "Final"), 2: gettext("Semi-finals"), 4: gettext("Quarter-finals")}
    titles = {}
    for side, number in count:
        known, is_last = {"number": number}, number == last[side]
        if side == "final":
            title = pgettext("bracket", "Final") if number == 1 else gettext("Second final")
        elif side == "third":
            title = gettext("Match for third place")
        elif side == "losers":
            title = gettext("Losers’ final") if is_last else gettext("Losers’ round %(number)s") % known
        elif "final" in last:
            title = gettext("Winners’ final") if is_last else gettext("Winners’ round %(number)s") % known
        else:
            matches = count[side, number]
            title = names.get(matches) or gettext("Round of %(count)s") % {"count": 2 * matches}
        titles[side, number] = title
    return titles


def _present_match(
    match: Match,
    title: str,
    called: Mapping[int, str],
    seeds: Mapping[int, int],
    tables: Mapping[tuple[str, Pair], Pairing],
) -> ShownMatch:
    pairing = tables.get((match.id, frozenset(who for who in match.entrants if who is not None)))
    scores: Mapping[int, str] = {}
    if pairing is not None:
        scores = _scores(pairing) if match.state is MatchState.DONE else _games_so_far(pairing)
    first, second = (
        _line(who, source, match, called, seeds, scores) for who, source in zip(match.entrants, match.sources)
    )
    return ShownMatch(match, title, (first, second), pairing, reason_text.render_reason(match.reason, called))


def _line(
    who: int | None,
    source: Source,
    match: Match,
    called: Mapping[int, str],
    seeds: Mapping[int, int],
    scores: Mapping[int, str],
) -> Line:
    if who is None:
        return Line(None, _source_words(source), known=False, score="", won=False)
    if who == NOBODY:
        return Line(None, "–", known=False, score="", won=False)
    won = match.state in (MatchState.DONE, MatchState.BYE) and match.winner == who
    return Line(seeds.get(who), called.get(who, ""), known=True, score=scores.get(who, ""), won=won)


def _source_words(source: Source) -> str:
    if source.kind == "winner":
        return gettext("Winner of %(match)s") % {"match": source.of}
    if source.kind == "loser":
        return gettext("Loser of %(match)s") % {"match": source.of}
    return ""


def _games_so_far(pairing: Pairing) -> dict[int, str]:
    """The games won by each in a series that is being played online."""
    winners = [game.winner for game in pairing.games.all() if game.ended_at]
    return {seat.entrant_id: str(winners.count(seat.index)) for seat in pairing.seats.all()} if winners else {}


def _scores(pairing: Pairing) -> dict[int, str]:
    """The score of each by entrant; a sign where one of them did not come."""
    counts = next((result for result in pairing.results.all() if result.in_force), None)
    seats: Sequence[int] = [seat.entrant_id for seat in sorted(pairing.seats.all(), key=lambda seat: seat.index)]
    scores = {}
    for who, place in zip(seats, counts.places if counts else ()):
        if place["kind"] == Kind.PLAYED.name:
            scores[who] = "" if place["score"] is None else str(place["score"])
        else:
            scores[who] = "+" if place["kind"] == Kind.FW.name else "−"
    return scores
