from django.urls import path

from games.views import rules

app_name = "rules"

urlpatterns = [
    path("", rules.index, name="index"),
    path("<slug:game>/", rules.of_game, name="game"),
]
