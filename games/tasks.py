"""What runs beside the site. Each task only calls its verb, and may run twice."""

from celery import shared_task

from accounts import closing
from games import botevents, bots, challenges, exhibition, sweep


@shared_task(name="games.tasks.bot_turn", ignore_result=True, acks_late=True)
def bot_turn(match_id: int) -> None:
    closing.heed()
    bots.take_turn(match_id=match_id)


@shared_task(name="games.tasks.sweep", ignore_result=True)
def sweep_matches() -> None:
    sweep.sweep()
    challenges.lapse()


@shared_task(name="games.tasks.exhibit", ignore_result=True)
def exhibit() -> None:
    exhibition.keep_going()


@shared_task(name="games.tasks.clear_out_events", ignore_result=True)
def clear_out_events() -> None:
    botevents.clear_out()
