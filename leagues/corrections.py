"""Changing an old result with open eyes: first all that would change, then the change itself.

The preview is a dry run: the correction is written by the very code that will write it, everything is read off, and
the transaction is rolled back. So a preview cannot promise anything else than what confirming it does.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit, notices
from accounts.errors import Refused
from accounts.models import User
from leagues import access, catalogue, close, locks, log, rated, scoresheet, signoff, standings
from leagues.access import Permission
from leagues.formats.errors import FormatError
from leagues.models import Division, Entrant, Pairing, Rating, Result, Round, Season, Stage
from leagues.ranking import groups_of, ranking, situation
from leagues.ratings import read, settling
from leagues.results import players
from leagues.words import told_apart

CORRECTED = audit.action(
    "leagues.corrected", _("%(actor)s corrected table %(table)s of round %(round)s in %(division)s: %(why)s")
)
STRUCK = audit.action(
    "leagues.struck", _("%(actor)s struck table %(table)s of round %(round)s in %(division)s: %(why)s")
)
TOLD_CORRECTED = notices.kind(
    "leagues.corrected", _("%(actor)s corrected the result of your table in %(league)s."), _("A result was corrected")
)

Places = Sequence[Mapping[str, Any]]


@dataclass(frozen=True)
class Shift:
    """One entrant's line in the standings, before and after; None where they are not in them."""

    entrant: int
    name: str
    old_place: int | None
    new_place: int | None
    old_score: int
    new_score: int


@dataclass(frozen=True)
class Redraw:
    """A later round that would have been drawn otherwise. It stays as it is: nothing is drawn again unseen."""

    number: int
    tables: int


@dataclass(frozen=True)
class Rerated:
    handle: str
    name: str
    before: int
    after: int


@dataclass(frozen=True)
class Transfer:
    """Who would go elsewhere at the season's close than now. A level is None for who leaves; `old` and `new` say it."""

    entrant: int
    name: str
    old_level: int | None
    new_level: int | None
    old: str
    new: str


@dataclass(frozen=True)
class Preview:
    standings: tuple[Shift, ...]
    redraws: tuple[Redraw, ...]
    ratings: tuple[Rerated, ...]
    transfers: tuple[Transfer, ...]

    @property
    def is_quiet(self) -> bool:
        return not (self.standings or self.redraws or self.ratings or self.transfers)

    @property
    def seal(self) -> str:
        """What the organiser has seen, in short: confirming something else than that is refused.

        Of people and numbers only: names are not unique, and words are read in the language of whoever looks.
        """
        seen = [
            [(each.entrant, each.old_place, each.new_place, each.old_score, each.new_score) for each in self.standings],
            [(each.number, each.tables) for each in self.redraws],
            [(each.handle, each.before, each.after) for each in self.ratings],
            [(each.entrant, each.old_level, each.new_level) for each in self.transfers],
        ]
        return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class _Picture:
    """All that a correction may change, as it is at one moment."""

    rows: dict[int, tuple[int, int]]
    draws: dict[int, frozenset[frozenset[int]]]
    ratings: dict[int, int]
    # Where everybody would go if the season were closed now: a level by entrant, None for who leaves.
    levels: dict[int, int | None]


def preview(*, actor: User, pairing: Pairing, places: Places | None, grade: Sequence[int] = ()) -> Preview:
    """What would change if the table had ended so; `places` None strikes the table out."""
    access.require(actor, Permission.ORGANISE, pairing)
    with transaction.atomic():
        held = _correctable(pairing)
        before = _picture(held)
        _apply(held, actor, places, grade, "")
        after = _picture(held)
        transaction.set_rollback(True)
    return _differences(_season(held), before, after)


@transaction.atomic
def correct(
    *, actor: User, pairing: Pairing, places: Places | None, grade: Sequence[int] = (), why: str, seen: str
) -> Result:
    """Write the next version of a result that counts. `seen` is the seal of the preview the organiser looked at."""
    access.require(actor, Permission.ORGANISE, pairing)
    why = why.strip()
    if not why:
        raise Refused(gettext("Say why: it stands in the season's log."))
    pairing = _correctable(pairing)
    if preview(actor=actor, pairing=pairing, places=places, grade=grade).seal != seen:
        raise Refused(gettext("Something has changed since the preview: look at it again before you confirm."))
    former = Result.objects.get(pairing=pairing, in_force=True)
    result = _apply(pairing, actor, places, grade, why)
    season = _season(pairing)
    log.note(
        CORRECTED if places is not None else STRUCK,
        actor=actor,
        season=season,
        undo=("correction", {"pairing": pairing.pk, "version": former.version, "made": result.version}),
        table=pairing.number,
        round=pairing.round.number,
        division=pairing.round.stage.division.name,
        why=why,
    )
    told = [person for person in players(pairing) if person != actor]
    notices.tell(
        told,
        TOLD_CORRECTED,
        path=pairing.get_absolute_url(),
        actor=actor,
        club=season.league.club,
        league=season.league.name,
    )
    return result


def restore(*, actor: User, pairing: Pairing, version: int) -> Result:
    """Inside the caller's transaction: let an earlier version count again, as a new one."""
    pairing = scoresheet.hold(pairing)
    old = Result.objects.get(pairing=pairing, version=version)
    return _apply(pairing, actor, old.places, old.grade, old.note)


def _correctable(pairing: Pairing) -> Pairing:
    # The stage first: whoever signs the standings off holds it, too.
    locks.stage(pairing.round.stage)
    pairing = scoresheet.hold(pairing)
    if _season(pairing).is_closed:
        raise Refused(gettext("This season is closed: its results stand."))
    signoff.refuse_if_signed(_season(pairing))
    if not Result.objects.filter(pairing=pairing, in_force=True).exists():
        raise Refused(gettext("This table has no result that counts yet: enter it instead."))
    return pairing


def _apply(pairing: Pairing, actor: User, places: Places | None, grade: Sequence[int], why: str) -> Result:
    kind = Result.Kind.CONFIRMED if places is not None else Result.Kind.VOID
    rows = scoresheet.checked(pairing, places) if places is not None else []
    result = scoresheet.write(
        pairing=pairing, kind=kind, source=Result.Source.ORGANISER, places=rows, by=actor, grade=grade, note=why[:300]
    )
    rated.settle(pairing, actor=actor)
    standings.snapshot_from(stage=pairing.round.stage, number=pairing.round.number)
    return result


def _picture(pairing: Pairing) -> _Picture:
    stage, season = pairing.round.stage, _season(pairing)
    rows: dict[int, tuple[int, int]] = {}
    groups: Sequence[int | None] = groups_of(stage) or [None]
    for group in groups:
        rows |= {row.entrant: (row.place, row.score) for row in ranking(stage, group=group)}
    return _Picture(
        rows=rows,
        draws=_draws_after(stage, pairing.round.number),
        ratings=_ratings(season, pairing) if season.rated else {},
        levels={line.entrant.pk: line.new for line in close.preview(season=season).lines},
    )


def _draws_after(stage: Stage, number: int) -> dict[int, frozenset[frozenset[int]]]:
    """For every later round that stands: how the draw would fall on what counts at this moment."""
    later = Round.objects.filter(stage=stage, number__gt=number).order_by("number").values_list("number", flat=True)
    return {each: _would_draw(stage, each) for each in later}


def _would_draw(stage: Stage, number: int) -> frozenset[frozenset[int]]:
    try:
        drawn = catalogue.FORMATS[stage.format].draw(situation(stage, upto=number - 1, drafts=True))
    except FormatError:
        return frozenset()
    return frozenset(frozenset(table.entrants) for table in drawn.round.tables)


def _ratings(season: Season, pairing: Pairing) -> dict[int, int]:
    """By person, what they are rated once the fold has followed; the fold, too, is part of the dry run."""
    pool = read.pool_of(season.league.game)
    if pool is None:
        return {}
    settling.settle(pool_id=pool.pk)
    rows = Rating.objects.filter(pool=pool, user__in=players(pairing)).order_by("user")
    return {row.user_id: row.points for row in rows}


def _level_names(season: Season) -> dict[int | None, str]:
    called: dict[int | None, str] = {None: gettext("leaves")}
    for division in Division.objects.filter(season=season).order_by("-level", "-number"):
        there = called.get(division.level)
        called[division.level] = f"{division.name} / {there}" if there else division.name
    return called


def _differences(season: Season, before: _Picture, after: _Picture) -> Preview:
    called = told_apart(Entrant.objects.named().filter(season=season))
    shifts = []
    for entrant in {**before.rows, **after.rows}:
        old, new = before.rows.get(entrant), after.rows.get(entrant)
        if old != new:
            shifts.append(
                Shift(
                    entrant,
                    called[entrant],
                    old[0] if old else None,
                    new[0] if new else None,
                    old[1] if old else 0,
                    new[1] if new else 0,
                )
            )
    shifts.sort(key=lambda shift: (shift.new_place or 10**6, shift.name, shift.entrant))
    redraws = [
        Redraw(number, len(after.draws[number] - tables))
        for number, tables in before.draws.items()
        if after.draws.get(number, tables) != tables
    ]
    people = User.objects.in_bulk(list(before.ratings))
    rerated = [
        Rerated(people[who].handle, people[who].name, number, after.ratings[who])
        for who, number in before.ratings.items()
        if who in after.ratings and after.ratings[who] != number
    ]
    levels = _level_names(season)

    def level_words(level: int | None) -> str:
        return levels.get(level) or gettext("division %(level)s") % {"level": level}

    transfers = [
        Transfer(who, called[who], old, after.levels[who], level_words(old), level_words(after.levels[who]))
        for who, old in before.levels.items()
        if who in after.levels and after.levels[who] != old
    ]
    return Preview(tuple(shifts), tuple(redraws), tuple(rerated), tuple(transfers))


def _season(pairing: Pairing) -> Season:
    return pairing.round.stage.division.season
