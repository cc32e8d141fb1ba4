"""One of two workers that record the same season and rate it: `python -m ... worker HOW_MANY SEED COUNT`.

A process of its own with a connection of its own, as a Celery worker is. Each takes the sources that are its part, in
their order; which worker applies what, and when, is random.
"""

import random
import sys

import django
from django.db import transaction

AT_ONCE = 20
ONE_BY_ONE = 40


def main(part: int, workers: int, seed: int, count: int) -> None:
    from accounts.models import User
    from leagues.ratings import pending
    from tests.leagues.ratings import result_factories

    people = list(User.objects.filter(is_bot=False).order_by("pk").values_list("pk", flat=True))
    calls = result_factories.season(count, people, seed)
    mine = [each for each in calls if int(each.source.partition(":")[2]) % workers == part]
    rng = random.Random(seed + part)
    at = 0
    while at < len(mine):
        # At first every result is applied at once; later several come together, and are applied now and then.
        some = 1 if at < ONE_BY_ONE else rng.randrange(1, AT_ONCE)
        with transaction.atomic():
            result_factories.tell_all(mine[at : at + some])
        at += some
        if some == 1 or rng.random() < 0.05:
            for pool_id in pending.pools_with_pending_results():
                pending.apply_pending_results(pool_id=pool_id)
    for pool_id in pending.pools_with_pending_results():
        pending.apply_pending_results(pool_id=pool_id)


if __name__ == "__main__":
    django.setup()
    main(*map(int, sys.argv[1:]))
