"""A club's own card files, and what is on the cards of a game or of a table."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

import engine
from accounts import access
from accounts.access import Permission
from accounts.infra.errors import Refused
from accounts.models import Club, User
from accounts.views.common import PersonRequest, flash_outcome, form_data
from games import card_files
from games.catalogue import texts
from games.forms import CardFileForm
from games.models import CardFile
from games.titles import game_title
from games.views.common import match_or_404


@require_http_methods(["GET", "HEAD", "POST"])
def index(request: HttpRequest, slug: str) -> HttpResponse:
    """The versions of a club's cards, and for organisers the form for a new one."""
    club = get_object_or_404(Club, slug=slug)
    access.require(request.user, Permission.SEE_CLUB, club)
    form = CardFileForm(form_data(request), request.FILES or None)
    if request.method != "POST":
        return _show(request, club, form)
    if not isinstance(request.user, User):
        return redirect_to_login(request.path)
    access.require(request.user, Permission.EDIT_CLUB, club)
    return _upload(request, request.user, club, form)


def _upload(request: HttpRequest, person: User, club: Club, form: CardFileForm) -> HttpResponse:
    if form.is_valid():
        given = {name: form.cleaned_data[name] for name in ("game", "title")}
        try:
            made = card_files.upload(actor=person, club=club, content=form.content, **given)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            words = _("Version %(number)s can be chosen for tables and seasons.")
            messages.success(request, words % {"number": made.number})
            return redirect("games:card-files", club.slug)
    return _show(request, club, form, status=422)


def _show(request: HttpRequest, club: Club, form: CardFileForm, status: int = 200) -> HttpResponse:
    context = {
        "club": club,
        "can": access.allowed(request.user, club),
        "files": CardFile.objects.filter(club=club).defer("source").select_related("club", "uploaded_by"),
        "games": card_files.games_with_card_files(),
        "form": form,
        "most": card_files.MAX_BYTES // 1024,
    }
    return render(request, "games/card_files.html", context, status=status)


@require_safe
def page(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """What is on the cards of one version."""
    card_file = _seen(request, slug, pk)
    parts = texts.listing(get_language() or "en", card_file.document)
    context = {"card_file": card_file, "club": card_file.club, "title": card_file.game_title, "parts": parts}
    return render(request, "games/cards.html", context)


@require_safe
def download(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    card_file = _seen(request, slug, pk)
    return _as_file(card_file.source, f"{card_file.game}-{card_file.number}.json")


@login_required
@require_POST
def offer(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    card_file, on = _of_club(slug, pk), request.POST.get("on") == "1"
    withdrawn = _("It is withdrawn. Matches and seasons that use it keep it.")
    with flash_outcome(request, _("It can be chosen again.") if on else withdrawn):
        card_files.set_offered(actor=request.user, card_file=card_file, on=on)
    return redirect("games:card-files", slug)


@login_required
@require_POST
def delete(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    with flash_outcome(request, _("The version is deleted.")):
        card_files.delete(actor=request.user, card_file=_of_club(slug, pk))
    return redirect("games:card-files", slug)


@require_safe
def of_game(request: HttpRequest, game: str) -> HttpResponse:
    """What is on the cards that come with the site, and where they are stand-ins of ours."""
    if game not in engine.GAMES:
        raise Http404
    rules = engine.game(game)
    parts = texts.listing(get_language() or "en", texts.built_in(game))
    return render(request, "games/cards.html", {"title": game_title(rules.name), "game": rules, "parts": parts})


@require_safe
def file_of_game(request: HttpRequest, game: str) -> HttpResponse:
    """The card file that comes with the site, to correct it."""
    source = engine.game(game).own_card_file() if game in engine.GAMES else ""
    if not source:
        raise Http404
    return _as_file(source, f"{game}.json")


@require_safe
def of_table(request: HttpRequest, key: str) -> HttpResponse:
    """What is on the cards of one table."""
    match = match_or_404(request, key)
    if match.card_file is None:
        return redirect("games:cards", match.game)
    parts = texts.listing(get_language() or "en", match.card_file.document)
    context = {"title": match.title, "card_file": match.card_file, "match": match, "parts": parts}
    return render(request, "games/cards.html", context)


def _of_club(slug: str, pk: int) -> CardFile:
    return get_object_or_404(CardFile.objects.select_related("club"), club__slug=slug, pk=pk)


def _seen(request: HttpRequest, slug: str, pk: int) -> CardFile:
    card_file = _of_club(slug, pk)
    access.require(request.user, Permission.SEE_CLUB, card_file.club)
    return card_file


def _as_file(source: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(source, content_type="application/json", headers=headers)
