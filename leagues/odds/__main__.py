"""The program that plays: a season on standard input, its odds on standard output. See `leagues.odds.apart`."""

import gc
import os
import pickle
import signal
import sys
from time import monotonic, process_time

from leagues.odds.simulation import odds
from leagues.odds.values import NoOdds

PATIENCE = 15
"""On a busy machine a share of the work takes longer; after so many times its seconds the rest is left to the next."""


def main() -> None:
    # Whoever waits for a page or a move comes first; and Ctrl-C is no news to anybody here.
    os.nice(10)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Runs leave nothing behind that refers to itself, and looking for it costs seven per cent.
    gc.disable()
    parent = os.getppid()
    rest, seed, runs, seconds, so_far = pickle.load(sys.stdin.buffer)  # noqa: S301  (both ends of the pipe are ours)
    begun, clock = process_time(), monotonic()

    def enough(done: int) -> bool:
        used_up = process_time() - begun > seconds or monotonic() - clock > PATIENCE * seconds
        return used_up or os.getppid() != parent

    try:
        answer: object = odds(rest, seed=seed, runs=runs, so_far=so_far, enough=enough)
    except NoOdds as none:
        answer = none
    pickle.dump(answer, sys.stdout.buffer)


if __name__ == "__main__":
    main()
