"""A bracket runs by itself: whoever wins moves on, and a match opens as soon as both its players are known.

Everything here runs in the transaction of the result, with the stage locked (`locks.pairing`).
"""

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from accounts.notifications.service import notify
from games.models import Match
from games.tables import start as tables_start
from leagues.core import season_effects, table_numbers, webhook_emit
from leagues.formats.adapters import playable_matches
from leagues.formats.bracket import Bracket, MatchState
from leagues.formats.reasons import to_json
from leagues.formats.values import Table
from leagues.models import Bye, Entrant, EntrantStep, Pairing, PairingSeat, Result, Round, Stage
from leagues.results import recording, reporting
from leagues.rounds import closing, tables
from leagues.standings import ranking
from leagues.windows import round_window

OPENED = audit.declare_action(
    "leagues.match-opened", _("Table %(table)s of round %(round)s in %(division)s is ready: both players are known")
)
CALLED_OFF = audit.declare_action(
    "leagues.match-called-off",
    _("Table %(table)s of round %(round)s in %(division)s was called off: after a correction others meet there"),
)


def follow_result(pairing: Pairing, actor: User | None) -> None:
    """What a changed result means for the rest of its bracket."""
    if pairing.slot and pairing.round.status != Round.Status.DRAWN:
        advance(pairing.round.stage, actor)


def advance(stage: Stage, actor: User | None) -> None:
    """Call off matches that no longer follow from the results, open those that do now, close rounds that are over.

    While an organiser looks at a draw that is not published, nothing happens.
    """
    running = stage.status == Stage.Status.RUNNING and stage.division.season.is_running
    if not running or Round.objects.filter(stage=stage, status=Round.Status.DRAWN).exists():
        return
    _call_off_outdated(stage)
    _open_playable(stage, actor)
    _close_rounds(stage, actor)


def _call_off_outdated(stage: Stage) -> None:
    """Delete tables whose players no longer meet there, unless somebody has played: those stay for an organiser."""
    for pairing in outdated(stage, ranking.bracket_of(stage)):
        if not pairing.is_open or _was_played(pairing):
            continue
        match, round_ = pairing.match, pairing.round
        if match is not None:
            tables_start.abort(match=Match.objects.select_for_update(of=("self",), no_key=True).get(pk=match.pk))
        _log(CALLED_OFF, stage, pairing)
        pairing.delete()
        if round_.pairings.exists() or Round.objects.filter(stage=stage, number__gt=round_.number).exists():
            continue
        # Entrants who left from the following round on now do so from the deleted one on.
        EntrantStep.objects.filter(stage=stage, round__gt=round_.number).update(round=round_.number)
        round_.delete()


def outdated(stage: Stage, tree: Bracket) -> list[Pairing]:
    """Tables of the bracket at which others meet now than those who sit there, or whose match another table decided."""
    meeting = {match.id: {who for who in match.entrants if who is not None} for match in tree.matches}
    decided = {match.id for match in tree.matches if match.state is MatchState.DONE}
    rows = Pairing.objects.filter(round__stage=stage).exclude(slot="").select_related("round", "match")
    return [
        pairing
        for pairing in rows.prefetch_related("seats").order_by("-round__number", "number")
        if {seat.entrant_id for seat in pairing.seats.all()} != meeting.get(pairing.slot)
        or (pairing.is_open and pairing.slot in decided)
    ]


def _was_played(pairing: Pairing) -> bool:
    reported = pairing.results.exclude(source=Result.Source.FORFEIT).exists()
    reported = reported or pairing.games.filter(ended_at__isnull=False).exists()
    return reported or (pairing.match is not None and pairing.match.ply > 0)


def _open_playable(stage: Stage, actor: User | None) -> None:
    drawn = playable_matches(ranking.draw_input(stage))
    rows = Entrant.objects.named().filter(starters__stage=stage).select_related("user")
    entrants = {each.pk: each for each in rows}
    opened = [_open(stage, table, drawn.slots[table.number], entrants) for table in drawn.round.tables]
    for pairing in opened:
        if pairing.seats.filter(absent=True).exists():
            recording.record_forfeits(recording.lock_pairing(pairing), by=actor)


def _open(stage: Stage, table: Table, slot: str, entrants: dict[int, Entrant]) -> Pairing:
    season, now = stage.division.season, timezone.now()
    seated = [entrants[who] for who in table.entrants]
    round_ = _round_of(stage, table.entrants) or Round.objects.create(
        stage=stage,
        number=(stage.rounds.aggregate(last=Max("number"))["last"] or 0) + 1,
        status=Round.Status.PUBLISHED,
        published_at=now,
        closes_at=round_window.closes_after(season, now),
    )
    pairing = Pairing.objects.create(
        round=round_,
        number=_free_number(stage, round_),
        table_number=table_numbers.free_numbers(round_, 1)[0],
        slot=slot,
        where=tables.usual_place(season, seated),
        reason=table.reason and to_json(table.reason),
        # A match that opens later than its round has as much time as the others had.
        closes_at=round_window.closes_after(season, now) if round_.closes_at else None,
    )
    tables.seat(pairing, seated)
    gone = [each.pk for each in seated if each.is_withdrawn]
    PairingSeat.objects.filter(pairing=pairing, entrant__in=gone).update(absent=True)
    _log(OPENED, stage, pairing)
    webhook_emit.emit_round_paired(round_)
    if not gone:
        if pairing.where == Pairing.Where.ONLINE:
            tables.publish_online(pairing, season)
        path = pairing.get_absolute_url()
        people = reporting.players(pairing)
        notify(people, tables.DRAWN_KIND, path=path, round=round_.number, season=season.full_name)
    return pairing


def _round_of(stage: Stage, entrants: Sequence[int]) -> Round | None:
    """The first open round after all in which one of them had a seat or a bye."""
    seats = PairingSeat.objects.filter(round__stage=stage, entrant__in=entrants).aggregate(last=Max("round__number"))
    byes = Bye.objects.filter(round__stage=stage, entrant__in=entrants).aggregate(last=Max("round__number"))
    after = max(seats["last"] or 0, byes["last"] or 0)
    rounds = Round.objects.filter(stage=stage, status=Round.Status.PUBLISHED, number__gt=after)
    return rounds.order_by("number").first()


def _free_number(stage: Stage, round_: Round) -> int:
    """The first number that no table of this round has, nor any that is being played: they need separate places."""
    taken = set(Pairing.objects.open().filter(round__stage=stage).values_list("number", flat=True))
    taken |= set(round_.pairings.values_list("number", flat=True))
    return next(number for number in range(1, len(taken) + 2) if number not in taken)


def _close_rounds(stage: Stage, actor: User | None) -> None:
    """Close the rounds that are over, in order; the last one once the bracket is decided."""
    rounds = list(
        Round.objects.filter(stage=stage).select_related("stage__division__season__league__club").order_by("number")
    )
    for each in rounds:
        if each.is_closed:
            continue
        if closing.undecided(each) or (each == rounds[-1] and closing.rounds_missing(stage, len(rounds))):
            return
        closing.close_if_over(actor, each)


def reopen_for_undo(pairing: Pairing) -> None:
    """Let the round of a match be played again, so that its result can be undone. Refused if others were played since.

    The caller then takes the result back in the same transaction.
    """
    stage = pairing.round.stage
    if stage.status != Stage.Status.RUNNING:
        raise Refused(gettext("This stage is finished: correct the result instead."))
    before = {each.pk for each in outdated(stage, ranking.bracket_of(stage))}
    with transaction.atomic():
        # As it would be without this result.
        Result.objects.filter(pairing=pairing, in_force=True).update(in_force=False)
        Pairing.objects.filter(pk=pairing.pk).update(state=Pairing.State.SCHEDULED)
        follows = [each for each in outdated(stage, ranking.bracket_of(stage)) if each.pk not in before]
        played = any(_was_played(each) for each in follows)
        transaction.set_rollback(True)
    if played:
        raise Refused(gettext("The next match has been played already: correct the result, you will see what follows."))
    Round.objects.filter(pk=pairing.round_id, status=Round.Status.CLOSED).update(
        status=Round.Status.PUBLISHED, closed_at=None
    )
    pairing.round.refresh_from_db(fields=["status", "closed_at"])


def _log(action: str, stage: Stage, pairing: Pairing) -> None:
    season_effects.log_and_refresh(
        action,
        actor=None,
        season=stage.division.season,
        table=pairing.table,
        round=pairing.round.number,
        division=stage.division.name,
    )
