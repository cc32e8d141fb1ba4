"""What the leagues do beside the site. Each task only calls its verb, and may run twice."""

from celery import shared_task

from accounts.infra import shutdown
from leagues.demo import bot_league
from leagues.import_export import uploads
from leagues.leaderboards import digests
from leagues.odds import refresh
from leagues.placement import planning
from leagues.ratings import flags, pending
from leagues.results import from_matches
from leagues.rounds import arena
from leagues.seasons import renewal
from leagues.windows import deadlines as windows

# Below the time after which a task is taken for lost and delivered again.
LONG, LONGEST = 3000, 3300


@shared_task(name="leagues.tasks.pick_up", ignore_result=True)
def pick_up(match_id: int) -> None:
    from_matches.take_in_match(match_id=match_id)


@shared_task(name="leagues.tasks.settle", ignore_result=True, soft_time_limit=LONG, time_limit=LONGEST)
def settle(pool_id: int) -> None:
    with shutdown.check_between_queries():
        pending.apply_pending_results(pool_id=pool_id)


@shared_task(name="leagues.tasks.count_boards", ignore_result=True, soft_time_limit=LONG, time_limit=LONGEST)
def count_boards(pool_id: int) -> None:
    with shutdown.check_between_queries():
        digests.refresh(pool_id=pool_id)


@shared_task(name="leagues.tasks.sweep", ignore_result=True)
def sweep() -> None:
    from_matches.sweep()
    renewal.remind()
    for pool_id in pending.pools_with_pending_results():
        settle.delay(pool_id)
    planning.sweep()
    uploads.sweep()
    for season_id in refresh.out_of_date():
        odds.delay(season_id)
    for pool_id in digests.due():
        count_boards.delay(pool_id)


@shared_task(name="leagues.tasks.odds", ignore_result=True, soft_time_limit=LONG, time_limit=LONGEST)
def odds(season_id: int) -> None:
    shutdown.check()
    refresh.refresh(season_id=season_id)


@shared_task(name=planning.TASK, ignore_result=True, soft_time_limit=LONG, time_limit=LONGEST)
def plan(plan_id: int) -> None:
    shutdown.check()
    planning.run(plan_id=plan_id)


@shared_task(name="leagues.tasks.match_up", ignore_result=True)
def match_up() -> None:
    arena.sweep()


@shared_task(name="leagues.tasks.deadlines", ignore_result=True, soft_time_limit=LONG, time_limit=LONGEST)
def deadlines() -> None:
    with shutdown.check_between_queries():
        windows.sweep()


@shared_task(name="leagues.tasks.bring_in", ignore_result=True, soft_time_limit=LONG, time_limit=LONGEST)
def bring_in(upload_id: int) -> None:
    with shutdown.check_between_queries():
        uploads.run(upload_id=upload_id)


@shared_task(name=uploads.CHECK, ignore_result=True, soft_time_limit=LONG, time_limit=LONGEST)
def check_archive(upload_id: int) -> None:
    shutdown.check()
    uploads.check_archive(upload_id=upload_id)


@shared_task(name="leagues.tasks.check_ratings", ignore_result=True, soft_time_limit=LONG, time_limit=LONGEST)
def check_ratings() -> None:
    with shutdown.check_between_queries():
        uploads.delete_expired()
        from_matches.sweep(everything=True)
        pending.check_all()
        flags.update_flags()


@shared_task(name="leagues.tasks.demo", ignore_result=True)
def demo() -> None:
    bot_league.step()
