from typing import Any

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from rest_framework.request import Request

import engine
from accounts.api.base import Api, PersonRequest
from accounts.api.log_lines import LogLines
from accounts.infra.rest import Data, operation
from accounts.models import AuditEntry, Scope, User
from leagues.api import serializers
from leagues.api.common import get_visible_or_404, runs
from leagues.core import access, format_catalogue
from leagues.core.access import Permission
from leagues.entries import registration
from leagues.models import League, Season, Undoable
from leagues.rounds import draw
from leagues.seasons import presets, rollover, setup
from leagues.seasons import undo as undoing


class Leagues(Api):
    tag = "leagues"

    @operation("list_leagues", gives=serializers.LeagueSerializer, query=serializers.LeagueQuery, pages="-pk")
    def get(self, request: Request, query: Data) -> QuerySet[League]:
        """Leagues of open clubs, the newest first."""
        rows: QuerySet[League] = League.objects.open().seen_by(request.user).select_related("club")
        if "club" in query:
            rows = rows.filter(club__slug=query["club"])
        if "game" in query:
            rows = rows.filter(game=query["game"])
        if query["mine"]:
            person = request.user if isinstance(request.user, User) else None
            plays = Q(seasons__entrants__user=person) | Q(seasons__entrants__members__user=person)
            rows = rows.filter(plays).distinct() if person else rows.none()
        return rows

    @operation(
        "found_league",
        takes=serializers.LeagueInput,
        gives=serializers.LeagueSerializer,
        scope=Scope.ORGANISE,
        status=201,
    )
    def post(self, request: PersonRequest, data: Data) -> League:
        """Create a league of a club."""
        return setup.create_league(actor=request.user, **data)


class OneLeague(Api):
    tag = "leagues"

    @operation("read_league", gives=serializers.LeagueSerializer)
    def get(self, request: Request, slug: str) -> League:
        """A league."""
        return get_visible_or_404(request.user, League, slug=slug)

    @operation("edit_league", takes=serializers.LeagueDetails, gives=serializers.LeagueSerializer, scope=Scope.ORGANISE)
    def patch(self, request: PersonRequest, slug: str, data: Data) -> League:
        """Change a league’s name or description."""
        league = get_visible_or_404(request.user, League, slug=slug)
        new: Data = {"name": league.name, "about": league.about} | data
        return setup.edit_league(actor=request.user, league=league, **new)


class CloseLeague(Api):
    tag = "leagues"

    @operation("close_league", gives=serializers.LeagueSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, slug: str) -> League:
        """Close a league: no more seasons; its history stays."""
        return setup.close_league(actor=request.user, league=get_visible_or_404(request.user, League, slug=slug))


class Presets(Api):
    tag = "leagues"

    @operation("list_presets", gives=serializers.PresetsSerializer)
    def get(self, request: Request, slug: str) -> Data:
        """Presets for a season of this league."""
        return {"presets": presets.for_game(get_visible_or_404(request.user, League, slug=slug).game)}


class Seasons(Api):
    tag = "leagues"

    @operation("list_seasons", gives=serializers.SeasonSerializer, pages="-pk")
    def get(self, request: Request, slug: str) -> QuerySet[Season]:
        """The seasons of a league, the latest first; only organisers see drafts."""
        league = get_visible_or_404(request.user, League, slug=slug)
        rows = Season.objects.filter(league=league).select_related("league")
        return rows if runs(request.user, league) else rows.exclude(status=Season.Status.DRAFT)

    @operation(
        "add_season",
        takes=serializers.NewSeasonInput,
        gives=serializers.SeasonSerializer,
        scope=Scope.ORGANISE,
        status=201,
    )
    def post(self, request: PersonRequest, slug: str, data: Data) -> Season:
        """Create the next season: from a preset, empty, or like the last one."""
        league = get_visible_or_404(request.user, League, slug=slug)
        asking = {"ask_until": data["ask_until"], "keep_silent": data["keep_silent"]}
        match data["preset"]:
            case "empty":
                return setup.add_season(actor=request.user, league=league, name=data["name"])
            case "go-on":
                return rollover.start_next_season(actor=request.user, league=league, name=data["name"], **asking)
            case preset:
                access.require(request.user, Permission.ORGANISE, league)
                return presets.set_up(actor=request.user, league=league, preset=preset, name=data["name"])


class OneSeason(Api):
    tag = "seasons"

    @operation("read_season", gives=serializers.SeasonSerializer)
    def get(self, request: Request, pk: int) -> Season:
        """A season."""
        return get_visible_or_404(request.user, Season, pk=pk)

    @operation("edit_season", takes=serializers.SeasonInput, gives=serializers.SeasonSerializer, scope=Scope.ORGANISE)
    def patch(self, request: PersonRequest, pk: int, data: Data) -> Season:
        """Change settings of a season; most of them only until it starts."""
        return setup.edit_season(actor=request.user, season=get_visible_or_404(request.user, Season, pk=pk), **data)

    @operation("delete_season", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, pk: int) -> None:
        """Delete a season that is still being set up."""
        setup.delete_draft(actor=request.user, season=get_visible_or_404(request.user, Season, pk=pk))


class TieBreaks(Api):
    tag = "seasons"

    @operation(
        "change_tie_breaks", takes=serializers.TieBreakInput, gives=serializers.SeasonSerializer, scope=Scope.ORGANISE
    )
    def put(self, request: PersonRequest, pk: int, data: Data) -> Season:
        """Set the tie-breaks of a season, in order."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        return setup.change_tie_breaks(actor=request.user, season=season, codes=data["tie_breaks"])


class OpenSeason(Api):
    tag = "seasons"

    @operation("open_season", gives=serializers.SeasonSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Season:
        """Open a season for entries."""
        return setup.open_registration(actor=request.user, season=get_visible_or_404(request.user, Season, pk=pk))


class CheckInAll(Api):
    tag = "seasons"

    @operation("check_in_all", gives=serializers.SeasonSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Season:
        """Check in everybody who has entered."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        registration.check_in_all(actor=request.user, season=season)
        return season


class StartSeason(Api):
    tag = "seasons"

    @operation("start_season", takes=serializers.StartInput, gives=serializers.SeasonSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Season:
        """Start a season: entries close, the first stages begin."""
        return draw.start(actor=request.user, season=get_visible_or_404(request.user, Season, pk=pk), **data)


class Log(Api):
    tag = "seasons"

    @operation("read_season_log", gives=serializers.SeasonLineSerializer, pages="-pk", private=True)
    def get(self, request: PersonRequest, pk: int) -> Any:
        """The log of a season, the latest first; for organisers."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        access.require(request.user, Permission.ORGANISE, season)
        entries = AuditEntry.objects.filter(object_type="leagues.season", object_id=str(season.pk))
        return Lines(entries, season)


class Lines(LogLines):
    """Each with the id to undo it."""

    def __init__(self, rows: QuerySet[AuditEntry], season: Season) -> None:
        super().__init__(rows)
        self.season = season

    def __getitem__(self, part: slice) -> list[Any]:
        entries = super().__getitem__(part)
        known = Undoable.objects.filter(season=self.season, entry__in=entries, undone_at=None)
        undo = dict(known.values_list("entry_id", "pk"))
        for entry in entries:
            entry.undo = undo.get(entry.pk)
        return entries


class Undo(Api):
    tag = "seasons"

    @operation("undo_decision", scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int, undoable: int) -> None:
        """Undo an action; `undo` in the log has its id."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        access.require(request.user, Permission.ORGANISE, season)
        row = get_object_or_404(Undoable.objects.select_related("entry"), season=season, pk=undoable)
        undoing.undo(actor=request.user, undoable=row)


class Formats(Api):
    tag = "leagues"

    @operation("list_formats", gives=serializers.FormatsSerializer)
    def get(self, request: Request) -> Data:
        """The formats of stages, with their settings."""
        return {"formats": [_serialize_format(one) for one in format_catalogue.FORMATS.values()]}


def _serialize_format(one: format_catalogue.Format) -> Data:
    return {
        "code": one.code,
        "title": str(one.title),
        "words": str(one.words),
        "games": [name for name in engine.GAMES if one.fits(engine.game(name))],
        "settings": [
            {
                "name": setting.name,
                "title": str(setting.title),
                "default_value": setting.default,
                "least": setting.least,
                "most": setting.most,
                "values": list(setting.values),
            }
            for setting in one.settings
        ],
    }
