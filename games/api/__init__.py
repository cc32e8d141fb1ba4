"""Tables and matches for programs: the same verbs and the same views as the pages and sockets."""

from django.urls import path

import accounts.urls  # noqa: F401 - it registers what a handle looks like
from games.api import after, catalogue, matches, seats, tables, talk

urlpatterns = [
    path("games/", catalogue.Games.as_view(), name="games"),
    path("games/<slug:game>/words/", catalogue.Words.as_view(), name="words"),
    path("tables/", tables.Tables.as_view(), name="tables"),
    path("tables/now/", tables.PlayNow.as_view(), name="play-now"),
    path("tables/<slug:key>/", tables.Table.as_view(), name="table"),
    path("tables/<slug:key>/sit/", seats.Sit.as_view(), name="sit"),
    path("tables/<slug:key>/stand-up/", seats.StandUp.as_view(), name="stand-up"),
    path("tables/<slug:key>/role/", seats.Role.as_view(), name="role"),
    path("tables/<slug:key>/word/", seats.Word.as_view(), name="word"),
    path("tables/<slug:key>/bot/", seats.Bot.as_view(), name="bot"),
    path("tables/<slug:key>/clear/", seats.Clear.as_view(), name="clear"),
    path("tables/<slug:key>/start/", seats.Start.as_view(), name="start"),
    path("tables/<slug:key>/call-off/", seats.CallOff.as_view(), name="call-off"),
    path("matches/<slug:key>/", matches.State.as_view(), name="match"),
    path("matches/<slug:key>/legal/", matches.Legal.as_view(), name="legal"),
    path("matches/<slug:key>/moves/", matches.Moves.as_view(), name="moves"),
    path("matches/<slug:key>/undo/", matches.Undo.as_view(), name="undo"),
    path("matches/<slug:key>/resign/", matches.Resign.as_view(), name="resign"),
    path("matches/<slug:key>/come-back/", matches.ComeBack.as_view(), name="come-back"),
    path("matches/<slug:key>/rematch/", after.Rematch.as_view(), name="rematch"),
    path("matches/<slug:key>/plies/", after.Plies.as_view(), name="plies"),
    path("matches/<slug:key>/transcript/", after.Transcript.as_view(), name="transcript"),
    path("matches/<slug:key>/verification/", after.Verification.as_view(), name="verification"),
    path("matches/<slug:key>/talk/", talk.Talk.as_view(), name="talk"),
    path("matches/<slug:key>/talk/<int:pk>/report/", talk.ReportLine.as_view(), name="report"),
    path("me/mutes/", talk.Mutes.as_view(), name="mutes"),
    path("me/mutes/<handle:handle>/", talk.OneMute.as_view(), name="mute"),
    path("reports/", talk.Reports.as_view(), name="reports"),
    path("reports/<int:pk>/settle/", talk.Settle.as_view(), name="report-settle"),
]
