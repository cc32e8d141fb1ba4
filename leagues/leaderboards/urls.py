from django.urls import path

import accounts.urls  # noqa: F401 - registers the `handle` converter
from leagues.leaderboards import insight_views, views

app_name = "boards"

urlpatterns = [
    path("", views.index, name="index"),
    path("between/<handle:left>/<handle:right>/", views.two, name="between"),
    path("changes/<int:pk>/", views.change, name="change"),
    path("matches/<slug:key>/", views.of_match, name="match"),
    path("<slug:game>/", views.page, name="board"),
    path("<slug:game>/embed/", views.embed, name="embed"),
    path("<slug:game>/board.json", views.as_json, name="json"),
    path("<slug:game>/board.csv", views.as_csv, name="csv"),
    path("<slug:game>/board.<slug:kind>", insight_views.board_picture, name="picture"),
    path("<slug:game>/<slug:insight>/", insight_views.page, name="insight"),
    path("<slug:game>/<slug:insight>.<slug:kind>", insight_views.file, name="insight-file"),
]
