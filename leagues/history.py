"""Rows to values: a stage as the formats read it, in a fixed number of queries whatever its size."""

from collections import defaultdict
from collections.abc import Iterable

from leagues import catalogue
from leagues.formats.editions import Edition
from leagues.formats.field import Field
from leagues.formats.points import Scheme, scheme_of
from leagues.formats.values import Bye, Entrant, History, Kind, Place, Round, Seat, Step, Table, TableState
from leagues.models import Bye as ByeRow
from leagues.models import Entrant as EntrantRow
from leagues.models import EntrantStep, Pairing, PairingSeat, RequestedBye, Result, Season, Stage, Starter
from leagues.models import Round as RoundRow
from leagues.rounds import largest_table


def history(stage: Stage, *, group: int | None = None, upto: int | None = None, drafts: bool = False) -> History:
    """The stage so far. Rounds that are drawn but not published count only with `drafts`."""
    starters = Starter.objects.filter(stage=stage, **({} if group is None else {"group": group})).select_related(
        "entrant"
    )
    listed = list(starters.order_by("seed"))
    return History(
        seed=stage.seed,
        entrants=_entrants(stage, listed),
        rounds=_rounds(stage, {each.entrant_id for each in listed}, upto, drafts),
        forbidden=_forbidden(stage, listed),
        planned=stage.planned,
    )


def field(stage: Stage, *, group: int | None = None, upto: int | None = None, drafts: bool = False) -> Field:
    past = history(stage, group=group, upto=upto, drafts=drafts)
    known = catalogue.FORMATS[stage.format]
    return Field(past, scheme(stage), round_robin=known.round_robin, edition=edition(stage))


def scheme(stage: Stage) -> Scheme:
    return scheme_of(stage.division.season.points, edition(stage), largest_table(stage.settings))


def edition(stage: Stage) -> Edition:
    return Edition(stage.division.season.tie_break_edition)


def _entrants(stage: Stage, starters: Iterable[Starter]) -> tuple[Entrant, ...]:
    steps: dict[int, list[tuple[int, Step]]] = defaultdict(list)
    for who, at, step in EntrantStep.objects.filter(stage=stage).order_by("pk").values_list("entrant", "round", "step"):
        steps[who].append((at, Step(step)))
    asked: dict[int, list[tuple[int, Kind]]] = defaultdict(list)
    requests = RequestedBye.objects.filter(stage=stage).order_by("round")
    for who, at, kind in requests.values_list("entrant", "round", "kind"):
        asked[who].append((at, Kind[kind]))
    return tuple(
        Entrant(
            starter.entrant_id,
            starter.seed,
            starter.entrant.rating,
            tuple(steps[starter.entrant_id]),
            tuple(asked[starter.entrant_id]),
        )
        for starter in starters
    )


def _rounds(stage: Stage, known: set[int], upto: int | None, drafts: bool) -> tuple[Round, ...]:
    rows = RoundRow.objects.filter(stage=stage).order_by("number")
    if upto is not None:
        rows = rows.filter(number__lte=upto)
    if not drafts:
        rows = rows.exclude(status=RoundRow.Status.DRAWN)
    numbers = dict(rows.values_list("pk", "number"))
    tables = _tables(numbers, known)
    byes: dict[int, list[Bye]] = defaultdict(list)
    for at, who, kind in ByeRow.objects.filter(round__in=numbers).values_list("round", "entrant", "kind"):
        if who in known:
            byes[at].append(Bye(who, Kind[kind]))
    return tuple(Round(number, tuple(tables.get(pk, ())), tuple(byes.get(pk, ()))) for pk, number in numbers.items())


def _tables(rounds: Iterable[int], known: set[int]) -> dict[int, list[Table]]:
    seats: dict[int, list[Seat]] = defaultdict(list)
    ordered = PairingSeat.objects.filter(round__in=rounds).order_by("index")
    for pairing, who, index, role in ordered.values_list("pairing", "entrant", "index", "role"):
        seats[pairing].append(Seat(who, index + 1, role))
    results = dict(Result.objects.filter(pairing__round__in=rounds, in_force=True).values_list("pairing", "places"))
    found: dict[int, list[Table]] = defaultdict(list)
    rows = Pairing.objects.filter(round__in=rounds).order_by("number")
    for pk, at, number, state, deal in rows.values_list("pk", "round", "number", "state", "deal"):
        if seats[pk] and seats[pk][0].entrant not in known:
            continue
        places = tuple(as_place(place) for place in results.get(pk, ()))
        found[at].append(Table(number, tuple(seats[pk]), None, TableState(state), places, deal))
    return found


def as_place(stored: dict[str, object]) -> Place:
    rank, score = stored["rank"], stored.get("score")
    return Place(int(str(rank)), None if score is None else int(str(score)), Kind[str(stored.get("kind", "PLAYED"))])


def _forbidden(stage: Stage, starters: Iterable[Starter]) -> frozenset[frozenset[int]]:
    """Where tables are in both places, a guest (who cannot log in) and a bot (who cannot come) never share one."""
    if stage.division.season.where != Season.Where.BOTH:
        return frozenset()
    rows = EntrantRow.objects.filter(starters__in=[each.pk for each in starters])
    guests = rows.filter(user__is_guest=True).values_list("pk", flat=True)
    bots = list(rows.filter(kind=EntrantRow.Kind.BOT).values_list("pk", flat=True))
    return frozenset(frozenset({guest, bot}) for guest in guests for bot in bots)
