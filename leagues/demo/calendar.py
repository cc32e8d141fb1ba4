"""The demo's calendar: a venue, a weekly evening, and people who have answered whether they come."""

from datetime import date, time, timedelta

from django.db import transaction

from accounts.models import Club, User
from leagues.calendar import availability, club_clock, nights
from leagues.demo import helpers
from leagues.models import ClubNight, Venue

PAST, AHEAD = 5, 11
# How the members answer, one after another: most come, some cannot, some have not answered.
ANSWERS = ("yes", "yes", "no", "yes", "", "yes", "", "no", "yes", "")
# The next night, at which tables are placed: most come; people not listed have not answered.
NEXT = ("marta", "tomek", "niamh", "ola-k", "desmond", "giulia_f", "kuba")
AWAY, LATE = "sandro", "zofia"
# In her time zone it is Friday morning by then: none of her tables can be placed.
NEVER = "hana"


@transaction.atomic
def seed() -> None:
    """Set it up once; a second call, or one where a venue exists, changes nothing."""
    club = helpers.club()
    if club is None or Venue.objects.exists():
        return
    owner = helpers.owner_of(club)
    room = nights.add_venue(
        actor=owner,
        club=club,
        name="Back room of the Lantern",
        tables=5,
        address="Lamp Lane 12",
        about="Through the bar, then ring twice.",
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
    _answer(club, coming)


def _answer(club: Club, coming: list[ClubNight]) -> None:
    people = {each.handle: each for each in User.objects.filter(memberships__club=club, is_bot=False).order_by("pk")}
    never = people.pop(NEVER)
    availability.set_habits(actor=never, club=club, habits={helpers.THURSDAY: "no"})
    for handle in NEXT:
        availability.answer(actor=people[handle], night=coming[0], answer="yes")
    availability.answer(actor=people[AWAY], night=coming[0], answer="no")
    availability.answer(actor=people[LATE], night=coming[0], answer="yes", slots=[2, 3])
    for weeks, night in enumerate(coming[1:3]):
        for at, person in enumerate(people.values()):
            if answer := ANSWERS[(at + 3 * weeks) % len(ANSWERS)]:
                availability.answer(actor=person, night=night, answer=answer)


def _next_thursday(club: Club) -> date:
    """Never today, because tonight may be over."""
    tomorrow = club_clock.today(club) + timedelta(days=1)
    return tomorrow + timedelta(days=(helpers.THURSDAY - tomorrow.weekday()) % 7)
