"""What goes in and out of a season: spreadsheets with their preview, tables for other programs, paper and frames."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from accounts.errors import Refused
from accounts.views.common import PersonRequest, form_of
from leagues import access
from leagues.access import Permission
from leagues.exchange import columns, exports, uploads
from leagues.forms.files import SheetForm
from leagues.models import Round, Season, Upload
from leagues.views import archives
from leagues.views.common import run_season, season_or_404, show, stage_of

SHEETS = (Upload.Kind.PLAYERS, Upload.Kind.RESULTS)
TYPES = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
SHOWN = 200


@login_required
@require_safe
def page(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    return files_page(request, run_season(request, slug, number))


def files_page(request: HttpRequest, season: Season, wrong: dict[str, SheetForm] | None = None) -> HttpResponse:
    """Everything at one place; a file that was refused comes back with the reason at its form."""
    wrong = wrong or {}
    forms = {kind.value: wrong.get(kind.value) or _form(season, kind.value) for kind in SHEETS}
    rounds = Round.objects.filter(stage__division__season=season).select_related("stage__division")
    frames = {
        what: request.build_absolute_uri(reverse(f"leagues:embed-{what}", args=[season.league.slug, season.number]))
        for what in ("standings", "matches")
    }
    context = {
        "players": forms["players"],
        "results": forms["results"],
        "player_columns": columns.PLAYERS,
        "result_columns": columns.RESULTS,
        "exports": list(exports.WHAT),
        "rounds": rounds.order_by("stage__division__level", "stage__division__number", "stage", "number"),
        "frames": frames,
        "uploads": season.uploads.select_related("by")[:5],
    }
    return show(request, season, "files.html", "files", status=422 if wrong else 200, **context)


def _form(season: Season, kind: str, *data: Any) -> SheetForm:
    return SheetForm(*data, season=season, optional=kind == "results", auto_id=f"{kind}-%s")


@login_required
@form_of("leagues:files", "slug", "number")
def hand_in(request: PersonRequest, slug: str, number: int, kind: str) -> HttpResponse:
    """Keep a spreadsheet and show what it would do."""
    season = run_season(request, slug, number)
    if kind not in SHEETS:
        raise Http404
    form = _form(season, kind, request.POST, request.FILES)
    if form.is_valid():
        content, name = form.content
        division = form.cleaned_data["division"]
        try:
            upload = uploads.keep(
                actor=request.user, season=season, kind=kind, content=content, name=name, division=division
            )
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            return redirect(upload)
    return files_page(request, season, {kind: form})


def upload_or_404(request: PersonRequest, key: str) -> Upload:
    """A file, for those who run what it belongs to; for everybody else it is not there."""
    found = Upload.objects.select_related("club", "season__league__club", "division", "league", "by")
    upload = get_object_or_404(found, key=key)
    if not access.may(request.user, Permission.ORGANISE, upload.season or upload.club):
        raise Http404
    return upload


@login_required
@require_safe
def upload(request: PersonRequest, key: str) -> HttpResponse:
    found = upload_or_404(request, key)
    if found.kind == Upload.Kind.ARCHIVE:
        return archives.preview(request, found)
    return preview(request, found)


def preview(request: PersonRequest, upload: Upload, refused: str = "") -> HttpResponse:
    """What the file would do, line by line, or what has become of it."""
    assert upload.season is not None
    plan = None
    if upload.is_open:
        try:
            plan = uploads.plan_of(upload)
        except Refused as wrong:
            refused = refused or wrong.message
    context = {
        "upload": upload,
        "plan": plan,
        "refused": refused,
        "problems": plan.problems[:SHOWN] if plan else (),
        "warnings": plan.warnings[:SHOWN] if plan else (),
        "shown": SHOWN,
    }
    return show(request, upload.season, "upload.html", "files", status=422 if refused else 200, **context)


@login_required
@form_of("leagues:upload", "key")
def confirm(request: PersonRequest, key: str) -> HttpResponse:
    """Bring it in as it was shown; broken rows stay out only if that was chosen."""
    found = upload_or_404(request, key)
    if found.kind == Upload.Kind.ARCHIVE:
        return archives.confirm(request, found)
    try:
        found = uploads.confirm(
            actor=request.user, upload=found, seen=request.POST.get("seen", ""), good=request.POST.get("good") == "1"
        )
    except Refused as refused:
        return preview(request, found, refused.message)
    if found.status == Upload.Status.DONE:
        messages.success(request, told(found))
        where = "leagues:entries" if found.kind == Upload.Kind.PLAYERS else "leagues:rounds"
        assert found.season is not None
        return redirect(where, found.season.league.slug, found.season.number)
    return redirect(found)


def told(upload: Upload) -> str:
    """What came of it."""
    if "players" in upload.outcome:
        count = upload.outcome["players"]
        return ngettext("%(count)s player has entered.", "%(count)s players have entered.", count) % {"count": count}
    count = upload.outcome.get("tables", 0)
    words = ngettext("%(count)s past table is in.", "%(count)s past tables are in.", count)
    return words % {"count": count} + " " + _("Ratings follow by themselves.")


@require_safe
def export(request: HttpRequest, slug: str, number: int, what: str, ending: str, pk: int | None = None) -> HttpResponse:
    """A season, or one stage of it, for other programs: whatever its pages show to everybody."""
    season = season_or_404(request, slug, number)
    if what not in exports.WHAT or ending not in TYPES:
        raise Http404
    stage = stage_of(season, pk) if pk is not None else None
    listed = exports.rows(what, season, stage)
    text = exports.as_csv(listed) if ending == "csv" else exports.as_json(what, season, listed)
    response = HttpResponse(text, content_type=TYPES[ending])
    name = f"{season.league.slug}-{season.number}-{what}.{ending}"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    response["Access-Control-Allow-Origin"] = "*"
    return response
