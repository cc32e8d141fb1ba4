"""Import and export of a season: spreadsheets with a preview, tables for other programs, printing and embedding."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from accounts.infra.errors import Refused
from accounts.views.common import PersonRequest, form_of
from leagues.core import access
from leagues.core.access import Permission
from leagues.forms.import_export import SheetForm
from leagues.import_export import columns, exports, uploads
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
    """All imports and exports on one page; a refused file is shown with the reason at its form."""
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
    return show(request, season, "import_export/index.html", "files", status=422 if wrong else 200, **context)


def _form(season: Season, kind: str, *data: Any) -> SheetForm:
    return SheetForm(*data, season=season, optional=kind == "results", auto_id=f"{kind}-%s")


@login_required
@form_of("leagues:files", "slug", "number")
def hand_in(request: PersonRequest, slug: str, number: int, kind: str) -> HttpResponse:
    """Store a spreadsheet and show its preview."""
    season = run_season(request, slug, number)
    if kind not in SHEETS:
        raise Http404
    form = _form(season, kind, request.POST, request.FILES)
    if form.is_valid():
        content, name = form.content
        division = form.cleaned_data["division"]
        try:
            upload = uploads.store_spreadsheet(
                actor=request.user, season=season, kind=kind, content=content, name=name, division=division
            )
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            return redirect(upload)
    return files_page(request, season, {kind: form})


def upload_or_404(request: PersonRequest, key: str) -> Upload:
    """An uploaded file, for the organisers of its season or club; 404 for others."""
    rows = Upload.objects.select_related("club", "season__league__club", "division", "league", "by")
    upload = get_object_or_404(rows, key=key)
    if not access.may(request.user, Permission.ORGANISE, upload.season or upload.club):
        raise Http404
    return upload


@login_required
@require_safe
def upload(request: PersonRequest, key: str) -> HttpResponse:
    row = upload_or_404(request, key)
    if row.kind == Upload.Kind.ARCHIVE:
        return archives.preview(request, row)
    return preview(request, row)


def preview(request: PersonRequest, upload: Upload, refused: str = "") -> HttpResponse:
    """The preview of a file, line by line, or the result of its import."""
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
    return show(request, upload.season, "import_export/upload.html", "files", status=422 if refused else 200, **context)


@login_required
@form_of("leagues:upload", "key")
def confirm(request: PersonRequest, key: str) -> HttpResponse:
    """Import the file as previewed; broken rows are skipped only if that was chosen."""
    row = upload_or_404(request, key)
    if row.kind == Upload.Kind.ARCHIVE:
        return archives.confirm(request, row)
    try:
        row = uploads.confirm(
            actor=request.user, upload=row, seen=request.POST.get("seen", ""), good=request.POST.get("good") == "1"
        )
    except Refused as refused:
        return preview(request, row, refused.message)
    if row.status == Upload.Status.DONE:
        messages.success(request, outcome_text(row))
        where = "leagues:entries" if row.kind == Upload.Kind.PLAYERS else "leagues:rounds"
        assert row.season is not None
        return redirect(where, row.season.league.slug, row.season.number)
    return redirect(row)


def outcome_text(upload: Upload) -> str:
    """The result of an import as text."""
    if "players" in upload.outcome:
        count = upload.outcome["players"]
        return ngettext("%(count)s player has entered.", "%(count)s players have entered.", count) % {"count": count}
    count = upload.outcome.get("tables", 0)
    words = ngettext("%(count)s past table is in.", "%(count)s past tables are in.", count)
    return words % {"count": count} + " " + _("Ratings are updated automatically.")


@require_safe
def export(request: HttpRequest, slug: str, number: int, what: str, ending: str, pk: int | None = None) -> HttpResponse:
    """Export a season or a stage for other programs: only what its pages show to everybody."""
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
