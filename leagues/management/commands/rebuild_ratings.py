import sys

from django.core.management.base import BaseCommand

from engine.progress import Progress
from leagues.models import RatedResult, RatingPool
from leagues.ratings import settling
from leagues.ratings.folding import Report


class Command(BaseCommand):
    help = (
        "Fold all ratings again from their results; whatever is found different is put right, and the exit code is 1."
    )

    def handle(self, *args: object, **options: object) -> None:
        pools = RatingPool.objects.order_by("game", "mode")
        if not pools:
            self.stdout.write("Nothing has been rated yet.")
        differed = False
        for pool in pools:
            settling.settle(pool_id=pool.pk)
            total = RatedResult.objects.filter(pool=pool, counts=True).count()
            with Progress(str(pool), total) as bar:
                report = settling.rebuild(pool_id=pool.pk, progress=bar.at).report
            differed |= report.differs
            self.stdout.write(f"{pool}: {report.results:,} results, {_found(report)}")
        if differed:
            sys.exit(1)


def _found(report: Report) -> str:
    if not report.differs:
        return "every rating as it should be."
    return (
        f"put right: {report.superseded:,} changes replaced, {report.changes:,} written, "
        f"{report.ratings:,} present numbers and {report.offsets:,} offsets differed."
    )
