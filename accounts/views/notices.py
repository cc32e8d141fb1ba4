from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import choices, digests, kinds, letters, notices, people
from accounts.models import Notice
from accounts.notice_forms import ChoicesForm
from accounts.views.common import PersonRequest, page_of, posted

NOTICES_A_PAGE = 30


@login_required
@require_safe
def index(request: PersonRequest) -> HttpResponse:
    page = page_of(request.user.notices.select_related("actor", "club"), request, NOTICES_A_PAGE)
    rows = [{"notice": notice, "words": notices.words(notice)} for notice in page]
    context = {"page": page, "rows": rows, "unread": notices.unread(request.user)}
    return render(request, "accounts/notices.html", context)


@login_required
@require_safe
@never_cache
def bell(request: PersonRequest) -> HttpResponse:
    """The bell alone, which open pages fetch again when a notice arrives."""
    return render(request, "accounts/_notices.html", {"unread": notices.unread(request.user)})


@login_required
@require_POST
def follow(request: PersonRequest, pk: int) -> HttpResponse:
    """Mark a notice read and go where it points, which is always a page of ours."""
    notice = get_object_or_404(Notice, pk=pk, user=request.user)
    notices.read(person=request.user, notice=notice)
    return redirect(notice.path)


@login_required
@require_POST
def read_all(request: PersonRequest) -> HttpResponse:
    notices.read_all(person=request.user)
    return redirect("accounts:notices")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def choose(request: PersonRequest) -> HttpResponse:
    """What the person wants to be told, kind by kind, and when the digest comes."""
    form = ChoicesForm(posted(request), person=request.user)
    if form.is_valid():
        with transaction.atomic():
            people.change_settings(person=request.user, notices_by_mail=form.cleaned_data["by_mail"])
            digests.choose(person=request.user, **form.digest)
            choices.choose(person=request.user, wishes=form.wishes)
        messages.success(request, _("Your choices are saved."))
        return redirect("accounts:notice-choices")
    return render(request, "accounts/notice_choices.html", {"form": form}, status=422 if form.is_bound else 200)


# The mail program that posts here has no cookie and no page of ours; the signed ticket is all it needs.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def stop(request: HttpRequest, ticket: str) -> HttpResponse:
    """Stop one kind of e-mail. Only a POST does: a scanner of links that looks at the page stops nothing."""
    read = choices.read_ticket(ticket)
    if read is None:
        raise Http404
    person, kind = read
    if request.method == "POST":
        choices.stop(person=person, kind=kind)
    with letters.reading_as(person):
        title = "" if kind == choices.DIGEST else kinds.title(kind)
        return render(request, "accounts/notices_stop.html", {"title": title, "done": request.method == "POST"})
