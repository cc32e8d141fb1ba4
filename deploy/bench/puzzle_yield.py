"""How many puzzles matches of bots give, and whether they hold: confirmed as the site does, then judged once more."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from deploy.bench import Row
from deploy.bench.intervals import Z95, cpu_row, on_all_cores, share_row

PROGRAM = Path(__file__).with_name("made_puzzles.py")
HOLD = 95
"""Percent of the puzzles that should be one again, by as many worlds and other random numbers."""


@dataclass(frozen=True)
class Plan:
    """Matches of one game, and how many puzzles a hundred of them should give."""

    game: str
    matches: int
    found: float | None = None
    what: str = "puzzles that Regular misses"


PLANS = (
    Plan("infinity-gauntlet", matches=100, found=40),
    Plan("splendor-marvel", matches=20),
    Plan("thanos-rising", matches=4, what="turns that Regular misses"),
)


def rows(folder: Path, *, quick: bool = False) -> Iterator[Row]:
    for plan in PLANS[:1] if quick else PLANS:
        matches = on_all_cores(PROGRAM, folder, {"game": plan.game}, 1 if quick else plan.matches)
        held = [each for match in matches for each in match["held"]]
        name = f"{plan.game}: {plan.what}"
        in_hundred = 100 / len(matches)
        yield Row(
            f"{name}, in 100 matches", in_hundred * len(held), "", plan.found,
            f"± {Z95 * in_hundred * sqrt(len(held)):.0f}, {len(matches)} matches",
        )  # fmt: skip
        yield share_row(f"{name}, the same once more", held, HOLD)
        yield cpu_row(name, matches, None)
