"""Results: reported by players, confirmed or disputed by the others, decided by organisers.

A result counts once it is confirmed. One that comes too late, or differs from one that counts, is stored and waits for
an organiser.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import Club, Membership, Role, User
from accounts.notifications.registry import NotificationGroup, declare_kind
from accounts.notifications.service import notify, resolve
from games.models import Match
from leagues.core import access, consent, season_effects
from leagues.core.access import Permission
from leagues.core.season_log import Undo
from leagues.core.text import join_names
from leagues.models import Objection, Pairing, PairingSeat, Result, ResultAnswer, Season, SentReport
from leagues.placement import service as placement
from leagues.results import attestation, game_series, recording
from leagues.results.recording import LogEntry, Places

REPORTED = audit.declare_action(
    "leagues.reported", _("%(actor)s reported table %(table)s of round %(round)s in %(division)s")
)
ANSWERED = audit.declare_action(
    "leagues.agreed", _("%(actor)s confirmed table %(table)s of round %(round)s in %(division)s")
)
DISPUTED = audit.declare_action(
    "leagues.disputed", _("%(actor)s disputed table %(table)s of round %(round)s in %(division)s")
)
SETTLED = audit.declare_action(
    "leagues.settled", _("%(actor)s entered the result of table %(table)s of round %(round)s in %(division)s")
)
FORFEITED = audit.declare_action(
    "leagues.forfeited", _("%(actor)s decided table %(table)s of round %(round)s in %(division)s without a game")
)
ALL_CAME = audit.declare_action(
    "leagues.all-came", _("%(actor)s noted that everybody came to table %(table)s of round %(round)s in %(division)s")
)
VOIDED = audit.declare_action(
    "leagues.voided", _("%(actor)s voided table %(table)s of round %(round)s in %(division)s: %(why)s")
)
ARRIVED = audit.declare_action(
    "leagues.arrived", _("The result of table %(table)s of round %(round)s in %(division)s arrived")
)

REPORTED_KIND = declare_kind(
    "leagues.reported",
    _("%(actor)s reported your table in %(league)s: is it right?"),
    _("A result waits for you to confirm it"),
    asks=True,
)
DISPUTED_KIND = declare_kind(
    "leagues.disputed",
    _("A result in %(league)s is disputed: you decide."),
    _("A result is disputed"),
    group=NotificationGroup.ORGANISING,
    asks=True,
)
SETTLED_KIND = declare_kind(
    "leagues.settled",
    _("%(actor)s settled the result of your table in %(league)s."),
    _("A disputed result was settled"),
)

ENTERED_KIND = declare_kind(
    "leagues.result-entered",
    _("%(actor)s entered a result of yours in %(league)s. If it is wrong, say so at the table."),
    _("Somebody entered a result of yours"),
)
OBJECTED_KIND = declare_kind(
    "leagues.objected",
    _("%(actor)s objects to a result in %(league)s: you decide."),
    _("Somebody objects to a result"),
    group=NotificationGroup.ORGANISING,
    asks=True,
)
DECIDED_KIND = declare_kind(
    "leagues.objection-decided",
    _("%(actor)s decided about the result that you objected to in %(league)s."),
    _("Your objection was decided"),
)
OBJECTED = audit.declare_action(
    "leagues.objected", _("%(actor)s objected to table %(table)s of round %(round)s in %(division)s")
)
OBJECTION_REJECTED = audit.declare_action(
    "leagues.objection-rejected",
    _("%(actor)s let the result of table %(table)s of round %(round)s in %(division)s stand"),
)
OBJECTION_UPHELD = audit.declare_action(
    "leagues.objection-upheld",
    _("%(actor)s took table %(table)s of round %(round)s in %(division)s out of the ratings"),
)

LEFT_EARLY = gettext_noop("A player left before everyone had had two turns: a forfeit, which is not rated.")


# The length of the key under which a result may be sent again.
MAX_KEY = 40


class RoundEntryErrors(Refused):
    """Some rows of a round cannot be entered, so none was; `rows` has the reason by table."""

    def __init__(self, rows: dict[int, str]) -> None:
        super().__init__(gettext("Nothing was saved yet: some tables need another look."))
        self.rows = rows


@transaction.atomic
def send_once(*, person: User, pairing: Pairing, key: str, write: Callable[[], Result]) -> Result:
    """Write a result that a page or program may send several times under the same key, because it heard no answer.

    Sent again, it is the result of the first time, whatever has happened to the table since.
    """
    if not key:
        return write()
    pairing = recording.lock_pairing(pairing)
    access.require(person, Permission.SEE, pairing)
    if len(key) > MAX_KEY:
        raise Refused(gettext("The key of a report has at most %(most)s characters.") % {"most": MAX_KEY})
    if sent := sent_before(person, pairing, key):
        return sent
    result = write()
    SentReport.objects.create(pairing=pairing, by=person, key=key, result=result)
    return result


def sent_before(person: User, pairing: Pairing, key: str) -> Result | None:
    """The result that arrived under this key, if it did."""
    sent = SentReport.objects.filter(pairing=pairing, by=person, key=key).select_related("result").first()
    if not key or sent is None:
        return None
    sent.result.pairing = pairing
    return sent.result


@transaction.atomic
def report(*, person: User, pairing: Pairing, places: Places, grade: Sequence[int] = (), note: str = "") -> Result:
    """A player reports a result. The same result as already reported confirms it; another one disputes it."""
    pairing = recording.lock_pairing(pairing)
    access.require(person, Permission.SIT, pairing)
    _must_be_reportable(pairing)
    consent.agree(_season(pairing), person)
    checked = recording.validate_places(pairing, places)
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
    result = _write(
        pairing,
        Result.Kind.REPORTED,
        Result.Source.PLAYER,
        checked,
        person,
        grade,
        note,
        log=LogEntry(REPORTED, person),
    )
    if _season(pairing).confirmation == Season.Confirmation.NONE:
        return _confirm(pairing, result)
    return _ask_the_others(pairing, result, person)


@transaction.atomic
def answer(*, person: User, result: Result, agrees: bool, note: str = "") -> Result:
    """Another player of the table confirms or disputes a reported result; the last answer counts."""
    pairing = recording.lock_pairing(result.pairing)
    # Also after the club has closed: nobody escapes an objection by closing it.
    if person in players(pairing) and Result.objects.filter(pk=result.pk, in_force=True).exists():
        return _answer_counted(pairing, person, result, agrees, note)
    access.require(person, Permission.SIT, pairing)
    consent.agree(_season(pairing), person)
    if latest(pairing) != result or pairing.state != Pairing.State.REPORTED:
        raise Refused(gettext("This result has changed meanwhile: look at it again."))
    if result.by_id == person.pk:
        raise Refused(gettext("You reported this yourself: somebody else has to confirm it."))
    ResultAnswer.objects.update_or_create(result=result, by=person, defaults={"agrees": agrees, "note": note[:300]})
    if not agrees:
        return _dispute(pairing, person, result.places, result.grade, note)
    _log(ANSWERED, pairing, person)
    resolve(person, REPORTED_KIND, path=pairing.get_absolute_url())
    if _is_agreed(pairing, result):
        return _confirm(pairing, result)
    return result


def _answer_counted(pairing: Pairing, person: User, result: Result, agrees: bool, note: str) -> Result:
    """A player confirms a result that somebody else entered, or objects to it; then an organiser decides."""
    if pairing.match_id or result.source == Result.Source.MATCH:
        raise Refused(gettext("This table was played online: its record shows how it ended."))
    if result.by_id == person.pk:
        raise Refused(gettext("You reported this yourself: somebody else has to confirm it."))
    if not agrees and person.pk in attestation.confirmed_by(pairing, result):
        raise Refused(gettext("You have confirmed this result. If it is wrong after all, tell an organiser."))
    consent.agree(_season(pairing), person)
    if agrees:
        ResultAnswer.objects.update_or_create(result=result, by=person, defaults={"agrees": True, "note": note[:300]})
        Objection.objects.filter(pairing=pairing, person=person, decided_at=None).delete()
        _log(ANSWERED, pairing, person)
    else:
        made = Objection.objects.get_or_create(
            pairing=pairing, version=result.version, person=person, defaults={"note": note[:300]}
        )[1]
        if not made:
            raise Refused(gettext("You have objected to this result already."))
        _log(OBJECTED, pairing, person)
        _notify(organisers(_season(pairing)), OBJECTED_KIND, pairing, person)
    resolve(person, ENTERED_KIND, path=pairing.get_absolute_url())
    recording.refresh_rating(pairing=pairing, by=person)
    return result


@transaction.atomic
def decide_objections(*, actor: User, pairing: Pairing, stands: bool) -> Pairing:
    """An organiser who did not play decides: the result stands, or it stays out of the ratings."""
    pairing = recording.lock_pairing(pairing)
    access.require(actor, Permission.ORGANISE, pairing)
    if actor in players(pairing):
        refuse_own_table(actor, pairing)
    waiting = Objection.objects.filter(pairing=pairing, decided_at=None)
    objectors = [each.person for each in waiting.select_related("person")]
    if not objectors:
        raise Refused(gettext("Nobody objects to this result any more."))
    waiting.update(decided_at=timezone.now(), decided_by=actor, upheld=not stands)
    _log(OBJECTION_REJECTED if stands else OBJECTION_UPHELD, pairing, actor)
    resolve(None, OBJECTED_KIND, path=pairing.get_absolute_url())
    _notify(objectors, DECIDED_KIND, pairing, actor)
    recording.refresh_rating(pairing=pairing, by=actor)
    return pairing


def open_objections(pairing: Pairing) -> list[Objection]:
    return list(Objection.objects.filter(pairing=pairing, decided_at=None).select_related("person"))


def plays_with_others(actor: User, pairing: Pairing) -> bool:
    """Whether they sit at the table with somebody who can confirm a result."""
    return actor in players(pairing) and bool(can_answer(pairing, actor))


def refuse_own_table(actor: User, pairing: Pairing) -> None:
    """Nobody decides alone about a table that they played at with others."""
    if plays_with_others(actor, pairing):
        names = join_names(person.name for person in can_answer(pairing, actor))
        raise Refused(
            gettext(
                "You play at this table yourself, so another organiser decides here. A club with one organiser can "
                "make somebody else an organiser for it, or %(names)s reports the result and you confirm it."
            )
            % {"names": names}
        )


@transaction.atomic
def enter_result(*, actor: User, pairing: Pairing, places: Places, grade: Sequence[int] = (), note: str = "") -> Result:
    """An organiser enters the result: this ends a dispute, confirms a late result, or replaces a missing report.

    At their own table it is a report like any other player's, which somebody else there confirms.
    """
    pairing = recording.lock_pairing(pairing)
    access.require(actor, Permission.ORGANISE, pairing)
    if plays_with_others(actor, pairing):
        if (
            pairing.state == Pairing.State.DISPUTED
            or pairing.where == Pairing.Where.ONLINE
            or _round_is_closed(pairing)
        ):
            refuse_own_table(actor, pairing)
        return report(person=actor, pairing=pairing, places=places, grade=grade, note=note)
    if Result.objects.filter(pairing=pairing, in_force=True).exists():
        raise Refused(gettext("This table has a result that counts. Correct it instead: you will see what changes."))
    if _round_is_closed(pairing):
        raise Refused(gettext("This round is closed. Reopen it, or correct the result with its preview."))
    checked = recording.validate_places(pairing, places)
    waited = pairing.state == Pairing.State.DISPUTED
    result = _write(
        pairing,
        Result.Kind.CONFIRMED,
        Result.Source.ORGANISER,
        checked,
        actor,
        grade,
        note,
        log=LogEntry(SETTLED, actor, undo=_undo_result),
    )
    _notify(players(pairing), SETTLED_KIND if waited else ENTERED_KIND, pairing, actor)
    return result


@transaction.atomic
def enter_round_results(
    *, actor: User, rows: Mapping[Pairing, Places], grades: Mapping[Pairing, Sequence[int]] | None = None
) -> list[Result]:
    """Enter all results of a round, or none: RoundEntryErrors has the reason for every bad row."""
    entered, wrong = [], {}
    for pairing, places in rows.items():
        grade = (grades or {}).get(pairing, ())
        try:
            with transaction.atomic():
                entered.append(enter_result(actor=actor, pairing=pairing, places=places, grade=grade))
        except Refused as refused:
            wrong[pairing.pk] = refused.message
    if wrong:
        raise RoundEntryErrors(wrong)
    return entered


@transaction.atomic
def forfeit(*, actor: User, pairing: Pairing, absent: Iterable[int], note: str = "") -> Pairing:
    """Entrants (by id) did not come. A table of two is decided; a larger one plays on, and they rank last.

    Without any, what was noted before is taken back: they came after all. Who has withdrawn stays away.
    """
    pairing = recording.lock_pairing(pairing)
    access.require(actor, Permission.ORGANISE, pairing)
    if not pairing.is_open:
        raise Refused(gettext("This table has a result that counts. Correct it instead: you will see what changes."))
    missing = set(absent)
    seats = list(pairing.seats.select_related("entrant"))
    noted = [seat for seat in seats if seat.absent and not seat.entrant.is_withdrawn]
    if missing - {seat.entrant_id for seat in seats} or not (missing or noted):
        raise Refused(gettext("Say which of the players at this table did not come."))
    if not missing:
        PairingSeat.objects.filter(pk__in=[seat.pk for seat in noted]).update(absent=False)
        _log(ALL_CAME, pairing, actor)
        return pairing
    PairingSeat.objects.filter(pairing=pairing).update(absent=False)
    PairingSeat.objects.filter(pairing=pairing, entrant__in=missing).update(absent=True)
    if len(seats) - len(missing) <= 1:
        decided = recording.forfeits(pairing) or []
        _write(
            pairing,
            Result.Kind.CONFIRMED,
            Result.Source.FORFEIT,
            decided,
            actor,
            (),
            note,
            log=LogEntry(FORFEITED, actor, undo=_undo_result),
        )
        _notify(players(pairing), ENTERED_KIND, pairing, actor)
    else:
        _log(FORFEITED, pairing, actor)
    return pairing


@transaction.atomic
def void(*, actor: User, pairing: Pairing, why: str) -> Result:
    """Void the table: its result no longer counts, and for its players the round was not played."""
    pairing = recording.lock_pairing(pairing)
    access.require(actor, Permission.ORGANISE, pairing)
    if _round_is_closed(pairing):
        raise Refused(gettext("This round is closed. Reopen it, or correct the result with its preview."))
    if Result.objects.filter(pairing=pairing, in_force=True).exists():
        refuse_own_table(actor, pairing)
    placement.release(pairing)
    return _write(
        pairing,
        Result.Kind.VOID,
        Result.Source.ORGANISER,
        [],
        actor,
        (),
        why,
        log=LogEntry(VOIDED, actor, params={"why": why}),
    )


@transaction.atomic
def accept_match_result(match: Match) -> Result | None:
    """Record the result of a finished online match; calling it again changes nothing.

    A game of a series that is not decided yet is none: the next one follows.
    """
    pairing = Pairing.objects.filter(match=match).first()
    if pairing is None or not match.is_finished:
        return None
    pairing = recording.lock_pairing(pairing)
    known = Result.objects.filter(pairing=pairing, source=Result.Source.MATCH).first()
    if known is not None:
        return known
    note, grade = "", list[int]()
    if match.is_called_off:
        # Nobody played, so nobody is rated; but the player who left forfeits.
        gone = list(match.seats.exclude(left="").values_list("index", flat=True))
        if game_series.is_exchanged(pairing, match):
            gone = [1 - index for index in gone]
        PairingSeat.objects.filter(pairing=pairing, index__in=gone).update(absent=True)
        places, note = recording.forfeits(pairing) or [], LEFT_EARLY
    elif game_series.length(pairing) > 1:
        # Where an organiser ended the series meanwhile, one more game of it says nothing.
        if game_series.is_undecided(pairing) or not (pairing.is_open or game_series.has_winner(pairing)):
            return None
        places = _places_of_series(pairing)
    else:
        places, grade = _places_of(pairing, match)
    if not pairing.is_open or _round_is_closed(pairing):
        return _keep_late(pairing, Result.Source.MATCH, places, None, grade, note)
    return _write(
        pairing,
        Result.Kind.CONFIRMED,
        Result.Source.MATCH,
        places,
        None,
        grade,
        note,
        log=LogEntry(ARRIVED, None),
    )


def latest(pairing: Pairing) -> Result | None:
    """The last version of the result, of any kind."""
    return Result.objects.filter(pairing=pairing).order_by("-version").first()


def disputed_pairings(season: Season) -> list[Pairing]:
    """Tables that wait for an organiser: disputed, late, or to be confirmed by an organiser."""
    return disputed_in([season])[season.pk]


def disputed_in(seasons: Sequence[Season]) -> dict[int, list[Pairing]]:
    """The same for several seasons by their ids, with as many queries as one of them needs."""
    pairings = (
        Pairing.objects.filter(round__stage__division__season__in=seasons)
        .filter(Q(state__in=[Pairing.State.DISPUTED, Pairing.State.REPORTED]) | Q(results__late=True))
        .distinct()
        .select_related("round__stage__division", "match")
        .prefetch_related("seats__entrant__user", "seats__entrant__members__user")
        .prefetch_related("results__by", "results__answers__by")
        .order_by("round__number", "number", "pk")
    )
    waiting: dict[int, list[Pairing]] = {season.pk: [] for season in seasons}
    by_id = {season.pk: season for season in seasons}
    for pairing in pairings:
        season = by_id[pairing.round.stage.division.season_id]
        if _waits(pairing, season):
            waiting[season.pk].append(pairing)
    return waiting


def players(pairing: Pairing) -> list[User]:
    """The people at a table, including members of teams."""
    return _people_in(pairing.seats.select_related("entrant__user").prefetch_related("entrant__members__user"))


def _people_in(seats: Iterable[PairingSeat]) -> list[User]:
    by_id: dict[int, User] = {}
    for seat in seats:
        people = [seat.entrant.user] if seat.entrant.user else [member.user for member in seat.entrant.members.all()]
        by_id |= {person.pk: person for person in people}
    return list(by_id.values())


def _waits(pairing: Pairing, season: Season) -> bool:
    """For a table whose seats, people and results are loaded."""
    if pairing.state == Pairing.State.DISPUTED:
        return True
    results = sorted(pairing.results.all(), key=lambda result: result.version)
    if results and results[-1].late:
        return True
    if pairing.state != Pairing.State.REPORTED:
        return False
    if season.confirmation == Season.Confirmation.ORGANISER:
        return True
    return not _who_answer(_people_in(pairing.seats.all()), results[-1].by if results else None)


def _places_of(pairing: Pairing, match: Match) -> tuple[list[dict[str, Any]], list[int]]:
    """The places of a table from a finished match; a fixed team has one seat here and several in the match.

    A stand-in for a player who left before the start wins nothing, and the others move up.
    """
    played = {seat.index: seat for seat in match.seats.all()}
    rows = []
    for seat in pairing.seats.order_by("index"):
        mine = played[seat.index]
        rows.append({"rank": mine.rank, "score": mine.score, "kind": "PLAYED"})
    return recording.validate_places(pairing, rows), list(match.grade)


def _places_of_series(pairing: Pairing) -> list[dict[str, Any]]:
    return recording.validate_places(pairing, game_series.places_by_games_online(pairing))


def _must_be_reportable(pairing: Pairing) -> None:
    if pairing.where == Pairing.Where.ONLINE:
        raise Refused(gettext("This table is played online: its result is recorded automatically."))
    if not pairing.is_open:
        raise Refused(gettext("This result already counts. If it is wrong, tell an organiser."))


def _dispute(pairing: Pairing, person: User, places: Places, grade: Sequence[int], note: str) -> Result:
    result = _write(
        pairing,
        Result.Kind.DISPUTED,
        Result.Source.PLAYER,
        places,
        person,
        grade,
        note,
        log=LogEntry(DISPUTED, person),
    )
    _notify(organisers(_season(pairing)), DISPUTED_KIND, pairing, person)
    return result


def _ask_the_others(pairing: Pairing, result: Result, reporter: User) -> Result:
    asked = organisers(_season(pairing)) if waits_for_organiser(pairing, reporter) else can_answer(pairing, reporter)
    _notify(asked, REPORTED_KIND, pairing, reporter)
    return result


def _confirm(pairing: Pairing, result: Result) -> Result:
    """Write the reported result as a confirmed version. The log has the report or answer that caused it."""
    heard = attestation.confirmed_by(pairing, result)
    silent = [person for person in players(pairing) if person.pk not in heard]
    _notify(silent, ENTERED_KIND, pairing, result.by)
    return _write(
        pairing,
        Result.Kind.CONFIRMED,
        Result.Source.PLAYER,
        result.places,
        result.by,
        result.grade,
        result.note,
        log=None,
    )


def _keep_late(
    pairing: Pairing, source: str, places: Places, by: User | None, grade: Sequence[int], note: str
) -> Result:
    entry = LogEntry(REPORTED if by else ARRIVED, by)
    result = _write(pairing, Result.Kind.REPORTED, source, places, by, grade, note, late=True, log=entry)
    _notify(organisers(_season(pairing)), DISPUTED_KIND, pairing, by)
    return result


def _is_agreed(pairing: Pairing, result: Result) -> bool:
    agreed = set(result.answers.filter(agrees=True).values_list("by", flat=True))
    asked = {person.pk for person in can_answer(pairing, result.by)}
    policy = _season(pairing).confirmation
    if policy == Season.Confirmation.ORGANISER:
        return False
    return asked <= agreed if policy == Season.Confirmation.ALL else bool(agreed)


def waits_for_organiser(pairing: Pairing, reporter: User | None) -> bool:
    """Whether an organiser has to confirm a report: the season says so, or nobody else at the table can answer."""
    for_organisers = _season(pairing).confirmation == Season.Confirmation.ORGANISER
    return for_organisers or not can_answer(pairing, reporter)


def waits_for_all(pairing: Pairing, reporter: User | None) -> bool:
    """Whether several others at the table each have to confirm a report."""
    return _season(pairing).confirmation == Season.Confirmation.ALL and len(can_answer(pairing, reporter)) > 1


def can_answer(pairing: Pairing, reporter: User | None) -> list[User]:
    """Who at the table can answer a report; guests and bots cannot."""
    return _who_answer(players(pairing), reporter)


def _who_answer(people: Iterable[User], reporter: User | None) -> list[User]:
    return [
        person
        for person in people
        if person != reporter and person.is_active and not person.is_bot and not person.is_guest
    ]


def _alike(result: Result, places: Places, grade: Sequence[int]) -> bool:
    return result.places == list(places) and list(result.grade) == list(grade)


def organisers(season: Season) -> list[User]:
    return organisers_of(season.league.club)


def organisers_of(club: Club) -> list[User]:
    roles = Membership.objects.filter(club=club, role__in=[Role.OWNER, Role.ORGANISER])
    return [membership.user for membership in roles.select_related("user")]


def _write(
    pairing: Pairing,
    kind: str,
    source: str,
    places: Places,
    by: User | None,
    grade: Sequence[int],
    note: str,
    *,
    log: LogEntry | None,
    late: bool = False,
) -> Result:
    if kind != Result.Kind.REPORTED:
        # It counts, or an organiser decides: the others need not answer the report any more.
        resolve(None, REPORTED_KIND, DISPUTED_KIND, path=pairing.get_absolute_url())
    return recording.record_result(
        pairing=pairing,
        kind=kind,
        source=source,
        places=places,
        by=by,
        grade=grade,
        note=note[:300],
        late=late,
        log=log,
    )


def _undo_result(result: Result) -> Undo:
    return "result", {"pairing": result.pairing_id, "version": result.version}


def _season(pairing: Pairing) -> Season:
    return pairing.round.stage.division.season


def _round_is_closed(pairing: Pairing) -> bool:
    return pairing.round.is_closed


def _log(action: str, pairing: Pairing, actor: User) -> None:
    season_effects.log_and_refresh(
        action,
        actor=actor,
        season=_season(pairing),
        table=pairing.table,
        round=pairing.round.number,
        division=pairing.round.stage.division.name,
    )


def _notify(people: Iterable[User], kind: str, pairing: Pairing, actor: User | None) -> None:
    season = _season(pairing)
    notify(
        [person for person in people if person != actor],
        kind,
        path=pairing.get_absolute_url(),
        actor=actor,
        club=season.league.club,
        league=season.league.name,
    )
