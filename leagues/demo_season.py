"""The demo's league: an evening under way, with two rounds behind it, a result to confirm and one in dispute."""

from collections.abc import Sequence

from django.db import transaction

from accounts.models import Club, Membership, Role, User
from leagues import close, competitions, draw, enrol, presets, results, seeding
from leagues.demo import STRENGTH
from leagues.models import Division, League, Pairing, Round, Stage

GAME = "splendor-marvel"
PLAYED = 2


@transaction.atomic
def seed() -> None:
    """Set it up once; called again, or where any league is run, it changes nothing."""
    club = Club.objects.open().order_by("pk").first()
    if club is None or League.objects.exists():
        return
    owner = Membership.objects.get(club=club, role=Role.OWNER).user
    league = competitions.found_league(actor=owner, club=club, name="Thursday at the Lantern", game=GAME)
    season = presets.set_up(actor=owner, league=league, preset="table-swiss-evening", name="November evening")
    division = Division.objects.get(season=season)
    for person in _players(club):
        enrol.check_in(actor=owner, entrant=enrol.add_person(actor=owner, division=division, person=person))
    for name in ("Uncle Rory", "Bea from next door"):
        enrol.check_in(actor=owner, entrant=enrol.add_guest(actor=owner, division=division, name=name))
    seeding.by_rating(actor=owner, division=division)
    draw.start(actor=owner, season=season)
    stage = Stage.objects.get(division=division)
    for _ in range(PLAYED):
        round_ = _next_round(owner, stage)
        for pairing in Pairing.objects.filter(round=round_):
            results.settle(actor=owner, pairing=pairing, places=_places(pairing))
        close.close_round(actor=owner, round=round_)
    _leave_open(_next_round(owner, stage))


def _players(club: Club) -> list[User]:
    members = User.objects.filter(memberships__club=club, is_bot=False, is_active=True).order_by("pk")
    return list(members[:10])


def _next_round(owner: User, stage: Stage) -> Round:
    return draw.publish(actor=owner, round=draw.pair(actor=owner, stage=stage))


def _places(pairing: Pairing) -> list[dict[str, int]]:
    """Strength decides, and with it the points at the end: an evening without surprises shows the table best."""
    strengths = [_strength(seat.entrant.user) for seat in pairing.seats.select_related("entrant__user")]
    ranks = [1 + sum(other > mine for other in strengths) for mine in strengths]
    return [{"rank": rank, "score": 18 - 2 * rank} for rank in ranks]


def _strength(person: User | None) -> int:
    return STRENGTH.get(person.handle, 1300 + person.pk % 50) if person else 0


def _leave_open(round_: Round) -> None:
    """One table waits for a second voice, one is in dispute, the others still play."""
    reported, disputed = [pairing for pairing in Pairing.objects.filter(round=round_) if len(_voices(pairing)) > 1][:2]
    results.report(person=_voices(reported)[0], pairing=reported, places=_places(reported))
    first, second = _voices(disputed)[:2]
    told = _places(disputed)
    results.report(person=first, pairing=disputed, places=told)
    results.report(person=second, pairing=disputed, places=_swapped(told))


def _voices(pairing: Pairing) -> list[User]:
    """Those of the table who can report: guests cannot."""
    return [person for person in results.players(pairing) if not person.is_guest]


def _swapped(places: Sequence[dict[str, int]]) -> list[dict[str, int]]:
    """As told by whoever thinks the first two places were the other way round."""
    other = {1: 2, 2: 1}
    return [{"rank": other.get(place["rank"], place["rank"]), "score": place["score"]} for place in places]
