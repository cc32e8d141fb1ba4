"""Forms at the table: seats, roles, seed words, start, resign, rematch."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.infra.errors import Refused
from accounts.infra.input import whole_number
from accounts.views.common import PersonRequest, open_to_trials
from games.models import Match
from games.tables import leaving, seating, setup
from games.tables import start as tables_start
from games.views.common import match_or_404

View = Callable[[PersonRequest, str], HttpResponse]


def at_the_table(verb: Callable[[PersonRequest, Match], Match | None]) -> View:
    """A view that does one thing at a table and redirects to it, with a message if it was refused.

    `games.access` decides what people who play without an account may do there.
    """

    @open_to_trials
    @login_required
    @require_POST
    def view(request: PersonRequest, key: str) -> HttpResponse:
        match = match_or_404(request, key)
        try:
            return redirect(verb(request, match) or match)
        except Refused as refused:
            messages.error(request, refused.message)
            return redirect(match)

    return view


def _place(request: PersonRequest) -> int | None:
    given = request.POST.get("index", "")
    return whole_number(given, maximum=999)


@at_the_table
def sit(request: PersonRequest, match: Match) -> None:
    seating.sit(person=request.user, match=match, wish=request.POST.get("wish", ""), index=_place(request))


@at_the_table
def stand_up(request: PersonRequest, match: Match) -> None:
    seating.stand_up(person=request.user, match=match)


@at_the_table
def role(request: PersonRequest, match: Match) -> None:
    seating.choose_role(person=request.user, match=match, wish=request.POST.get("wish", ""))


@at_the_table
def word(request: PersonRequest, match: Match) -> None:
    seating.add_word(person=request.user, match=match, word=request.POST.get("word", ""))


@at_the_table
def bot(request: PersonRequest, match: Match) -> None:
    seating.fill_with_bot(
        person=request.user,
        match=match,
        level=request.POST.get("level", ""),
        index=_place(request),
        wish=request.POST.get("wish", ""),
    )


@at_the_table
def fill(request: PersonRequest, match: Match) -> None:
    seating.fill_with_bots(person=request.user, match=match, level=request.POST.get("level", ""))


@at_the_table
def clear(request: PersonRequest, match: Match) -> None:
    index = _place(request)
    if index is not None:
        seating.clear_place(person=request.user, match=match, index=index)


@at_the_table
def start(request: PersonRequest, match: Match) -> None:
    tables_start.start(person=request.user, match=match)


@at_the_table
def call_off(request: PersonRequest, match: Match) -> None:
    tables_start.call_off(person=request.user, match=match)
    messages.success(request, _("The table is called off."))


@at_the_table
def resign(request: PersonRequest, match: Match) -> None:
    goes_on = leaving.resign(person=request.user, match=match)
    match.refresh_from_db(fields=["reason"])
    if match.is_called_off:
        messages.success(request, _("You have left: the match is called off."))
    elif goes_on:
        messages.success(request, _("You have resigned: a bot plays on in your place."))
    else:
        messages.success(request, _("You have resigned."))


@at_the_table
def come_back(request: PersonRequest, match: Match) -> None:
    leaving.come_back(person=request.user, match=match)
    messages.success(request, _("Welcome back: the seat is yours again."))


@at_the_table
def rematch(request: PersonRequest, match: Match) -> Match:
    step = {"harder": 1, "easier": -1}.get(request.POST.get("bots", ""), 0)
    return setup.rematch(person=request.user, match=match, step=step)
