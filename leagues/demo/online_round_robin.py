"""An online season at agreed times: a round with a window, one time to answer and one that is agreed."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Club, User
from leagues.demo import helpers
from leagues.entries import registration, seeding
from leagues.models import Pairing, Stage
from leagues.rounds import draw
from leagues.seasons import presets
from leagues.windows import time_proposals

NAME = "Marvel by lamplight"
ABOUT = """\
*Splendor: Marvel* for two, online, a round a week. Suggest an hour on your table's page: players who do nothing lose.
Tin Magpie fills the sixth seat and is always free.
"""
# The demo visitor's account, whom the others wait for.
MEMBER = "ettore"
PLAYERS = (MEMBER, "hana", "tomek", "niamh", "desmond")
BOT = "tin-magpie"
LEAST_PLAYED = 2
# Longer than usual, so that a visitor who comes back tomorrow still has something to answer.
ANSWER_HOURS = 120


@transaction.atomic
def seed() -> None:
    """Set it up once; a second call changes nothing."""
    club = helpers.club()
    if club is None or (league := helpers.create_league(club, NAME, "splendor-marvel", ABOUT)) is None:
        return
    owner = helpers.owner_of(club)
    terms: dict[str, Any] = presets.WEEKLY | {"answer_hours": ANSWER_HOURS}
    stage = helpers.season(owner, league, "First season", "round-robin", weeks=LEAST_PLAYED + 1, **terms)
    for handle in PLAYERS:
        helpers.enter(owner, stage.division, helpers.person(handle))
    registration.add_bot(actor=owner, division=stage.division, level="regular", bot=helpers.person(BOT))
    seeding.by_rating(actor=owner, division=stage.division)
    draw.start(actor=owner, season=stage.division.season)
    stage = Stage.objects.select_related("division__season__league__club").get(pk=stage.pk)
    rounds = draw.draw_all_rounds(actor=owner, stage=stage)
    member = helpers.person(MEMBER)
    # There is no time to agree on with a bot.
    current = next(
        each
        for each in rounds[LEAST_PLAYED:]
        if len(helpers.people_who_can_answer(helpers.table_of(each, member))) == 2
    )
    for round_ in rounds[: current.number - 1]:
        ended = timezone.now() - (current.number - 1 - round_.number) * helpers.WEEK
        helpers.play(
            owner,
            stage,
            round_.number,
            ended,
            lambda table: helpers.settle(table, helpers.by_strength(table)),
        )
    current = draw.publish(actor=owner, round=current)
    for table in helpers.tables_of(current):
        _agree(club, table, member)


def _agree(club: Club, table: Pairing, member: User) -> None:
    """The member is asked for a time, two others have agreed on one, and the bot's opponent has done nothing yet."""
    people = helpers.people_who_can_answer(table)
    if len(people) < 2:
        return
    first, second = people if people[1] == member else people[::-1]
    if member in people:
        times = [helpers.evening(club, days, hour) for days, hour in ((1, 21), (3, 20), (5, 18))]
        time_proposals.propose(person=first, pairing=table, times=times)
        return
    proposal = time_proposals.propose(person=first, pairing=table, times=[helpers.evening(club, 2, 19)])
    time_proposals.accept(person=second, time=proposal.times.get())
