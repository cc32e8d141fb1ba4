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
from accounts import audit
from accounts.infra import text
from accounts.infra.errors import Refused
from accounts.models import Club, User
from games import card_files
from games.models import CardFile, Match
from leagues.core import format_catalogue, locks, realtime, reason_text, season_effects, webhook_emit
from leagues.core.access import Permission, require
from leagues.entries import questions
from leagues.entries.registration import promote_waiting
from leagues.formats.errors import FormatError
from leagues.formats.points import CODES, OWN, own_scheme
from leagues.formats.tiebreaks.registry import PRESETS, parse
from leagues.models import Division, Entrant, EntryRequest, League, Round, Season, Stage
from leagues.seasons import announcements, sign_off

FOUNDED = audit.declare_action("leagues.founded", _("%(actor)s created the league %(league)s"))
CLOSED_LEAGUE = audit.declare_action("leagues.league-closed", _("%(actor)s closed the league %(league)s"))
EDITED_LEAGUE = audit.declare_action("leagues.edited", _("%(actor)s changed the league %(league)s"))
ADDED_SEASON = audit.declare_action("leagues.season-added", _("%(actor)s set up the season"))
EDITED_SEASON = audit.declare_action("leagues.season-edited", _("%(actor)s changed the season’s settings"))
TIE_BREAKS = audit.declare_action(
    "leagues.tie-breaks", _("%(actor)s changed the tie-breaks after round %(round)s; before: %(old)s")
)
ADDED_DIVISION = audit.declare_action("leagues.division-added", _("%(actor)s added the division %(division)s"))
EDITED_DIVISION = audit.declare_action("leagues.division-edited", _("%(actor)s changed the division %(division)s"))
REMOVED_DIVISION = audit.declare_action("leagues.division-removed", _("%(actor)s removed the division %(division)s"))
ADDED_STAGE = audit.declare_action("leagues.stage-added", _("%(actor)s chose a format for %(division)s"))
EDITED_STAGE = audit.declare_action("leagues.stage-edited", _("%(actor)s changed the format of %(division)s"))
REMOVED_STAGE = audit.declare_action("leagues.stage-removed", _("%(actor)s removed a stage of %(division)s"))
LENGTH = audit.declare_action(
    "leagues.length-changed", _("%(actor)s changed the number of rounds of %(division)s from %(old)s to %(new)s")
)
OPENED = audit.declare_action("leagues.opened", _("%(actor)s opened the season for entries"))
DELETED = audit.declare_action(
    "leagues.season-deleted", _("%(actor)s deleted the draft of season %(number)s of %(league)s")
)

_RESERVED_SLUGS = {"clubs", "files", "new", "nights", "tables"}
# Fields that may be changed while the season is running.
ALWAYS = frozenset({"name", "ends_at", "confirmation", "odds", "window_days", "answer_hours"})
TERMS = frozenset(
    {
        "name", "starts_at", "ends_at", "rated", "points", "own_points", "best_rounds", "options", "where", "clock",
        "bank", "increment", "days",
        "on_timeout", "members_only", "rating_from", "rating_to", "waiting_list", "approval", "entry_questions",
        "check_in", "confirmation",
        "odds", "card_file", "missed_round",
        "window_days", "on_unplayed", "answer_hours", "no_show_minutes",
    }
)  # fmt: skip
MOST_ROUNDS = 100


@transaction.atomic
def create_league(
    *, actor: User, club: Club, name: str, game: str, about: str = "", is_private: bool = False
) -> League:
    require(actor, Permission.ORGANISE, club)
    if game not in engine.GAMES:
        raise Refused(gettext("There is no such game here."))
    league = League(club=club, name=" ".join(name.split()), game=game, about=about, is_private=is_private)
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
            # Another organiser took the slug at the same moment: try the next one.
            if not League.objects.filter(slug=league.slug).exists():
                raise


def _clean(row: League | Season | Division | Stage, **how: Any) -> None:
    """Validate the row, with one clear error."""
    try:
        row.full_clean(**how)
    except ValidationError as error:
        raise Refused(" ".join(error.messages)) from error


@transaction.atomic
def edit_league(*, actor: User, league: League, name: str, about: str, is_private: bool | None = None) -> League:
    """Change a league's details; whether it is private stays as it is unless that is given."""
    league = League.objects.select_for_update(of=("self",), no_key=True).select_related("club").get(pk=league.pk)
    require(actor, Permission.ORGANISE, league)
    league.name, league.about = " ".join(name.split()), about
    if is_private is not None and is_private != league.is_private:
        league.is_private = is_private
        _show_tables(league)
    _clean(league)
    league.save(update_fields=["name", "about", "is_private"])
    audit.record(EDITED_LEAGUE, actor=actor, on=league, club=league.club, league=league.name)
    return league


def _show_tables(league: League) -> None:
    """Tables on the site follow their league; a deal that several play keeps its link."""
    seen, hidden = Match.Visibility.ANYONE, Match.Visibility.CLUB
    old, new = (seen, hidden) if league.is_private else (hidden, seen)
    Match.objects.filter(pairing__round__stage__division__season__league=league, visibility=old).update(visibility=new)


@transaction.atomic
def close_league(*, actor: User, league: League) -> League:
    """Close a league: no more seasons; its pages and history stay."""
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
    season_effects.log_and_refresh(ADDED_SEASON, actor=actor, season=season)
    return season


def _apply(season: Season, terms: Mapping[str, Any]) -> None:
    if unknown := set(terms) - TERMS - {"tie_breaks"}:
        raise TypeError(f"no terms of a season: {', '.join(sorted(unknown))}")
    known = season.entry_questions
    for field, value in terms.items():
        setattr(season, field, value)
    if terms.get("card_file") is not None:
        season.card_file = _card_file(season, terms["card_file"])
    if engine.game(season.league.game).card_option in terms.get("options", {}):
        raise Refused(gettext("A season’s own cards are chosen among the club’s card files."))
    if season.where == Season.Where.CLUB:
        # Tables at the club have no clock.
        season.clock, season.bank, season.increment, season.days = Match.Clock.NONE, 0, 0, 0
    if "entry_questions" in terms:
        season.entry_questions = questions.check_questions(terms["entry_questions"], known=known)
    _apply_points(season, terms)
    _parsed(season.tie_breaks)
    check_options(season)
    _refuse_contradictions(season)
    _clean(season)


def _apply_points(season: Season, terms: Mapping[str, Any]) -> None:
    """Check an own list of points; it is forgotten when the season takes one of the site's lists."""
    if season.points == OWN:
        try:
            own_scheme(season.own_points)
        except FormatError as error:
            raise Refused(reason_text.render_format_error(error, {})) from error
    elif terms.get("own_points"):
        raise Refused(gettext("Points by place count only with the points list “own”."))
    else:
        season.own_points = []


def _card_file(season: Season, card_file: CardFile) -> CardFile:
    """The cards for a season: a version of its club. One that was withdrawn goes on in a league that has had it."""
    had = Season.objects.filter(league=season.league, card_file=card_file).exists()
    return card_files.choose(
        card_file=card_file, club=season.league.club, game=season.league.game, may_be_withdrawn=had
    )


def _refuse_contradictions(season: Season) -> None:
    """Refuse contradictions in words: the database would only name a constraint."""
    if season.points not in CODES:
        raise Refused(gettext("There is no such points scheme: choose one of %(known)s.") % {"known": ", ".join(CODES)})
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
            "This clock is not possible: a live one has at least 30 seconds and no days, one of days has at least one "
            "day and no seconds, and without a clock there are neither."
        )
    )


def _parsed(codes: Sequence[str]) -> list[str]:
    try:
        parse(codes)
    except FormatError as error:
        raise Refused(reason_text.render_format_error(error, {})) from error
    return list(codes)


def check_options(season: Season) -> None:
    game = engine.game(season.league.game)
    try:
        game.start(game.players[0], "a trial deal", season.engine_options)
    except engine.EngineError as error:
        raise Refused(str(error)) from error


@transaction.atomic
def edit_season(*, actor: User, season: Season, **fields: Any) -> Season:
    season = _lock_for_change(actor, season)
    changed = {field: value for field, value in fields.items() if getattr(season, field) != value}
    if season.has_begun and set(changed) - ALWAYS:
        raise Refused(gettext("The season has started: this can no longer be changed."))
    if not changed:
        return season
    _apply(season, changed)
    season.save()
    if "entry_questions" in changed:
        for request in EntryRequest.objects.filter(season=season):
            request.answers = questions.still_fitting(season.entry_questions, request.answers)
            request.save(update_fields=["answers"])
    season_effects.log_and_refresh(EDITED_SEASON, actor=actor, season=season, fields=sorted(changed))
    return season


@transaction.atomic
def change_tie_breaks(*, actor: User, season: Season, codes: Sequence[str]) -> Season:
    """Change the tie-breaks. The log has the round and the old list."""
    season = _lock_for_change(actor, season)
    old, new = list(season.tie_breaks), _parsed(codes)
    if old == new:
        return season
    sign_off.refuse_if_signed(season)
    season.tie_breaks = new
    season.save(update_fields=["tie_breaks"])
    latest = Round.objects.filter(stage__division__season=season).aggregate(last=Max("number"))["last"] or 0
    season_effects.log_and_refresh(TIE_BREAKS, actor=actor, season=season, round=latest, old=", ".join(old))
    for stage in Stage.objects.filter(division__season=season, status=Stage.Status.RUNNING):
        webhook_emit.emit_standings_changed(stage)
    return season


def _lock_for_change(actor: User, season: Season) -> Season:
    season = locks.season(season)
    require(actor, Permission.ORGANISE, season)
    if season.is_closed:
        raise Refused(gettext("This season is closed."))
    return season


def _lock_before_start(actor: User, season: Season) -> Season:
    season = _lock_for_change(actor, season)
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
    """Add a division, by default below the existing ones."""
    season = _lock_before_start(actor, season)
    if level is None:
        level = (Division.objects.filter(season=season).aggregate(last=Max("level"))["last"] or 0) + 1
    division = Division(
        season=season, name=" ".join(name.split()), level=level, number=number, cap=cap, up=up, down=down
    )
    _clean(division)
    division.save()
    season_effects.log_and_refresh(ADDED_DIVISION, actor=actor, season=season, division=division.name)
    return division


@transaction.atomic
def edit_division(*, actor: User, division: Division, name: str, cap: int | None, up: int, down: int) -> Division:
    """Change a division. With a cap below the number of entries all stay, and nobody else can enter."""
    season = _lock_for_change(actor, division.season)
    division = Division.objects.select_related("season__league__club").get(pk=division.pk)
    division.name, division.cap, division.up, division.down = " ".join(name.split()), cap, up, down
    _clean(division)
    division.save()
    season_effects.log_and_refresh(EDITED_DIVISION, actor=actor, season=season, division=division.name)
    promote_waiting(division)
    return division


@transaction.atomic
def remove_division(*, actor: User, division: Division) -> None:
    season = _lock_before_start(actor, division.season)
    if Entrant.objects.filter(division=division).exists():
        raise Refused(gettext("There are entries in this division: move them first."))
    name = division.name
    Division.objects.filter(pk=division.pk).delete()
    season_effects.log_and_refresh(REMOVED_DIVISION, actor=actor, season=season, division=name)


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
    """Add a stage to a division; `take` says how many of the stage before go on."""
    season = _lock_before_start(actor, division.season)
    last = Stage.objects.filter(division=division).aggregate(last=Max("position"))["last"] or 0
    if last and any(format_catalogue.format_of(each).last_only for each in Stage.objects.filter(division=division)):
        raise Refused(gettext("No stage can follow a ladder or an arena."))
    stage = Stage(division=division, position=last + 1)
    _set_format(stage, season, format, settings or {}, planned, take)
    stage.save()
    if not last and division.level == 1:
        season.tie_breaks = list(PRESETS[format_catalogue.FORMATS[format].tie_breaks])
        season.save(update_fields=["tie_breaks"])
    season_effects.log_and_refresh(ADDED_STAGE, actor=actor, season=season, division=division.name)
    return stage


def _set_format(
    stage: Stage, season: Season, format: str, settings: Mapping[str, Any], planned: int | None, take: int | None
) -> None:
    stage.format = format
    stage.settings = format_catalogue.check(format, settings, season.league.game)
    known = format_catalogue.FORMATS[format]
    _check_length(planned)
    stage.planned = planned if known.rounds and not known.knock_out else None
    if take is not None and take < 2:
        raise Refused(gettext("At least two go on."))
    stage.take = take
    _clean(stage, exclude=["settings"])


def _check_length(planned: int | None) -> None:
    if planned is not None and not 1 <= planned <= MOST_ROUNDS:
        raise Refused(gettext("A stage has 1 to %(most)s rounds.") % {"most": MOST_ROUNDS})


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
    """Change a stage: the format until the season starts, the number of rounds at any time, but not below those
    drawn."""
    season = _lock_for_change(actor, stage.division.season)
    stage = locks.stage(stage)
    drawn = Round.objects.filter(stage=stage).count()
    # With the defaults of settings that came after it.
    known = format_catalogue.check(stage.format, stage.settings, season.league.game)
    kept = (stage.format, known, stage.take)
    _set_format(stage, season, format, settings, planned, take)
    if season.has_begun and (stage.format, dict(stage.settings), stage.take) != kept:
        raise Refused(gettext("The season has started: its divisions and formats are set."))
    if stage.planned is not None and stage.planned < drawn:
        raise Refused(gettext("%(count)s rounds are drawn already.") % {"count": drawn})
    stage.save()
    season_effects.log_and_refresh(EDITED_STAGE, actor=actor, season=season, division=stage.division.name)
    return stage


@transaction.atomic
def change_length(*, actor: User, stage: Stage, planned: int | None) -> Stage:
    """Change how many rounds a stage has, also while it runs; None leaves the end open."""
    season = _lock_for_change(actor, stage.division.season)
    stage = locks.stage(stage)
    if not format_catalogue.FORMATS[stage.format].has_chosen_length:
        raise Refused(gettext("In this format the number of rounds follows from the number of entrants."))
    if stage.status == Stage.Status.FINISHED:
        raise Refused(gettext("This stage is finished: undo that in the log first."))
    drawn = Round.objects.filter(stage=stage).count()
    _check_length(planned)
    if planned is not None and planned < drawn:
        raise Refused(gettext("%(count)s rounds are drawn already.") % {"count": drawn})
    old, stage.planned = stage.planned, planned
    if old == planned:
        return stage
    stage.save(update_fields=["planned"])
    season_effects.log_and_refresh(
        LENGTH, actor=actor, season=season, division=stage.division.name, old=old or "–", new=planned or "–"
    )
    return stage


@transaction.atomic
def remove_stage(*, actor: User, stage: Stage) -> None:
    """Remove the last stage of a division."""
    division = stage.division
    season = _lock_before_start(actor, division.season)
    if Stage.objects.filter(division=division, position__gt=stage.position).exists():
        raise Refused(gettext("Another stage builds on this one: remove that first."))
    Stage.objects.filter(pk=stage.pk).delete()
    season_effects.log_and_refresh(REMOVED_STAGE, actor=actor, season=season, division=division.name)


@transaction.atomic
def open_registration(*, actor: User, season: Season, quiet: bool = False) -> Season:
    """Open a season for entries; the members of the club are notified, unless `quiet`."""
    season = _lock_for_change(actor, season)
    if season.status != Season.Status.DRAFT:
        return season
    for division in Division.objects.filter(season=season):
        if not Stage.objects.filter(division=division).exists():
            raise Refused(gettext("“%(division)s” has no format yet.") % {"division": division.name})
    if not Division.objects.filter(season=season).exists():
        raise Refused(gettext("This season has no division yet."))
    season.status = Season.Status.REGISTRATION
    season.save(update_fields=["status"])
    season_effects.log_and_refresh(OPENED, actor=actor, season=season)
    if not quiet:
        announcements.notify_season_opened(actor=actor, season=season)
    return season


@transaction.atomic
def delete_draft(*, actor: User, season: Season) -> None:
    """Delete a season that has not started; the league's log records it."""
    season = _lock_before_start(actor, season)
    league = season.league
    number = season.number
    audit.record(DELETED, actor=actor, on=league, club=league.club, number=number, league=league.name)
    realtime.broadcast_season_changed(season)
    season.delete()
