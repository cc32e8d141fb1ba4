from django.urls import include, path

from deploy import health, metrics, pages, preferences

handler500 = "deploy.pages.server_error"

urlpatterns = [
    path("", pages.home, name="home"),
    path("play/", include("games.urls")),
    path("leagues/", include("leagues.urls")),
    path("calendar/", include("leagues.scheduling.urls")),
    path("leaderboards/", include("leagues.boards.urls")),
    path("api/", include("deploy.api")),
    path("theme/", preferences.set_theme, name="set_theme"),
    path("language/", preferences.set_language, name="set_language"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    path("accounts/", include("allauth.urls")),
    path("", include("accounts.urls")),
]
