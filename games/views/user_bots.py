"""Pages for a user's bots, and challenges at a table."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.infra.errors import Refused
from accounts.views.common import PersonRequest, flash_outcome, form_data, form_of, posted_text
from games import access
from games.models import BotChallenge, BotFault, Match, OwnBot
from games.user_bots import challenges, events
from games.user_bots import service as user_bots
from games.user_bots.forms import BotForm, NewBotForm
from games.views.common import match_or_404
from games.views.seats import at_the_table

FAULTS_SHOWN = 30


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def index(request: PersonRequest) -> HttpResponse:
    """The user's bots. The key of a new one is in the response to its form, and never shown again."""
    form = NewBotForm(form_data(request))
    if form.is_valid():
        try:
            made = user_bots.create(owner=request.user, **form.cleaned_data)
        except Refused as refused:
            form.add_error("handle", refused.message)
        else:
            messages.success(request, _("Your bot has an account."))
            return _show(request, made.bot, secret=made.secret)
    mine = OwnBot.objects.filter(owner=request.user).select_related("user")
    rows = [{"bot": bot, "is_listening": events.is_listening(bot)} for bot in mine]
    context = {"form": form, "rows": rows, "most": user_bots.MAX_BOTS}
    return render(request, "games/user_bots/list.html", context, status=422 if form.is_bound else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: PersonRequest, pk: int) -> HttpResponse:
    bot = _own(request, pk)
    form = BotForm(form_data(request), bot=bot)
    if form.is_valid():
        with flash_outcome(request, _("The bot is saved.")):
            user_bots.edit(owner=request.user, bot=bot, **form.cleaned_data)
        return redirect("games:own-bot", pk)
    return _show(request, bot, form=form)


@login_required
@form_of("games:own-bot", "pk")
@never_cache
def key(request: PersonRequest, pk: int) -> HttpResponse:
    made = user_bots.new_key(owner=request.user, bot=_own(request, pk))
    return _show(request, made.bot, secret=made.secret)


@login_required
@require_POST
def switch(request: PersonRequest, pk: int) -> HttpResponse:
    on = request.POST.get("on") == "1"
    with flash_outcome(request, _("The bot is on.") if on else _("The bot is off.")):
        user_bots.switch(owner=request.user, bot=_own(request, pk), on=on)
    return redirect("games:own-bot", pk)


def _show(request: PersonRequest, bot: OwnBot, *, form: BotForm | None = None, secret: str = "") -> HttpResponse:
    running = Match.objects.filter(seats__user=bot.user, status=Match.Status.PLAYING).order_by("-started_at")
    context: dict[str, Any] = {
        "bot": bot,
        "form": form or BotForm(None, bot=bot),
        "secret": secret,
        "is_listening": events.is_listening(bot),
        "faults": BotFault.objects.filter(bot=bot).select_related("match")[:FAULTS_SHOWN],
        "running": running[:FAULTS_SHOWN],
        "address": request.build_absolute_uri("/"),
    }
    wrong = form is not None and form.is_bound
    return render(request, "games/user_bots/detail.html", context, status=422 if wrong else 200)


def _own(request: PersonRequest, pk: int) -> OwnBot:
    """A bot of this user; 404 for others."""
    return get_object_or_404(OwnBot.objects.select_related("user", "owner"), pk=pk, owner=request.user)


@at_the_table
def challenge(request: PersonRequest, match: Match) -> None:
    bot = OwnBot.objects.filter(user__handle__iexact=posted_text(request, "bot")).first()
    if bot is None:
        access.require(request.user, access.Permission.HOST, match)
        raise Refused(_("There is no such bot."))
    challenges.challenge(person=request.user, match=match, bot=bot)
    messages.success(request, _("%(name)s is asked: it has a minute to answer.") % {"name": bot.user.name})


@login_required
@require_POST
def cancel(request: PersonRequest, key: str, pk: int) -> HttpResponse:
    match = match_or_404(request, key)
    challenge = get_object_or_404(BotChallenge.objects.select_related("match"), pk=pk, match=match)
    challenges.cancel(person=request.user, challenge=challenge)
    return redirect(match)
