"""One group for each audience of a match: all its members may see the same."""

from games.models import Match

LOBBY = "lobby"


def audience(match: Match, seat: int | None) -> str:
    return f"match-{match.key}/{'public' if seat is None else f'seat-{seat}'}"


def audiences(match: Match) -> list[int | None]:
    return [None, *range(match.players)]


def person(user_id: int) -> str:
    return f"person.{user_id}"
