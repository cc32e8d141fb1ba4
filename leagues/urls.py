from django.urls import path, register_converter
from django.urls.converters import StringConverter

from leagues.views import (
    archives,
    closing,
    corrections,
    directory,
    disputes,
    divisions,
    door,
    embeds,
    entries,
    evening,
    files,
    founding,
    log,
    meeting,
    paper,
    rounds,
    season,
    seeding,
    settings,
    stages,
    standings,
    table,
)

app_name = "leagues"


class TableKey(StringConverter):
    """The key of a table of a competition: longer than any number of a season, so the two never meet."""

    regex = "[A-Za-z0-9_-]{8,16}"


register_converter(TableKey, "tablekey")

SEASON = "<slug:slug>/<int:number>/"

urlpatterns = [
    path("", directory.index, name="index"),
    path("clubs/<slug:club>/new/", founding.found, name="new"),
    path("tables/<tablekey:key>/", table.page, name="table"),
    path("tables/<tablekey:key>/report/", table.report, name="report"),
    path("tables/<tablekey:key>/here/", table.here, name="here"),
    path("tables/<tablekey:key>/answer/", table.answer, name="answer"),
    path("tables/<tablekey:key>/place/", table.place, name="place"),
    path("tables/<tablekey:key>/code.svg", table.code, name="code"),
    path("tables/<tablekey:key>/settle/", disputes.settle, name="settle"),
    path("tables/<tablekey:key>/correct/", corrections.correct, name="correct"),
    path("tables/<tablekey:key>/void/", corrections.void, name="void"),
    path("tables/<tablekey:key>/forfeit/", corrections.forfeit, name="forfeit"),
    path("clubs/<slug:club>/import/", archives.hand_in, name="archive-import"),
    path("<slug:slug>/export/league.zip", archives.export, name="archive"),
    path("files/<tablekey:key>/", files.upload, name="upload"),
    path("files/<tablekey:key>/import/", files.confirm, name="upload-import"),
    path("<slug:slug>/", directory.league, name="league"),
    path("<slug:slug>/edit/", founding.edit, name="league-edit"),
    path("<slug:slug>/new/", founding.season, name="season-new"),
    path(SEASON, season.hub, name="season"),
    path(f"{SEASON}settings/", settings.page, name="settings"),
    path(f"{SEASON}settings/tie-breaks/", settings.tie_breaks, name="tie-breaks"),
    path(f"{SEASON}open/", settings.open_entries, name="open"),
    path(f"{SEASON}delete/", settings.delete, name="delete"),
    path(f"{SEASON}start/", rounds.start, name="start"),
    path(f"{SEASON}divisions/new/", divisions.new, name="division-new"),
    path(f"{SEASON}divisions/<int:pk>/", divisions.edit, name="division-edit"),
    path(f"{SEASON}divisions/<int:pk>/remove/", divisions.remove, name="division-remove"),
    path(f"{SEASON}divisions/<int:pk>/seeding/", seeding.page, name="seeding"),
    path(f"{SEASON}divisions/<int:pk>/stages/new/", stages.new, name="stage-new"),
    path(f"{SEASON}stages/<int:pk>/", stages.edit, name="stage-edit"),
    path(f"{SEASON}stages/<int:pk>/remove/", stages.remove, name="stage-remove"),
    path(f"{SEASON}stages/<int:pk>/draw/", rounds.draw_next, name="draw"),
    path(f"{SEASON}stages/<int:pk>/draw-all/", rounds.draw_all, name="draw-all"),
    path(f"{SEASON}stages/<int:pk>/finish/", closing.finish, name="stage-finish"),
    path(f"{SEASON}stages/<int:pk>/challenge/", meeting.challenge, name="challenge"),
    path(f"{SEASON}stages/<int:pk>/wait/", meeting.wait, name="wait"),
    path(f"{SEASON}challenges/<int:pk>/answer/", meeting.answer, name="challenge-answer"),
    path(f"{SEASON}entries/", entries.page, name="entries"),
    path(f"{SEASON}entries/sign-up/", entries.sign_up, name="sign-up"),
    path(f"{SEASON}entries/<int:pk>/", entries.change, name="entry"),
    path(f"{SEASON}entries/<int:pk>/bye/", entries.bye, name="bye"),
    path(f"{SEASON}divisions/<int:pk>/add/<slug:what>/", entries.add, name="add"),
    path(f"{SEASON}door/", door.page, name="door"),
    path(f"{SEASON}rounds/", rounds.index, name="rounds"),
    path(f"{SEASON}rounds/<int:pk>/", rounds.page, name="round"),
    path(f"{SEASON}rounds/<int:pk>/step/", rounds.step, name="round-step"),
    path(f"{SEASON}rounds/<int:pk>/sheet/", rounds.sheet, name="sheet"),
    path(f"{SEASON}rounds/<int:pk>/results/", evening.page, name="evening"),
    path(f"{SEASON}disputes/", disputes.queue, name="disputes"),
    path(f"{SEASON}standings/", standings.index, name="standings-index"),
    path(f"{SEASON}stages/<int:pk>/standings/", standings.page, name="standings"),
    path(f"{SEASON}stages/<int:pk>/standings/<int:entrant>/<slug:code>/", standings.explain, name="breakdown"),
    path(f"{SEASON}log/", log.page, name="log"),
    path(f"{SEASON}log/<int:pk>/undo/", log.undo, name="undo"),
    path(f"{SEASON}close/", closing.close, name="close"),
    path(f"{SEASON}files/", files.page, name="files"),
    path(f"{SEASON}files/import/<slug:kind>/", files.hand_in, name="hand-in"),
    path(f"{SEASON}export/<slug:what>.<slug:ending>", files.export, name="export"),
    path(f"{SEASON}stages/<int:pk>/export/<slug:what>.<slug:ending>", files.export, name="stage-export"),
    path(f"{SEASON}print/standings/", paper.standings, name="print-standings"),
    path(f"{SEASON}print/rounds/<int:pk>/", paper.pairings, name="print-pairings"),
    path(f"{SEASON}embed/standings/", embeds.standings, name="embed-standings"),
    path(f"{SEASON}embed/matches/", embeds.matches, name="embed-matches"),
]
