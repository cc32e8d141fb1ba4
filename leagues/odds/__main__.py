"""The simulation as a program: a season on standard input, its odds on standard output. See `subprocess_runner`."""

import gc
import os
import pickle
import signal
import sys
from time import monotonic, process_time

from leagues.odds.simulation.monte_carlo import odds
from leagues.odds.simulation.values import NoOdds

PATIENCE = 15
"""On a busy machine the work takes longer by the clock: it stops after this many times its processor seconds."""


def main() -> None:
    # Pages and moves have priority; and Ctrl-C ends this program without a traceback.
    os.nice(10)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Runs create no reference cycles, and the garbage collector costs seven per cent.
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
