"""The file with one's own data: every column that refers to a person is asked for in it, or is named here with why."""

import json

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from deploy.own_data import own_data
from games.models import Mute, PuzzleLine
from games.puzzles import tries
from tests.factories import create_turn_puzzle, create_user

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("clean_match_cache", "sent_tasks")]

IN_THE_LOG = "what organisers, staff and admins decide is in the log"
OF_OTHERS = "what others chose or wrote is theirs"
OF_BOTS = "the account of a bot, not of a person"
TECHNICAL = "kept for a moment, so that nothing is done twice"

LEFT_OUT = {
    "accounts.AuditErasure.person": TECHNICAL,
    "accounts.Block.blocked": OF_OTHERS,
    "accounts.DirectMessage.to": OF_OTHERS,
    "accounts.Follow.followed": OF_OTHERS,
    "accounts.Invite.made_by": IN_THE_LOG,
    "accounts.JoinRequest.decided_by": IN_THE_LOG,
    "accounts.MessageReport.decided_by": IN_THE_LOG,
    "accounts.Notice.actor": OF_OTHERS,
    "accounts.SignInLink.made_by": IN_THE_LOG,
    "accounts.Webhook.made_by": IN_THE_LOG,
    "admin.LogEntry.user": "the log of the admin pages, where staff see it",
    "deploy.SitePage.changed_by": IN_THE_LOG,
    "games.Mute.muted": OF_OTHERS,
    "games.OwnBot.user": OF_BOTS,
    "games.Report.settled_by": IN_THE_LOG,
    "leagues.EntryConsent.asked_by": IN_THE_LOG,
    "leagues.EntryRequest.by": IN_THE_LOG,
    "leagues.Extension.decided_by": IN_THE_LOG,
    "leagues.GuestJoin.ended_by": IN_THE_LOG,
    "leagues.GuestJoin.proposed_by": IN_THE_LOG,
    "leagues.HouseBot.user": OF_BOTS,
    "leagues.Objection.decided_by": IN_THE_LOG,
    "leagues.Plan.asked_by": IN_THE_LOG,
    "leagues.RatedResult.recorded_by": IN_THE_LOG,
    "leagues.RatingFlag.other": "for staff, and about two people",
    "leagues.RatingFlag.person": "for staff, and about two people",
    "leagues.RatingFlag.reviewed_by": IN_THE_LOG,
    "leagues.SentReport.by": TECHNICAL,
    "leagues.SignOff.by": IN_THE_LOG,
    "leagues.TimeProposal.ended_by": "of the proposal, which is in the file of the one who made it",
    "leagues.Undoable.undone_by": IN_THE_LOG,
}


def columns_of_people() -> dict[str, str]:
    """Every column of every table that holds a person's id, as queries write it."""
    return {
        f"{model._meta.label}.{field.name}": f'"{model._meta.db_table}"."{field.column}"'
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.concrete_fields
        if field.related_model is User
    }


def test_every_column_that_refers_to_a_person_is_asked_for(alice):
    with CaptureQueriesContext(connection) as asked:
        own_data(alice)
    queries = [query["sql"] for query in asked.captured_queries]
    missing = {
        name
        for name, column in columns_of_people().items()
        if not any(f"{column} = {alice.pk}" in query for query in queries)
    }
    assert missing == LEFT_OUT.keys()


def test_what_one_has_begun_and_chosen_is_in_it_and_nothing_of_others(alice, bob):
    puzzle = create_turn_puzzle()
    first = puzzle.turn["positions"][0]["answers"][0]["move"]
    tries.answer(person=alice, puzzle=puzzle, move=first)
    Mute.objects.create(user=alice, muted=create_user("carla"))
    data = json.loads(json.dumps(own_data(alice)))
    assert data["puzzles_begun"] == [{"puzzle_id": puzzle.pk, "moves": [first]}]
    assert data["puzzles"] == []
    assert data["mutes"] == [{"muted_handle": "carla"}]
    assert PuzzleLine.objects.count() == 1
    assert own_data(bob)["puzzles_begun"] == own_data(bob)["mutes"] == []
