"""Who can come to a club night. An answer for one night outweighs the weekday habit; without either, the person can."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Club, Membership, User
from leagues.core import access, realtime
from leagues.core.access import Permission, require
from leagues.models import Answer, Availability, ClubNight, Entrant, Habit, Season, Slot

ANSWERED_FOR = {
    Answer.YES: audit.declare_action("leagues.can-come", _("%(actor)s noted that %(person)s can come on %(day)s")),
    Answer.NO: audit.declare_action("leagues.cannot-come", _("%(actor)s noted that %(person)s cannot come on %(day)s")),
}
HABITS_FOR = audit.declare_action("leagues.habits", _("%(actor)s noted on which weekdays %(person)s can come"))


class Can(StrEnum):
    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


def availability_of(user_ids: Iterable[int], slots: Iterable[Slot]) -> dict[tuple[int, int], bool]:
    """Whether each person can play in each slot, by (user id, slot id). Unknown counts as yes.

    Four queries, however many people and slots. Does not check whether a night is cancelled.
    """
    return {at: answer is not Can.NO for at, answer in _answers_by_slot(sorted(set(user_ids)), list(slots)).items()}


@dataclass(frozen=True)
class Attendee:
    """One person and one night. `answer` is what the person answered for this night, if anything."""

    user: User
    slots: Mapping[int, Can]
    answer: Availability | None = None

    @property
    def summary(self) -> Can:
        """Yes if they can come to any part of it, no if to none."""
        answers = set(self.slots.values())
        return Can.YES if Can.YES in answers else Can.UNKNOWN if Can.UNKNOWN in answers else Can.NO

    @property
    def only(self) -> list[int]:
        """The slots the person can come to, unless that is all or none of them."""
        return [] if len(set(self.slots.values())) == 1 else [n for n, can in self.slots.items() if can is Can.YES]


def attendees_of(night: ClubNight) -> list[Attendee]:
    """Everybody in the club, with their answer for each slot number. A fixed number of queries."""
    slots = list(night.slots.order_by("number"))
    answers = {row.user_id: row for row in night.availabilities.all()}
    people = list(access.people_of(night.club).order_by("is_bot", "display_name", "handle"))
    by_slot = _answers_by_slot([person.pk for person in people], slots)
    return [
        Attendee(person, {slot.number: by_slot[person.pk, slot.pk] for slot in slots}, answers.get(person.pk))
        for person in people
    ]


def answers_of(person: User, nights: Iterable[ClubNight]) -> dict[int, Attendee]:
    """One person's answers for several nights, by the night's id."""
    nights = list(nights)
    slots = list(Slot.objects.filter(night__in=nights).order_by("number"))
    by_slot = _answers_by_slot([person.pk], slots)
    answers = {row.night_id: row for row in Availability.objects.filter(user=person, night__in=nights)}
    by_night: dict[int, dict[int, Can]] = {night.pk: {} for night in nights}
    for slot in slots:
        by_night[slot.night_id][slot.number] = by_slot[person.pk, slot.pk]
    return {pk: Attendee(person, numbers, answers.get(pk)) for pk, numbers in by_night.items()}


def count_coming(nights: Iterable[ClubNight]) -> dict[int, int]:
    """How many people answered that they come, by the night's id. Habits are not counted: they promise nothing."""
    counts = dict.fromkeys((night.pk for night in nights), 0)
    for pk in coming().filter(night__in=list(counts)).values_list("night", flat=True):
        counts[pk] += 1
    return counts


def coming() -> QuerySet[Availability]:
    """Answers of people who come, in any club. As in `access.people_of`, people who left their club do not count."""
    club, user = OuterRef("night__club"), OuterRef("user")
    member = Membership.objects.filter(club=club, user=user)
    going_on = Entrant.objects.filter(season__league__club=club).exclude(season__status=Season.Status.CLOSED)
    entered = going_on.filter(Q(user=user) | Q(members__user=user))
    return Availability.objects.filter(Exists(member) | Exists(entered), answer=Answer.YES, user__is_active=True)


def _answers_by_slot(user_ids: list[int], slots: list[Slot]) -> dict[tuple[int, int], Can]:
    nights = ClubNight.objects.in_bulk({slot.night_id for slot in slots})
    bots = set(User.objects.filter(pk__in=user_ids, is_bot=True).values_list("pk", flat=True))
    answers = {
        (row.user_id, row.night_id): row for row in Availability.objects.filter(user__in=user_ids, night__in=nights)
    }
    habits = {
        (user_id, club_id, weekday): Can(answer)
        for user_id, club_id, weekday, answer in Habit.objects.filter(
            user__in=user_ids, club__in={night.club_id for night in nights.values()}
        ).values_list("user", "club", "weekday", "answer")
    }
    result = {}
    for slot in slots:
        night = nights[slot.night_id]
        for user_id in user_ids:
            answer = answers.get((user_id, night.pk))
            if answer is not None:
                result[user_id, slot.pk] = _answer_for_slot(answer, slot.number)
            else:
                usual = habits.get((user_id, night.club_id, night.day.weekday()), Can.UNKNOWN)
                result[user_id, slot.pk] = Can.YES if user_id in bots and usual is Can.UNKNOWN else usual
    return result


def _answer_for_slot(answer: Availability, number: int) -> Can:
    """A yes to some slots is a no to the others, and the other way round."""
    is_covered = not answer.slots or number in answer.slots
    return Can.YES if (answer.answer == Answer.YES) == is_covered else Can.NO


@transaction.atomic
def answer(
    *, actor: User, night: ClubNight, answer: str, slots: Iterable[int] = (), person: User | None = None
) -> Availability:
    """Answer for all of a night or for some of its slots. Organisers answer for guests and bots."""
    night = ClubNight.objects.select_related("club").get(pk=night.pk)
    person = _person_answered_for(actor, night, night.club, person)
    if answer not in Answer.values:
        raise Refused(gettext("The answer is yes or no."))
    if night.is_cancelled:
        raise Refused(gettext("This night is cancelled."))
    if night.ends_at <= timezone.now():
        raise Refused(gettext("This night is over."))
    numbers = set(night.slots.values_list("number", flat=True))
    chosen = set(slots)
    if chosen - numbers:
        raise Refused(gettext("This night has no such slot."))
    row, _made = Availability.objects.update_or_create(
        night=night, user=person, defaults={"answer": answer, "slots": sorted(chosen) if chosen != numbers else []}
    )
    if person != actor:
        audit.record(
            ANSWERED_FOR[Answer(answer)],
            actor=actor,
            on=night,
            club=night.club,
            person=person,
            day=night.day.isoformat(),
        )
    realtime.broadcast_calendar_changed(night.club)
    return row


@transaction.atomic
def take_back(*, actor: User, night: ClubNight, person: User | None = None) -> None:
    """Delete the answer, so that the habit applies again."""
    night = ClubNight.objects.select_related("club").get(pk=night.pk)
    person = _person_answered_for(actor, night, night.club, person)
    Availability.objects.filter(night=night, user=person).delete()
    realtime.broadcast_calendar_changed(night.club)


@transaction.atomic
def set_habits(*, actor: User, club: Club, habits: Mapping[int, str], person: User | None = None) -> list[Habit]:
    """Set the weekdays (Monday is 0) on which a person can usually come. A weekday that is missing is unknown."""
    person = _person_answered_for(actor, club, club, person)
    if set(habits) - set(range(7)) or set(habits.values()) - set(Answer.values):
        raise Refused(gettext("A habit is a yes or a no to a day of the week."))
    Habit.objects.filter(club=club, user=person).exclude(weekday__in=list(habits)).delete()
    rows = [
        Habit.objects.update_or_create(club=club, user=person, weekday=weekday, defaults={"answer": answer})[0]
        for weekday, answer in sorted(habits.items())
    ]
    if person != actor:
        audit.record(HABITS_FOR, actor=actor, on=club, club=club, person=person)
    realtime.broadcast_calendar_changed(club)
    return rows


def _person_answered_for(actor: User, on: ClubNight | Club, club: Club, person: User | None) -> User:
    """Return the person the answer is for: the actor, or a guest or bot an organiser answers for."""
    if person is None or person.pk == actor.pk:
        require(actor, Permission.COME, on)
        return actor
    require(actor, Permission.ORGANISE, on)
    if not (person.is_guest or person.is_bot) or not access.may_attend(person, club):
        raise NotAllowed(Permission.COME)
    return person
