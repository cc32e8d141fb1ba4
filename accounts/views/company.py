"""People one plays with: whom one follows and blocks, who is here, and messages."""

from typing import Any

from django.contrib import messages as flash
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import access, follows, messages, presence
from accounts.access import Actor, Permission
from accounts.infra.errors import Refused
from accounts.models import MessageReport, User
from accounts.models.acquaintance import MAX_MESSAGE_LENGTH
from accounts.views.common import PersonRequest, flash_outcome, paginate, posted_text

MESSAGES_A_PAGE = 50
PEOPLE_SHOWN = 200


def person_or_404(handle: str) -> User:
    return get_object_or_404(User, handle__iexact=handle, is_active=True)


@login_required
@never_cache
@require_safe
def index(request: PersonRequest) -> HttpResponse:
    """The people of this reader, friends who are here first."""
    person = request.user
    friends = follows.friend_ids(person)
    here = presence.people_here(friends)
    followed = [row.followed for row in follows.followed_by(person)[:PEOPLE_SHOWN]]
    followed.sort(key=lambda each: (each.pk not in here, each.pk not in friends, each.name.casefold()))
    context = {
        "followed": [
            {"person": each, "is_friend": each.pk in friends, "is_here": each.pk in here} for each in followed
        ],
        "followers": [row.user for row in follows.followers_of(person)[:PEOPLE_SHOWN] if row.user_id not in friends],
        "blocked": [row.blocked for row in follows.blocked_by(person)[:PEOPLE_SHOWN]],
        "unread": messages.unread_count(person),
    }
    return render(request, "accounts/company/index.html", context)


@login_required
@require_POST
def follow(request: PersonRequest, handle: str) -> HttpResponse:
    """Follow somebody, or with `off` no more."""
    other = person_or_404(handle)
    off = bool(request.POST.get("off"))
    done = _("You do not follow %(name)s any more.") if off else _("You follow %(name)s.")
    with flash_outcome(request, done % {"name": other.name}):
        if off:
            follows.unfollow(person=request.user, other=other)
        else:
            follows.follow(person=request.user, other=other)
    return redirect(other)


@login_required
@require_POST
def block(request: PersonRequest, handle: str) -> HttpResponse:
    """Block somebody, or with `off` no more."""
    other = person_or_404(handle)
    off = bool(request.POST.get("off"))
    done = _("%(name)s is not blocked any more.") if off else _("You have blocked %(name)s.")
    with flash_outcome(request, done % {"name": other.name}):
        (follows.unblock if off else follows.block)(person=request.user, other=other)
    return redirect(other)


@login_required
@never_cache
@require_safe
def inbox(request: PersonRequest) -> HttpResponse:
    """The last message with everybody."""
    return render(request, "accounts/company/inbox.html", {"rows": messages.conversations(request.user)})


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def conversation(request: PersonRequest, handle: str) -> HttpResponse:
    """What two people have written to each other, and a form to go on."""
    person, other = request.user, person_or_404(handle)
    if other == person:
        return redirect("accounts:messages")
    words, refusal = "", ""
    if request.method == "POST":
        words = posted_text(request, "text")
        try:
            messages.write(person=person, to=other, text=words)
            return redirect("accounts:conversation", other.handle)
        except Refused as refused:
            refusal = refused.message
    messages.read(person=person, other=other)
    page = paginate(messages.between(person, other).order_by("-pk"), request, MESSAGES_A_PAGE)
    context = {
        "other": other,
        "page": page,
        "lines": list(page)[::-1],
        "may_write": follows.may_write(person, other),
        "is_here": other.pk in presence.people_here(follows.friend_ids(person) & {other.pk}),
        "words": words,
        "refusal": refusal,
        "most": MAX_MESSAGE_LENGTH,
    }
    return render(request, "accounts/company/conversation.html", context, status=422 if refusal else 200)


@login_required
@require_POST
def report(request: PersonRequest, handle: str, pk: int) -> HttpResponse:
    """Show a message that one has got to the site's staff."""
    other = person_or_404(handle)
    message = get_object_or_404(messages.between(request.user, other), pk=pk)
    with flash_outcome(request, _("Thank you: somebody will look at it.")):
        messages.report(person=request.user, message=message, reason=posted_text(request, "reason"))
    return redirect("accounts:conversation", other.handle)


@login_required
@require_POST
def decide_report(request: PersonRequest, pk: int) -> HttpResponse:
    access.require(request.user, Permission.RUN_SITE)
    reported = get_object_or_404(MessageReport, pk=pk)
    messages.decide_report(person=request.user, report=reported, remove=bool(request.POST.get("remove")))
    flash.success(request, _("The report is settled."))
    return redirect("games:reports")


def acquaintance(reader: Actor, person: User) -> dict[str, Any] | None:
    """What a person's page offers to its reader: follow, challenge, write, block; None for oneself and visitors."""
    if not isinstance(reader, User) or not reader.is_active or reader == person or not person.reads_notices:
        return None
    following, followed_back = follows.is_following(reader, person), follows.is_following(person, reader)
    friends = following and followed_back
    return {
        "follows": following,
        "follows_back": followed_back,
        "is_here": friends and person.pk in presence.people_here([person.pk]),
        "may_challenge": follows.may_challenge(reader, person),
        "may_write": follows.may_write(reader, person),
        "blocks": reader.blocks.filter(blocked=person).exists(),
    }
