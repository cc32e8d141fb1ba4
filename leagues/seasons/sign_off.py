"""Sign-off: an organiser confirms that the final standings are right, or takes that back."""

import hashlib
import json
from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from leagues.core import locks, season_effects
from leagues.core.access import Permission, require
from leagues.models import Season, SignOff, Stage
from leagues.seasons.final_standings import Placed, SeasonClosePreview, preview

SIGNED = audit.declare_action("leagues.signed-off", _("%(actor)s signed the final standings off"))
UNSIGNED = audit.declare_action(
    "leagues.sign-off-back", _("%(actor)s took the sign-off of the final standings back: %(why)s")
)


@transaction.atomic
def sign_off(*, actor: User, season: Season) -> SignOff:
    """Sign the final standings off, once every stage is finished. Signing again changes nothing."""
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    return of(season) or write_sign_off(actor, season, lock_final_standings(season))


def lock_final_standings(season: Season) -> SeasonClosePreview:
    """The final standings of a finished season, with everything locked that could change them."""
    if not season.is_running:
        raise Refused(gettext("This season has not started."))
    for stage in Stage.objects.filter(division__season=season).order_by("pk"):
        locks.stage(stage)
    seen = preview(season=season)
    if seen.missing:
        raise Refused(" ".join(seen.missing))
    return seen


def write_sign_off(actor: User, season: Season, seen: SeasonClosePreview) -> SignOff:
    """Write the sign-off in the caller's transaction, with the season and its stages locked."""
    signed = SignOff.objects.create(season=season, by=actor, seal=seal(seen.order))
    season_effects.log_and_refresh(SIGNED, actor=actor, season=season)
    return signed


@transaction.atomic
def take_sign_off_back(*, actor: User, season: Season, why: str) -> None:
    """Take the sign-off back, so that results can be corrected; the reason is logged."""
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    if season.is_closed:
        raise Refused(gettext("This season is closed: its results are final."))
    why = " ".join(why.split())[:300]
    if not why:
        raise Refused(gettext("Say why: it is shown in the season’s log."))
    if SignOff.objects.filter(season=season).delete()[0]:
        season_effects.log_and_refresh(UNSIGNED, actor=actor, season=season, why=why)


def of(season: Season) -> SignOff | None:
    return SignOff.objects.select_related("by").filter(season=season).first()


def refuse_if_signed(season: Season) -> None:
    """Every verb that could change the final standings calls this, with its rows locked."""
    if SignOff.objects.filter(season=season).exists():
        raise Refused(gettext("The final standings are signed off: take the sign-off back first."))


def seal(order: Iterable[Placed]) -> str:
    """A fingerprint of a final order."""
    return hashlib.sha256(json.dumps(list(order)).encode()).hexdigest()
