"""Results: reported by those who played, answered by the others, settled by organisers.

A result counts once it is confirmed. One that comes too late, or against one that counts already, is kept and waits
for an organiser: nothing is dropped, and nothing changes by itself.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from accounts import audit, notices
from accounts.errors import Refused
from accounts.models import Membership, Role, User
from games.models import Match
from leagues import access, log, rated, scoresheet
from leagues.access import Permission
from leagues.models import Pairing, PairingSeat, Result, ResultAnswer, Season
from leagues.scheduling import placing

REPORTED = audit.action("leagues.reported", _("%(actor)s reported table %(table)s of round %(round)s in %(division)s"))
ANSWERED = audit.action("leagues.agreed", _("%(actor)s confirmed table %(table)s of round %(round)s in %(division)s"))
DISPUTED = audit.action("leagues.disputed", _("%(actor)s disputed table %(table)s of round %(round)s in %(division)s"))
SETTLED = audit.action(
    "leagues.settled", _("%(actor)s entered the result of table %(table)s of round %(round)s in %(division)s")
)
FORFEITED = audit.action(
    "leagues.forfeited", _("%(actor)s decided table %(table)s of round %(round)s in %(division)s without a game")
)
VOIDED = audit.action(
    "leagues.voided", _("%(actor)s voided table %(table)s of round %(round)s in %(division)s: %(why)s")
)
ARRIVED = audit.action("leagues.arrived", _("The result of table %(table)s of round %(round)s in %(division)s arrived"))

TOLD_REPORTED = notices.kind(
    "leagues.reported",
    _("%(actor)s reported your table in %(league)s: is it right?"),
    _("A result waits for you to confirm it"),
    asks=True,
)
TOLD_DISPUTED = notices.kind(
    "leagues.disputed",
    _("A result in %(league)s is disputed: you decide."),
    _("A result is disputed"),
    group=notices.Group.ORGANISING,
    asks=True,
)
TOLD_SETTLED = notices.kind(
    "leagues.settled",
    _("%(actor)s settled the result of your table in %(league)s."),
    _("A disputed result was settled"),
)

LEFT_EARLY = gettext_noop("A player left before everyone had had two turns: a forfeit, which is not rated.")

Places = Sequence[Mapping[str, Any]]


class RowErrors(Refused):
    """Some rows of an evening cannot be entered; `rows` says why, by table, and none was."""

    def __init__(self, rows: dict[int, str]) -> None:
        super().__init__(gettext("Nothing was saved yet: some tables need another look."))
        self.rows = rows


@transaction.atomic
def report(*, person: User, pairing: Pairing, places: Places, grade: Sequence[int] = (), note: str = "") -> Result:
    """What somebody who sat at the table says. The same again agrees with it; something else disputes it."""
    pairing = _held(pairing)
    access.require(person, Permission.SIT, pairing)
    _must_be_reportable(pairing)
    checked = scoresheet.checked(pairing, places)
    standing = latest(pairing)
    if standing is not None and standing.by_id not in (None, person.pk):
        if _alike(standing, checked, grade):
            return answer(person=person, result=standing, agrees=True, note=note)
        if pairing.state == Pairing.State.REPORTED:
            return _dispute(pairing, person, checked, grade, note)
    if _round_is_closed(pairing):
        return _keep_late(pairing, Result.Source.PLAYER, checked, person, grade, note)
    if pairing.state == Pairing.State.DISPUTED:
        return _dispute(pairing, person, checked, grade, note)
    result = _write(pairing, Result.Kind.REPORTED, Result.Source.PLAYER, checked, person, grade, note)
    _note(REPORTED, pairing, person)
    if _season(pairing).confirmation == Season.Confirmation.NONE:
        return _confirm(pairing, result)
    return _ask_the_others(pairing, result, person)


@transaction.atomic
def answer(*, person: User, result: Result, agrees: bool, note: str = "") -> Result:
    """Another player of the table says yes or no to a reported result; said twice, the last word holds."""
    pairing = _held(result.pairing)
    access.require(person, Permission.SIT, pairing)
    if latest(pairing) != result or pairing.state != Pairing.State.REPORTED:
        raise Refused(gettext("This result has changed meanwhile: look at it again."))
    if result.by_id == person.pk:
        raise Refused(gettext("You reported this yourself: somebody else has to confirm it."))
    ResultAnswer.objects.update_or_create(result=result, by=person, defaults={"agrees": agrees, "note": note[:300]})
    if not agrees:
        return _dispute(pairing, person, result.places, result.grade, note)
    _note(ANSWERED, pairing, person)
    notices.settle(person, TOLD_REPORTED, path=pairing.get_absolute_url())
    if _is_agreed(pairing, result):
        return _confirm(pairing, result)
    return result


@transaction.atomic
def settle(*, actor: User, pairing: Pairing, places: Places, grade: Sequence[int] = (), note: str = "") -> Result:
    """An organiser's word: it ends a dispute, lets a late result count, or enters one that nobody reported."""
    pairing = _held(pairing)
    access.require(actor, Permission.ORGANISE, pairing)
    if Result.objects.filter(pairing=pairing, in_force=True).exists():
        raise Refused(gettext("This table has a result that counts. Correct it instead: you will see what changes."))
    if _round_is_closed(pairing):
        raise Refused(gettext("This round is closed. Reopen it, or correct the result with its preview."))
    checked = scoresheet.checked(pairing, places)
    waited = pairing.state == Pairing.State.DISPUTED
    result = _write(pairing, Result.Kind.CONFIRMED, Result.Source.ORGANISER, checked, actor, grade, note)
    _note(SETTLED, pairing, actor, undo=("result", {"pairing": pairing.pk, "version": result.version}))
    rated.settle(pairing, actor=actor)
    if waited:
        _tell(players(pairing), TOLD_SETTLED, pairing, actor)
    return result


@transaction.atomic
def enter(
    *, actor: User, rows: Mapping[Pairing, Places], grades: Mapping[Pairing, Sequence[int]] | None = None
) -> list[Result]:
    """All results of an evening at once; if one row cannot be, none is, and every bad row is named."""
    entered, wrong = [], {}
    for pairing, places in rows.items():
        grade = (grades or {}).get(pairing, ())
        try:
            with transaction.atomic():
                entered.append(settle(actor=actor, pairing=pairing, places=places, grade=grade))
        except Refused as refused:
            wrong[pairing.pk] = refused.message
    if wrong:
        raise RowErrors(wrong)
    return entered


@transaction.atomic
def forfeit(*, actor: User, pairing: Pairing, absent: Iterable[int], note: str = "") -> Pairing:
    """Entrants (by id) did not come. Two seats are decided at once; a larger table plays on, and they rank last."""
    pairing = _held(pairing)
    access.require(actor, Permission.ORGANISE, pairing)
    if not pairing.is_open:
        raise Refused(gettext("This table has a result that counts. Correct it instead: you will see what changes."))
    missing = set(absent)
    seats = list(pairing.seats.all())
    if not missing or missing - {seat.entrant_id for seat in seats}:
        raise Refused(gettext("Say which of the players at this table did not come."))
    PairingSeat.objects.filter(pairing=pairing).update(absent=False)
    PairingSeat.objects.filter(pairing=pairing, entrant__in=missing).update(absent=True)
    if len(seats) - len(missing) <= 1:
        decided = scoresheet.forfeits(pairing) or []
        result = _write(pairing, Result.Kind.CONFIRMED, Result.Source.FORFEIT, decided, actor, (), note)
        _note(FORFEITED, pairing, actor, undo=("result", {"pairing": pairing.pk, "version": result.version}))
    else:
        _note(FORFEITED, pairing, actor)
    return pairing


@transaction.atomic
def void(*, actor: User, pairing: Pairing, why: str) -> Result:
    """The table never was: its result counts no more, and its players keep the round as not played."""
    pairing = _held(pairing)
    access.require(actor, Permission.ORGANISE, pairing)
    if _round_is_closed(pairing):
        raise Refused(gettext("This round is closed. Reopen it, or correct the result with its preview."))
    result = _write(pairing, Result.Kind.VOID, Result.Source.ORGANISER, [], actor, (), why)
    placing.release(pairing)
    _note(VOIDED, pairing, actor, why=why)
    rated.settle(pairing, actor=actor)
    return result


@transaction.atomic
def arrive(match: Match) -> Result | None:
    """A live table has ended: its result counts by itself, once, however often it is brought."""
    found = Pairing.objects.filter(match=match).first()
    if found is None or not match.is_finished:
        return None
    pairing = _held(found)
    known = Result.objects.filter(pairing=pairing, source=Result.Source.MATCH).first()
    if known is not None:
        return known
    note, grade = "", list[int]()
    if match.is_called_off:
        # Nobody played, so nobody is rated; but whoever left has given the table away.
        gone = match.seats.exclude(left="").values_list("index", flat=True)
        PairingSeat.objects.filter(pairing=pairing, index__in=list(gone)).update(absent=True)
        places, note = scoresheet.forfeits(pairing) or [], LEFT_EARLY
    else:
        places, grade = _places_of(pairing, match)
    if not pairing.is_open or _round_is_closed(pairing):
        return _keep_late(pairing, Result.Source.MATCH, places, None, grade, note)
    result = _write(pairing, Result.Kind.CONFIRMED, Result.Source.MATCH, places, None, grade, note)
    _note(ARRIVED, pairing, None)
    return result


def latest(pairing: Pairing) -> Result | None:
    """The last version, whatever its kind."""
    return Result.objects.filter(pairing=pairing).order_by("-version").first()


def waiting_for_organiser(season: Season) -> list[Pairing]:
    """The dispute queue: what is disputed, what came late, and what only an organiser can confirm."""
    pairings = (
        Pairing.objects.filter(round__stage__division__season=season)
        .filter(Q(state__in=[Pairing.State.DISPUTED, Pairing.State.REPORTED]) | Q(results__late=True))
        .distinct()
        .select_related("round__stage__division", "match")
        .prefetch_related("seats__entrant__user", "results__by", "results__answers__by")
        .order_by("round__number", "number", "pk")
    )
    return [pairing for pairing in pairings if _waits(pairing, season)]


def players(pairing: Pairing) -> list[User]:
    """The people of a table, members of teams included."""
    found: dict[int, User] = {}
    for seat in pairing.seats.select_related("entrant__user").prefetch_related("entrant__members__user"):
        people = [seat.entrant.user] if seat.entrant.user else [member.user for member in seat.entrant.members.all()]
        found |= {person.pk: person for person in people}
    return list(found.values())


def _waits(pairing: Pairing, season: Season) -> bool:
    if pairing.state == Pairing.State.DISPUTED:
        return True
    results = sorted(pairing.results.all(), key=lambda result: result.version)
    if results and results[-1].late:
        return True
    if pairing.state != Pairing.State.REPORTED:
        return False
    reporter = results[-1].by if results else None
    return season.confirmation == Season.Confirmation.ORGANISER or not answering(pairing, reporter)


def _places_of(pairing: Pairing, match: Match) -> tuple[list[dict[str, Any]], list[int]]:
    """A finished match as the places of its table; a fixed team has one seat here and several there.

    Where somebody had left before it began a stand-in played: it wins nothing, and those who were there close up.
    """
    played = {seat.index: seat for seat in match.seats.all()}
    rows = []
    for seat in pairing.seats.order_by("index"):
        mine = played[seat.index]
        rows.append({"rank": mine.rank, "score": mine.score, "kind": "PLAYED"})
    return scoresheet.checked(pairing, rows), list(match.grade)


def _must_be_reportable(pairing: Pairing) -> None:
    if pairing.where == Pairing.Where.ONLINE:
        raise Refused(gettext("This table is played online: its result arrives by itself."))
    if not pairing.is_open:
        raise Refused(gettext("This result already counts. If it is wrong, tell an organiser."))


def _dispute(pairing: Pairing, person: User, places: Places, grade: Sequence[int], note: str) -> Result:
    result = _write(pairing, Result.Kind.DISPUTED, Result.Source.PLAYER, places, person, grade, note)
    _note(DISPUTED, pairing, person)
    _tell(organisers(_season(pairing)), TOLD_DISPUTED, pairing, person)
    return result


def _ask_the_others(pairing: Pairing, result: Result, reporter: User) -> Result:
    others = answering(pairing, reporter)
    if others and _season(pairing).confirmation != Season.Confirmation.ORGANISER:
        _tell(others, TOLD_REPORTED, pairing, reporter)
    else:
        _tell(organisers(_season(pairing)), TOLD_REPORTED, pairing, reporter)
    return result


def _confirm(pairing: Pairing, result: Result) -> Result:
    """What was reported counts from now on: a version of its own, so that the log shows both."""
    confirmed = _write(
        pairing, Result.Kind.CONFIRMED, Result.Source.PLAYER, result.places, result.by, result.grade, result.note
    )
    rated.settle(pairing, actor=result.by)
    return confirmed


def _keep_late(
    pairing: Pairing, source: str, places: Places, by: User | None, grade: Sequence[int], note: str
) -> Result:
    result = _write(pairing, Result.Kind.REPORTED, source, places, by, grade, note, late=True)
    _note(REPORTED if by else ARRIVED, pairing, by)
    _tell(organisers(_season(pairing)), TOLD_DISPUTED, pairing, by)
    return result


def _is_agreed(pairing: Pairing, result: Result) -> bool:
    agreed = set(result.answers.filter(agrees=True).values_list("by", flat=True))
    asked = {person.pk for person in answering(pairing, result.by)}
    policy = _season(pairing).confirmation
    if policy == Season.Confirmation.ORGANISER:
        return False
    return asked <= agreed if policy == Season.Confirmation.ALL else bool(agreed)


def answering(pairing: Pairing, reporter: User | None) -> list[User]:
    """Those of the table who can answer a report: guests and bots have no way to."""
    return [
        person
        for person in players(pairing)
        if person != reporter and person.is_active and not person.is_bot and not person.is_guest
    ]


def _alike(result: Result, places: Places, grade: Sequence[int]) -> bool:
    return result.places == list(places) and list(result.grade) == list(grade)


def organisers(season: Season) -> list[User]:
    roles = Membership.objects.filter(club=season.league.club, role__in=[Role.OWNER, Role.ORGANISER])
    return [membership.user for membership in roles.select_related("user")]


def _write(
    pairing: Pairing,
    kind: str,
    source: str,
    places: Places,
    by: User | None,
    grade: Sequence[int],
    note: str,
    late: bool = False,
) -> Result:
    if kind != Result.Kind.REPORTED:
        # It counts, or an organiser has to say: nobody needs to answer the report any more.
        notices.settle(None, TOLD_REPORTED, TOLD_DISPUTED, path=pairing.get_absolute_url())
    return scoresheet.write(
        pairing=pairing, kind=kind, source=source, places=places, by=by, grade=grade, note=note[:300], late=late
    )


def _held(pairing: Pairing) -> Pairing:
    return scoresheet.hold(pairing)


def _season(pairing: Pairing) -> Season:
    return pairing.round.stage.division.season


def _round_is_closed(pairing: Pairing) -> bool:
    return pairing.round.is_closed


def _note(action: str, pairing: Pairing, actor: User | None, *, undo: Any = None, **params: Any) -> None:
    log.note(
        action,
        actor=actor,
        season=_season(pairing),
        undo=undo,
        table=pairing.number,
        round=pairing.round.number,
        division=pairing.round.stage.division.name,
        **params,
    )


def _tell(people: Iterable[User], kind: str, pairing: Pairing, actor: User | None) -> None:
    told = [person for person in people if person != actor]
    season = _season(pairing)
    notices.tell(
        told,
        kind,
        path=pairing.get_absolute_url(),
        actor=actor,
        club=season.league.club,
        league=season.league.name,
    )
