"""The start of a stage: who plays in it, with which seed, in which group. Called by verbs, in their transactions."""

from collections.abc import Sequence

from django.utils.translation import gettext

from accounts.infra.errors import Refused
from leagues.core import format_catalogue
from leagues.entries.seeding import in_order
from leagues.formats import groups, order_rules
from leagues.formats.adapters import dealt_groups
from leagues.formats.errors import FormatError
from leagues.formats.reasons import Reason, reason, to_json
from leagues.formats.standings import Row
from leagues.formats.values import Entrant as EntrantValue
from leagues.models import Division, Entrant, Season, Stage, Starter
from leagues.standings import ranking

LEAST = 2


def begin_first(season: Season) -> None:
    """Start the first stages with everybody who has a place and, if the season asks for it, has checked in."""
    divisions = list(Division.objects.filter(season=season))
    if not divisions:
        raise Refused(gettext("This season has no division yet."))
    for division in divisions:
        stage = Stage.objects.filter(division=division).order_by("position").first()
        if stage is None:
            raise Refused(gettext("“%(division)s” has no format yet.") % {"division": division.name})
        absent = _leave_out_absent(season, division)
        entrants = in_order(division)
        if len(entrants) < (1 if format_catalogue.FORMATS[stage.format].teams else LEAST):
            raise Refused(_too_few(division, len(entrants), absent))
        start_stage(stage, [(entrant, None) for entrant in entrants])
        for seed, entrant in enumerate(entrants, 1):
            entrant.seed, entrant.status = seed, Entrant.Status.ACTIVE
        # Cleared first, because no two rows may have the same seed, not even for a moment.
        Entrant.objects.filter(division=division).update(seed=None)
        Entrant.objects.bulk_update(entrants, ["seed", "status"])


def _leave_out_absent(season: Season, division: Division) -> int:
    """Withdraw those who did not check in; returns how many. Those on the waiting list have no place."""
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


def start_stage(stage: Stage, entrants: Sequence[tuple[Entrant, Reason | None]]) -> None:
    """Start a stage with these entrants, strongest first."""
    dealt = _groups(stage, [entrant for entrant, _why in entrants])
    Starter.objects.bulk_create(
        Starter(
            stage=stage,
            entrant=entrant,
            seed=seed,
            group=dealt.get(entrant.pk),
            reason=to_json(why) if why else None,
        )
        for seed, (entrant, why) in enumerate(entrants, 1)
    )
    stage.status = Stage.Status.RUNNING
    stage.save(update_fields=["status"])


def _groups(stage: Stage, entrants: Sequence[Entrant]) -> dict[int, int]:
    if not format_catalogue.format_of(stage).grouped:
        return {}
    try:
        return dealt_groups([EntrantValue(each.pk, seed) for seed, each in enumerate(entrants, 1)], stage.settings)
    except FormatError as error:
        raise Refused(str(error)) from error


def add_late_starter(stage: Stage, entrant: Entrant, number: int) -> Starter:
    """Add one more entrant with the last seed, if the format allows it."""
    known = format_catalogue.FORMATS[stage.format]
    if not known.late_entry and stage.rounds.exists():
        raise Refused(gettext("“%(format)s” takes no late entries once it is drawn.") % {"format": known.title})
    last = Starter.objects.filter(stage=stage).order_by("-seed").first()
    group = None
    if known.grouped:
        sizes = {each: Starter.objects.filter(stage=stage, group=each).count() for each in ranking.groups_of(stage)}
        group = min(sizes, key=lambda each: (sizes[each], each))
    return Starter.objects.create(stage=stage, entrant=entrant, seed=(last.seed if last else 0) + 1, group=group)


def running_stage(entrant: Entrant) -> Stage | None:
    """The running stage of an entrant."""
    return Stage.objects.filter(starters__entrant=entrant, status=Stage.Status.RUNNING).order_by("-position").first()


def qualified(before: Stage, after: Stage) -> list[tuple[int, Reason]]:
    """Who goes on from a stage, in the seed order of the next: by the slots of groups, else the best of the ranking.

    Those who have withdrawn do not, and the others move up. A shared place at the cut is a FormatError; formats without
    tie-breaks decide it by lot.
    """
    if format_catalogue.format_of(before).grouped:
        return _from_groups(before)
    rows = without_withdrawn(before, ranking.ranking(before))
    wanted = rows if after.take is None else rows[: after.take]
    by_lot = _shared_cut(rows, after.take)
    if by_lot and not format_catalogue.format_of(before).lot_decides_cut:
        raise FormatError("error.play-off", place=by_lot, group=0)
    return [
        (row.entrant, reason("stage.lot" if row.place == by_lot else "stage.place", place=row.place)) for row in wanted
    ]


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
    return list(order_rules.placed(here, key=lambda row: (row.place,)))


def _shared_cut(rows: Sequence[Row], take: int | None) -> int:
    """The place shared by the last who goes on and the first who does not; 0 if there is none."""
    if take is not None and len(rows) > take and rows[take - 1].place == rows[take].place:
        return rows[take].place
    return 0
