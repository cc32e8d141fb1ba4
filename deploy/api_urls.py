"""URLs of the API: each app brings its own operations; any other path is a "not found" problem."""

from django.urls import include, path

from accounts.infra.rest.views import not_found
from deploy import api_docs, openapi

app_name = "api"

urlpatterns = [
    path("v1/", include("accounts.api.urls")),
    path("v1/", include("games.api.bot_client")),
    path("v1/", include("games.api.urls")),
    path("v1/", include("leagues.api.urls")),
    path("docs/", api_docs.index, name="docs"),
    path("docs/<slug:tag>/", api_docs.chapter, name="chapter"),
    path("v1/schema/", openapi.serve, name="schema"),
    path("<path:rest>", not_found),
    path("", not_found),
]
