from typing import Any

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from rest_framework.request import Request

import engine
from accounts import audit
from accounts.models import AuditEntry, Scope, User
from accounts.rest import Api, Data, PersonRequest, operation
from leagues import access, carry, catalogue, competitions, draw, enrol, presets
from leagues import undo as undoing
from leagues.access import Permission
from leagues.api import shapes
from leagues.api.common import found, runs
from leagues.models import League, Season, Undoable


class Leagues(Api):
    tag = "leagues"

    @operation("list_leagues", gives=shapes.LeagueShape, query=shapes.LeagueQuery, pages="-pk")
    def get(self, request: Request, query: Data) -> QuerySet[League]:
        """Leagues of open clubs, the youngest first."""
        rows: QuerySet[League] = League.objects.open().select_related("club")
        if "club" in query:
            rows = rows.filter(club__slug=query["club"])
        if "game" in query:
            rows = rows.filter(game=query["game"])
        if query["mine"]:
            person = request.user if isinstance(request.user, User) else None
            plays = Q(seasons__entrants__user=person) | Q(seasons__entrants__members__user=person)
            rows = rows.filter(plays).distinct() if person else rows.none()
        return rows

    @operation("found_league", takes=shapes.LeagueTerms, gives=shapes.LeagueShape, scope=Scope.ORGANISE, status=201)
    def post(self, request: PersonRequest, data: Data) -> League:
        """Found a league of a club."""
        return competitions.found_league(actor=request.user, **data)


class OneLeague(Api):
    tag = "leagues"

    @operation("read_league", gives=shapes.LeagueShape)
    def get(self, request: Request, slug: str) -> League:
        """A league."""
        return found(request.user, League, slug=slug)

    @operation("edit_league", takes=shapes.LeagueDetails, gives=shapes.LeagueShape, scope=Scope.ORGANISE)
    def patch(self, request: PersonRequest, slug: str, data: Data) -> League:
        """Change a league’s name or what it says about itself."""
        league = found(request.user, League, slug=slug)
        new = {"name": league.name, "about": league.about} | data
        return competitions.edit_league(actor=request.user, league=league, **new)


class CloseLeague(Api):
    tag = "leagues"

    @operation("close_league", gives=shapes.LeagueShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, slug: str) -> League:
        """Close a league: no more seasons; its history stays."""
        return competitions.close_league(actor=request.user, league=found(request.user, League, slug=slug))


class Presets(Api):
    tag = "leagues"

    @operation("list_presets", gives=shapes.PresetsShape)
    def get(self, request: Request, slug: str) -> Data:
        """Ready-made ways to play a season of this league."""
        return {"presets": presets.for_game(found(request.user, League, slug=slug).game)}


class Seasons(Api):
    tag = "leagues"

    @operation("list_seasons", gives=shapes.SeasonShape, pages="-pk")
    def get(self, request: Request, slug: str) -> QuerySet[Season]:
        """The seasons of a league, the latest first; one being set up is there for organisers alone."""
        league = found(request.user, League, slug=slug)
        rows = Season.objects.filter(league=league).select_related("league")
        return rows if runs(request.user, league) else rows.exclude(status=Season.Status.DRAFT)

    @operation("add_season", takes=shapes.NewSeasonTerms, gives=shapes.SeasonShape, scope=Scope.ORGANISE, status=201)
    def post(self, request: PersonRequest, slug: str, data: Data) -> Season:
        """The next season: from a preset, empty, or like the last one."""
        league = found(request.user, League, slug=slug)
        asking = {"ask_until": data["ask_until"], "keep_silent": data["keep_silent"]}
        match data["preset"]:
            case "empty":
                return competitions.add_season(actor=request.user, league=league, name=data["name"])
            case "go-on":
                return carry.go_on(actor=request.user, league=league, name=data["name"], **asking)
            case preset:
                access.require(request.user, Permission.ORGANISE, league)
                return presets.set_up(actor=request.user, league=league, preset=preset, name=data["name"])


class OneSeason(Api):
    tag = "seasons"

    @operation("read_season", gives=shapes.SeasonShape)
    def get(self, request: Request, pk: int) -> Season:
        """A season."""
        return found(request.user, Season, pk=pk)

    @operation("edit_season", takes=shapes.SeasonTerms, gives=shapes.SeasonShape, scope=Scope.ORGANISE)
    def patch(self, request: PersonRequest, pk: int, data: Data) -> Season:
        """Change some of a season’s terms; most of them only until it starts."""
        return competitions.edit_season(actor=request.user, season=found(request.user, Season, pk=pk), **data)

    @operation("delete_season", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, pk: int) -> None:
        """Delete a season that is still being set up."""
        competitions.delete_draft(actor=request.user, season=found(request.user, Season, pk=pk))


class TieBreaks(Api):
    tag = "seasons"

    @operation("change_tie_breaks", takes=shapes.TieBreakTerms, gives=shapes.SeasonShape, scope=Scope.ORGANISE)
    def put(self, request: PersonRequest, pk: int, data: Data) -> Season:
        """The list that decides level places, in order."""
        season = found(request.user, Season, pk=pk)
        return competitions.change_tie_breaks(actor=request.user, season=season, codes=data["tie_breaks"])


class OpenSeason(Api):
    tag = "seasons"

    @operation("open_season", gives=shapes.SeasonShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Season:
        """Open a season for entries."""
        return competitions.open_registration(actor=request.user, season=found(request.user, Season, pk=pk))


class CheckInAll(Api):
    tag = "seasons"

    @operation("check_in_all", gives=shapes.SeasonShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Season:
        """Check everybody in who has entered and not checked in yet."""
        season = found(request.user, Season, pk=pk)
        enrol.check_in_all(actor=request.user, season=season)
        return season


class StartSeason(Api):
    tag = "seasons"

    @operation("start_season", takes=shapes.StartTerms, gives=shapes.SeasonShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Season:
        """Entries close, the first stages begin."""
        return draw.start(actor=request.user, season=found(request.user, Season, pk=pk), **data)


class Log(Api):
    tag = "seasons"

    @operation("read_season_log", gives=shapes.SeasonLineShape, pages="-pk", private=True)
    def get(self, request: PersonRequest, pk: int) -> Any:
        """All that was decided in a season, the latest first; for organisers."""
        season = found(request.user, Season, pk=pk)
        access.require(request.user, Permission.ORGANISE, season)
        entries = AuditEntry.objects.filter(object_type="leagues.season", object_id=str(season.pk))
        return Lines(entries.select_related("actor", "person"), season)


class Lines:
    """Entries of a log, a page at a time, each with its words and what would undo it."""

    def __init__(self, rows: QuerySet[AuditEntry], season: Season) -> None:
        self.rows, self.season = rows, season

    def order_by(self, *order: str) -> "Lines":
        return Lines(self.rows.order_by(*order), self.season)

    def filter(self, **where: Any) -> "Lines":
        return Lines(self.rows.filter(**where), self.season)

    def __getitem__(self, part: slice) -> list[Any]:
        entries: list[Any] = list(self.rows[part])
        known = Undoable.objects.filter(season=self.season, entry__in=entries, undone_at=None)
        undo = dict(known.values_list("entry_id", "pk"))
        for entry, line in zip(entries, audit.in_words(entries)):
            entry.words, entry.undo = line.words, undo.get(entry.pk)
        return entries


class Undo(Api):
    tag = "seasons"

    @operation("undo_decision", scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int, undoable: int) -> None:
        """Take back what was decided; `undo` in the log says what can be."""
        season = found(request.user, Season, pk=pk)
        access.require(request.user, Permission.ORGANISE, season)
        row = get_object_or_404(Undoable.objects.select_related("entry"), season=season, pk=undoable)
        undoing.undo(actor=request.user, undoable=row)


class Formats(Api):
    tag = "leagues"

    @operation("list_formats", gives=shapes.FormatsShape)
    def get(self, request: Request) -> Data:
        """The formats that stages can be played in, with their settings."""
        return {"formats": [_told(one) for one in catalogue.FORMATS.values()]}


def _told(one: catalogue.Format) -> Data:
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
            }
            for setting in one.settings
        ],
    }
