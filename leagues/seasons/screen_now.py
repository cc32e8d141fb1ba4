"""What the screen of a club evening shows: who sits where, how it stands, and the clock. Reads only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils import timezone
from django.utils.translation import gettext, pgettext

from accounts.models import User
from engine import Scoring
from leagues.core import format_catalogue
from leagues.core.text import join_names
from leagues.formats.values import Kind
from leagues.models import Bye, Pairing, Placement, Result, Round, RoundNight, Screen, Season, Slot, Stage
from leagues.results import presentation
from leagues.seasons import screen
from leagues.standings.presentation import StandingsTable, standings_tables

# A deadline further away is no clock of an evening.
AN_EVENING = timedelta(hours=12)
# So long “time is up” stays there; the clock of another evening does not.
A_WHILE = timedelta(hours=1)
MOST_NEWS = 3


@dataclass(frozen=True)
class ScreenSeat:
    name: str
    user: User | None
    score: str
    leads: bool
    absent: bool


@dataclass(frozen=True)
class ScreenTable:
    """`state` is one of `waiting`, `playing`, `reported`, `disputed`, `done` and `void`."""

    pairing: Pairing
    number: int
    division: str
    round: int
    state: str
    words: str
    seats: list[ScreenSeat]


@dataclass(frozen=True)
class ScreenStandings:
    division: str
    group: int
    table: StandingsTable


@dataclass(frozen=True)
class ScreenNews:
    table: int
    words: str
    at: datetime


@dataclass(frozen=True)
class ScreenClock:
    """What is counted: down to `until`, or up from `since` where nothing ends the round."""

    code: str
    words: str
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True)
class ScreenNow:
    title: str
    tables: list[ScreenTable]
    standings: list[ScreenStandings]
    news: list[ScreenNews]
    byes: str
    clock: ScreenClock | None
    several: bool
    now: datetime


def screen_now(season: Season, *, sees_nights: bool) -> ScreenNow:
    """Everything on the screen. `sees_nights`: the reader may know the hours of private club nights."""
    now = timezone.now()
    stages = _current_stages(season)
    rounds = [each for stage in stages for each in _current_rounds(stage)]
    pairings = _pairings(season, rounds)
    results = {pairing.pk: _shown_result(pairing) for pairing in pairings}
    tables = [_table(pairing, results[pairing.pk]) for pairing in pairings]
    return ScreenNow(
        title=_title(rounds, several=len(stages) > 1),
        tables=tables,
        standings=[
            ScreenStandings(stage.division.name, table.group, table)
            for stage in stages
            for table in standings_tables(stage)
        ],
        news=_news(tables, results),
        byes=_byes(rounds),
        clock=_clock(season, rounds, pairings, now, sees_nights=sees_nights),
        several=len(stages) > 1,
        now=now,
    )


def _current_stages(season: Season) -> list[Stage]:
    """The latest stage of each division that has begun."""
    begun = Stage.objects.filter(division__season=season).exclude(status=Stage.Status.PLANNED)
    latest: dict[int, Stage] = {}
    for stage in begun.select_related("division").order_by("division__level", "division__number", "position"):
        stage.division.season = season
        latest[stage.division_id] = stage
    return list(latest.values())


def _current_rounds(stage: Stage) -> list[Round]:
    """The round that is played, or else the last one. In brackets, ladders and arenas rounds overlap."""
    rounds = list(Round.objects.filter(stage=stage).exclude(status=Round.Status.DRAWN).order_by("number"))
    for each in rounds:
        each.stage = stage
    open_rounds = [each for each in rounds if not each.is_closed]
    known = format_catalogue.format_of(stage)
    if known.has_bracket or known.is_ladder or known.is_arena:
        return open_rounds or rounds[-1:]
    return open_rounds[:1] or rounds[-1:]


def _pairings(season: Season, rounds: Sequence[Round]) -> list[Pairing]:
    by_id = {each.pk: each for each in rounds}
    rows = Pairing.objects.filter(round__in=list(by_id)).select_related("placement__slot__night")
    pairings = list(rows.prefetch_related("seats__entrant__user", "seats__entrant__members__user", "results"))
    for pairing in pairings:
        pairing.round = by_id[pairing.round_id]
    return sorted(pairings, key=lambda each: (each.table, each.round.number, each.pk))


def _shown_result(pairing: Pairing) -> Result | None:
    """The result that counts, or one that waits for confirmation. Of a disputed table there is none to show."""
    versions = sorted(pairing.results.all(), key=lambda each: each.version)
    counted = next((each for each in versions if each.in_force), None)
    if counted is None and pairing.state == Pairing.State.REPORTED:
        return versions[-1] if versions else None
    return counted


STATES: dict[str, str] = {
    Pairing.State.SCHEDULED: "waiting",
    Pairing.State.PLAYING: "playing",
    Pairing.State.REPORTED: "reported",
    Pairing.State.DISPUTED: "disputed",
    Pairing.State.CONFIRMED: "done",
    Pairing.State.VOID: "void",
}


def _table(pairing: Pairing, result: Result | None) -> ScreenTable:
    together = presentation.scoring(pairing) is Scoring.TEAM
    places = {line.seat.pk: line for line in presentation.result_rows(pairing, result)} if result else {}
    seats = []
    for seat in presentation.seats_of(pairing):
        line = places.get(seat.pk)
        score = ""
        if line is not None and not together:
            score = str(line.score) if line.score is not None else f"{line.rank}."
        leads = line is not None and line.rank == 1 and not together
        seats.append(ScreenSeat(seat.entrant.name, seat.entrant.user, score, leads, seat.absent))
    state = STATES[pairing.state]
    return ScreenTable(
        pairing, pairing.table, pairing.round.stage.division.name, pairing.round.number, state,
        _state_words(pairing, result), seats,
    )  # fmt: skip


def _state_words(pairing: Pairing, result: Result | None) -> str:
    match pairing.state:
        case Pairing.State.CONFIRMED if result is not None:
            if presentation.scoring(pairing) is Scoring.ORDER and result.source != Result.Source.FORFEIT:
                best = [line.name for line in presentation.result_rows(pairing, result) if line.rank == 1]
                return join_names(best)
            return presentation.result_headline(pairing, result)
        case Pairing.State.REPORTED:
            return gettext("to be confirmed")
        case Pairing.State.DISPUTED:
            return gettext("an organiser decides")
        case Pairing.State.VOID:
            return pgettext("pairing", "Void")
        case _ if pairing.where == Pairing.Where.ONLINE:
            return pgettext("table", "Online")
        case _:
            return gettext("no result yet")


def _title(rounds: Sequence[Round], *, several: bool) -> str:
    """The round that is played; of each division, where they differ."""
    words = {each.stage_id: _round_words(each) for each in rounds}
    if len(set(words.values())) <= 1:
        return next(iter(words.values()), "")
    return " · ".join(
        f"{each.stage.division.name}: {words[each.stage_id]}" for each in {r.stage_id: r for r in rounds}.values()
    )


def _round_words(each: Round) -> str:
    known = {"number": each.number, "count": each.stage.planned}
    if each.stage.planned and each.number <= each.stage.planned:
        return gettext("Round %(number)s of %(count)s") % known
    return gettext("Round %(number)s") % known


def _news(tables: Sequence[ScreenTable], results: dict[int, Result | None]) -> list[ScreenNews]:
    """The latest results, the newest first."""
    news = []
    for table in tables:
        result = results[table.pairing.pk]
        if result is not None and table.state in ("done", "reported"):
            news.append(ScreenNews(table.number, presentation.result_headline(table.pairing, result), result.at))
    return sorted(news, key=lambda each: each.at, reverse=True)[:MOST_NEWS]


def _byes(rounds: Sequence[Round]) -> str:
    """The names of those without a table this round."""
    rows = Bye.objects.filter(round__in=[each.pk for each in rounds if not each.is_closed])
    rows = rows.exclude(kind__in=[Kind.NP.name, Kind.WD.name]).select_related("entrant__user")
    return join_names(sorted(each.entrant.name for each in rows))


def _clock(
    season: Season, rounds: Sequence[Round], pairings: Sequence[Pairing], now: datetime, *, sees_nights: bool
) -> ScreenClock | None:
    if season.is_closed:
        return None
    is_played = any(pairing.is_open for pairing in pairings)
    started = screen.screen_of(season)
    until = started.clock_until
    if until and now < until + A_WHILE and (is_played or started.clock == Screen.Clock.BREAK):
        words = gettext("Round ends in") if started.clock == Screen.Clock.ROUND else gettext("Next round in")
        return ScreenClock(started.clock, words, started.clock_from, until)
    slots = [each.placement.slot for each in pairings if getattr(each, "placement", None)]
    slots = [each for each in slots if sees_nights or not each.night.is_private]
    if is_played:
        ends = [each.ends_at for each in slots if each.starts_at <= now] + [
            each.closes_at for each in rounds if each.closes_at
        ]
        if near := [each for each in ends if now < each <= now + AN_EVENING]:
            begun = [each.starts_at for each in slots if each.ends_at == min(near)]
            return ScreenClock("round", gettext("Round ends in"), min(begun, default=None), min(near))
        if ahead := [each.starts_at for each in slots if now < each.starts_at <= now + AN_EVENING]:
            return ScreenClock("break", gettext("Round begins in"), None, min(ahead))
        if begun := [
            each.published_at for each in rounds if each.published_at and now - each.published_at < AN_EVENING
        ]:
            return ScreenClock("since", gettext("The round has lasted"), min(begun))
        return None
    if (begins := _next_begins(rounds, slots, now, sees_nights=sees_nights)) is not None:
        return ScreenClock("break", gettext("Next round in"), None, begins)
    return None


def _next_begins(
    rounds: Sequence[Round], slots: Sequence[Slot], now: datetime, *, sees_nights: bool
) -> datetime | None:
    """When the next round begins: where its tables are placed, in the next slot of this night, or at its own night."""
    placed = Placement.objects.filter(
        pairing__round__stage__in=[each.stage_id for each in rounds], slot__starts_at__gt=now
    )
    if not sees_nights:
        placed = placed.filter(slot__night__is_private=False)
    # Only what is published is known to players.
    placed = placed.exclude(pairing__round__status=Round.Status.DRAWN)
    later = [each.slot.starts_at for each in placed.select_related("slot").order_by("slot__starts_at")[:1]]
    following = Slot.objects.filter(night__in={each.night_id for each in slots}, starts_at__gt=now)
    later += list(following.order_by("starts_at").values_list("starts_at", flat=True)[:1])
    nights = RoundNight.objects.exclude(night=None)
    for each in rounds:
        row = nights.filter(stage=each.stage_id, round=each.number + 1).select_related("night").first()
        if row is not None and row.night is not None and (sees_nights or not row.night.is_private):
            later += [row.night.starts_at] if row.night.starts_at > now else []
    return min(later, default=None)
