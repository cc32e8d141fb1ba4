"""The analysis as a program of its own: a request on standard input, one JSON object a line on standard output.

First how far it is (`done` of `total`), at last the `report`, or why there is none (`refused`: a code, and words). A
request with a `seat` is for a hint at a running match, and the answer is a `hint`: a move. One for `puzzles` has a
record, or asks for a match of `bots`; the answer is a list of those in it.
"""

import json
import os
import signal
import sys
import time
from typing import Any

from engine.analysis.hints import hint
from engine.analysis.puzzles import bot_match, find_puzzles
from engine.analysis.report import analyse
from engine.analysis.steps import NotAnalysed
from engine.errors import TranscriptError

EVERY = 0.3
"""Seconds between two lines about the progress."""


def main() -> None:
    # Pages, moves and bots come first; and Ctrl-C ends this program without a traceback.
    if hasattr(os, "nice"):
        os.nice(10)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    request = json.load(sys.stdin)
    parent, said = os.getppid(), 0.0

    def progress(done: int, total: int) -> None:
        nonlocal said
        if os.getppid() != parent:
            sys.exit(1)  # nobody waits for it any more
        if time.monotonic() - said > EVERY:
            said = time.monotonic()
            answer({"done": done, "total": total})

    try:
        if "puzzles" in request:
            document = request.get("document") or bot_match(**request["bots"])
            ended = request.get("ended", False)
            found = find_puzzles(document, seed=request["puzzles"], ended=ended, progress=progress)
            answer({"puzzles": found})
        elif "seat" in request:
            answer({"hint": hint(request["document"], seat=request["seat"], seed=request["seed"])})
        else:
            answer({"report": analyse(request["document"], ended=request["ended"], progress=progress)})
    except NotAnalysed as error:
        answer({"refused": error.code, "detail": str(error)})
    except TranscriptError as error:
        answer({"refused": "rules" if error.field == "rules_version" else "record", "detail": str(error)})


def answer(line: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
