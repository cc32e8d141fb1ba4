"""All tie-breaks by code, and the preset lists. Seasons store the codes."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from leagues.formats.errors import FormatError
from leagues.formats.tiebreaks.base import TieBreak
from leagues.formats.tiebreaks.head_to_head import HeadToHead
from leagues.formats.tiebreaks.opponents import (
    AverageRating,
    Buchholz,
    Koya,
    LinearPerformance,
    OpponentsBuchholz,
    OpponentsShare,
    Performance,
    Share,
    SonnebornBerger,
)
from leagues.formats.tiebreaks.own_games import Lot, Margin, MeanShare, Placed, Progressive, SeatAdjusted, Wins

_parts: dict[str, TieBreak] = {}
PARTS: Mapping[str, TieBreak] = MappingProxyType(_parts)
"""Every tie-break by its code, including those registered by extensions."""


def register(*parts: TieBreak) -> None:
    """Add tie-breaks of this module or of an extension."""
    for part in parts:
        if not part.title or not part.short:
            raise ValueError(f"{part.code}: a tie-break has a title and a short title")
        if _parts.setdefault(part.code, part) is not part:
            raise ValueError(f"there is a tie-break {part.code} already")


def _(text: str) -> str:
    """Marks a tie-break's name in "decided by ..." for translation."""
    return text


def pgettext_noop(context: str, text: str) -> str:
    """Marks a column heading for translation, with its context."""
    return text


register(
    HeadToHead("head-to-head", _("the games between them"), pgettext_noop("tie-break", "Direct")),
    Wins("wins", _("rounds won, byes and forfeits included"), pgettext_noop("tie-break", "Wins")),
    Wins("games-won", _("games won at the table"), pgettext_noop("tie-break", "Won"), played=True),
    Placed("firsts", _("first places"), pgettext_noop("tie-break", "1st"), rank=1),
    Placed("seconds", _("second places"), pgettext_noop("tie-break", "2nd"), rank=2),
    Placed("thirds", _("third places"), pgettext_noop("tie-break", "3rd"), rank=3),
    Buchholz("buchholz", _("the opponents’ scores (Buchholz)"), pgettext_noop("tie-break", "BH")),
    Buchholz(
        "buchholz-cut-1",
        _("the opponents’ scores without the lowest (Buchholz cut 1)"),
        pgettext_noop("tie-break", "BH-1"),
        cut=1,
    ),
    Buchholz(
        "buchholz-cut-2",
        _("the opponents’ scores without the two lowest (Buchholz cut 2)"),
        pgettext_noop("tie-break", "BH-2"),
        cut=2,
    ),
    Buchholz(
        "buchholz-median-1",
        _("the opponents’ scores without lowest and highest (median Buchholz)"),
        pgettext_noop("tie-break", "Med"),
        median=1,
    ),
    Buchholz(
        "buchholz-median-2",
        _("the opponents’ scores without two lowest and two highest (median Buchholz 2)"),
        pgettext_noop("tie-break", "Med-2"),
        median=2,
    ),
    Buchholz(
        "fore-buchholz",
        _("the opponents’ scores as if the last round were drawn (fore Buchholz)"),
        pgettext_noop("tie-break", "Fore"),
        fore=True,
    ),
    Buchholz(
        "fore-buchholz-cut-1",
        _("the opponents’ scores without the lowest, last round as drawn (fore Buchholz cut 1)"),
        pgettext_noop("tie-break", "Fore-1"),
        fore=True,
        cut=1,
    ),
    OpponentsBuchholz(
        "opponents-buchholz", _("the average Buchholz of the opponents"), pgettext_noop("tie-break", "Opp. BH")
    ),
    SonnebornBerger(
        "sonneborn-berger", _("the scores of those beaten (Sonneborn-Berger)"), pgettext_noop("tie-break", "SB")
    ),
    SonnebornBerger(
        "sonneborn-berger-cut-1",
        _("the scores of those beaten, without the lowest (Sonneborn-Berger cut 1)"),
        pgettext_noop("tie-break", "SB-1"),
        cut=1,
    ),
    Koya("koya", _("results against the upper half (Koya)"), pgettext_noop("tie-break", "Koya")),
    Progressive("progressive", _("the running score (progressive)"), pgettext_noop("tie-break", "Run")),
    Progressive(
        "progressive-cut-1",
        _("the running score without the first round (progressive cut 1)"),
        pgettext_noop("tie-break", "Run-1"),
        cut=1,
    ),
    Progressive(
        "progressive-cut-2",
        _("the running score without the first two rounds (progressive cut 2)"),
        pgettext_noop("tie-break", "Run-2"),
        cut=2,
    ),
    AverageRating("average-rating", _("the opponents’ average rating"), pgettext_noop("tie-break", "Avg.")),
    AverageRating(
        "average-rating-cut-1",
        _("the opponents’ average rating without the lowest"),
        pgettext_noop("tie-break", "Avg.-1"),
        cut=1,
    ),
    Performance("performance", _("the performance rating"), pgettext_noop("tie-break", "Perf.")),
    LinearPerformance("linear-performance", _("the linear performance rating"), pgettext_noop("tie-break", "Lin.")),
    OpponentsShare("opponents-share", _("the opponents’ share of points"), pgettext_noop("tie-break", "Opp. %")),
    Share("share", _("the share of points in games played"), pgettext_noop("tie-break", "Share")),
    MeanShare("mean-share", _("the share of the winner’s score"), pgettext_noop("tie-break", "Of first")),
    Margin("margin", _("the margin over the best other score"), pgettext_noop("tie-break", "Margin")),
    SeatAdjusted("seat-adjusted", _("points above what the seat gives on average"), pgettext_noop("tie-break", "Seat")),
    Lot("lot", _("the lot"), pgettext_noop("tie-break", "Lot")),
)

PRESETS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "swiss": ("head-to-head", "buchholz-cut-1", "buchholz", "sonneborn-berger", "lot"),
        "table-swiss": ("firsts", "buchholz-cut-1", "mean-share", "margin", "lot"),
        "round-robin": ("head-to-head", "wins", "sonneborn-berger", "koya", "lot"),
        "season": ("firsts", "seconds", "thirds", "mean-share", "margin", "head-to-head", "lot"),
        "one-against-many": ("seat-adjusted", "buchholz-cut-1", "head-to-head", "lot"),
        "cards": ("opponents-share", "share", "lot"),
        "rated": ("performance", "average-rating-cut-1", "wins", "lot"),
    }
)


def parse(codes: Iterable[str]) -> tuple[TieBreak, ...]:
    """The tie-breaks of a stored list; an unknown or repeated code is an error."""
    listed = list(codes)
    for code in listed:
        if code not in PARTS or listed.count(code) > 1:
            raise FormatError("error.tie-break", name=code)
    return tuple(PARTS[code] for code in listed)
