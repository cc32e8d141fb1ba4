"""A season at the club's nights: rounds that were played there, and the next one being placed."""

from collections.abc import Iterator

from django.db import transaction
from django.utils import timezone

from accounts.models import Club, User
from leagues import draw, enrol, results, seeding
from leagues.demo import cast
from leagues.models import ClubNight, Pairing, Round, Slot, Stage
from leagues.scheduling import placing, planning

NAME = "The long Gauntlet"
ABOUT = """\
*Infinity Gauntlet* on our Thursdays, one against two: everybody is Thanos equally often.
A round a fortnight; say on the night's page whether you can come.
"""
PLAYED, PLANNED = 2, 5


@transaction.atomic
def seed() -> None:
    """Set it up once; called again it changes nothing."""
    club = cast.club()
    if club is None or (league := cast.found(club, NAME, "infinity-gauntlet", ABOUT)) is None:
        return
    owner = cast.owner_of(club)
    stage = cast.season(
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
        enrol.add_person(actor=owner, division=stage.division, person=person)
    seeding.by_rating(actor=owner, division=stage.division)
    draw.start(actor=owner, season=stage.division.season)
    stage = Stage.objects.select_related("division__season__league__club").get(pk=stage.pk)
    for number, night in enumerate(_nights_before(club), 1):
        _play_at(owner, stage, number, night)
    _place(owner, draw.publish(actor=owner, round=draw.pair(actor=owner, stage=stage)), club)


def _nights_before(club: Club) -> list[ClubNight]:
    """The latest ones, in order."""
    over = ClubNight.objects.filter(club=club, ends_at__lt=timezone.now(), cancelled_at=None)
    return list(over.order_by("-starts_at")[:PLAYED])[::-1]


def _play_at(owner: User, stage: Stage, number: int, night: ClubNight) -> None:
    boards = _boards(night)

    def enter(table: Pairing) -> None:
        slot, board = next(boards)
        placing.put(table, slot, board, locked=False)
        results.settle(actor=owner, pairing=table, places=cast.sides(table))

    cast.play(owner, stage, number, night.ends_at, enter)


def _boards(night: ClubNight) -> Iterator[tuple[Slot, int]]:
    return ((slot, board) for slot in night.slots.order_by("number") for board in (1, 2))


def _place(owner: User, round_: Round, club: Club) -> None:
    """One table is locked where its players want it; for all others a plan is asked for, which a task works out."""
    coming = Slot.objects.filter(night__club=club, night__cancelled_at=None, starts_at__gt=timezone.now())
    first = coming.select_related("night__club", "night__venue").order_by("starts_at")[0]
    fine = [table for table in cast.tables_of(round_) if not placing.conflicts(table, first)]
    if fine:
        placing.place(actor=owner, pairing=fine[0], slot=first, lock=True)
    planning.ask(actor=owner, season=round_.stage.division.season)
