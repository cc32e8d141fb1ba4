"""Who can come: what people said about one night outweighs their habit of the weekday; whoever said nothing can."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.errors import Refused
from accounts.models import Club, Membership, User
from leagues import access, live
from leagues.access import NotAllowed, Permission, require
from leagues.models import Answer, Availability, ClubNight, Entrant, Habit, Season, Slot

ANSWERED_FOR = {
    Answer.YES: audit.action("leagues.can-come", _("%(actor)s noted that %(person)s can come on %(day)s")),
    Answer.NO: audit.action("leagues.cannot-come", _("%(actor)s noted that %(person)s cannot come on %(day)s")),
}
HABITS_FOR = audit.action("leagues.habits", _("%(actor)s noted on which weekdays %(person)s can come"))


class Can(StrEnum):
    YES = "yes"
    NO = "no"
    UNKNOWN = "unknown"


def can(user_ids: Iterable[int], slots: Iterable[Slot]) -> dict[tuple[int, int], bool]:
    """Whether each of these people could play in each of these slots, by (user id, slot id). Unknown counts as yes.

    Four queries however many they are. Whether a night is cancelled is not asked here.
    """
    return {at: said is not Can.NO for at, said in _said(sorted(set(user_ids)), list(slots)).items()}


@dataclass(frozen=True)
class Comer:
    """What is known of one person and one night. `answer` is their own word about it, if they gave one."""

    user: User
    slots: Mapping[int, Can]
    answer: Availability | None = None

    @property
    def summary(self) -> Can:
        """Yes if they can come to any part of it, no if to none."""
        said = set(self.slots.values())
        return Can.YES if Can.YES in said else Can.UNKNOWN if Can.UNKNOWN in said else Can.NO

    @property
    def only(self) -> list[int]:
        """The slots that they said they can come to, where these are not all."""
        return [] if len(set(self.slots.values())) == 1 else [n for n, said in self.slots.items() if said is Can.YES]


def who(night: ClubNight) -> list[Comer]:
    """Everybody of the club and what they say to each slot of the night, by its number: as many queries for many."""
    slots = list(night.slots.order_by("number"))
    answers = {row.user_id: row for row in night.availabilities.all()}
    people = list(access.people_of(night.club).order_by("is_bot", "display_name", "handle"))
    said = _said([person.pk for person in people], slots)
    return [
        Comer(person, {slot.number: said[person.pk, slot.pk] for slot in slots}, answers.get(person.pk))
        for person in people
    ]


def answers_of(person: User, nights: Iterable[ClubNight]) -> dict[int, Comer]:
    """One person's word about several nights, by the night's id."""
    nights = list(nights)
    slots = list(Slot.objects.filter(night__in=nights).order_by("number"))
    said = _said([person.pk], slots)
    answers = {row.night_id: row for row in Availability.objects.filter(user=person, night__in=nights)}
    by_night: dict[int, dict[int, Can]] = {night.pk: {} for night in nights}
    for slot in slots:
        by_night[slot.night_id][slot.number] = said[person.pk, slot.pk]
    return {pk: Comer(person, numbers, answers.get(pk)) for pk, numbers in by_night.items()}


def counts(nights: Iterable[ClubNight]) -> dict[int, int]:
    """How many have said that they come, by the night's id; habits are not counted, as they promise nothing."""
    found = dict.fromkeys((night.pk for night in nights), 0)
    for pk in coming().filter(night__in=list(found)).values_list("night", flat=True):
        found[pk] += 1
    return found


def coming() -> QuerySet[Availability]:
    """The words of those who come. As `access.people_of`, for several clubs at once: whoever left does not."""
    club, user = OuterRef("night__club"), OuterRef("user")
    member = Membership.objects.filter(club=club, user=user)
    going_on = Entrant.objects.filter(season__league__club=club).exclude(season__status=Season.Status.CLOSED)
    entered = going_on.filter(Q(user=user) | Q(members__user=user))
    return Availability.objects.filter(Exists(member) | Exists(entered), answer=Answer.YES, user__is_active=True)


def _said(user_ids: list[int], slots: list[Slot]) -> dict[tuple[int, int], Can]:
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
    found = {}
    for slot in slots:
        night = nights[slot.night_id]
        for user_id in user_ids:
            answer = answers.get((user_id, night.pk))
            if answer is not None:
                found[user_id, slot.pk] = _of_slot(answer, slot.number)
            else:
                usual = habits.get((user_id, night.club_id, night.day.weekday()), Can.UNKNOWN)
                found[user_id, slot.pk] = Can.YES if user_id in bots and usual is Can.UNKNOWN else usual
    return found


def _of_slot(answer: Availability, number: int) -> Can:
    """A yes to some slots is a no to the others, and the other way round."""
    meant = not answer.slots or number in answer.slots
    return Can.YES if (answer.answer == Answer.YES) == meant else Can.NO


@transaction.atomic
def answer(
    *, actor: User, night: ClubNight, answer: str, slots: Iterable[int] = (), person: User | None = None
) -> Availability:
    """Say whether one can come, to all of the night or to some of its slots; organisers answer for guests and bots."""
    night = ClubNight.objects.select_related("club").get(pk=night.pk)
    person = _spoken_for(actor, night, night.club, person)
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
    live.nights_changed(night.club)
    return row


@transaction.atomic
def take_back(*, actor: User, night: ClubNight, person: User | None = None) -> None:
    """Leave the answer to one's habit again."""
    night = ClubNight.objects.select_related("club").get(pk=night.pk)
    person = _spoken_for(actor, night, night.club, person)
    Availability.objects.filter(night=night, user=person).delete()
    live.nights_changed(night.club)


@transaction.atomic
def set_habits(*, actor: User, club: Club, habits: Mapping[int, str], person: User | None = None) -> list[Habit]:
    """On which weekdays one can usually come, Monday being 0; a weekday that is not named is open."""
    person = _spoken_for(actor, club, club, person)
    if set(habits) - set(range(7)) or set(habits.values()) - set(Answer.values):
        raise Refused(gettext("A habit is a yes or a no to a day of the week."))
    Habit.objects.filter(club=club, user=person).exclude(weekday__in=list(habits)).delete()
    kept = [
        Habit.objects.update_or_create(club=club, user=person, weekday=weekday, defaults={"answer": said})[0]
        for weekday, said in sorted(habits.items())
    ]
    if person != actor:
        audit.record(HABITS_FOR, actor=actor, on=club, club=club, person=person)
    live.nights_changed(club)
    return kept


def _spoken_for(actor: User, on: ClubNight | Club, club: Club, person: User | None) -> User:
    """Whose word it is: one's own, or that of a guest or bot whom an organiser speaks for."""
    if person is None or person.pk == actor.pk:
        require(actor, Permission.COME, on)
        return actor
    require(actor, Permission.ORGANISE, on)
    if not (person.is_guest or person.is_bot) or not access.belongs(person, club):
        raise NotAllowed(Permission.COME)  # type: ignore[arg-type]
    return person
