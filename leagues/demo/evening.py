"""A club evening under way: two rounds behind it, a result to confirm and one in dispute."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Club, Language, User
from leagues import draw, enrol, presets, results, seeding
from leagues.demo import cast
from leagues.models import Division, Pairing, Round, Stage

NAME = "Thursday at the Lantern"
ABOUT = """\
Open evenings at the back of the *Lantern*: three rounds, three or four at a table, nobody is out.
Guests are welcome: somebody enters you at the door.
"""
PLAYED = 2
# What people say when they remember it otherwise, each in their own language.
OTHERWISE = {
    Language.ENGLISH: "The sixteen points are mine: the Avengers tile lay in front of me.",
    Language.ITALIAN: "I sedici punti sono miei: la tessera degli Avengers era davanti a me.",
    Language.POLISH: "Szesnaście punktów jest moje: kafelek Avengers leżał przede mną.",
}


@transaction.atomic
def seed() -> None:
    """Set it up once; called again it changes nothing."""
    club = cast.club()
    if club is None or (league := cast.found(club, NAME, "splendor-marvel", ABOUT)) is None:
        return
    owner = cast.owner_of(club)
    season = presets.set_up(
        actor=owner, league=league, preset="table-swiss-evening", name=f"{timezone.now():%B} evening"
    )
    division = Division.objects.get(season=season)
    for person in _players(club):
        enrol.check_in(actor=owner, entrant=enrol.add_person(actor=owner, division=division, person=person))
    for name in ("Uncle Rory", "Bea from next door"):
        enrol.check_in(actor=owner, entrant=enrol.add_guest(actor=owner, division=division, name=name))
    seeding.by_rating(actor=owner, division=division)
    draw.start(actor=owner, season=season)
    stage = Stage.objects.select_related("division__season__league__club").get(division=division)
    for number in range(1, PLAYED + 1):
        cast.play(
            owner,
            stage,
            number,
            timezone.now(),
            lambda table: results.settle(actor=owner, pairing=table, places=cast.by_strength(table)),
        )
    last = draw.pair(actor=owner, stage=stage)
    _leave_open(draw.publish(actor=owner, round=last))


def _players(club: Club) -> list[User]:
    members = User.objects.filter(memberships__club=club, is_bot=False, is_active=True).order_by("pk")
    return list(members[:10])


def _leave_open(round_: Round) -> None:
    """One table waits for a second voice, one is in dispute, the others still play."""
    open_tables = [table for table in cast.tables_of(round_) if len(cast.voices(table)) > 1]
    disputed = next((table for table in open_tables if _runner_up(table)), open_tables[0])
    reported = next(table for table in open_tables if table != disputed)
    results.report(person=cast.voices(reported)[0], pairing=reported, places=cast.by_strength(reported))
    second = _runner_up(disputed) or cast.voices(disputed)[-1]
    first = next(person for person in cast.voices(disputed) if person != second)
    told = cast.by_strength(disputed)
    results.report(person=first, pairing=disputed, places=told)
    results.report(person=second, pairing=disputed, places=_swapped(told), note=OTHERWISE[Language(second.language)])


def _runner_up(table: Pairing) -> User | None:
    """Whoever came second, if they can say something about it."""
    places = cast.by_strength(table)
    sitting = [seat.entrant.user for seat in table.seats.select_related("entrant__user")]
    said = [person for person, place in zip(sitting, places) if place["rank"] == 2 and person in cast.voices(table)]
    return said[0] if said else None


def _swapped(places: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """As told by whoever thinks the first two places were the other way round."""
    other = {1: 2, 2: 1}
    return [cast.place(other.get(place["rank"], place["rank"])) for place in places]
