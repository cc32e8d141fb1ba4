"""A club evening under way: two rounds are over, one result waits for confirmation and one is disputed."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Club, Language, User
from leagues.demo import helpers
from leagues.entries import registration, seeding
from leagues.models import Division, Pairing, Round, Stage
from leagues.results import reporting
from leagues.rounds import draw
from leagues.seasons import presets

NAME = "Thursday at the Lantern"
ABOUT = """\
Open evenings at the back of the *Lantern*: three rounds, three or four at a table, nobody is out.
Guests are welcome: somebody enters you at the door.
"""
PLAYED = 2
# What a player writes who disputes a result, in their own language.
OTHERWISE = {
    Language.ENGLISH: "The sixteen points are mine: the Avengers tile lay in front of me.",
    Language.ITALIAN: "I sedici punti sono miei: la tessera degli Avengers era davanti a me.",
    Language.POLISH: "Szesnaście punktów jest moje: kafelek Avengers leżał przede mną.",
}


@transaction.atomic
def seed() -> None:
    """Set it up once; a second call changes nothing."""
    club = helpers.club()
    if club is None or (league := helpers.create_league(club, NAME, "splendor-marvel", ABOUT)) is None:
        return
    owner = helpers.owner_of(club)
    season = presets.set_up(
        actor=owner, league=league, preset="table-swiss-evening", name=f"{timezone.now():%B} evening"
    )
    division = Division.objects.get(season=season)
    for person in _players(club):
        registration.check_in(actor=owner, entrant=helpers.enter(owner, division, person))
    for name in ("Uncle Rory", "Bea from next door"):
        registration.check_in(actor=owner, entrant=registration.add_guest(actor=owner, division=division, name=name))
    seeding.by_rating(actor=owner, division=division)
    draw.start(actor=owner, season=season)
    stage = Stage.objects.select_related("division__season__league__club").get(division=division)
    for number in range(1, PLAYED + 1):
        helpers.play(
            owner,
            stage,
            number,
            timezone.now(),
            lambda table: helpers.settle(table, helpers.by_strength(table)),
        )
    last = draw.draw_next_round(actor=owner, stage=stage)
    _leave_open(draw.publish(actor=owner, round=last))


def _players(club: Club) -> list[User]:
    members = User.objects.filter(memberships__club=club, is_bot=False, is_active=True).order_by("pk")
    return list(members[:10])


def _leave_open(round_: Round) -> None:
    """One table waits for confirmation, one is disputed, the others still play."""
    open_tables = [table for table in helpers.tables_of(round_) if len(helpers.people_who_can_answer(table)) > 1]
    disputed = next((table for table in open_tables if _runner_up(table)), open_tables[0])
    reported = next(table for table in open_tables if table != disputed)
    reporting.report(
        person=helpers.people_who_can_answer(reported)[0], pairing=reported, places=helpers.by_strength(reported)
    )
    second = _runner_up(disputed) or helpers.people_who_can_answer(disputed)[-1]
    first = next(person for person in helpers.people_who_can_answer(disputed) if person != second)
    places = helpers.by_strength(disputed)
    reporting.report(person=first, pairing=disputed, places=places)
    reporting.report(
        person=second, pairing=disputed, places=_swapped(places), note=OTHERWISE[Language(second.language)]
    )


def _runner_up(table: Pairing) -> User | None:
    """The player who came second, if they can report."""
    places = helpers.by_strength(table)
    sitting = [seat.entrant.user for seat in table.seats.select_related("entrant__user")]
    candidates = [
        person
        for person, place in zip(sitting, places)
        if place["rank"] == 2 and person in helpers.people_who_can_answer(table)
    ]
    return candidates[0] if candidates else None


def _swapped(places: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """The places as reported by somebody who remembers the first two the other way round."""
    swapped_rank = {1: 2, 2: 1}
    return [helpers.place(swapped_rank.get(place["rank"], place["rank"])) for place in places]
