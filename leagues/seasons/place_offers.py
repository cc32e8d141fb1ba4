"""Free places in a new season: offered, from the top division down, to the next in order. Answers are in `renewal`."""

from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.notifications.registry import NotificationGroup, declare_kind
from accounts.notifications.service import notify
from leagues.core import season_effects
from leagues.models import Division, PlaceOffer, ReturnCall, ReturnQuestion
from leagues.seasons.closing import people_of_entrant

Answer = ReturnQuestion.Answer
State = PlaceOffer.State
OFFERED = audit.declare_action("leagues.place-offered", _("A free place in %(division)s was offered to %(entrant)s"))
OFFER_KIND = declare_kind(
    "leagues.place-offer",
    _("A place in %(division)s has become free in %(season)s, and you are next in order: take it?"),
    _("You are offered a place that became free"),
    group=NotificationGroup.SEASONS,
    asks=True,
)


def free_places(call: ReturnCall) -> dict[int, int]:
    """Free places by division: of entrants who do not play again, minus open offers."""
    free: dict[int, int] = {}
    lapsed = call.lapsed_at is not None and not call.keep_silent
    for question in call.questions.all():
        free[question.origin_id] = free.get(question.origin_id, 0) + 1
        coming = question.answer == Answer.YES or (question.answer != Answer.NO and not lapsed)
        if coming:
            free[question.division_id] = free.get(question.division_id, 0) - 1
    for division in PlaceOffer.objects.filter(question__call=call, state=State.OPEN).values_list("division", flat=True):
        free[division] -= 1
    return {division: count for division, count in free.items() if count > 0}


def offer_places(call: ReturnCall) -> None:
    """Offer each free place, from the top, to the next one of the level below who has not been asked."""
    PlaceOffer.objects.filter(question__call=call, state=State.OPEN, question__answer=Answer.NO).update(
        state=State.LAPSED, answered_at=timezone.now()
    )
    free = free_places(call)
    for division in Division.objects.filter(pk__in=free).order_by("level", "number"):
        for question in _next_in_order(call, division)[: free[division.pk]]:
            PlaceOffer.objects.create(question=question, division=division)
            season_effects.log_and_refresh(
                OFFERED, actor=None, season=call.season, entrant=question.entrant.who, division=division.name
            )
            notify(
                people_of_entrant(question.entrant),
                OFFER_KIND,
                path=call.get_absolute_url(),
                season=call.season.full_name,
                division=division.name,
            )


def _next_in_order(call: ReturnCall, division: Division) -> list[ReturnQuestion]:
    """Those who would play one level below, by place; those relegated from here come last."""
    below = (
        Division.objects.filter(season=call.season, level__gt=division.level)
        .order_by("level")
        .values_list("level", flat=True)
        .first()
    )
    if below is None:
        return []
    rows = ReturnQuestion.objects.filter(call=call, division__level=below).exclude(answer=Answer.NO)
    if call.lapsed_at is not None and not call.keep_silent:
        rows = rows.filter(answer=Answer.YES)
    rows = rows.exclude(offers__division=division).exclude(offers__state=State.OPEN)
    listed = rows.select_related("entrant__user", "entrant__movement", "entrant__division")
    return sorted(listed, key=lambda each: _merit(each, division))


def _merit(question: ReturnQuestion, division: Division) -> tuple[bool, int, int, int, int]:
    movement = question.entrant.movement
    came_down = movement.old <= division.level
    return came_down, movement.old, movement.place, question.entrant.division.number, question.pk
