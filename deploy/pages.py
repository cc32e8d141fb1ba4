"""The house's own pages: the front door, the rooms that are still empty, and the last resort."""

from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template import loader
from django.views.decorators.http import require_safe

from deploy.preferences import THEME_COOKIE


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    return render(request, "home.html")


@require_safe
def play(request: HttpRequest) -> HttpResponse:
    return render(request, "play.html")


@require_safe
def leagues(request: HttpRequest) -> HttpResponse:
    return render(request, "leagues.html")


@require_safe
def leaderboards(request: HttpRequest) -> HttpResponse:
    return render(request, "leaderboards.html")


def server_error(request: HttpRequest) -> HttpResponse:
    """Rendered without context processors: the database may be what broke."""
    page = loader.get_template("500.html").render({"theme": request.COOKIES.get(THEME_COOKIE, "auto")})
    return HttpResponseServerError(page)
