"""Texts about the state or result of a match: for pages, lists, shared links, and before resigning."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext, ngettext

import engine
from engine import Scoring
from games import minimum_play
from games.catalogue import terms
from games.catalogue.spec import spec
from games.models import Match, Seat


@dataclass(frozen=True)
class Share:
    """The preview of a link in a messenger, with public data only."""

    title: str
    description: str


class SeatResult(NamedTuple):
    """How a match ended for one seat."""

    name: str
    role: str
    won: bool


@dataclass(frozen=True)
class ResultRow:
    """One seat of the result; `role` only where the seats have different ones."""

    seat: Seat
    role: str


def clock_words(match: Match) -> str:
    if match.clock == Match.Clock.LIVE:
        return gettext("%(minutes)s min + %(seconds)s s") % {
            "minutes": f"{match.bank / 60:g}",
            "seconds": match.increment,
        }
    if match.clock == Match.Clock.DAYS:
        return ngettext("%(days)s day a turn", "%(days)s days a turn", match.days) % {"days": match.days}
    return gettext("No clock")


def has_places(match: Match) -> bool:
    """Whether all play for themselves. Teams, and one against many, win or lose and have no places; nor has a match
    that was called off."""
    if match.is_called_off:
        return False
    return engine.game(match.game).scoring is Scoring.ORDER


def result_rows(match: Match, seats: Sequence[Seat]) -> list[ResultRow]:
    names = terms.of_game(match.game)
    roles = engine.game(match.game).roles(match.players)
    has_roles = len(set(roles)) > 1
    ordered = sorted(seats, key=lambda seat: (seat.rank or 99, seat.index))
    return [ResultRow(seat, names.get(roles[seat.index], "") if has_roles else "") for seat in ordered]


def minutes_played(match: Match) -> int:
    """How long a finished match took, at least a minute."""
    if match.started_at is None or match.finished_at is None:
        return 0
    return max(1, round((match.finished_at - match.started_at).total_seconds() / 60))


def winners(match: Match, seats: Sequence[Seat]) -> str:
    """Who won, as part of a sentence."""
    if match.is_called_off:
        return gettext("called off")
    roles = engine.game(match.game).roles(match.players)
    return won_by(match.game, [SeatResult(seat.name, roles[seat.index], bool(seat.won)) for seat in seats])


def won_by(game: str, seats: Sequence[SeatResult]) -> str:
    """Who won: the side where several share one, else the players. A team wins or loses together, even if one left."""
    names = [seat.name for seat in seats if seat.won]
    if words := side_words(game, seats):
        return words
    if engine.game(game).cooperative:
        return gettext("won together") if names else gettext("lost together")
    if not names:
        return gettext("won by nobody")
    return ngettext("won by %(names)s", "won by %(names)s", len(names)) % {"names": ", ".join(names)}


def side_words(game: str, seats: Sequence[SeatResult]) -> str:
    """That a side of several players won or lost; empty where somebody won alone, or the game has no such words."""
    known = spec(game)
    if engine.game(game).cooperative:  # all have the one role there is
        words = known.side_won if any(seat.won for seat in seats) else known.side_lost
        return str(next(iter(words.values()), ""))
    role = next((seat.role for seat in seats if seat.won), "")
    several = sum(seat.role == role for seat in seats) > 1
    return str(known.side_won.get(role, "")) if several else ""


def resigning(match: Match) -> str:
    """What resigning means in this match, to confirm it."""
    game = engine.game(match.game)
    if match.is_playing and match.players == 2 and not game.cooperative and minimum_play.is_early(match):
        return gettext(
            "Resign this match? Not everyone has had two turns yet: it is called off and not rated. "
            "At the table of a league you forfeit."
        )
    if game.cooperative:
        return gettext(
            "Leave your team? A bot plays on in your place. Even if the team wins, the match counts as lost for you."
        )
    if match.players == 2:
        return gettext("Resign this match? Your opponent wins.")
    if not has_places(match):
        return gettext(
            "Resign this match? A bot plays on in your place. Even if your side wins, the match counts as lost for you."
        )
    return gettext("Resign this match? A bot plays on in your place, and you come last.")


def share(match: Match, seats: Sequence[Seat]) -> Share:
    if match.is_finished:
        title = f"{match.title} · {winners(match, seats)}"
        return Share(title, f"{_scores(match, seats)} {terms.ending(match.game, match.reason)}".strip())
    names = ", ".join(seat.name for seat in seats if seat.is_taken)
    if match.is_playing:
        return Share(match.title, gettext("Playing now: %(names)s. Watch live.") % {"names": names})
    if match.is_open:
        free = sum(not seat.is_taken for seat in seats)
        places = ngettext("%(count)s free place.", "%(count)s free places.", free) % {"count": free}
        return Share(match.title, " ".join([gettext("A table is open: sit down and play."), places]))
    return Share(match.title, gettext("This table was called off."))


def _scores(match: Match, seats: Sequence[Seat]) -> str:
    """The places in order, or, where there are none, the players."""
    ordered = [line.seat for line in result_rows(match, seats)]
    if not has_places(match):
        return ", ".join(seat.name for seat in ordered) + "."
    places = [f"{seat.rank}. {seat.name}" + ("" if seat.score is None else f" ({seat.score})") for seat in ordered]
    return ", ".join(places) + "."
