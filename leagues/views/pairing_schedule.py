"""The time of a table on its page. Reads only."""

from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from leagues.core import access
from leagues.core.access import Permission
from leagues.core.text import join_names
from leagues.forms.time_proposals import ReasonForm, TimesForm, UntilForm
from leagues.models import Pairing, Season, TimeProposal
from leagues.rounds import tables
from leagues.views.common import season_of
from leagues.windows import extensions, round_window, time_proposals


def schedule_context(request: HttpRequest, pairing: Pairing, forms: dict[str, Any]) -> dict[str, Any] | None:
    """The template context about a table's time; empty for tables of club evenings.

    `forms` are refused forms, to be shown again with their input.
    """
    if not round_window.has_window(pairing) or not pairing.is_open or not pairing.round.is_published:
        return None
    can = access.allowed(request.user, pairing)
    now, deadline = timezone.now(), pairing.deadline
    sits, organises = Permission.SIT in can and _is_expected(request, pairing), Permission.ORGANISE in can
    takes = round_window.takes_times(pairing) and (deadline is None or deadline > now)
    proposal = time_proposals.current(pairing) if takes else None
    reader = request.user if isinstance(request.user, User) else None
    mine = proposal is not None and proposal.by == reader
    request_for_time = extensions.current(pairing)
    initial = {"answers": proposal.pk} if proposal and not mine else {}
    return {
        "deadline": deadline,
        "is_over": deadline is not None and deadline <= now,
        "at_deadline": _at_deadline(pairing) if deadline and pairing.state == Pairing.State.SCHEDULED else "",
        "takes_times": takes,
        "later": pairing.starts_at is not None and now < pairing.starts_at - tables.EARLY,
        "proposal": proposal,
        "suggested": _suggested(proposal, reader) if proposal else [],
        "waits_for": _waits_for(proposal, pairing) if proposal else "",
        "is_mine": mine,
        "may_answer": bool(sits and proposal and not mine),
        "may_propose": sits and takes and not mine,
        "times_form": forms.get("times_form") or TimesForm(initial=initial, closes_at=deadline),
        "zone": timezone.get_current_timezone_name(),
        "request_for_time": request_for_time,
        "may_ask": sits and not organises and request_for_time is None and extensions.can_ask(pairing, now),
        "reason_form": forms.get("reason_form") or ReasonForm(),
        "may_give": organises and not pairing.round.is_closed,
        "until_form": forms.get("until_form") or UntilForm(),
    }


def _is_expected(request: HttpRequest, pairing: Pairing) -> bool:
    """Whether the reader still has their seat."""
    return any(person == request.user for person in round_window.people_at(pairing))


def _suggested(proposal: TimeProposal, reader: User | None) -> list[dict[str, Any]]:
    """Each suggested time with those who can play then."""
    rows = []
    for time in proposal.times.all():
        accepted_by = [answer.user for answer in time.answers.all()]
        names = join_names([proposal.by.name, *(user.name for user in accepted_by)])
        rows.append(
            {"time": time, "names": names, "said": reader in accepted_by, "over": time.starts_at <= timezone.now()}
        )
    return rows


def _waits_for(proposal: TimeProposal, pairing: Pairing) -> str:
    return join_names(user.name for user in time_proposals.unanswered_by(proposal, round_window.people_at(pairing)))


def _at_deadline(pairing: Pairing) -> str:
    if pairing.where == Pairing.Where.CLUB:
        return _("If it is not played by then, an organiser decides.")
    return {
        Season.OnUnplayed.BOT: _(
            "If it is not played by then, a bot takes the seat of a player who did nothing about it."
        ),
        Season.OnUnplayed.FORFEIT: _(
            "If it is not played by then, a player who did nothing about it loses without a game."
        ),
        Season.OnUnplayed.ASK: _("If it is not played by then, an organiser decides."),
    }[Season.OnUnplayed(season_of(pairing).on_unplayed)]
