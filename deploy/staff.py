"""Pages for the site's staff: people, clubs, failed deliveries and jobs, what uses disk, the log, the own pages."""

import shutil
from pathlib import Path
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.db.models import Count, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts import access, administration, audit
from accounts import messages as messages_between
from accounts.access import Permission
from accounts.infra import text
from accounts.infra.errors import Refused
from accounts.models import AuditEntry, Club, Delivery, Language, User
from accounts.people import GUEST_ADDED
from accounts.views.common import PersonRequest, confirm_identity, flash_outcome, form_of, paginate, posted_text
from deploy import site_pages
from deploy.models import Pulse, SitePage
from games.models import Report
from leagues.models import PickUp, Plan

ROWS_A_PAGE = 50
LARGEST_TABLES = 8
DISK_CACHE = 60


@login_required
@require_safe
def overview(request: PersonRequest) -> HttpResponse:
    access.require(request.user, Permission.RUN_SITE)
    context = {
        "tab": "overview",
        "people": User.objects.filter(is_bot=False, is_guest=False, trial_seen_at=None, deleted_at=None).count(),
        "locked": User.objects.filter(is_active=False, deleted_at=None).count(),
        "clubs": Club.objects.open().count(),
        "reports": Report.objects.filter(settled_at=None).count() + messages_between.open_reports().count(),
        "failed_deliveries": _failed_deliveries().count(),
        "failed_jobs": PickUp.objects.exclude(fault="").count() + Plan.objects.filter(status="failed").count(),
        "beat": Pulse.objects.filter(name=Pulse.BEAT).first(),
        "disk": _disk(),
        "pages": [(name, label, Language.choices) for name, label in SitePage.Name.choices],
    }
    return render(request, "staff/overview.html", context)


def _failed_deliveries() -> Any:
    return Delivery.objects.filter(status=Delivery.Status.FAILED).select_related("hook__club").order_by("-at", "-pk")


def _disk() -> dict[str, Any]:
    """What uses the disk. Counting takes a while on a large site, so it is remembered for a minute."""
    known: dict[str, Any] | None = cache.get("staff.disk")
    if known is None:
        known = {"free": shutil.disk_usage(settings.VAR).free, "files": _files(), "tables": _tables()}
        cache.set("staff.disk", known, DISK_CACHE)
    return known


def _files() -> list[tuple[str, int]]:
    sizes = []
    for path in sorted(Path(settings.VAR).iterdir()):
        inside = [path] if path.is_file() else [each for each in path.rglob("*") if each.is_file()]
        sizes.append((path.name, sum(each.stat().st_size for each in inside)))
    return sorted(sizes, key=lambda row: -row[1])[:LARGEST_TABLES]


def _tables() -> list[tuple[str, int]]:
    counted = []
    for label in ("accounts", "games", "leagues", "deploy"):
        for model in apps.get_app_config(label).get_models():
            counted.append((model._meta.label, model._default_manager.count()))
    return sorted(counted, key=lambda row: -row[1])[:LARGEST_TABLES]


@login_required
@require_safe
def people(request: PersonRequest) -> HttpResponse:
    """Find a person by name, handle or e-mail address."""
    access.require(request.user, Permission.RUN_SITE)
    query = request.GET.get("q", "").replace("\0", "").strip()[:80]
    found = User.objects.filter(deleted_at=None, trial_seen_at=None).order_by("-joined_at", "-pk")
    if query:
        by_name = Q()
        for word in text.plain(query).split():
            by_name &= Q(search__contains=word)
        found = found.filter(Q(email__icontains=query) | by_name)
    context = {"tab": "people", "query": query, "page": paginate(found, request, ROWS_A_PAGE)}
    return render(request, "staff/people.html", context)


@login_required
@never_cache
@require_safe
def person(request: PersonRequest, handle: str) -> HttpResponse:
    return _person_page(request, handle)


def _person_page(request: PersonRequest, handle: str, link: str = "") -> HttpResponse:
    access.require(request.user, Permission.RUN_SITE)
    somebody = get_object_or_404(User, handle__iexact=handle, deleted_at=None, trial_seen_at=None)
    about = AuditEntry.objects.filter(Q(actor=somebody) | Q(person=somebody)).select_related("actor", "person")
    context = {
        "tab": "people",
        "person": somebody,
        "link": link,
        "confirmed": EmailAddress.objects.filter(user=somebody, email=somebody.email, verified=True).exists(),
        "factors": Authenticator.objects.filter(user=somebody).count(),
        "memberships": somebody.memberships.select_related("club"),
        "guest_of": _clubs_of_guest(somebody) if somebody.is_guest else [],
        "lines": audit.render_entries(about[:ROWS_A_PAGE]),
    }
    return render(request, "staff/person.html", context)


def _clubs_of_guest(guest: User) -> list[Club]:
    """The club that wrote a guest down: there staff join it to an account, with that person's consent."""
    added = AuditEntry.objects.filter(action=GUEST_ADDED, person=guest)
    return list(Club.objects.filter(pk__in=added.values("club")))


@login_required
@form_of("staff-person", "handle")
@never_cache
@confirm_identity
def help_person(request: PersonRequest, handle: str, verb: str) -> HttpResponse:
    """Lock, unlock, confirm an address, make a password link, remove a portrait, or switch the second factor off."""
    access.require(request.user, Permission.RUN_SITE)
    somebody = get_object_or_404(User, handle__iexact=handle, deleted_at=None, trial_seen_at=None)
    if verb == "password":
        try:
            path = administration.password_link(actor=request.user, person=somebody)
        except Refused as refused:
            messages.error(request, refused.message)
            return redirect("staff-person", handle=handle)
        return _person_page(request, handle, link=request.build_absolute_uri(path))
    if verb == "lock":
        with flash_outcome(request, _("The account is locked.")):
            administration.lock(actor=request.user, person=somebody, reason=posted_text(request, "reason"))
    elif verb == "unlock":
        with flash_outcome(request, _("The account is open again.")):
            administration.unlock(actor=request.user, person=somebody)
    elif verb == "confirm":
        with flash_outcome(request, _("The address is confirmed.")):
            administration.confirm_address(actor=request.user, person=somebody)
    elif verb == "portrait":
        with flash_outcome(request, _("The portrait is removed.")):
            administration.remove_portrait(actor=request.user, person=somebody)
    elif verb == "factor":
        with flash_outcome(request, _("The second factor is switched off.")):
            administration.switch_off_second_factor(actor=request.user, person=somebody)
    else:
        raise Http404
    return redirect("staff-person", handle=handle)


@login_required
@require_safe
def clubs(request: PersonRequest) -> HttpResponse:
    access.require(request.user, Permission.RUN_SITE)
    listed = Club.objects.annotate(size=Count("memberships")).order_by("-founded_at", "-pk")
    return render(request, "staff/clubs.html", {"tab": "clubs", "page": paginate(listed, request, ROWS_A_PAGE)})


@login_required
@require_safe
def deliveries(request: PersonRequest) -> HttpResponse:
    """Webhooks that could not be delivered, and jobs that failed."""
    access.require(request.user, Permission.RUN_SITE)
    context = {
        "tab": "deliveries",
        "page": paginate(_failed_deliveries(), request, ROWS_A_PAGE),
        "intakes": PickUp.objects.exclude(fault="").select_related("match").order_by("-match")[:ROWS_A_PAGE],
        "plans": Plan.objects.filter(status="failed").select_related("season__league")[:ROWS_A_PAGE],
    }
    return render(request, "staff/deliveries.html", context)


@login_required
@require_safe
def log(request: PersonRequest) -> HttpResponse:
    """Everything that was done on the site, the latest first."""
    access.require(request.user, Permission.RUN_SITE)
    page = paginate(AuditEntry.objects.select_related("actor", "person", "club"), request, ROWS_A_PAGE)
    lines = list(zip(audit.render_entries(page), [entry.club for entry in page]))
    return render(request, "staff/log.html", {"tab": "log", "page": page, "lines": lines})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit_page(request: PersonRequest, name: str, language: str) -> HttpResponse:
    """The words of one of the site's own pages."""
    access.require(request.user, Permission.RUN_SITE)
    if name not in SitePage.Name.values or language not in Language.values:
        raise Http404
    if request.method == "POST":
        words = posted_text(request, "text")[: SitePage._meta.get_field("text").max_length]
        site_pages.edit(actor=request.user, name=name, language=language, text=words)
        messages.success(request, _("The page is saved."))
        return redirect("staff")
    context = {
        "tab": "overview",
        "title": SitePage.Name(name).label,
        "language": Language(language).label,
        "text": site_pages.text_of(name, language),
    }
    return render(request, "staff/edit_page.html", context)


@require_safe
def show_page(request: HttpRequest, name: str) -> HttpResponse:
    """About, privacy, terms or contact."""
    language = request.LANGUAGE_CODE if request.LANGUAGE_CODE in Language.values else settings.LANGUAGE_CODE
    words = site_pages.text_of(name, language)
    return render(request, "staff/site_page.html", {"title": SitePage.Name(name).label, "words": words})


@require_safe
def robots(request: HttpRequest) -> HttpResponse:
    return HttpResponse(site_pages.robots(), content_type="text/plain; charset=utf-8")
