"""A draw is the same in every process: nothing in it depends on hash order, time or a random generator."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = """
import hashlib, random
from dataclasses import replace
from leagues.formats import arena, block_designs, duplicate, one_vs_many, swiss, table_swiss
from leagues.formats.score_table import ScoreTable
from leagues.formats.standings import standings
from leagues.formats.tiebreaks.registry import PRESETS, parse
from tests.leagues.formats.random_events import run
plan = table_swiss.Plan(4, 3)
draws = {
    "swiss": swiss.draw,
    "tables": lambda history: table_swiss.draw(history, plan),
    "solo": lambda history: one_vs_many.draw(history, plan, solo="one", team="many"),
    "duplicate": lambda history: duplicate.draw(history, 4, "secret"),
}
for name, draw in draws.items():
    *_, (history, drawn) = run(draw, 38, 4, 7, busy=False)
    rows = standings(ScoreTable(history), parse(PRESETS["swiss"]))
    print(name, hashlib.sha256(repr((history, drawn, rows)).encode()).hexdigest())
"""


def test_every_process_draws_the_same():
    outputs = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            cwd=ROOT,
            env=os.environ | {"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1
    assert len(outputs.pop().split()) == 8
