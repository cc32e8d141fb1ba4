"""A stage begins: who plays in it, with which seed, in which group. Everything here is part of another verb."""

from collections.abc import Sequence

from django.utils.translation import gettext

from accounts.errors import Refused
from leagues import catalogue, orders, ranking
from leagues.formats import groups
from leagues.formats.errors import FormatError
from leagues.formats.reasons import Reason, reason, told
from leagues.formats.standings import Row
from leagues.formats.values import Entrant as EntrantValue
from leagues.models import Division, Entrant, Season, Stage, Starter
from leagues.rounds import dealt_groups
from leagues.seeding import in_order

LEAST = 2


def begin_first(season: Season) -> None:
    """Everybody who holds a place, and has checked in where that is asked, starts in the first stage."""
    divisions = list(Division.objects.filter(season=season))
    if not divisions:
        raise Refused(gettext("This season has no division yet."))
    for division in divisions:
        stage = Stage.objects.filter(division=division).order_by("position").first()
        if stage is None:
            raise Refused(gettext("“%(division)s” has no format yet.") % {"division": division.name})
        absent = _leave_out_absent(season, division)
        entrants = in_order(division)
        if len(entrants) < (1 if catalogue.FORMATS[stage.format].teams else LEAST):
            raise Refused(_too_few(division, len(entrants), absent))
        begin(stage, [(entrant, None) for entrant in entrants])
        for seed, entrant in enumerate(entrants, 1):
            entrant.seed, entrant.status = seed, Entrant.Status.ACTIVE
        # Out of the way first: no two rows may hold one seed, not even for a moment.
        Entrant.objects.filter(division=division).update(seed=None)
        Entrant.objects.bulk_update(entrants, ["seed", "status"])


def _leave_out_absent(season: Season, division: Division) -> int:
    """Who did not check in has not come: how many those are. Who still waits for a place has none."""
    if not season.check_in:
        return 0
    absent = Entrant.objects.filter(division=division, status=Entrant.Status.REGISTERED, kind=Entrant.Kind.PERSON)
    return absent.update(status=Entrant.Status.WITHDRAWN)


def _too_few(division: Division, here: int, absent: int) -> str:
    known = {"division": division.name, "here": here, "count": here + absent}
    if not absent:
        return gettext("“%(division)s” has too few entrants: %(count)s.") % known
    if not here:
        words = gettext("Nobody in “%(division)s” has checked in yet, of %(count)s who entered.")
    else:
        words = gettext("Only %(here)s of %(count)s in “%(division)s” have checked in, which is too few.")
    way_out = gettext("Check in who is here, or check all in, and then start.")
    return f"{words % known} {way_out}"


def begin(stage: Stage, entrants: Sequence[tuple[Entrant, Reason | None]]) -> None:
    """The stage starts with these, strongest first."""
    dealt = _groups(stage, [entrant for entrant, _why in entrants])
    Starter.objects.bulk_create(
        Starter(
            stage=stage,
            entrant=entrant,
            seed=seed,
            group=dealt.get(entrant.pk),
            reason=told(why) if why else None,
        )
        for seed, (entrant, why) in enumerate(entrants, 1)
    )
    stage.status = Stage.Status.RUNNING
    stage.save(update_fields=["status"])


def _groups(stage: Stage, entrants: Sequence[Entrant]) -> dict[int, int]:
    if stage.format != "groups":
        return {}
    try:
        return dealt_groups([EntrantValue(each.pk, seed) for seed, each in enumerate(entrants, 1)], stage.settings)
    except FormatError as error:
        raise Refused(str(error)) from error


def late(stage: Stage, entrant: Entrant, number: int) -> Starter:
    """One more, after the others and for as long as the format can take somebody in."""
    known = catalogue.FORMATS[stage.format]
    if not known.late_entry and stage.rounds.exists():
        raise Refused(gettext("“%(format)s” takes nobody in once it is drawn.") % {"format": known.title})
    last = Starter.objects.filter(stage=stage).order_by("-seed").first()
    group = None
    if stage.format == "groups":
        sizes = {each: Starter.objects.filter(stage=stage, group=each).count() for each in ranking.groups_of(stage)}
        group = min(sizes, key=lambda each: (sizes[each], each))
    return Starter.objects.create(stage=stage, entrant=entrant, seed=(last.seed if last else 0) + 1, group=group)


def running(entrant: Entrant) -> Stage | None:
    """The stage that an entrant plays in now."""
    return Stage.objects.filter(starters__entrant=entrant, status=Stage.Status.RUNNING).order_by("-position").first()


def qualified(before: Stage, after: Stage) -> list[tuple[int, Reason]]:
    """Who goes on from a stage, in the order that seeds the next: by the slots of groups, else the best of the order.

    Who has withdrawn does not; the places of the others close up. A place left level is a FormatError to be solved.
    """
    if before.format == "groups":
        return _from_groups(before)
    rows = without_withdrawn(before, ranking.ranking(before))
    wanted = rows if after.take is None else rows[: after.take]
    _refuse_shared_cut(rows, after.take)
    return [(row.entrant, reason("stage.place", place=row.place)) for row in wanted]


def _from_groups(before: Stage) -> list[tuple[int, Reason]]:
    tables = {
        group: without_withdrawn(before, ranking.ranking(before, group=group)) for group in ranking.groups_of(before)
    }
    filled = groups.qualify(tables, groups.usual_slots(len(tables), before.settings["advance"]))
    for each in filled:
        if each.entrant is None:
            raise FormatError("error.play-off", place=each.slot.place, group=each.slot.group or 0)
    return [(each.entrant, each.reason) for each in filled if each.entrant is not None]


def without_withdrawn(stage: Stage, rows: Sequence[Row]) -> list[Row]:
    gone = set(
        Entrant.objects.filter(starters__stage=stage, status=Entrant.Status.WITHDRAWN).values_list("pk", flat=True)
    )
    here = [row for row in rows if row.entrant not in gone]
    return list(orders.placed(here, key=lambda row: (row.place,)))


def _refuse_shared_cut(rows: Sequence[Row], take: int | None) -> None:
    if take is not None and len(rows) > take and rows[take - 1].place == rows[take].place:
        raise FormatError("error.play-off", place=rows[take].place, group=0)
