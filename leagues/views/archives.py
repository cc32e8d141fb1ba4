"""A whole league out as one file, and in again."""

import io
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

import engine
from accounts.errors import Refused
from accounts.models import Club
from accounts.views.common import PersonRequest
from leagues import access
from leagues.access import Permission
from leagues.exchange import uploads
from leagues.exchange.archive import crowd, opening, pack
from leagues.forms.files import ArchiveForm
from leagues.models import League, Upload


@login_required
@require_safe
def export(request: PersonRequest, slug: str) -> HttpResponse:
    league = get_object_or_404(League.objects.select_related("club"), slug=slug)
    file = io.BytesIO()
    manifest = pack.export(actor=request.user, league=league, file=file)
    response = HttpResponse(file.getvalue(), content_type="application/zip")
    name = f"{league.slug}-{manifest['made_at'][:10]}.zip"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def hand_in(request: PersonRequest, club: str) -> HttpResponse:
    found = get_object_or_404(Club.objects.open(), slug=club)
    access.require(request.user, Permission.ORGANISE, found)
    form = ArchiveForm(request.POST or None, request.FILES or None) if request.method == "POST" else ArchiveForm()
    if request.method == "POST" and form.is_valid():
        file = form.cleaned_data["file"]
        try:
            upload = uploads.keep_archive(actor=request.user, club=found, content=file.read(), name=file.name or "")
        except Refused as refused:
            form.add_error("file", refused.message)
        else:
            return redirect(upload)
    status = 422 if request.method == "POST" else 200
    return render(request, "leagues/archive_import.html", {"club": found, "form": form}, status=status)


def preview(request: PersonRequest, upload: Upload, refused: str = "") -> HttpResponse:
    """What is in the file, and who of its people is somebody here; or what has become of it."""
    contents = None
    if upload.is_open:
        try:
            contents = _contents(upload)
        except Refused as wrong:
            refused = refused or wrong.message
    context = {"upload": upload, "club": upload.club, "refused": refused, "contents": contents}
    return render(request, "leagues/archive.html", context, status=422 if refused else 200)


def _contents(upload: Upload) -> dict[str, Any]:
    archive = opening.opened(bytes(upload.content))
    files = archive.manifest["files"]
    everybody = [each for each in crowd.listed(archive, upload.club) if each.kind in ("person", "guest")]
    return {
        "manifest": archive.manifest,
        "game": engine.game(archive.manifest["league"]["game"]).title,
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
    same = [int(number) for number in request.POST.getlist("same") if number.isascii() and number.isdecimal()]
    try:
        upload = uploads.confirm_archive(actor=request.user, upload=upload, same=same)
    except Refused as refused:
        return preview(request, upload, refused.message)
    if upload.league is not None:
        messages.success(request, _("The league is here, as it was."))
        return redirect(upload.league)
    return redirect(upload)
