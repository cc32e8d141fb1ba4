from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts import audit
from accounts.models import AuditEntry
from accounts.views.common import PersonRequest, flash_outcome, paginate
from leagues.models import Undoable
from leagues.seasons import undo as undoing
from leagues.views.common import run_season, show

ENTRIES_A_PAGE = 50


@login_required
@require_safe
def page(request: PersonRequest, slug: str, number: int) -> HttpResponse:
    """The season's log; actions that can still be undone have a button."""
    season = run_season(request, slug, number)
    entries = AuditEntry.objects.filter(object_type="leagues.season", object_id=str(season.pk))
    listed = paginate(entries.select_related("actor", "person"), request, ENTRIES_A_PAGE)
    lines = audit.render_entries(listed)
    known = Undoable.objects.filter(season=season, entry__in=list(listed)).select_related("undone_by")
    undoables = {each.entry_id: each for each in known}
    rows = [{"line": line, "undoable": undoables.get(entry.pk)} for line, entry in zip(lines, listed)]
    return show(request, season, "seasons/log.html", "log", page=listed, rows=rows)


@login_required
@require_POST
def undo(request: PersonRequest, slug: str, number: int, pk: int) -> HttpResponse:
    season = run_season(request, slug, number)
    undoable = get_object_or_404(Undoable.objects.select_related("entry"), season=season, pk=pk)
    with flash_outcome(request, _("Undone.")):
        undoing.undo(actor=request.user, undoable=undoable)
    return redirect("leagues:log", slug=slug, number=number)
