"""The house's own pages: the front door, the rooms that are still empty, and the last resort."""

from dataclasses import dataclass

from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseServerError
from django.shortcuts import render
from django.template import loader
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from accounts import notices
from accounts.models import Club, Role, User
from accounts.rest import problems
from deploy.preferences import theme_of_cookie
from leagues import agenda

CLUBS_ON_THE_DOOR = 6
NEWS_ON_THE_DOOR = 5


@dataclass(frozen=True)
class Step:
    """Something a member could do next."""

    title: str
    why: str
    path: str


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    if isinstance(request.user, User):
        return _members_home(request, request.user)
    clubs = Club.objects.open().annotate(size=Count("memberships")).order_by("-size", "name", "pk")
    return render(request, "home_visitor.html", {"clubs": clubs[:CLUBS_ON_THE_DOOR]})


def _members_home(request: HttpRequest, person: User) -> HttpResponse:
    memberships = list(
        person.memberships.select_related("club")
        .filter(club__closed_at=None)
        .annotate(size=Count("club__memberships"))
        .order_by("joined_at", "pk")
    )
    unread = person.notices.filter(read_at=None).select_related("actor", "club")[:NEWS_ON_THE_DOOR]
    alone = [one.club for one in memberships if one.role == Role.OWNER and one.size == 1]
    context = {
        "memberships": memberships,
        "news": [{"notice": notice, "words": notices.words(notice)} for notice in unread],
        "steps": next_steps(person, alone_in=alone),
        "games": agenda.everywhere(person),
    }
    return render(request, "home_member.html", context)


def next_steps(person: User, *, alone_in: list[Club]) -> list[Step]:
    steps = []
    if not person.display_name:
        steps.append(
            Step(
                title=_("Say what you are called"),
                why=_("Others see only your handle so far."),
                path=reverse("accounts:settings"),
            )
        )
    for club in alone_in:
        steps.append(
            Step(
                title=_("Invite people to %(club)s") % {"club": club.name},
                why=_("You are alone in it. A link is enough to let somebody in."),
                path=reverse("accounts:club-manage", args=[club.slug]) + "#invite",
            )
        )
    return steps


def server_error(request: HttpRequest) -> HttpResponse:
    """Rendered without context processors: the database may be what broke."""
    if request.path.startswith("/api/"):
        return problems.plain("internal")
    page = loader.get_template("500.html").render({"theme": theme_of_cookie(request)})
    return HttpResponseServerError(page)
