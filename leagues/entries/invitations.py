"""The answer of somebody whom an organiser entered: they play, or they do not."""

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from accounts.notifications.registry import NotificationGroup, declare_kind
from accounts.notifications.service import notify, resolve
from leagues.core import consent, locks, season_effects
from leagues.core.access import plays_as
from leagues.entries import withdrawal
from leagues.entries.registration import ADDED_KIND
from leagues.models import Entrant
from leagues.results import recording, reporting

AGREED = audit.declare_action("leagues.entry-agreed", _("%(actor)s agreed to play"))
DECLINED = audit.declare_action("leagues.entry-declined", _("%(actor)s does not want to play"))
DECLINED_KIND = declare_kind(
    "leagues.entry-declined",
    _("%(actor)s does not want to play %(season)s, and was taken out."),
    _("Somebody you entered does not want to play"),
    group=NotificationGroup.ORGANISING,
)


@transaction.atomic
def answer(*, person: User, entrant: Entrant, plays: bool) -> Entrant:
    """Say whether one plays. A no takes the entry out, with the whole team; organisers cannot enter it again."""
    season = locks.season(entrant.season)
    entrant = Entrant.objects.select_related("user", "division", "season__league__club").get(pk=entrant.pk)
    if not plays_as(person, entrant) or not consent.is_asked(season, person):
        raise Refused(gettext("Nobody has asked you whether you play here."))
    resolve(person, ADDED_KIND, path=season.get_absolute_url())
    if plays:
        consent.agree(season, person)
        season_effects.log_and_refresh(AGREED, actor=person, season=season, person=person)
        # What they played before they agreed counts from now on.
        recording.refresh_ratings_of(person, season)
        return entrant
    consent.decline(season, person)
    season_effects.log_and_refresh(DECLINED, actor=person, season=season, person=person)
    notify(
        reporting.organisers(season),
        DECLINED_KIND,
        path=season.get_absolute_url(),
        actor=person,
        club=season.league.club,
        season=season.full_name,
    )
    return withdrawal.withdraw(actor=person, entrant=entrant)
