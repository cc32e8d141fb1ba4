"""The organiser's word that the final standings are right: whether it was given, and what it covers."""

import hashlib
import json
from collections.abc import Iterable

from django.utils.translation import gettext

from accounts.errors import Refused
from accounts.models import User
from leagues.models import Season, SignOff

Placed = tuple[int, int, int, int]
"""Division, place, entrant and score."""


def of(season: Season) -> SignOff | None:
    return SignOff.objects.select_related("by").filter(season=season).first()


def refuse_if_signed(season: Season) -> None:
    """Whatever would change the final standings asks here, with what it changes held."""
    if SignOff.objects.filter(season=season).exists():
        raise Refused(gettext("The final standings are signed off: take the sign-off back first."))


def write(*, season: Season, by: User, order: Iterable[Placed]) -> SignOff:
    """Inside the caller's transaction, with the season and its stages held."""
    return SignOff.objects.create(season=season, by=by, seal=seal(order))


def seal(order: Iterable[Placed]) -> str:
    """A final order in short."""
    return hashlib.sha256(json.dumps(list(order)).encode()).hexdigest()
