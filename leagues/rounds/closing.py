"""Closing a round and finishing a stage, under a lock, if nothing is open."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from games.models import Match
from leagues.core import format_catalogue, locks, reason_text, season_effects, webhook_emit
from leagues.core.access import Permission, require
from leagues.formats.adapters import DrawInput
from leagues.formats.errors import FormatError
from leagues.formats.reasons import to_json
from leagues.models import Challenge, Entrant, Pairing, Round, Stage, Waiting
from leagues.rounds import stage_start
from leagues.standings import ranking, snapshots

ROUND_CLOSED = audit.declare_action("leagues.round-closed", _("%(actor)s closed round %(round)s of %(division)s"))
ROUND_REOPENED = audit.declare_action(
    "leagues.round-reopened", _("%(actor)s opened round %(round)s of %(division)s again")
)
STAGE_OVER = audit.declare_action("leagues.stage-over", _("%(actor)s ended a stage of %(division)s"))


@transaction.atomic
def close_round(*, actor: User, round: Round) -> Round:
    """Close a round that has no open table. Closing it again changes nothing."""
    stage = locks.stage(round.stage)
    require(actor, Permission.ORGANISE, stage)
    return close_if_over(actor, Round.objects.get(pk=round.pk))


def close_if_over(actor: User | None, round_: Round) -> Round:
    """As `close_round`, in the caller's transaction, with the stage locked."""
    if round_.is_closed:
        return round_
    if not round_.is_published:
        raise Refused(gettext("This round is not published yet."))
    if open_tables := undecided(round_):
        raise Refused(
            ngettext(
                "Round %(number)s is not over: table %(tables)s is open.",
                "Round %(number)s is not over: tables %(tables)s are open.",
                len(open_tables),
            )
            % {"number": round_.number, "tables": ", ".join(map(str, open_tables))}
        )
    round_.status, round_.closed_at = Round.Status.CLOSED, timezone.now()
    round_.save(update_fields=["status", "closed_at"])
    # Everybody has played the deal now, so it is no longer secret.
    Match.objects.filter(pairing__round=round_, sealed=True).update(sealed=False)
    if snapshots.snapshot_round(round=round_):
        webhook_emit.emit_standings_changed(round_.stage)
    season = round_.stage.division.season
    season_effects.log_and_refresh(
        ROUND_CLOSED, actor=actor, season=season, round=round_.number, division=round_.stage.division.name
    )
    return round_


def undecided(round_: Round) -> list[int]:
    """The places where people sit whose tables keep a round open. A voided heat does, because nobody could go on from
    it."""
    tables = Pairing.objects.filter(round=round_)
    keeping = (
        tables.exclude(state=Pairing.State.CONFIRMED)
        if format_catalogue.format_of(round_.stage).void_needs_replay
        else tables.open()
    )
    return sorted(pairing.table for pairing in keeping.only("number", "table_number"))


@transaction.atomic
def reopen_round(*, actor: User, round: Round) -> Round:
    """Reopen a closed round for results, as long as no later round was drawn."""
    stage = locks.stage(round.stage)
    require(actor, Permission.ORGANISE, stage)
    round = Round.objects.select_related("stage__division__season__league__club").get(pk=round.pk)
    if not round.is_closed:
        return round
    if stage.status != Stage.Status.RUNNING or Round.objects.filter(stage=stage, number__gt=round.number).exists():
        raise Refused(gettext("A later round was drawn from this round: correct its results instead."))
    round.status, round.closed_at = Round.Status.PUBLISHED, None
    round.save(update_fields=["status", "closed_at"])
    season_effects.log_and_refresh(
        ROUND_REOPENED,
        actor=actor,
        season=stage.division.season,
        round=round.number,
        division=stage.division.name,
    )
    return round


def finish_stage(*, actor: User, stage: Stage) -> Stage | None:
    """End a stage and start the next one of its division from its order; returns that stage, or None after the last."""
    try:
        return _finish_stage(actor, stage)
    except FormatError as error:
        # A shared place at the cut: the reason is stored for the organiser to solve.
        Stage.objects.filter(pk=stage.pk).update(trouble=to_json(error.reason))
        raise Refused(reason_text.render_format_error(error, reason_text.entrant_names(stage))) from error


@transaction.atomic
def _finish_stage(actor: User, stage: Stage) -> Stage | None:
    stage = locks.stage(stage)
    require(actor, Permission.ORGANISE, stage)
    after = Stage.objects.filter(division=stage.division, position__gt=stage.position).order_by("position").first()
    if stage.status == Stage.Status.FINISHED:
        return after
    if stage.status != Stage.Status.RUNNING:
        raise Refused(gettext("This stage has not begun."))
    _check_over(actor, stage)
    stage.status, stage.trouble = Stage.Status.FINISHED, None
    if after is not None:
        going = stage_start.qualified(stage, after)
        entrants = Entrant.objects.in_bulk([who for who, _why in going])
        stage_start.start_stage(after, [(entrants[who], why) for who, why in going])
    stage.save(update_fields=["status", "trouble"])
    season_effects.log_and_refresh(
        STAGE_OVER,
        actor=actor,
        season=stage.division.season,
        undo=("finish", {"stage": stage.pk, "next": after.pk if after else None}),
        division=stage.division.name,
    )
    return after


def resume_stage(*, stage: Stage, after: Stage | None) -> None:
    """Undo the end of a stage, in the caller's transaction, while nothing was played in the next one."""
    stage = locks.stage(stage)
    if stage.status != Stage.Status.FINISHED:
        raise Refused(gettext("This stage runs already."))
    if after is not None:
        after = locks.stage(after)
        if after.rounds.exists() or after.steps.exists():
            raise Refused(gettext("The next stage has begun to be played: this one stays finished."))
        after.starters.all().delete()
        after.requested_byes.all().delete()
        Challenge.objects.filter(stage=after).delete()
        Waiting.objects.filter(stage=after).delete()
        after.status, after.trouble = Stage.Status.PLANNED, None
        after.save(update_fields=["status", "trouble"])
    stage.status = Stage.Status.RUNNING
    stage.save(update_fields=["status"])


def _check_over(actor: User | None, stage: Stage) -> None:
    """Refuse unless every round is closed and none is missing."""
    rounds = list(Round.objects.filter(stage=stage).select_related("stage__division__season__league__club"))
    for round_ in rounds:
        close_if_over(actor, round_)
    if missing := rounds_missing(stage, len(rounds)):
        raise Refused(missing)


def can_draw(stage: Stage, drawn: int, now: DrawInput | None = None) -> bool:
    """Whether another round can be drawn once every round drawn so far is over.

    `now` spares the queries, where the caller has loaded it with rounds that are not published.
    """
    known = format_catalogue.FORMATS[stage.format]
    if not known.rounds:
        return False
    if not needs_draw_input(stage):
        return stage.planned is None or drawn < stage.planned
    try:
        known.draw(now or ranking.draw_input(stage, drafts=True))
    except FormatError:
        return False
    return True


def needs_draw_input(stage: Stage) -> bool:
    """Whether only an attempt to draw can say if another round comes: in a plan and in a knock-out."""
    known = format_catalogue.FORMATS[stage.format]
    return known.rounds and not known.has_chosen_length


def rounds_missing(stage: Stage, drawn: int, now: DrawInput | None = None) -> str:
    """Why a stage is not over although every round is closed; empty if it is over. `now` as for `can_draw`."""
    known = format_catalogue.FORMATS[stage.format]
    if stage.planned is not None and drawn < stage.planned:
        return gettext("%(drawn)s of %(planned)s rounds are drawn.") % {"drawn": drawn, "planned": stage.planned}
    if not known.rounds or (stage.planned is not None and not known.knock_out):
        return ""
    if not needs_draw_input(stage):
        return "" if drawn else gettext("No round was drawn.")
    try:
        known.draw(now or ranking.draw_input(stage, drafts=True))
    except FormatError as error:
        if error.reason.code in ("error.no-more-rounds", "error.bracket-over"):
            return ""
        return reason_text.render_format_error(error, reason_text.entrant_names(stage))
    return gettext("There is another round to draw.")
