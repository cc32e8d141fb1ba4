"""The demo's calendar: a room, an evening every week, and people who have said whether they come."""

from datetime import date, time, timedelta

from django.db import transaction

from accounts.models import Club, Membership, Role, User
from leagues.models import ClubNight, Venue
from leagues.scheduling import availability, clock, nights

THURSDAY = 3
PAST, AHEAD = 5, 11
# How the members answer, one after another: most come, some cannot, some have not said.
ANSWERS = ("yes", "yes", "no", "yes", "", "yes", "", "no", "yes", "")


@transaction.atomic
def seed() -> None:
    """Set it up once; called again, or where any venue is known, it changes nothing."""
    club = Club.objects.open().order_by("pk").first()
    if club is None or Venue.objects.exists():
        return
    owner = Membership.objects.get(club=club, role=Role.OWNER).user
    room = nights.add_venue(
        actor=owner,
        club=club,
        name="The reading room",
        tables=5,
        address="Lamp Lane 12",
        about="Ring twice, first floor.",
    )
    first = _next_thursday(club)
    series = nights.add_series(
        actor=owner,
        club=club,
        venue=room,
        name="Games evening",
        first=first - timedelta(weeks=PAST),
        last=first + timedelta(weeks=AHEAD),
        begins=time(18, 30),
        slots=3,
        minutes=70,
    )
    coming = list(ClubNight.objects.filter(series=series, day__gte=first).order_by("day"))
    nights.change_night(actor=owner, night=coming[2], begins=time(17), slots=4, name="Long games evening")
    nights.cancel_night(actor=owner, night=coming[5])
    members = User.objects.filter(memberships__club=club, is_bot=False).exclude(pk=owner.pk).order_by("pk")
    for weeks, night in enumerate(coming[:3]):
        for at, person in enumerate(members):
            if said := ANSWERS[(at + 3 * weeks) % len(ANSWERS)]:
                availability.answer(actor=person, night=night, answer=said)


def _next_thursday(club: Club) -> date:
    """Not today, which may be over."""
    tomorrow = clock.today(club) + timedelta(days=1)
    return tomorrow + timedelta(days=(THURSDAY - tomorrow.weekday()) % 7)
