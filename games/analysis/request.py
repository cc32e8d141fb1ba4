"""Asking for the analysis of a finished match."""

from celery import current_app
from django.db import transaction
from django.utils.translation import gettext

from accounts.infra.errors import Refused
from accounts.infra.on_commit import after_commit
from accounts.models import User
from engine.analysis import VERSION
from games import access
from games.access import Permission
from games.models import Analysis, Match
from games.tables.seating import lock_match

ANALYSE = "games.tasks.analyse"
QUEUE = "analysis"
MOST_WAITING = 100
"""So many matches may wait for their analysis on the whole site."""
MOST_OF_A_PERSON = 5
"""Of these, so many that one person asked for."""


@transaction.atomic
def ask(*, person: User, match: Match) -> Analysis:
    """Ask for the analysis of a finished match, once for all: whoever may read the record may ask and read.

    One that is there or under way is returned as it is; one by an older judge is computed again.
    """
    match = lock_match(match)
    access.require(person, Permission.READ_RECORD, match)
    if match.is_tutorial:
        raise Refused(gettext("A tutorial is not analysed: the coach chose the moves."))
    found = Analysis.objects.filter(match=match).first()
    if found is not None and (found.state == Analysis.State.WAITING or found.version == VERSION):
        return found
    waiting = Analysis.objects.filter(state=Analysis.State.WAITING)
    if waiting.count() >= MOST_WAITING:
        raise Refused(gettext("Many matches wait for their analysis. Ask again in a few minutes."))
    if waiting.filter(asked_by=person).count() >= MOST_OF_A_PERSON:
        raise Refused(
            gettext("%(count)s matches wait for the analysis that you asked for. Ask again when one of them is done.")
            % {"count": MOST_OF_A_PERSON}
        )
    if found is not None:
        found.delete()
    analysis = Analysis.objects.create(match=match, total=match.ply, asked_by=person)
    after_commit(send, match.pk)
    return analysis


def send(match_id: int) -> None:
    """Send the task. A lost one is sent again by the sweep."""
    current_app.send_task(ANALYSE, [match_id], queue=QUEUE, ignore_result=True, retry=False)
