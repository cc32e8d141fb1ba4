"""Correcting an old result: first a preview of all changes, then the correction.

The preview is a dry run: the same code writes the correction, the consequences are read, and the transaction is
rolled back. So the preview always shows exactly what confirming will do.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.infra.errors import Refused
from accounts.models import User
from accounts.notifications.registry import declare_kind
from accounts.notifications.service import notify
from leagues.core import access, format_catalogue, locks, season_effects
from leagues.core.access import Permission
from leagues.core.reason_text import unique_names
from leagues.formats.errors import FormatError
from leagues.models import Division, Entrant, Pairing, Rating, Result, Round, Season, Stage
from leagues.ratings import pending, queries
from leagues.results import recording
from leagues.results.recording import Places
from leagues.results.reporting import players, refuse_own_table
from leagues.seasons import final_standings, sign_off
from leagues.standings.ranking import bracket_of, draw_input, groups_of, ranking

CORRECTED = audit.declare_action(
    "leagues.corrected", _("%(actor)s corrected table %(table)s of round %(round)s in %(division)s: %(why)s")
)
STRUCK = audit.declare_action(
    "leagues.struck", _("%(actor)s struck table %(table)s of round %(round)s in %(division)s: %(why)s")
)
CORRECTED_KIND = declare_kind(
    "leagues.corrected", _("%(actor)s corrected the result of your table in %(league)s."), _("A result was corrected")
)


@dataclass(frozen=True)
class Shift:
    """One entrant's row in the standings before and after; None where they have no row."""

    entrant: int
    name: str
    old_place: int | None
    new_place: int | None
    old_score: int
    new_score: int


@dataclass(frozen=True)
class Redraw:
    """A later round that would have been drawn differently. It is not drawn again."""

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
    """An entrant who would be promoted or relegated differently. A level is None for one who leaves."""

    entrant: int
    name: str
    old_level: int | None
    new_level: int | None
    old: str
    new: str


@dataclass(frozen=True)
class Rematch:
    """A match of the bracket that follows from the result: called off, to be played, or played for nothing.

    `code` is `called-off`, `opens` or `stays`; `slot` is the id of the match.
    """

    code: str
    slot: str
    entrants: tuple[int, ...]
    words: str


@dataclass(frozen=True)
class Preview:
    standings: tuple[Shift, ...]
    redraws: tuple[Redraw, ...]
    ratings: tuple[Rerated, ...]
    transfers: tuple[Transfer, ...]
    matches: tuple[Rematch, ...] = ()

    @property
    def is_quiet(self) -> bool:
        return not (self.standings or self.redraws or self.ratings or self.transfers or self.matches)

    @property
    def seal(self) -> str:
        """A fingerprint of the preview that the organiser has seen: confirming anything else is refused.

        Made of ids and numbers only: names are not unique, and text depends on the reader's language.
        """
        seen: list[Any] = [
            [(each.entrant, each.old_place, each.new_place, each.old_score, each.new_score) for each in self.standings],
            [(each.number, each.tables) for each in self.redraws],
            [(each.handle, each.before, each.after) for each in self.ratings],
            [(each.entrant, each.old_level, each.new_level) for each in self.transfers],
        ]
        if self.matches:
            seen.append([(each.code, each.slot, each.entrants) for each in self.matches])
        return hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:16]


@dataclass(frozen=True)
class _Picture:
    """Everything that a correction may change, at one moment."""

    rows: dict[int, tuple[int, int]]
    draws: dict[int, frozenset[frozenset[int]]]
    ratings: dict[int, int]
    # The level of each entrant if the season were closed now; None for one who leaves.
    levels: dict[int, int | None]
    # The tables of the bracket by id of the match, entrants and own id: whether the two still meet there.
    meets: dict[tuple[str, tuple[int, ...], int], bool]


def preview(*, actor: User, pairing: Pairing, places: Places | None, grade: Sequence[int] = ()) -> Preview:
    """What would change with this result; `places` None voids the table."""
    access.require(actor, Permission.ORGANISE, pairing)
    with transaction.atomic():
        pairing = _lock_correctable(pairing)
        before = _picture(pairing)
        _apply(pairing, actor, places, grade, "")
        after = _picture(pairing)
        transaction.set_rollback(True)
    return _differences(_season(pairing), before, after)


@transaction.atomic
def correct(
    *, actor: User, pairing: Pairing, places: Places | None, grade: Sequence[int] = (), why: str, seen: str
) -> Result:
    """Write a new version of a confirmed result. `seen` is the `seal` of the preview that the organiser saw."""
    access.require(actor, Permission.ORGANISE, pairing)
    why = why.strip()
    if not why:
        raise Refused(gettext("Say why: it is shown in the season’s log."))
    pairing = _lock_correctable(pairing)
    refuse_own_table(actor, pairing)
    if preview(actor=actor, pairing=pairing, places=places, grade=grade).seal != seen:
        raise Refused(gettext("Something has changed since the preview: look at it again before you confirm."))
    former = Result.objects.get(pairing=pairing, in_force=True)
    result = _apply(pairing, actor, places, grade, why)
    season = _season(pairing)
    season_effects.log_and_refresh(
        CORRECTED if places is not None else STRUCK,
        actor=actor,
        season=season,
        undo=("correction", {"pairing": pairing.pk, "version": former.version, "made": result.version}),
        table=pairing.table,
        round=pairing.round.number,
        division=pairing.round.stage.division.name,
        why=why,
    )
    notify(
        [person for person in players(pairing) if person != actor],
        CORRECTED_KIND,
        path=pairing.get_absolute_url(),
        actor=actor,
        club=season.league.club,
        league=season.league.name,
    )
    return result


def restore(*, actor: User, pairing: Pairing, version: int) -> Result:
    """Write a copy of an earlier version as the new result, in the caller's transaction."""
    pairing = recording.lock_pairing(pairing)
    old = Result.objects.get(pairing=pairing, version=version)
    return _apply(pairing, actor, old.places, old.grade, old.note)


def _lock_correctable(pairing: Pairing) -> Pairing:
    # The stage first, because signing the standings off locks it too.
    locks.stage(pairing.round.stage)
    pairing = recording.lock_pairing(pairing)
    if _season(pairing).is_closed:
        raise Refused(gettext("This season is closed: its results are final."))
    sign_off.refuse_if_signed(_season(pairing))
    if not Result.objects.filter(pairing=pairing, in_force=True).exists():
        raise Refused(gettext("This table has no result that counts yet: enter it instead."))
    return pairing


def _apply(pairing: Pairing, actor: User, places: Places | None, grade: Sequence[int], why: str) -> Result:
    kind = Result.Kind.CONFIRMED if places is not None else Result.Kind.VOID
    rows = recording.validate_places(pairing, places) if places is not None else []
    return recording.record_result(
        pairing=pairing,
        kind=kind,
        source=Result.Source.ORGANISER,
        places=rows,
        by=actor,
        grade=grade,
        note=why[:300],
        refresh_snapshots=True,
    )


def _picture(pairing: Pairing) -> _Picture:
    stage, season = pairing.round.stage, _season(pairing)
    rows: dict[int, tuple[int, int]] = {}
    groups: Sequence[int | None] = groups_of(stage) or [None]
    for group in groups:
        rows |= {row.entrant: (row.place, row.score) for row in ranking(stage, group=group)}
    return _Picture(
        rows=rows,
        draws={} if pairing.slot else _draws_after(stage, pairing.round.number),
        ratings=_ratings(season, pairing) if season.rated else {},
        levels={line.entrant.pk: line.new for line in final_standings.preview(season=season).lines},
        meets=_meetings(stage) if pairing.slot else {},
    )


def _meetings(stage: Stage) -> dict[tuple[str, tuple[int, ...], int], bool]:
    meeting = {match.id: {*match.entrants} for match in bracket_of(stage).matches}
    rows = Pairing.objects.filter(round__stage=stage).exclude(slot="").prefetch_related("seats")
    listed = [
        (row.slot, tuple(sorted(seat.entrant_id for seat in row.seats.all())), row.pk) for row in rows.order_by("pk")
    ]
    return {each: set(each[1]) == meeting.get(each[0]) for each in listed}


def _rematches(before: _Picture, after: _Picture, called: Mapping[int, str]) -> tuple[Rematch, ...]:
    """What becomes of the matches that followed, in words."""
    words = {
        "called-off": gettext("%(match)s, %(names)s: called off, it was not played yet."),
        "stays": gettext(
            "%(match)s, %(names)s: it was played, so its result stays in the record and in the ratings, but it no "
            "longer counts in the bracket."
        ),
        "opens": gettext("%(match)s, %(names)s: these two meet now, and the match is to be played."),
    }
    found = [("called-off", *key) for key in before.meets if key not in after.meets]
    found += [("stays", *key) for key, meet in after.meets.items() if not meet and before.meets.get(key)]
    found += [("opens", *key) for key in after.meets if key not in before.meets]
    return tuple(
        Rematch(code, slot, pair, words[code] % {"match": slot, "names": " – ".join(called[who] for who in pair)})
        for code, slot, pair, _pk in found
    )


def _draws_after(stage: Stage, number: int) -> dict[int, frozenset[frozenset[int]]]:
    """For every later round: how it would be drawn from the present results."""
    later = Round.objects.filter(stage=stage, number__gt=number).order_by("number").values_list("number", flat=True)
    return {each: _would_draw(stage, each) for each in later}


def _would_draw(stage: Stage, number: int) -> frozenset[frozenset[int]]:
    try:
        drawn = format_catalogue.FORMATS[stage.format].draw(draw_input(stage, upto=number - 1, drafts=True))
    except FormatError:
        return frozenset()
    return frozenset(frozenset(table.entrants) for table in drawn.round.tables)


def _ratings(season: Season, pairing: Pairing) -> dict[int, int]:
    """Each person's rating after pending results are applied; that is part of the dry run, too."""
    pool = queries.pool_of(season.league.game)
    if pool is None:
        return {}
    pending.apply_pending_results(pool_id=pool.pk)
    rows = Rating.objects.filter(pool=pool, user__in=players(pairing)).order_by("user")
    return {row.user_id: row.points for row in rows}


def _level_names(season: Season) -> dict[int | None, str]:
    called: dict[int | None, str] = {None: gettext("leaves")}
    for division in Division.objects.filter(season=season).order_by("-level", "-number"):
        there = called.get(division.level)
        called[division.level] = f"{division.name} / {there}" if there else division.name
    return called


def _differences(season: Season, before: _Picture, after: _Picture) -> Preview:
    called = unique_names(Entrant.objects.named().filter(season=season))
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
    matches = _rematches(before, after, called)
    return Preview(tuple(shifts), tuple(redraws), tuple(rerated), tuple(transfers), matches)


def _season(pairing: Pairing) -> Season:
    return pairing.round.stage.division.season
