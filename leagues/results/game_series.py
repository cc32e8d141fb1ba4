"""Pairings of several games: what is checked when one is reported, and the games of those that are played online."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext

import engine
from accounts.infra.errors import Refused
from engine import Scoring
from games.models import Match, Seat
from leagues.core import format_catalogue, locks
from leagues.formats import game_series
from leagues.formats.values import Kind
from leagues.models import Pairing, PairingGame, PairingSeat, Stage, Starter


def length(pairing: Pairing) -> int:
    """How many games it has at most; 1: a single game, and no series."""
    return format_catalogue.best_of(pairing.round.stage)


def may_be_level(stage: Stage) -> bool:
    """Whether a series may end without a winner: where a single game may."""
    game = engine.game(stage.division.season.league.game)
    return game.scoring is Scoring.ORDER and not format_catalogue.format_of(stage).knock_out


def ranked(stage: Stage, places: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The places of a series that was played, from the games won by each side, which are the scores."""
    best_of = format_catalogue.best_of(stage)
    words = {"best_of": best_of, "needed": game_series.games_needed(best_of)}
    won = [place.get("score") for place in places]
    if not all(type(games) is int for games in won):
        raise Refused(gettext("This is a best of %(best_of)s: give the games that each side won.") % words)
    games_won = [int(str(games)) for games in won]
    level = may_be_level(stage)
    if not game_series.is_final(best_of, games_won, may_be_level=level):
        raise Refused(_how_it_ends(level=level) % words)
    ranks = ranks_by_games(games_won)
    if any(place.get("rank") not in (None, rank) for place, rank in zip(places, ranks)):
        raise Refused(gettext("The places do not fit the games won: whoever won more of them is first."))
    return [{**place, "rank": rank} for place, rank in zip(places, ranks)]


def _how_it_ends(*, level: bool) -> str:
    if level:
        return gettext(
            "In a best of %(best_of)s the winner has won exactly %(needed)s games and the other side fewer; if it "
            "ended level, both have won equally many."
        )
    return gettext(
        "In a best of %(best_of)s the winner has won exactly %(needed)s games and the other side fewer: play on until "
        "somebody has."
    )


def ranks_by_games(games_won: Sequence[int]) -> list[int]:
    return [1 + sum(other > mine for other in games_won) for mine in games_won]


def games_won(pairing: Pairing) -> list[int]:
    """The games that each side has won online so far, in the order of the seats."""
    winners = [game.winner for game in pairing.games.all()]
    return [winners.count(0), winners.count(1)]


def is_used_up(pairing: Pairing) -> bool:
    """Whether so many games were played online that it ends without anybody having won enough of them."""
    played = PairingGame.objects.filter(pairing=pairing, ended_at__isnull=False).count()
    return played >= game_series.MOST_GAMES and not has_winner(pairing)


def places_by_games_online(pairing: Pairing) -> list[dict[str, Any]]:
    """How a series ends that was played online: whoever has won more games is first.

    With equally many, after as many games as are played, it is level; in a knock-out the better seed goes on.
    """
    won = games_won(pairing)
    ranks = ranks_by_games(won)
    stage = pairing.round.stage
    if ranks == [1, 1] and format_catalogue.format_of(stage).knock_out:
        seats = pairing.seats.order_by("index").values_list("entrant", flat=True)
        seeds = dict(Starter.objects.filter(stage=stage).values_list("entrant", "seed"))
        first, second = (seeds[who] for who in seats)
        ranks = [1, 2] if first < second else [2, 1]
    return [{"rank": rank, "score": games, "kind": Kind.PLAYED.name} for rank, games in zip(ranks, won)]


def ended_used_up(pairing: Pairing, places: Sequence[Mapping[str, Any]]) -> bool:
    """Whether this is how a series ended online in which nobody won enough games."""
    return is_used_up(pairing) and [(each.get("rank"), each.get("score")) for each in places] == [
        (each["rank"], each["score"]) for each in places_by_games_online(pairing)
    ]


def end_game(match: Match) -> None:
    """Note the end of a game of a series, and who won it. A match that decides its pairing alone is no such game."""
    game = PairingGame.objects.filter(match=match).select_related("pairing").first()
    if game is None:
        return
    # In a bracket the stage is locked before the pairing.
    locks.pairing(game.pairing)
    if game.ended_at is not None:
        return
    game.ended_at = match.finished_at or timezone.now()
    if not match.is_called_off:
        game.winner = _winner(game, list(Seat.objects.filter(match=match).order_by("index")))
    game.save(update_fields=["ended_at", "winner"])


def _winner(game: PairingGame, seats: Sequence[Seat]) -> int | None:
    best = [seat.index for seat in seats if seat.rank == 1]
    if len(best) != 1:
        return None
    return 1 - best[0] if game.is_exchanged else best[0]


def is_undecided(pairing: Pairing) -> bool:
    """Whether another game is to be played. Somebody who is absent plays none, and ends the series."""
    if length(pairing) == 1 or PairingSeat.objects.filter(pairing=pairing, absent=True).exists():
        return False
    return not has_winner(pairing) and not is_used_up(pairing)


def has_winner(pairing: Pairing) -> bool:
    """Whether somebody has won enough games online."""
    return game_series.winner(length(pairing), games_won(pairing)) is not None


def is_rated_by(match: Match) -> bool:
    """Whether its result is that of a whole pairing. Of a series only the last game is: its winner has won them all.

    The last of as many games as are played counts as it ended, which is a draw like nearly all before it.
    """
    game = PairingGame.objects.filter(match=match).select_related("pairing__round__stage").first()
    if game is None:
        return True
    winner = game_series.winner(length(game.pairing), games_won(game.pairing))
    if winner is None:
        return game.number >= game_series.MOST_GAMES and is_used_up(game.pairing)
    return winner == game.winner


def is_exchanged(pairing: Pairing, match: Match | None) -> bool:
    """Whether the two sit the other way round in this match than in the pairing."""
    game = PairingGame.objects.filter(pairing=pairing, match=match).first() if match else None
    return game is not None and game.is_exchanged
