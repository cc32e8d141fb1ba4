"""Setting up: leagues, seasons, divisions and stages, until the season starts."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from itertools import count
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

import engine
from accounts import audit, text
from accounts.errors import Refused
from accounts.models import Club, User
from games.models import Match
from leagues import catalogue, live, locks, log, news, signoff, words
from leagues.access import Permission, require
from leagues.enrol import promote_waiting
from leagues.formats.errors import FormatError
from leagues.formats.points import SCHEMES
from leagues.formats.tiebreaks.parts import PRESETS, parse
from leagues.models import Division, Entrant, League, Round, Season, Stage

FOUNDED = audit.action("leagues.founded", _("%(actor)s founded the league %(league)s"))
CLOSED_LEAGUE = audit.action("leagues.league-closed", _("%(actor)s closed the league %(league)s"))
EDITED_LEAGUE = audit.action("leagues.edited", _("%(actor)s changed the league %(league)s"))
ADDED_SEASON = audit.action("leagues.season-added", _("%(actor)s set up the season"))
EDITED_SEASON = audit.action("leagues.season-edited", _("%(actor)s changed the season’s terms"))
TIE_BREAKS = audit.action(
    "leagues.tie-breaks", _("%(actor)s changed the tie-breaks after round %(round)s; before: %(old)s")
)
ADDED_DIVISION = audit.action("leagues.division-added", _("%(actor)s added the division %(division)s"))
EDITED_DIVISION = audit.action("leagues.division-edited", _("%(actor)s changed the division %(division)s"))
REMOVED_DIVISION = audit.action("leagues.division-removed", _("%(actor)s removed the division %(division)s"))
ADDED_STAGE = audit.action("leagues.stage-added", _("%(actor)s chose a format for %(division)s"))
EDITED_STAGE = audit.action("leagues.stage-edited", _("%(actor)s changed the format of %(division)s"))
REMOVED_STAGE = audit.action("leagues.stage-removed", _("%(actor)s removed a stage of %(division)s"))
OPENED = audit.action("leagues.opened", _("%(actor)s opened the season for entries"))
DELETED = audit.action("leagues.season-deleted", _("%(actor)s deleted the draft of season %(number)s of %(league)s"))

_RESERVED_SLUGS = {"clubs", "files", "new", "nights", "tables"}
# What may still change once it runs; the rest was agreed at the start.
ALWAYS = frozenset({"name", "ends_at", "confirmation", "odds", "window_days", "answer_hours"})
TERMS = frozenset(
    {
        "name", "starts_at", "ends_at", "rated", "points", "options", "where", "clock", "bank", "increment", "days",
        "on_timeout", "members_only", "rating_from", "rating_to", "waiting_list", "check_in", "confirmation",
        "odds",
        "window_days", "on_unplayed", "answer_hours", "no_show_minutes",
    }
)  # fmt: skip
MOST_ROUNDS = 100


@transaction.atomic
def found_league(*, actor: User, club: Club, name: str, game: str, about: str = "") -> League:
    require(actor, Permission.ORGANISE, club)
    if game not in engine.GAMES:
        raise Refused(gettext("There is no such game here."))
    league = League(club=club, name=" ".join(name.split()), game=game, about=about)
    save_under_a_free_slug(league)
    audit.record(FOUNDED, actor=actor, on=league, club=club, league=league.name)
    return league


def save_under_a_free_slug(league: League) -> None:
    stem = text.slug(league.name, fallback="league")
    for number in count(1):
        league.slug = stem if number == 1 else f"{stem}-{number}"
        if league.slug in _RESERVED_SLUGS or League.objects.filter(slug=league.slug).exists():
            continue
        _clean(league, validate_unique=False)
        try:
            with transaction.atomic():
                league.save(force_insert=True)
            return
        except IntegrityError:
            # Another organiser took the address between our look and our write: try the next one.
            if not League.objects.filter(slug=league.slug).exists():
                raise


def _clean(row: League | Season | Division | Stage, **how: Any) -> None:
    """The database's rules as one clear error."""
    try:
        row.full_clean(**how)
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from error


@transaction.atomic
def edit_league(*, actor: User, league: League, name: str, about: str) -> League:
    league = League.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=league.pk)
    require(actor, Permission.ORGANISE, league)
    league.name, league.about = " ".join(name.split()), about
    _clean(league)
    league.save(update_fields=["name", "about"])
    audit.record(EDITED_LEAGUE, actor=actor, on=league, club=league.club, league=league.name)
    return league


@transaction.atomic
def close_league(*, actor: User, league: League) -> League:
    """No more seasons: its pages and its history stay."""
    league = League.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=league.pk)
    require(actor, Permission.ORGANISE, league)
    if league.closed_at:
        return league
    if Season.objects.filter(league=league).exclude(status=Season.Status.CLOSED).exists():
        raise Refused(gettext("A season of this league is not closed yet."))
    league.closed_at = timezone.now()
    league.save(update_fields=["closed_at"])
    audit.record(CLOSED_LEAGUE, actor=actor, on=league, club=league.club, league=league.name)
    return league


@transaction.atomic
def add_season(
    *,
    actor: User,
    league: League,
    name: str = "",
    starts_at: datetime | None = None,
    ends_at: datetime | None = None,
    **terms: Any,
) -> Season:
    """The next season of a league, as a draft that only organisers see."""
    league = League.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=league.pk)
    require(actor, Permission.ORGANISE, league)
    if league.closed_at:
        raise Refused(gettext("This league is closed."))
    number = (Season.objects.filter(league=league).aggregate(last=Max("number"))["last"] or 0) + 1
    given = " ".join(name.split()) or gettext("Season %(number)s") % {"number": number}
    season = Season(league=league, number=number, name=given, starts_at=starts_at, ends_at=ends_at)
    season.tie_breaks = list(PRESETS["swiss"])
    _apply(season, terms)
    season.save()
    log.note(ADDED_SEASON, actor=actor, season=season)
    return season


def _apply(season: Season, terms: Mapping[str, Any]) -> None:
    if unknown := set(terms) - TERMS - {"tie_breaks"}:
        raise TypeError(f"no terms of a season: {', '.join(sorted(unknown))}")
    for field, value in terms.items():
        setattr(season, field, value)
    if season.where == Season.Where.CLUB:
        # Nobody's clock runs at a real table.
        season.clock, season.bank, season.increment, season.days = Match.Clock.NONE, 0, 0, 0
    _parsed(season.tie_breaks)
    check_options(season)
    _refuse_contradictions(season)
    _clean(season)


def _refuse_contradictions(season: Season) -> None:
    """What the fields' own checks do not say in words: the database would only name its rule."""
    if season.points not in SCHEMES:
        raise Refused(gettext("There are no such points: choose one of %(known)s.") % {"known": ", ".join(SCHEMES)})
    if season.starts_at and season.ends_at and season.ends_at <= season.starts_at:
        raise Refused(gettext("A season ends after it starts."))
    least, most = season.rating_from, season.rating_to
    if least is not None and most is not None and most < least:
        raise Refused(gettext("The upper rating is below the lower one."))
    clock = (season.clock, bool(season.bank), bool(season.increment), bool(season.days))
    match clock:
        case (Match.Clock.NONE, False, False, False) | (Match.Clock.DAYS, False, False, True):
            return
        case (Match.Clock.LIVE, True, _, False) if season.bank >= 30:
            return
    raise Refused(
        gettext(
            "This clock cannot be: a live one has at least 30 seconds and no days, one of days has at least one day "
            "and no seconds, and without a clock there are neither."
        )
    )


def _parsed(codes: Sequence[str]) -> list[str]:
    try:
        parse(codes)
    except FormatError as error:
        raise Refused(words.trouble(error, {})) from error
    return list(codes)


def check_options(season: Season) -> None:
    game = engine.game(season.league.game)
    try:
        game.start(game.players[0], "a trial deal", season.options)
    except engine.EngineError as error:
        raise Refused(str(error)) from error


@transaction.atomic
def edit_season(*, actor: User, season: Season, **fields: Any) -> Season:
    season = _organised(actor, season)
    changed = {field: value for field, value in fields.items() if getattr(season, field) != value}
    if season.has_begun and set(changed) - ALWAYS:
        raise Refused(gettext("The season has started: this was agreed and stays."))
    if not changed:
        return season
    _apply(season, changed)
    season.save()
    log.note(EDITED_SEASON, actor=actor, season=season, fields=sorted(changed))
    return season


@transaction.atomic
def change_tie_breaks(*, actor: User, season: Season, codes: Sequence[str]) -> Season:
    """The list that decides level places. A change is in the log, with the round and the old list."""
    season = _organised(actor, season)
    old, new = list(season.tie_breaks), _parsed(codes)
    if old == new:
        return season
    signoff.refuse_if_signed(season)
    season.tie_breaks = new
    season.save(update_fields=["tie_breaks"])
    latest = Round.objects.filter(stage__division__season=season).aggregate(last=Max("number"))["last"] or 0
    log.note(TIE_BREAKS, actor=actor, season=season, round=latest, old=", ".join(old))
    for stage in Stage.objects.filter(division__season=season, status=Stage.Status.RUNNING):
        news.tell_standings(stage)
    return season


def _organised(actor: User, season: Season) -> Season:
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    if season.is_closed:
        raise Refused(gettext("This season is closed."))
    return season


def _unstarted(actor: User, season: Season) -> Season:
    season = _organised(actor, season)
    if season.has_begun:
        raise Refused(gettext("The season has started: its divisions and formats are set."))
    return season


@transaction.atomic
def add_division(
    *,
    actor: User,
    season: Season,
    name: str,
    level: int | None = None,
    number: int = 1,
    cap: int | None = None,
    up: int = 0,
    down: int = 0,
) -> Division:
    """By default below those that are there."""
    season = _unstarted(actor, season)
    if level is None:
        level = (Division.objects.filter(season=season).aggregate(last=Max("level"))["last"] or 0) + 1
    division = Division(
        season=season, name=" ".join(name.split()), level=level, number=number, cap=cap, up=up, down=down
    )
    _clean(division)
    division.save()
    log.note(ADDED_DIVISION, actor=actor, season=season, division=division.name)
    return division


@transaction.atomic
def edit_division(*, actor: User, division: Division, name: str, cap: int | None, up: int, down: int) -> Division:
    """A cap below the number of entries keeps them all, and lets nobody in."""
    season = _organised(actor, division.season)
    division = Division.objects.select_related("season__league__club").get(pk=division.pk)
    division.name, division.cap, division.up, division.down = " ".join(name.split()), cap, up, down
    _clean(division)
    division.save()
    log.note(EDITED_DIVISION, actor=actor, season=season, division=division.name)
    promote_waiting(division)
    return division


@transaction.atomic
def remove_division(*, actor: User, division: Division) -> None:
    season = _unstarted(actor, division.season)
    if Entrant.objects.filter(division=division).exists():
        raise Refused(gettext("There are entries in this division: move them first."))
    name = division.name
    Division.objects.filter(pk=division.pk).delete()
    log.note(REMOVED_DIVISION, actor=actor, season=season, division=name)


@transaction.atomic
def add_stage(
    *,
    actor: User,
    division: Division,
    format: str,
    settings: Mapping[str, Any] | None = None,
    planned: int | None = None,
    take: int | None = None,
) -> Stage:
    """The next stage of a division; `take` says how many of the one before go on."""
    season = _unstarted(actor, division.season)
    last = Stage.objects.filter(division=division).aggregate(last=Max("position"))["last"] or 0
    if last and Stage.objects.filter(division=division, format__in=["ladder", "arena"]).exists():
        raise Refused(gettext("Nothing follows a ladder or an arena."))
    stage = Stage(division=division, position=last + 1)
    _shape(stage, season, format, settings or {}, planned, take)
    stage.save()
    if not last and division.level == 1:
        season.tie_breaks = list(PRESETS[catalogue.FORMATS[format].tie_breaks])
        season.save(update_fields=["tie_breaks"])
    log.note(ADDED_STAGE, actor=actor, season=season, division=division.name)
    return stage


def _shape(
    stage: Stage, season: Season, format: str, settings: Mapping[str, Any], planned: int | None, take: int | None
) -> None:
    stage.format = format
    stage.settings = catalogue.check(format, settings, season.league.game)
    known = catalogue.FORMATS[format]
    if planned is not None and not 1 <= planned <= MOST_ROUNDS:
        raise Refused(gettext("A stage has 1 to %(most)s rounds.") % {"most": MOST_ROUNDS})
    stage.planned = planned if known.rounds and not known.knock_out else None
    if take is not None and take < 2:
        raise Refused(gettext("At least two go on."))
    stage.take = take
    _clean(stage, exclude=["settings"])


@transaction.atomic
def edit_stage(
    *,
    actor: User,
    stage: Stage,
    format: str,
    settings: Mapping[str, Any],
    planned: int | None,
    take: int | None = None,
) -> Stage:
    """The format until the season starts; the number of rounds for as long as it is not below what is drawn."""
    season = _organised(actor, stage.division.season)
    stage = locks.stage(stage)
    drawn = Round.objects.filter(stage=stage).count()
    kept = (stage.format, dict(stage.settings), stage.take)
    _shape(stage, season, format, settings, planned, take)
    if season.has_begun and (stage.format, dict(stage.settings), stage.take) != kept:
        raise Refused(gettext("The season has started: its divisions and formats are set."))
    if stage.planned is not None and stage.planned < drawn:
        raise Refused(gettext("%(count)s rounds are drawn already.") % {"count": drawn})
    stage.save()
    log.note(EDITED_STAGE, actor=actor, season=season, division=stage.division.name)
    return stage


@transaction.atomic
def remove_stage(*, actor: User, stage: Stage) -> None:
    """The last one of a division."""
    division = stage.division
    season = _unstarted(actor, division.season)
    if Stage.objects.filter(division=division, position__gt=stage.position).exists():
        raise Refused(gettext("Another stage builds on this one: remove that first."))
    Stage.objects.filter(pk=stage.pk).delete()
    log.note(REMOVED_STAGE, actor=actor, season=season, division=division.name)


@transaction.atomic
def open_registration(*, actor: User, season: Season) -> Season:
    season = _organised(actor, season)
    if season.status != Season.Status.DRAFT:
        return season
    for division in Division.objects.filter(season=season):
        if not Stage.objects.filter(division=division).exists():
            raise Refused(gettext("“%(division)s” has no format yet.") % {"division": division.name})
    if not Division.objects.filter(season=season).exists():
        raise Refused(gettext("This season has no division yet."))
    season.status = Season.Status.REGISTRATION
    season.save(update_fields=["status"])
    log.note(OPENED, actor=actor, season=season)
    return season


@transaction.atomic
def delete_draft(*, actor: User, season: Season) -> None:
    """Away with a season that has not started; the log keeps that it was there."""
    season = _unstarted(actor, season)
    league = season.league
    number = season.number
    audit.record(DELETED, actor=actor, on=league, club=league.club, number=number, league=league.name)
    live.changed(season)
    season.delete()
