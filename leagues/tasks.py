"""What the leagues do beside the site. Each task only calls its verb, and may run twice."""

from celery import shared_task

from accounts import closing
from leagues import arena, pickup, returning
from leagues.demo import clockwork
from leagues.exchange import uploads
from leagues.odds import refresh
from leagues.ratings import settling
from leagues.scheduling import deadlines as windows
from leagues.scheduling import planning

# Below the time after which a task is taken for lost and delivered again.
LONG, LONGEST = 3000, 3300


@shared_task(name="leagues.tasks.pick_up", ignore_result=True)
def pick_up(match_id: int) -> None:
    pickup.pick_up(match_id=match_id)


@shared_task(name="leagues.tasks.settle", ignore_result=True, soft_time_limit=LONG, time_limit=LONGEST)
def settle(pool_id: int) -> None:
    with closing.between_queries():
        settling.settle(pool_id=pool_id)


@shared_task(name="leagues.tasks.sweep", ignore_result=True)
def sweep() -> None:
    pickup.sweep()
    returning.remind()
    for pool_id in settling.unsettled_pools():
        settle.delay(pool_id)
    planning.sweep()
    uploads.sweep()
    for season_id in refresh.out_of_date():
        odds.delay(season_id)


@shared_task(name="leagues.tasks.odds", ignore_result=True, soft_time_limit=LONG, time_limit=LONGEST)
def odds(season_id: int) -> None:
    closing.heed()
    refresh.refresh(season_id=season_id)


@shared_task(name=planning.TASK, ignore_result=True, soft_time_limit=LONG, time_limit=LONGEST)
def plan(plan_id: int) -> None:
    closing.heed()
    planning.run(plan_id=plan_id)


@shared_task(name="leagues.tasks.match_up", ignore_result=True)
def match_up() -> None:
    arena.sweep()


@shared_task(name="leagues.tasks.deadlines", ignore_result=True, soft_time_limit=LONG, time_limit=LONGEST)
def deadlines() -> None:
    with closing.between_queries():
        windows.sweep()


@shared_task(name="leagues.tasks.bring_in", ignore_result=True, soft_time_limit=LONG, time_limit=LONGEST)
def bring_in(upload_id: int) -> None:
    with closing.between_queries():
        uploads.run(upload_id=upload_id)


@shared_task(name="leagues.tasks.check_ratings", ignore_result=True, soft_time_limit=LONG, time_limit=LONGEST)
def check_ratings() -> None:
    with closing.between_queries():
        uploads.tidy_up()
        pickup.sweep(everything=True)
        settling.check_all()


@shared_task(name="leagues.tasks.demo", ignore_result=True)
def demo() -> None:
    clockwork.step()
