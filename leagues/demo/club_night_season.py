"""A season played at club nights: some rounds are over, and the next one is being placed."""

from collections.abc import Iterator

from django.db import transaction
from django.utils import timezone

from accounts.models import Club, User
from leagues.demo import helpers
from leagues.entries import seeding
from leagues.models import ClubNight, Pairing, Round, Slot, Stage
from leagues.placement import planning
from leagues.placement import service as placement
from leagues.rounds import attending, draw

NAME = "The long Gauntlet"
ABOUT = """\
*Infinity Gauntlet* on our Thursdays, one against two: everybody is Thanos equally often.
A round a fortnight; say on the night's page whether you can come.
"""
PLAYED, PLANNED = 2, 5


@transaction.atomic
def seed() -> None:
    """Set it up once; a second call changes nothing."""
    club = helpers.club()
    if club is None or (league := helpers.create_league(club, NAME, "infinity-gauntlet", ABOUT)) is None:
        return
    owner = helpers.owner_of(club)
    stage = helpers.season(
        owner,
        league,
        "Winter round",
        "one-vs-many",
        settings={"seats": 3, "least": 3},
        planned=PLANNED,
        weeks=5,
        where="club",
        points="sides",
    )
    for person in User.objects.filter(memberships__club=club, is_bot=False, is_active=True).order_by("pk"):
        helpers.enter(owner, stage.division, person)
    seeding.by_rating(actor=owner, division=stage.division)
    draw.start(actor=owner, season=stage.division.season)
    stage = Stage.objects.select_related("division__season__league__club").get(pk=stage.pk)
    # A round has a fortnight: the answers for one night leave nobody out of its draw.
    for number in range(1, PLANNED + 1):
        attending.choose_night(actor=owner, stage=stage, number=number, night=None)
    for number, night in enumerate(_nights_before(club), 1):
        _play_at(owner, stage, number, night)
    _place(owner, draw.publish(actor=owner, round=draw.draw_next_round(actor=owner, stage=stage)), club)


def _nights_before(club: Club) -> list[ClubNight]:
    """The latest past nights, in order."""
    over = ClubNight.objects.filter(club=club, ends_at__lt=timezone.now(), cancelled_at=None)
    return list(over.order_by("-starts_at")[:PLAYED])[::-1]


def _play_at(owner: User, stage: Stage, number: int, night: ClubNight) -> None:
    boards = _boards(night)

    def enter(table: Pairing) -> None:
        slot, board = next(boards)
        placement.put(table, slot, board, locked=False)
        helpers.settle(table, helpers.sides(table))

    helpers.play(owner, stage, number, night.ends_at, enter)


def _boards(night: ClubNight) -> Iterator[tuple[Slot, int]]:
    return ((slot, board) for slot in night.slots.order_by("number") for board in (1, 2))


def _place(owner: User, round_: Round, club: Club) -> None:
    """Lock one table where its players want it, and request a plan for the others."""
    coming = Slot.objects.filter(night__club=club, night__cancelled_at=None, starts_at__gt=timezone.now())
    first = coming.select_related("night__club", "night__venue").order_by("starts_at")[0]
    fine = [table for table in helpers.tables_of(round_) if not placement.conflicts(table, first)]
    if fine:
        placement.place(actor=owner, pairing=fine[0], slot=first, lock=True)
    planning.request_plan(actor=owner, season=round_.stage.division.season)
