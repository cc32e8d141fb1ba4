"""Export and import of a whole league as one file."""

import io
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from accounts.infra.errors import Refused
from accounts.infra.input import whole_numbers
from accounts.models import Club
from accounts.views.common import PersonRequest
from games.titles import game_title
from leagues.core import access
from leagues.core.access import Permission
from leagues.forms.import_export import ArchiveForm
from leagues.import_export import uploads
from leagues.import_export.archive import people, reader, writer
from leagues.models import League, Upload


@login_required
@require_safe
def export(request: PersonRequest, slug: str) -> HttpResponse:
    league = get_object_or_404(League.objects.select_related("club"), slug=slug)
    file = io.BytesIO()
    manifest = writer.export(actor=request.user, league=league, file=file)
    response = HttpResponse(file.getvalue(), content_type="application/zip")
    name = f"{league.slug}-{manifest['made_at'][:10]}.zip"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def hand_in(request: PersonRequest, club: str) -> HttpResponse:
    club_row = get_object_or_404(Club.objects.open(), slug=club)
    access.require(request.user, Permission.ORGANISE, club_row)
    form = ArchiveForm(request.POST or None, request.FILES or None) if request.method == "POST" else ArchiveForm()
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            upload = uploads.store_archive(actor=request.user, club=club_row, content=file.read(), name=file.name or "")
        except Refused as refused:
            form.add_error("file", refused.message)
        else:
            return redirect(upload)
    status = 422 if request.method == "POST" else 200
    return render(request, "leagues/import_export/archive_import.html", {"club": club_row, "form": form}, status=status)


def preview(request: PersonRequest, upload: Upload, refused: str = "") -> HttpResponse:
    """The contents of the file, and which of its people have accounts here; or the result of the import."""
    contents = None
    if upload.is_open and upload.outcome.get("checked"):
        try:
            contents = _contents(upload)
        except Refused as wrong:
            refused = refused or wrong.message
    context = {"upload": upload, "club": upload.club, "refused": refused, "contents": contents}
    return render(request, "leagues/import_export/archive.html", context, status=422 if refused else 200)


def _contents(upload: Upload) -> dict[str, Any]:
    archive = reader.open_archive(bytes(upload.content), is_scanned=True)
    files = archive.manifest["files"]
    everybody = [each for each in people.people_in(archive, upload.club) if each.kind in ("person", "guest")]
    return {
        "manifest": archive.manifest,
        "game": game_title(archive.manifest["league"]["game"]),
        "counts": [
            (_("Seasons"), files["season.jsonl"]["rows"]),
            (_("Rounds"), files["round.jsonl"]["rows"]),
            (_("Tables"), files["pairing.jsonl"]["rows"]),
            (_("Lines of the log"), files["log.jsonl"]["rows"]),
        ],
        "asked": [each for each in everybody if each.same is not None],
        "copied": [each for each in everybody if each.same is None],
    }


def confirm(request: PersonRequest, upload: Upload) -> HttpResponse:
    same = whole_numbers(request.POST.getlist("same"))
    try:
        upload = uploads.confirm_archive(actor=request.user, upload=upload, same=same)
    except Refused as refused:
        return preview(request, upload, refused.message)
    if upload.league is not None:
        messages.success(request, _("The league has been imported."))
        return redirect(upload.league)
    return redirect(upload)
