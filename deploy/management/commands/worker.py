import os
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from engine.errors import quoted


class Command(BaseCommand):
    help = "run one worker of a larger site: bots' turns, sweeps, mail"
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--processes", type=int, default=os.cpu_count() or 1, help="how many (one a core)")
        parser.add_argument("--queues", default="", help="serve only these queues, for example moves,bots (all)")

    def handle(self, *args: Any, processes: int, queues: str, **options: Any) -> None:
        if not settings.REDIS:
            raise CommandError("a separate worker needs REDIS_URL; without Redis `manage.py serve` includes a worker")
        chosen = [name for name in queues.split(",") if name]
        known = [queue.name for queue in settings.CELERY_TASK_QUEUES]
        if unknown := [name for name in chosen if name not in known]:
            raise CommandError(f"there is no queue {quoted(unknown[0])}: there are {', '.join(known)}")
        if processes < 1:
            raise CommandError("--processes must be 1 or more")
        from deploy import background_build, translations, worker
        from deploy.management.commands.serve import COMPILES

        translations.prepare_catalogues(settings.VAR)  # for its e-mails; the web processes may start later
        self.stdout.write(f"Gauntlet's worker is running with {processes} processes.")
        with background_build.running(settings.VAR, is_on=settings.COMPILE) as compiles:
            if compiles:
                self.stdout.write(COMPILES)
            self.stdout.flush()
            worker.run(processes, chosen)
