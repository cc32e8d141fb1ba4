"""Celery tasks for matches. Each one only calls a function, and may run twice."""

from celery import shared_task

from accounts.infra import shutdown
from games import sweep
from games.analysis import compute, hints
from games.meeting import challenges as person_challenges
from games.meeting import quick_pairing
from games.play import bot_turns
from games.puzzles import making
from games.tables import closing, exhibition, trials
from games.user_bots import challenges, events

LONGEST = 900
"""Seconds after which a worker that computes an analysis counts as hung: an interpreted engine needs minutes."""


@shared_task(name="games.tasks.bot_turn", ignore_result=True, acks_late=True)
def bot_turn(match_id: int) -> None:
    shutdown.check()
    bot_turns.serve_next(match_id=match_id)


@shared_task(name="games.tasks.analyse", ignore_result=True, acks_late=True, time_limit=LONGEST)
def analyse(match_id: int) -> None:
    shutdown.check()
    compute.analyse(match_id=match_id)


@shared_task(name="games.tasks.hint", ignore_result=True, acks_late=True, time_limit=LONGEST)
def hint(hint_id: int) -> None:
    shutdown.check()
    hints.compute(hint_id=hint_id)


@shared_task(name="games.tasks.make_puzzles", ignore_result=True, time_limit=LONGEST)
def make_puzzles() -> None:
    shutdown.check()
    making.make_some()


@shared_task(name="games.tasks.sweep", ignore_result=True)
def sweep_matches() -> None:
    sweep.sweep()
    compute.send_lost()
    challenges.lapse()
    person_challenges.lapse()
    quick_pairing.pair_waiting()


@shared_task(name="games.tasks.close_abandoned", ignore_result=True)
def close_abandoned() -> None:
    closing.close_abandoned()


@shared_task(name="games.tasks.erase_trials", ignore_result=True)
def erase_trials() -> None:
    trials.erase_resting()


@shared_task(name="games.tasks.exhibit", ignore_result=True)
def exhibit() -> None:
    exhibition.restart_exhibitions()


@shared_task(name="games.tasks.clear_out_events", ignore_result=True)
def delete_old_events() -> None:
    events.delete_old()
