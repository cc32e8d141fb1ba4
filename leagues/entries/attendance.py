"""Who is here for a round: what they said for the round itself, else their answer for the club night. Reads only."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from django.db.models import QuerySet
from django.utils import timezone

from leagues.calendar import availability
from leagues.calendar.availability import Attendee, Can
from leagues.core import format_catalogue
from leagues.entries import bye_requests
from leagues.formats.adapters import DrawInput
from leagues.formats.values import Kind
from leagues.models import (
    Bye,
    ClubNight,
    Entrant,
    PairingSeat,
    RequestedBye,
    Round,
    RoundAttendance,
    RoundNight,
    Season,
    Stage,
)


class Why(StrEnum):
    """What somebody's attendance follows from."""

    SAID = "said"
    NIGHT = "night"
    HABIT = "habit"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Attending:
    """One entrant and one round. `bye` is what they get if they are away; `member` cannot come, of a team."""

    entrant: Entrant
    is_here: bool
    why: Why
    bye: str = ""
    member: str = ""


@dataclass(frozen=True)
class RoundList:
    """Everybody who plays on in a stage, for one round. `drawn` is the round, once it is drawn.

    `missing` are here but not in the draw, `unwanted` in the draw but away: it was drawn before they said so.
    """

    stage: Stage
    number: int
    night: ClubNight | None
    rows: tuple[Attending, ...]
    drawn: Round | None = None
    missing: tuple[Attending, ...] = ()
    unwanted: tuple[Attending, ...] = ()

    @property
    def away(self) -> list[Attending]:
        return [row for row in self.rows if not row.is_here]

    @property
    def count_here(self) -> int:
        return sum(row.is_here for row in self.rows)

    @property
    def is_open(self) -> bool:
        """Whether attendance can still be changed: until the round is published."""
        return self.drawn is None or not self.drawn.is_published

    @property
    def draw_follows(self) -> bool:
        """Whether the format draws without those who are away."""
        return format_catalogue.format_of(self.stage).requested_byes


def current_number(stage: Stage) -> int:
    """The round whose attendance matters now: drawn but not published, else the next one."""
    drafts = Round.objects.filter(stage=stage, status=Round.Status.DRAWN).order_by("number")
    draft = drafts.values_list("number", flat=True).first()
    return draft or Round.objects.filter(stage=stage).count() + 1


def nights_to_choose(season: Season) -> QuerySet[ClubNight]:
    coming = ClubNight.objects.filter(club=season.league.club, cancelled_at=None, ends_at__gt=timezone.now())
    return coming.select_related("venue").order_by("starts_at", "pk")


def night_of(stage: Stage, number: int) -> ClubNight | None:
    """The night whose answers count for a round: the chosen one; otherwise, at the club, the next of the same series.

    A chosen night that is over or cancelled before the round is drawn does not count any more.
    """
    season = stage.division.season
    chosen = RoundNight.objects.filter(stage=stage).select_related("night__venue", "night__club").order_by("round")
    by_round = {row.round: row.night for row in chosen}
    if number in by_round:
        night = by_round[number]
        is_drawn = Round.objects.filter(stage=stage, number=number).exists()
        if night is None or is_drawn or (not night.is_cancelled and night.ends_at > timezone.now()):
            return night
    if season.where != Season.Where.CLUB or number != current_number(stage):
        return None
    before = [night.series_id for at, night in by_round.items() if night and at < number and night.series_id]
    coming = nights_to_choose(season).select_related("club")
    return (coming.filter(series=before[-1]).first() if before else None) or coming.first()


def attendance(stage: Stage, number: int) -> RoundList:
    """Everybody's attendance for a round, in a fixed number of queries."""
    playing = (
        Entrant.objects.named()
        .filter(starters__stage=stage, status=Entrant.Status.ACTIVE)
        .prefetch_related("members__user")
    )
    here = set(RoundAttendance.objects.filter(stage=stage, round=number).values_list("entrant", flat=True))
    asked = dict(RequestedBye.objects.asked().filter(stage=stage, round=number).values_list("entrant", "kind"))
    night = night_of(stage, number)
    coming = {each.user.pk: each for each in availability.attendees_of(night)} if night else {}
    points = bye_requests.rounds_with_points(stage)
    rows = []
    for entrant in sorted(playing, key=lambda each: (each.name.casefold(), each.pk)):
        row = _attending(entrant, here, asked, coming)
        if not row.is_here and not row.bye:
            row = replace(row, bye=bye_requests.kind_for_missing(stage, points[entrant.pk], number))
        rows.append(row)
    listed = RoundList(stage, number, night, tuple(rows), Round.objects.filter(stage=stage, number=number).first())
    return _compared_with_draw(listed) if listed.drawn and listed.draw_follows else listed


def is_away_by_night(stage: Stage, entrant: Entrant, number: int) -> bool:
    """Whether the answer for the club night alone would leave somebody out of a round."""
    night = night_of(stage, number)
    coming = {each.user.pk: each for each in availability.attendees_of(night)} if night else {}
    return not _attending(entrant, set(), {}, coming).is_here


def _attending(entrant: Entrant, here: set[int], asked: Mapping[int, str], coming: Mapping[int, Attendee]) -> Attending:
    if entrant.pk in here:
        return Attending(entrant, True, Why.SAID)
    if entrant.pk in asked:
        return Attending(entrant, False, Why.SAID, bye=asked[entrant.pk])
    people = [entrant.user] if entrant.user else [member.user for member in entrant.members.all()]
    known = [coming[person.pk] for person in people if person.pk in coming and not person.is_bot]
    for one in known:
        if one.summary is Can.NO:
            member = "" if entrant.user else one.user.name
            return Attending(entrant, False, Why.NIGHT if one.answer else Why.HABIT, member=member)
    if known and all(one.summary is Can.YES for one in known):
        return Attending(entrant, True, Why.NIGHT if all(one.answer for one in known) else Why.HABIT)
    return Attending(entrant, True, Why.UNKNOWN)


def _compared_with_draw(listed: RoundList) -> RoundList:
    assert listed.drawn is not None
    drawn = set(PairingSeat.objects.filter(round=listed.drawn).values_list("entrant", flat=True))
    drawn |= set(Bye.objects.filter(round=listed.drawn, kind=Kind.PAB.name).values_list("entrant", flat=True))
    return replace(
        listed,
        missing=tuple(row for row in listed.rows if row.is_here and row.entrant.pk not in drawn),
        unwanted=tuple(row for row in listed.rows if not row.is_here and row.entrant.pk in drawn),
    )


def without_those_away(now: DrawInput, away: Iterable[Attending]) -> DrawInput:
    """The input of a draw in which nobody sits who is away."""
    byes = {row.entrant.pk: Kind[row.bye] for row in away}
    entrants = tuple(
        replace(each, requests=(*each.requests, (now.number, byes[each.id])))
        if each.id in byes and now.number not in dict(each.requests)
        else each
        for each in now.history.entrants
    )
    return replace(now, history=replace(now.history, entrants=entrants))
