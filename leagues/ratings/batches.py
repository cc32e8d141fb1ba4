"""Long lists of keys, in portions that every database takes."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

BATCH = 500


def batches(these: Iterable[T]) -> Iterator[list[T]]:
    every = list(these)
    for at in range(0, len(every), BATCH):
        yield every[at : at + BATCH]
