"""An online season at agreed times: a round with a window, a time to answer and one that is agreed."""

from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Club, User
from leagues import draw, enrol, presets, results, seeding
from leagues.demo import cast
from leagues.models import Pairing, Stage
from leagues.scheduling import proposals

NAME = "Marvel by lamplight"
ABOUT = """\
*Splendor: Marvel* for two, online, a round a week. Suggest an hour at your table's page; whoever does nothing loses.
Tin Magpie fills the sixth seat and is always free.
"""
# The demo's member, whom the others wait for.
MEMBER = "ettore"
PLAYERS = (MEMBER, "hana", "tomek", "niamh", "desmond")
BOT = "tin-magpie"
LEAST_PLAYED = 2
# Longer than usual, so that there is something to answer for whoever comes back tomorrow.
ANSWER_HOURS = 120


@transaction.atomic
def seed() -> None:
    """Set it up once; called again it changes nothing."""
    club = cast.club()
    if club is None or (league := cast.found(club, NAME, "splendor-marvel", ABOUT)) is None:
        return
    owner = cast.owner_of(club)
    terms: dict[str, Any] = presets.WEEKLY | {"answer_hours": ANSWER_HOURS}
    stage = cast.season(owner, league, "First season", "round-robin", weeks=LEAST_PLAYED + 1, **terms)
    for handle in PLAYERS:
        enrol.add_person(actor=owner, division=stage.division, person=cast.person(handle))
    enrol.add_bot(actor=owner, division=stage.division, level="regular", bot=cast.person(BOT))
    seeding.by_rating(actor=owner, division=stage.division)
    draw.start(actor=owner, season=stage.division.season)
    stage = Stage.objects.select_related("division__season__league__club").get(pk=stage.pk)
    rounds = draw.pair_all(actor=owner, stage=stage)
    member = cast.person(MEMBER)
    # Against the bot there would be nobody to agree with.
    current = next(each for each in rounds[LEAST_PLAYED:] if len(cast.voices(cast.table_of(each, member))) == 2)
    for round_ in rounds[: current.number - 1]:
        ended = timezone.now() - (current.number - 1 - round_.number) * cast.WEEK
        cast.play(
            owner,
            stage,
            round_.number,
            ended,
            lambda table: results.settle(actor=owner, pairing=table, places=cast.by_strength(table)),
        )
    current = draw.publish(actor=owner, round=current)
    for table in cast.tables_of(current):
        _agree(club, table, member)


def _agree(club: Club, table: Pairing, member: User) -> None:
    """The member is asked; two others have agreed already; whoever plays the bot has not got round to it."""
    people = cast.voices(table)
    if len(people) < 2:
        return
    first, second = people if people[1] == member else people[::-1]
    if member in people:
        times = [cast.evening(club, days, hour) for days, hour in ((1, 21), (3, 20), (5, 18))]
        proposals.propose(person=first, pairing=table, times=times)
        return
    made = proposals.propose(person=first, pairing=table, times=[cast.evening(club, 2, 19)])
    proposals.accept(person=second, time=made.times.get())
