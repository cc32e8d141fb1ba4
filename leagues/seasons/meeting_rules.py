"""Pairs to keep apart, and pairs that may meet only late: rules of a season that only its organisers know."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from leagues.core import format_catalogue, locks, season_effects
from leagues.core.access import Permission, require
from leagues.models import Entrant, MeetingRule, Season, Stage

APART = audit.declare_action("leagues.rule-apart", _("%(actor)s asked to keep %(entrant)s and %(other)s apart"))
LATE = audit.declare_action(
    "leagues.rule-late", _("%(actor)s asked that %(entrant)s and %(other)s meet only from round %(round)s on")
)
DROPPED = audit.declare_action("leagues.rule-dropped", _("%(actor)s let %(entrant)s and %(other)s meet again"))

MOST_RULES = 60
LATEST = 99


@transaction.atomic
def add_rule(
    *, actor: User, season: Season, one: Entrant, other: Entrant, from_round: int | None = None
) -> MeetingRule:
    """Keep two entrants apart: in all rounds, or before `from_round`. A second rule for a pair replaces the first."""
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    _check_open(season)
    if one.season_id != season.pk or other.season_id != season.pk:
        raise Refused(gettext("Both have to play in this season."))
    if one.pk == other.pk:
        raise Refused(gettext("Choose two different people."))
    if from_round is not None and not 2 <= from_round <= LATEST:
        raise Refused(gettext("The first round in which they may meet is round 2 or later."))
    first, second = sorted((one, other), key=lambda each: each.pk)
    before = MeetingRule.objects.filter(one=first, other=second).first()
    if before is None and MeetingRule.objects.filter(season=season).count() >= MOST_RULES:
        raise Refused(gettext("A season has at most %(most)s such rules.") % {"most": MOST_RULES})
    rule, _made = MeetingRule.objects.update_or_create(
        one=first, other=second, defaults={"season": season, "from_round": from_round}
    )
    undo: dict[str, Any] = {"one": first.pk, "other": second.pk, "had": before is not None}
    undo["from_round"] = before.from_round if before else None
    known: dict[str, Any] = {"entrant": one.who, "other": other.who}
    if from_round is None:
        season_effects.log_and_refresh(APART, actor=actor, season=season, undo=("meeting-rule", undo), **known)
    else:
        season_effects.log_and_refresh(
            LATE, actor=actor, season=season, undo=("meeting-rule", undo), round=from_round, **known
        )
    return rule


@transaction.atomic
def drop_rule(*, actor: User, rule: MeetingRule) -> None:
    """Remove a rule; removing it again changes nothing."""
    season = locks.season(rule.season)
    require(actor, Permission.ORGANISE, season)
    _check_open(season)
    row = MeetingRule.objects.select_related("one__user", "other__user").filter(pk=rule.pk).first()
    if row is None:
        return
    undo = {"one": row.one_id, "other": row.other_id, "had": True, "from_round": row.from_round}
    row.delete()
    season_effects.log_and_refresh(
        DROPPED,
        actor=actor,
        season=season,
        undo=("meeting-rule", undo),
        entrant=row.one.who,
        other=row.other.who,
    )


def _check_open(season: Season) -> None:
    if season.is_closed:
        raise Refused(gettext("This season is closed."))


def restore(season: Season, *, one: int, other: int, had: bool, from_round: int | None) -> None:
    """The rule of a pair as it was before; for the season's undo."""
    if Entrant.objects.filter(season=season, pk__in=[one, other]).count() < 2:
        raise Refused(gettext("This cannot be undone any more: it was changed meanwhile."))
    if had:
        MeetingRule.objects.update_or_create(
            one_id=one, other_id=other, defaults={"season": season, "from_round": from_round}
        )
    else:
        MeetingRule.objects.filter(one_id=one, other_id=other).delete()


def stages_without_rules(season: Season) -> list[Stage]:
    """Stages whose format cannot obey the rules: everybody's meetings follow from a plan or a bracket."""
    stages = Stage.objects.filter(division__season=season).select_related("division")
    return [stage for stage in stages if not format_catalogue.format_of(stage).exchanges]
