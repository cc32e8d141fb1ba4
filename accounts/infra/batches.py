"""Long lists of keys, in batches that every database accepts."""

from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

BATCH = 500


def batches(items: Iterable[T]) -> Iterator[list[T]]:
    every = list(items)
    for at in range(0, len(every), BATCH):
        yield every[at : at + BATCH]
