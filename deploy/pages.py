"""The home pages of visitors and members, and the error page."""

import json
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.decorators import login_required
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template import loader
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import trials
from accounts.infra.rest import problems
from accounts.models import Club, Role, User
from accounts.notifications import registry
from accounts.views.common import PersonRequest, confirm_identity, open_to_trials
from deploy.own_data import own_data as collect_own_data
from deploy.preferences import theme_of_cookie
from leagues.seasons import desk
from leagues.seasons import next_steps as seasons_next_steps

MAX_CLUBS = 6
MAX_NOTICES = 5


@dataclass(frozen=True)
class Step:
    """Something a member could do next."""

    title: str
    why: str
    path: str


@require_safe
@open_to_trials
def home(request: HttpRequest) -> HttpResponse:
    if isinstance(request.user, User) and request.user.is_active:
        return _members_home(request, request.user)
    clubs = Club.objects.open().seen_by(None).annotate(size=Count("memberships")).order_by("-size", "name", "pk")
    context = {"clubs": clubs[:MAX_CLUBS], "trials_offered": trials.are_offered()}
    return render(request, "home_visitor.html", context)


def _members_home(request: HttpRequest, person: User) -> HttpResponse:
    memberships: list[Any] = list(
        person.memberships.select_related("club")
        .filter(club__closed_at=None)
        .annotate(size=Count("club__memberships"))
        .order_by("joined_at", "pk")
    )
    unread = person.notices.filter(read_at=None).select_related("actor", "club")[:MAX_NOTICES]
    decisions = desk.decisions(person)
    alone = [one.club for one in memberships if one.role == Role.OWNER and one.size == 1]
    context = {
        "memberships": memberships,
        "news": registry.render_all(unread),
        "steps": next_steps(person, alone_in=alone),
        "games": seasons_next_steps.next_steps_everywhere(person),
        "decisions": decisions[: desk.SHOWN_AT_HOME],
        "more_decisions": max(len(decisions) - desk.SHOWN_AT_HOME, 0),
    }
    return render(request, "home_member.html", context)


def next_steps(person: User, *, alone_in: list[Club]) -> list[Step]:
    steps = []
    if not person.display_name:
        steps.append(
            Step(
                title=_("Add your name"),
                why=_("Others see only your handle so far."),
                path=reverse("accounts:settings"),
            )
        )
    for club in alone_in:
        steps.append(
            Step(
                title=_("Invite people to %(club)s") % {"club": club.name},
                why=_("You are the only member. Send a link to invite others."),
                path=reverse("accounts:club-manage", args=[club.slug]) + "#invite",
            )
        )
    return steps


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@confirm_identity
def own_data(request: PersonRequest) -> HttpResponse:
    """What the site stores about the reader; sent as a file when they ask for it."""
    if request.method != "POST":
        return render(request, "accounts/own_data.html")
    body = json.dumps(collect_own_data(request.user), ensure_ascii=False, indent=2, default=str)
    response = HttpResponse(body, content_type="application/json; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="gauntlet-{request.user.handle}.json"'
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """Rendered without context processors: the database may be the cause."""
    if request.path.startswith("/api/"):
        return problems.plain("internal")
    page = loader.get_template("500.html").render({"theme": theme_of_cookie(request)})
    return HttpResponseServerError(page)
