"""Seeds: by rating, by lot or by hand, until the season starts."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from leagues.core import locks, season_effects
from leagues.core.access import Permission, require
from leagues.entries import strength
from leagues.formats.lots import lot
from leagues.models import Division, Entrant, Season

BY_RATING = audit.declare_action("leagues.seeded-by-rating", _("%(actor)s set the seeds of %(division)s by rating"))
BY_LOT = audit.declare_action("leagues.seeded-by-lot", _("%(actor)s set the seeds of %(division)s by lot"))
BY_HAND = audit.declare_action("leagues.seeded-by-hand", _("%(actor)s set the seeds of %(division)s by hand"))


@transaction.atomic
def by_rating(*, actor: User, division: Division) -> list[Entrant]:
    """Strongest first; those without a rating follow in the order they entered."""
    division = _lock_division(actor, division)
    entrants = list(Entrant.objects.entered().filter(division=division))
    known = strength.ratings(division.season.league.game, entrants)
    for entrant in entrants:
        entrant.rating = known.get(entrant.pk)
    Entrant.objects.bulk_update(entrants, ["rating"])
    entrants.sort(key=_strength)
    return _set(actor, division, entrants, BY_RATING)


def _strength(entrant: Entrant) -> tuple[bool, int, object, int]:
    return entrant.rating is None, -(entrant.rating or 0), entrant.entered_at, entrant.pk


@transaction.atomic
def by_lot(*, actor: User, division: Division) -> list[Entrant]:
    """Draw a new random order. The seed follows from the time of the draw, so that anybody can check it."""
    division = _lock_division(actor, division)
    seed = timezone.now().isoformat()
    entrants = list(Entrant.objects.entered().filter(division=division))
    entrants.sort(key=lambda entrant: lot(seed, entrant.pk))
    return _set(actor, division, entrants, BY_LOT)


@transaction.atomic
def by_hand(*, actor: User, division: Division, order: Sequence[int]) -> list[Entrant]:
    """Set the order as given: every entrant of the division exactly once."""
    division = _lock_division(actor, division)
    entrants = {entrant.pk: entrant for entrant in Entrant.objects.entered().filter(division=division)}
    if len(order) != len(entrants) or set(order) != set(entrants):
        raise Refused(gettext("The entries changed meanwhile: reload the page, and list everybody exactly once."))
    return _set(actor, division, [entrants[pk] for pk in order], BY_HAND)


def in_order(division: Division) -> list[Entrant]:
    """Entrants with a place by seed. Those who entered after seeding follow by rating, then by time of entry."""
    entrants = list(Entrant.objects.entered().filter(division=division).select_related("user"))
    known = strength.ratings(division.season.league.game, entrants)
    for entrant in entrants:
        entrant.rating = known.get(entrant.pk, entrant.rating)
    Entrant.objects.bulk_update(entrants, ["rating"])
    return sorted(entrants, key=lambda entrant: (entrant.seed is None, entrant.seed or 0, *_strength(entrant)))


def restore(division: Division, seeds: dict[str, int | None]) -> None:
    """Restore earlier seeds, for those who are still entered."""
    entrants = list(Entrant.objects.filter(division=division))
    Entrant.objects.filter(division=division).update(seed=None)
    for entrant in entrants:
        entrant.seed = seeds.get(str(entrant.pk))
    Entrant.objects.bulk_update(entrants, ["seed"])


def _lock_division(actor: User, division: Division) -> Division:
    season = locks.season(division.season)
    require(actor, Permission.ORGANISE, season)
    if season.status not in (Season.Status.DRAFT, Season.Status.REGISTRATION):
        raise Refused(gettext("The season has started: its seeds are set."))
    return Division.objects.select_related("season__league__club").get(pk=division.pk)


def _set(actor: User, division: Division, entrants: list[Entrant], action: str) -> list[Entrant]:
    before = {str(pk): seed for pk, seed in Entrant.objects.filter(division=division).values_list("pk", "seed")}
    # Clear the seeds first: no two rows may have the same seed, not even for a moment.
    Entrant.objects.filter(division=division).update(seed=None)
    for seed, entrant in enumerate(entrants, 1):
        entrant.seed = seed
    Entrant.objects.bulk_update(entrants, ["seed"])
    season_effects.log_and_refresh(
        action,
        actor=actor,
        season=division.season,
        undo=("seeding", {"division": division.pk, "seeds": before}),
        division=division.name,
    )
    return entrants
