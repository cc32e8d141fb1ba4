"""Where the API is: each app brings its own operations, and whatever else is asked for is a problem of its own."""

from django.urls import include, path

import accounts.api
import games.api
import games.api.bot
import leagues.api
from accounts.rest.views import not_found
from deploy import apidocs, openapi

app_name = "api"

urlpatterns = [
    path("v1/", include(accounts.api.urlpatterns)),
    path("v1/", include(games.api.bot.urlpatterns)),
    path("v1/", include(games.api.urlpatterns)),
    path("v1/", include(leagues.api.urlpatterns)),
    path("docs/", apidocs.index, name="docs"),
    path("docs/<slug:tag>/", apidocs.chapter, name="chapter"),
    path("v1/schema/", openapi.serve, name="schema"),
    path("<path:rest>", not_found),
    path("", not_found),
]
