"""Who agreed to play in a season. Whoever signs up or takes part agrees; whom an organiser enters is asked."""

from collections.abc import Collection, Iterable

from django.utils import timezone

from accounts.models import User
from leagues.models import EntryConsent, Season

State = EntryConsent.State


def ask(season: Season, people: Iterable[User], *, by: User | None) -> list[User]:
    """Note that an organiser entered these people; returns those who have to be asked.

    Nobody has to be asked about themselves, twice, or without an account.
    """
    asked = []
    for person in people:
        if person == by:
            agree(season, person)
        elif person.reads_notices:
            _row, made = EntryConsent.objects.get_or_create(season=season, user=person, defaults={"asked_by": by})
            if made:
                asked.append(person)
    return asked


def agree(season: Season, person: User) -> None:
    """They signed up, said yes, or took part themselves."""
    EntryConsent.objects.filter(season=season, user=person).exclude(state=State.AGREED).update(
        state=State.AGREED, answered_at=timezone.now()
    )


def decline(season: Season, person: User) -> None:
    EntryConsent.objects.filter(season=season, user=person).update(state=State.DECLINED, answered_at=timezone.now())


def declined(season: Season, people: Iterable[User]) -> list[User]:
    """Those of these people who do not want to play in this season."""
    rows = EntryConsent.objects.filter(season=season, user__in=list(people), state=State.DECLINED)
    return [row.user for row in rows.select_related("user")]


def undecided(season_id: int, people: Collection[int]) -> set[int]:
    """Those of these people who were entered by somebody else and have not agreed."""
    rows = EntryConsent.objects.filter(season=season_id, user__in=people).exclude(state=State.AGREED)
    return set(rows.values_list("user_id", flat=True))


def is_asked(season: Season, person: User | None) -> bool:
    """Whether this person still has to say whether they play."""
    return person is not None and EntryConsent.objects.filter(season=season, user=person, state=State.ASKED).exists()
