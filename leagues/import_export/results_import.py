"""Writes rounds that a club played elsewhere, as if they had been played here."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from accounts.notifications.registry import declare_kind
from accounts.notifications.service import notify
from leagues.core import format_catalogue, locks
from leagues.core.access import Permission, require
from leagues.elo.result_types import SeatResult
from leagues.entries import registration
from leagues.formats.reasons import reason, to_json
from leagues.import_export.results_sheet import target
from leagues.import_export.values import NamedPerson, Plan, TableRow
from leagues.models import Bye, Division, Entrant, EntrantStep, Pairing, PairingSeat, Result, Round, Season, Stage
from leagues.results import recording
from leagues.results.recording import LogEntry
from leagues.rounds import draw, tables

IMPORTED = audit.declare_action(
    "leagues.imported-results",
    _("%(actor)s imported %(tables)s tables of %(rounds)s past rounds of %(division)s from a file"),
)

IMPORTED_KIND = declare_kind(
    "leagues.results-imported",
    _("%(actor)s imported past results of yours in %(season)s. If one is wrong, say so at its table."),
    _("Somebody imported past results of yours"),
)


@transaction.atomic
def import_results(*, actor: User, season: Season, plan: Plan) -> list[Round]:
    """Enter everybody, start the season if it has not started, and write every round as closed, with its standings.

    All of it or nothing. Ratings are then applied in the order of the dates.
    """
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    divisions = {each.pk: each for each in Division.objects.filter(season=season)}
    entered: dict[int, dict[str, Entrant]] = {}
    for division_id, people in plan.people.items():
        division = divisions[division_id]
        division.season = season
        target(division)
        known = Entrant.objects.named().in_bulk([who.entrant for who in people.values() if who.entrant])
        entered[division_id] = {key: _entrant(actor, division, who, known) for key, who in people.items()}
    if not season.has_begun:
        season = draw.start(actor=actor, season=season)
    rounds: list[Round] = []
    for division_id, names in entered.items():
        stage = locks.stage(Stage.objects.filter(division=division_id).order_by("position")[0])
        rounds += _write(
            actor, season, stage, names, [each for each in plan.tables if each.division == division_id], plan
        )
    return rounds


def _entrant(actor: User, division: Division, who: NamedPerson, known: Mapping[int, Entrant]) -> Entrant:
    try:
        if who.entrant is not None:
            entrant = known[who.entrant]
        elif who.user is not None:
            entrant = registration.add_person(actor=actor, division=division, person=User.objects.get(pk=who.user))
        else:
            entrant = registration.add_guest(actor=actor, division=division, name=who.name)
        if entrant.is_waiting or entrant.is_withdrawn:
            raise Refused(
                gettext("%(name)s holds no place in “%(division)s”.") % {"name": who.name, "division": division}
            )
        if division.season.check_in and not division.season.has_begun:
            entrant = registration.check_in(actor=actor, entrant=entrant)
        return entrant
    except Refused as refused:
        raise Refused(gettext("Line %(line)s: %(reason)s") % {"line": who.line, "reason": refused.message}) from refused


def _write(
    actor: User, season: Season, stage: Stage, names: Mapping[str, Entrant], played: Sequence[TableRow], plan: Plan
) -> list[Round]:
    by_round: dict[int, list[TableRow]] = defaultdict(list)
    for table in played:
        by_round[table.round].append(table)
    rounds = Round.objects.bulk_create(_round(stage, number, those) for number, those in sorted(by_round.items()))
    pairings = [
        Pairing(
            round=round_,
            number=table.table,
            where=tables.usual_place(season, [names[seat.who] for seat in table.seats]),
            state=Pairing.State.CONFIRMED,
            reason=to_json(reason("past")),
            starts_at=table.finished_at,
        )
        for round_ in rounds
        for table in by_round[round_.number]
    ]
    Pairing.objects.bulk_create(pairings, batch_size=500)
    in_order = [table for round_ in rounds for table in by_round[round_.number]]
    results = _seat_and_score(actor, pairings, in_order, names)
    _write_byes(stage, rounds, by_round, names, plan)
    counted = {"tables": len(in_order), "rounds": len(rounds), "division": stage.division.name}
    recording.record_past_results(
        stage=stage,
        rounds=rounds,
        tables=[
            (pairing, result, _seats(table, names, result))
            for pairing, result, table in zip(pairings, results, in_order)
        ],
        log=LogEntry(IMPORTED, actor, params=counted),
    )
    people = {seat.who: names[seat.who].user for table in in_order for seat in table.seats}
    notify(
        [person for person in people.values() if person is not None and person != actor],
        IMPORTED_KIND,
        path=season.get_absolute_url(),
        actor=actor,
        club=season.league.club,
        season=season.full_name,
    )
    return rounds


def _round(stage: Stage, number: int, those: Sequence[TableRow]) -> Round:
    first, last = (pick(table.finished_at for table in those) for pick in (min, max))
    known: dict[str, datetime] = {"drawn_at": first, "published_at": first, "closed_at": last}
    return Round(stage=stage, number=number, status=Round.Status.CLOSED, **known)


def _seat_and_score(
    actor: User, pairings: Sequence[Pairing], played: Sequence[TableRow], names: Mapping[str, Entrant]
) -> list[Result]:
    PairingSeat.objects.bulk_create(
        (
            PairingSeat(
                pairing=pairing,
                round=pairing.round,
                entrant=names[seat.who],
                index=index,
                role=seat.role,
                absent=seat.absent,
            )
            for pairing, table in zip(pairings, played)
            for index, seat in enumerate(table.seats)
        ),
        batch_size=500,
    )
    return [
        Result(
            pairing=pairing,
            version=1,
            kind=Result.Kind.CONFIRMED,
            source=_source(table),
            places=[seat.place for seat in table.seats],
            grade=list(table.grade),
            in_force=True,
            by=actor,
            at=table.finished_at,
        )
        for pairing, table in zip(pairings, played)
    ]


def _source(table: TableRow) -> str:
    without = all(seat.place["kind"] != "PLAYED" for seat in table.seats)
    return Result.Source.FORFEIT if without else Result.Source.ORGANISER


def _write_byes(
    stage: Stage,
    rounds: Sequence[Round],
    by_round: Mapping[int, Sequence[TableRow]],
    names: Mapping[str, Entrant],
    plan: Plan,
) -> None:
    """Byes for entrants that no line of a round names: they had not entered yet, or were away."""
    kinds = {(rest.round, rest.who): rest.kind for rest in plan.rests if rest.division == stage.division_id}
    free = "PAB" if format_catalogue.FORMATS[stage.format].round_robin else "ZPB"
    byes: list[Bye] = []
    steps: list[EntrantStep] = []
    for key, entrant in names.items():
        there = {
            number for number, those in by_round.items() for table in those for seat in table.seats if seat.who == key
        }
        first = min(there | {number for number, who in kinds if who == key})
        if first > 1:
            steps.append(EntrantStep(stage=stage, entrant=entrant, round=first, step="enter"))
        byes += [
            Bye(round=round_, entrant=entrant, kind=kinds.get((round_.number, key), free))
            for round_ in rounds
            if round_.number >= first and round_.number not in there
        ]
    # An entrant who was entered before the import already has this step.
    EntrantStep.objects.filter(stage=stage, entrant__in=[step.entrant for step in steps]).delete()
    EntrantStep.objects.bulk_create(steps)
    Bye.objects.bulk_create(byes, batch_size=500)


def _seats(table: TableRow, names: Mapping[str, Entrant], result: Result) -> list[SeatResult]:
    team_rank = (1 if result.grade[0] else 2) if result.grade else None
    return [
        SeatResult(index, team_rank or seat.place["rank"], names[seat.who].user_id, role=seat.role, left=seat.absent)
        for index, seat in enumerate(table.seats)
    ]
