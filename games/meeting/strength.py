"""How strong people are in a game. Ratings belong to the leagues, a layer above, which names the source."""

from collections.abc import Callable, Iterable

Source = Callable[[str, Iterable[int]], dict[int, int]]

_sources: list[Source] = []


def use(source: Source) -> None:
    """Called from an app's `ready`: the ratings of people, by id, in a game; everybody has one."""
    _sources[:] = [source]


def ratings(game: str, people: Iterable[int]) -> dict[int, int]:
    people = list(people)
    return _sources[0](game, people) if _sources else dict.fromkeys(people, 0)
