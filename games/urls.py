from django.urls import path

from games.views import after, lobby, move, seats, table, talk, words

app_name = "games"

urlpatterns = [
    path("", lobby.page, name="lobby"),
    path("list/", lobby.listing, name="listing"),
    path("turns/", lobby.turns, name="turns"),
    path("new/", lobby.new, name="new"),
    path("now/<slug:game>/", lobby.play_now, name="play-now"),
    path("words/<slug:game>.<str:language>.<slug:version>.json", words.of_game, name="words"),
    path("reports/", talk.reports, name="reports"),
    path("reports/<int:pk>/", talk.settle, name="report-settle"),
    path("mute/", talk.mute, name="mute"),
    path("<slug:key>/", table.page, name="table"),
    path("<slug:key>/places/", table.places, name="places"),
    path("<slug:key>/state/", move.state, name="state"),
    path("<slug:key>/move/", move.play, name="move"),
    path("<slug:key>/sit/", seats.sit, name="sit"),
    path("<slug:key>/stand-up/", seats.stand_up, name="stand-up"),
    path("<slug:key>/role/", seats.role, name="role"),
    path("<slug:key>/word/", seats.word, name="word"),
    path("<slug:key>/bot/", seats.bot, name="bot"),
    path("<slug:key>/clear/", seats.clear, name="clear"),
    path("<slug:key>/start/", seats.start, name="start"),
    path("<slug:key>/call-off/", seats.call_off, name="call-off"),
    path("<slug:key>/resign/", seats.resign, name="resign"),
    path("<slug:key>/come-back/", seats.come_back, name="come-back"),
    path("<slug:key>/rematch/", seats.rematch, name="rematch"),
    path("<slug:key>/talk.json", talk.heard, name="talk"),
    path("<slug:key>/say/", talk.say, name="say"),
    path("<slug:key>/report/", talk.report, name="report"),
    path("<slug:key>/replay/", after.replay, name="replay"),
    path("<slug:key>/replay.json", after.plies, name="plies"),
    path("<slug:key>/transcript.json", after.transcript, name="transcript"),
    path("<slug:key>/verify/", after.verify, name="verify"),
    path("<slug:key>/card.png", after.card, name="card"),
]
