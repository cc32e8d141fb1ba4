"""Which process of a worker serves which queue: analyses never keep a move or a hint waiting."""

import re
from pathlib import Path

from django.conf import settings

from deploy import worker
from deploy.harness.servers import ServerProcess
from games.analysis import hints, request
from tests.deploy.test_serve import MANAGE, clean_environment


def test_slow_work_has_a_process_of_its_own_beside_one_for_all_the_rest():
    quick, slow = worker.shares(1, [])
    assert slow == [request.QUEUE] == settings.SLOW_QUEUES
    assert sorted(quick + slow) == sorted(queue.name for queue in settings.CELERY_TASK_QUEUES)
    assert hints.QUEUE in quick
    assert settings.CELERY_TASK_ROUTES[hints.HINT] == {"queue": hints.QUEUE}
    assert worker.shares(3, []) == [quick] * 3 + [slow]
    # Chosen queues are shared out in the same way; a worker for one kind has no more processes than it was given.
    assert worker.shares(1, ["bots", "analysis"]) == [["bots"], ["analysis"]]
    assert worker.shares(2, ["analysis"]) == [["analysis"]] * 2
    assert worker.shares(2, ["moves", "bots"]) == [["moves", "bots"]] * 2


def test_in_one_program_a_hint_does_not_wait_for_analyses(tmp_path: Path) -> None:
    code = (
        "import threading\n"
        "from deploy import embedded_worker\n"
        "from celery import shared_task\n"
        "@shared_task(name='slow', queue='analysis')\n"
        "def slow():\n"
        "    print('begun', flush=True); begun.set(); answered.wait(60); print('analysed', flush=True)\n"
        "@shared_task(name='quick', queue='bots')\n"
        "def quick():\n"
        "    print('hinted', flush=True); answered.set()\n"
        "begun, answered = threading.Event(), threading.Event()\n"
        "with embedded_worker.helpers():\n"
        "    [slow.delay() for _ in range(9)]; begun.wait(60); quick.delay(); answered.wait(60)\n"
    )
    env = clean_environment() | {"GAUNTLET_VAR": str(tmp_path)}
    program = ServerProcess("helpers", [*MANAGE, "shell", "--no-imports", "-c", code], env, tmp_path)
    assert program.process.wait(280) == 0
    assert re.findall("begun|hinted|analysed", program.output)[:3] == ["begun", "hinted", "analysed"]
