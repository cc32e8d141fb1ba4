from django.urls import path

from games.views import puzzles

app_name = "puzzles"

urlpatterns = [
    path("", puzzles.index, name="index"),
    path("next/", puzzles.next_one, name="next"),
    path("history/", puzzles.history, name="history"),
    path("<int:pk>/", puzzles.page, name="puzzle"),
    path("<int:pk>/answer/", puzzles.answer, name="answer"),
]
