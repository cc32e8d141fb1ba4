"""How a match stands or ended, in words: for pages, lists, shared links, and whoever thinks of resigning."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

import engine
from games import rated, terms
from games.models import Match, Seat


@dataclass(frozen=True)
class Share:
    """What a messenger shows of a link: nothing that a spectator could not see."""

    title: str
    description: str


@dataclass(frozen=True)
class Line:
    """One seat of the result; `role` only where the seats have different ones."""

    seat: Seat
    role: str


def has_places(match: Match) -> bool:
    """Whether everybody plays for themselves: a team, and one against many, win or lose and have no places. Nor has a
    match that was called off."""
    if match.is_called_off:
        return False
    game = engine.game(match.game)
    return not game.cooperative and len(set(game.roles(match.players))) == 1


def table_of(match: Match, seats: Sequence[Seat]) -> list[Line]:
    words = terms.of_game(match.game)
    roles = engine.game(match.game).roles(match.players)
    told = len(set(roles)) > 1
    ordered = sorted(seats, key=lambda seat: (seat.rank or 99, seat.index))
    return [Line(seat, words.get(roles[seat.index], "") if told else "") for seat in ordered]


def winners(match: Match, seats: Sequence[Seat]) -> str:
    """Who won, as part of a sentence."""
    if match.is_called_off:
        return gettext("called off")
    return won_by(match.game, [seat.name for seat in seats if seat.won])


def won_by(game: str, names: Sequence[str]) -> str:
    """A team that plays together wins or loses together, whoever left it."""
    if engine.game(game).cooperative:
        return gettext("won together") if names else gettext("lost together")
    if not names:
        return gettext("won by nobody")
    return gettext("won by %(names)s") % {"names": ", ".join(names)}


def resigning(match: Match) -> str:
    """What resigning means here, before it is done."""
    game = engine.game(match.game)
    if match.is_playing and match.players == 2 and not game.cooperative and rated.is_early(match):
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
    """The places in a row, or, where there are none, who was there."""
    ordered = [line.seat for line in table_of(match, seats)]
    if not has_places(match):
        return ", ".join(seat.name for seat in ordered) + "."
    told = [f"{seat.rank}. {seat.name}" + ("" if seat.score is None else f" ({seat.score})") for seat in ordered]
    return ", ".join(told) + "."
