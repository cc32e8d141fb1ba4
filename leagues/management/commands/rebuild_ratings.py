import sys

from django.core.management.base import BaseCommand

from engine.progress import Progress
from leagues.models import RatedResult, RatingPool
from leagues.ratings import pending
from leagues.ratings.recompute import Report


class Command(BaseCommand):
    help = "Compute all ratings again from their results. Differences are corrected, and the exit code is then 1."

    def handle(self, *args: object, **options: object) -> None:
        pools = RatingPool.objects.order_by("game", "mode")
        if not pools:
            self.stdout.write("Nothing has been rated yet.")
        differed = False
        for pool in pools:
            pending.apply_pending_results(pool_id=pool.pk)
            total = RatedResult.objects.filter(pool=pool, counts=True).count()
            with Progress(str(pool), total) as bar:
                report = pending.rebuild(pool_id=pool.pk, progress=bar.at).report
            differed |= report.differs
            self.stdout.write(f"{pool}: {report.results:,} results, {_describe_report(report)}")
        if differed:
            sys.exit(1)


def _describe_report(report: Report) -> str:
    if not report.differs:
        return "all ratings are correct."
    return (
        f"corrected: {report.superseded:,} changes replaced, {report.changes:,} written, "
        f"{report.ratings:,} current ratings and {report.offsets:,} offsets differed."
    )
