"""Writes a past that a club brings along: rounds that were played elsewhere, as if they had been played here."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.errors import Refused
from accounts.models import User
from leagues import catalogue, draw, enrol, locks, log, rated, standings, tables
from leagues.access import Permission, require
from leagues.exchange.sheets import target
from leagues.exchange.values import Plan, Played, Who
from leagues.formats.reasons import reason, told
from leagues.models import Bye, Division, Entrant, EntrantStep, Pairing, PairingSeat, Result, Round, Season, Stage
from leagues.ratings.kinds import SeatResult

IMPORTED = audit.action(
    "leagues.imported-results",
    _("%(actor)s brought in %(tables)s tables of %(rounds)s past rounds of %(division)s from a file"),
)


@transaction.atomic
def bring_in(*, actor: User, season: Season, plan: Plan) -> list[Round]:
    """Everybody is entered, the season starts if it has not, and every round stands closed with its standings.

    All of it or nothing; ratings follow by the dates, in the order everything was played anywhere.
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
    made: list[Round] = []
    for division_id, names in entered.items():
        stage = locks.stage(Stage.objects.filter(division=division_id).order_by("position")[0])
        made += _write(
            actor, season, stage, names, [each for each in plan.tables if each.division == division_id], plan
        )
    return made


def _entrant(actor: User, division: Division, who: Who, known: Mapping[int, Entrant]) -> Entrant:
    try:
        if who.entrant is not None:
            entrant = known[who.entrant]
        elif who.user is not None:
            entrant = enrol.add_person(actor=actor, division=division, person=User.objects.get(pk=who.user))
        else:
            entrant = enrol.add_guest(actor=actor, division=division, name=who.name)
        if entrant.is_waiting or entrant.is_withdrawn:
            raise Refused(
                gettext("%(name)s holds no place in “%(division)s”.") % {"name": who.name, "division": division}
            )
        if division.season.check_in and not division.season.has_begun:
            entrant = enrol.check_in(actor=actor, entrant=entrant)
        return entrant
    except Refused as refused:
        raise Refused(gettext("Line %(line)s: %(reason)s") % {"line": who.line, "reason": refused.message}) from refused


def _write(
    actor: User, season: Season, stage: Stage, names: Mapping[str, Entrant], played: Sequence[Played], plan: Plan
) -> list[Round]:
    by_round: dict[int, list[Played]] = defaultdict(list)
    for table in played:
        by_round[table.round].append(table)
    rounds = Round.objects.bulk_create(_round(stage, number, those) for number, those in sorted(by_round.items()))
    pairings = [
        Pairing(
            round=round_,
            number=table.table,
            where=tables.usual_place(season, [names[seat.who] for seat in table.seats]),
            state=Pairing.State.CONFIRMED,
            reason=told(reason("past")),
            starts_at=table.finished_at,
        )
        for round_ in rounds
        for table in by_round[round_.number]
    ]
    Pairing.objects.bulk_create(pairings, batch_size=500)
    in_order = [table for round_ in rounds for table in by_round[round_.number]]
    results = _results(actor, pairings, in_order, names)
    _rest(stage, rounds, by_round, names, plan)
    _rate(actor, season, list(zip(pairings, results, in_order)), names)
    for round_ in rounds:
        round_.stage = stage
        standings.snapshot(round=round_)
    count, division = len(in_order), stage.division.name
    log.note(IMPORTED, actor=actor, season=season, tables=count, rounds=len(rounds), division=division)
    return rounds


def _round(stage: Stage, number: int, those: Sequence[Played]) -> Round:
    first, last = (pick(table.finished_at for table in those) for pick in (min, max))
    known: dict[str, datetime] = {"drawn_at": first, "published_at": first, "closed_at": last}
    return Round(stage=stage, number=number, status=Round.Status.CLOSED, **known)


def _results(
    actor: User, pairings: Sequence[Pairing], played: Sequence[Played], names: Mapping[str, Entrant]
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
    results = [
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
    return Result.objects.bulk_create(results, batch_size=500)


def _source(table: Played) -> str:
    without = all(seat.place["kind"] != "PLAYED" for seat in table.seats)
    return Result.Source.FORFEIT if without else Result.Source.ORGANISER


def _rest(
    stage: Stage,
    rounds: Sequence[Round],
    by_round: Mapping[int, Sequence[Played]],
    names: Mapping[str, Entrant],
    plan: Plan,
) -> None:
    """Who is named in no line of a round had no game in it: not yet there, or away."""
    given = {(rest.round, rest.who): rest.kind for rest in plan.rests if rest.division == stage.division_id}
    free = "PAB" if catalogue.FORMATS[stage.format].round_robin else "ZPB"
    byes: list[Bye] = []
    steps: list[EntrantStep] = []
    for key, entrant in names.items():
        there = {
            number for number, those in by_round.items() for table in those for seat in table.seats if seat.who == key
        }
        first = min(there | {number for number, who in given if who == key})
        if first > 1:
            steps.append(EntrantStep(stage=stage, entrant=entrant, round=first, step="enter"))
        byes += [
            Bye(round=round_, entrant=entrant, kind=given.get((round_.number, key), free))
            for round_ in rounds
            if round_.number >= first and round_.number not in there
        ]
    # One who had come in before the rounds were brought along has such a step already.
    EntrantStep.objects.filter(stage=stage, entrant__in=[step.entrant for step in steps]).delete()
    EntrantStep.objects.bulk_create(steps)
    Bye.objects.bulk_create(byes, batch_size=500)


def _rate(
    actor: User,
    season: Season,
    played: Sequence[tuple[Pairing, Result, Played]],
    names: Mapping[str, Entrant],
) -> None:
    rated.record_past(
        season=season,
        tables=[(pairing, result, _seats(table, names, result)) for pairing, result, table in played],
        actor=actor,
    )


def _seats(table: Played, names: Mapping[str, Entrant], result: Result) -> list[SeatResult]:
    made = (1 if result.grade[0] else 2) if result.grade else None
    return [
        SeatResult(index, made or seat.place["rank"], names[seat.who].user_id, role=seat.role, left=seat.absent)
        for index, seat in enumerate(table.seats)
    ]
