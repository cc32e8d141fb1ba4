"""Looks for puzzles in matches between bots, and judges each once more: a program for either build of the engine.

The question is a JSON object on standard input, the answer one JSON object a match on standard output.
"""

import json
import sys
import time

from engine.analysis.puzzles import TABLES, bot_match, find_puzzles, holds


def main() -> None:
    asked = json.load(sys.stdin)
    sizes = TABLES[asked["game"]].sizes
    for number in asked["numbers"]:
        began = time.process_time()
        puzzles = find_puzzles(bot_match(asked["game"], sizes[number % len(sizes)], f"yield {number}"))
        cpu = time.process_time() - began
        held = [holds(puzzle, f"again {number}") for puzzle in puzzles]
        sys.stdout.write(json.dumps({"cpu": cpu, "held": held}) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
