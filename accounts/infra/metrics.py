"""Prometheus metrics of the site; `deploy.metrics` serves them.

Labels have few values: a route but no path, a game but no match.
"""

from prometheus_client import Counter, Gauge, Histogram

QUICK = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)
SLOW = (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300)

REQUESTS = Histogram(
    "gauntlet_request_seconds", "Time to answer a request.", ["method", "route", "status"], buckets=QUICK
)
SOCKETS = Gauge("gauntlet_sockets", "Open pages that listen live.", multiprocess_mode="livesum")
TASKS = Histogram("gauntlet_task_seconds", "Time to do a task.", ["task", "state"], buckets=SLOW)
BOTS = Histogram("gauntlet_bot_seconds", "Time a bot thought about one answer.", ["game", "level"], buckets=SLOW)
REVIVED = Counter("gauntlet_bots_revived", "Bots' turns that were lost and sent again.")
FALLBACKS = Counter("gauntlet_bots_fallbacks", "Moves played in place of a bot that failed.")
FALLEN = Counter("gauntlet_clocks_fallen", "Clocks that fell.")
