"""All tie-breaks by code, and the lists that presets offer. Codes are what is stored when an event starts."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from leagues.formats.errors import FormatError
from leagues.formats.tiebreaks.base import Part
from leagues.formats.tiebreaks.direct import HeadToHead
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
from leagues.formats.tiebreaks.own import Lot, Margin, MeanShare, Placed, Progressive, SeatAdjusted, Wins

PARTS: Mapping[str, Part] = MappingProxyType(
    {
        part.code: part
        for part in (
            HeadToHead("head-to-head"),
            Wins("wins"),
            Wins("games-won", played=True),
            Placed("firsts", rank=1),
            Placed("seconds", rank=2),
            Placed("thirds", rank=3),
            Buchholz("buchholz"),
            Buchholz("buchholz-cut-1", cut=1),
            Buchholz("buchholz-cut-2", cut=2),
            Buchholz("buchholz-median-1", median=1),
            Buchholz("buchholz-median-2", median=2),
            Buchholz("fore-buchholz", fore=True),
            Buchholz("fore-buchholz-cut-1", fore=True, cut=1),
            OpponentsBuchholz("opponents-buchholz"),
            SonnebornBerger("sonneborn-berger"),
            SonnebornBerger("sonneborn-berger-cut-1", cut=1),
            Koya("koya"),
            Progressive("progressive"),
            Progressive("progressive-cut-1", cut=1),
            Progressive("progressive-cut-2", cut=2),
            AverageRating("average-rating"),
            AverageRating("average-rating-cut-1", cut=1),
            Performance("performance"),
            LinearPerformance("linear-performance"),
            OpponentsShare("opponents-share"),
            Share("share"),
            MeanShare("mean-share"),
            Margin("margin"),
            SeatAdjusted("seat-adjusted"),
            Lot("lot"),
        )
    }
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


def parse(codes: Iterable[str]) -> tuple[Part, ...]:
    """The parts of a stored list; an unknown code is an error, and so is the same one twice."""
    listed = list(codes)
    for code in listed:
        if code not in PARTS or listed.count(code) > 1:
            raise FormatError("error.tie-break", name=code)
    return tuple(PARTS[code] for code in listed)
