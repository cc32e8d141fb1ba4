"""Loads a stage as values for the formats, in a fixed number of queries."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from leagues.core import format_catalogue
from leagues.formats.adapters import largest_table
from leagues.formats.editions import Edition
from leagues.formats.points import Scheme, scheme_of
from leagues.formats.score_table import ScoreTable
from leagues.formats.values import (
    Bye,
    Entrant,
    History,
    Kind,
    Place,
    Round,
    Seat,
    SeparatedPair,
    Step,
    Table,
    TableState,
)
from leagues.models import Bye as ByeRow
from leagues.models import Entrant as EntrantRow
from leagues.models import (
    EntrantStep,
    MeetingRule,
    Pairing,
    PairingSeat,
    RequestedBye,
    Result,
    Season,
    Stage,
    Starter,
)
from leagues.models import Round as RoundRow

# By the id of the stage.
Starters = Mapping[int, Sequence[Starter]]


def load_history(stage: Stage, *, group: int | None = None, upto: int | None = None, drafts: bool = False) -> History:
    """The history of the stage. `drafts` includes rounds that are not published yet."""
    return load_histories([stage], group=group, upto=upto, drafts=drafts)[stage.pk]


def load_histories(
    stages: Sequence[Stage], *, group: int | None = None, upto: int | None = None, drafts: bool = False
) -> dict[int, History]:
    """The histories of several stages by their ids, with as many queries as one of them needs."""
    rows = Starter.objects.filter(stage__in=stages, **({} if group is None else {"group": group}))
    listed: dict[int, list[Starter]] = {stage.pk: [] for stage in stages}
    for each in rows.select_related("entrant").order_by("seed"):
        listed[each.stage_id].append(each)
    entrants, forbidden = _entrants(listed), _forbidden(stages, listed)
    rounds, separated = _rounds(listed, upto, drafts), _separated_pairs(stages, listed)
    return {
        stage.pk: History(
            seed=stage.seed,
            entrants=entrants[stage.pk],
            rounds=rounds[stage.pk],
            forbidden=forbidden[stage.pk],
            planned=stage.planned,
            apart=separated[stage.pk],
        )
        for stage in stages
    }


def load_score_table(
    stage: Stage, *, group: int | None = None, upto: int | None = None, drafts: bool = False
) -> ScoreTable:
    past = load_history(stage, group=group, upto=upto, drafts=drafts)
    known = format_catalogue.FORMATS[stage.format]
    return ScoreTable(past, scheme(stage), round_robin=known.round_robin, edition=edition(stage))


def scheme(stage: Stage) -> Scheme:
    season = stage.division.season
    best = season.best_rounds if format_catalogue.FORMATS[stage.format].counts_best_rounds else 0
    return scheme_of(season.points, edition(stage), largest_table(stage.settings), season.own_points, best)


def edition(stage: Stage) -> Edition:
    return Edition(stage.division.season.tie_break_edition)


def _entrants(starters: Starters) -> dict[int, tuple[Entrant, ...]]:
    steps: dict[tuple[int, int], list[tuple[int, Step]]] = defaultdict(list)
    moves = EntrantStep.objects.filter(stage__in=starters).order_by("pk")
    for stage, who, at, step in moves.values_list("stage", "entrant", "round", "step"):
        steps[stage, who].append((at, Step(step)))
    asked: dict[tuple[int, int], list[tuple[int, Kind]]] = defaultdict(list)
    requests = RequestedBye.objects.filter(stage__in=starters).order_by("round")
    for stage, who, at, kind in requests.values_list("stage", "entrant", "round", "kind"):
        asked[stage, who].append((at, Kind[kind]))
    return {
        stage: tuple(
            Entrant(
                starter.entrant_id,
                starter.seed,
                starter.entrant.rating,
                tuple(steps[stage, starter.entrant_id]),
                tuple(asked[stage, starter.entrant_id]),
            )
            for starter in listed
        )
        for stage, listed in starters.items()
    }


def _rounds(starters: Starters, upto: int | None, drafts: bool) -> dict[int, tuple[Round, ...]]:
    known = {stage: {each.entrant_id for each in listed} for stage, listed in starters.items()}
    rows = RoundRow.objects.filter(stage__in=starters).order_by("number")
    if upto is not None:
        rows = rows.filter(number__lte=upto)
    if not drafts:
        rows = rows.exclude(status=RoundRow.Status.DRAWN)
    numbers = {pk: (stage, number) for pk, stage, number in rows.values_list("pk", "stage", "number")}
    known_in = {pk: known[stage] for pk, (stage, _number) in numbers.items()}
    tables = _tables(known_in)
    byes: dict[int, list[Bye]] = defaultdict(list)
    for at, who, kind in ByeRow.objects.filter(round__in=numbers).values_list("round", "entrant", "kind"):
        if who in known_in[at]:
            byes[at].append(Bye(who, Kind[kind]))
    rounds: dict[int, list[Round]] = {stage: [] for stage in starters}
    for pk, (stage, number) in numbers.items():
        rounds[stage].append(Round(number, tuple(tables.get(pk, ())), tuple(byes.get(pk, ()))))
    return {stage: tuple(listed) for stage, listed in rounds.items()}


def _tables(known: Mapping[int, set[int]]) -> dict[int, list[Table]]:
    """The tables of these rounds; `known` has the entrants that count in each."""
    seats: dict[int, list[Seat]] = defaultdict(list)
    ordered = PairingSeat.objects.filter(round__in=known).order_by("index")
    for pairing, who, index, role in ordered.values_list("pairing", "entrant", "index", "role"):
        seats[pairing].append(Seat(who, index + 1, role))
    results = dict(Result.objects.filter(pairing__round__in=known, in_force=True).values_list("pairing", "places"))
    tables_by_round: dict[int, list[Table]] = defaultdict(list)
    rows = Pairing.objects.filter(round__in=known).order_by("number")
    for pk, at, number, state, deal in rows.values_list("pk", "round", "number", "state", "deal"):
        if seats[pk] and seats[pk][0].entrant not in known[at]:
            continue
        places = tuple(as_place(place) for place in results.get(pk, ()))
        tables_by_round[at].append(Table(number, tuple(seats[pk]), None, TableState(state), places, deal))
    return tables_by_round


def as_place(stored: dict[str, object]) -> Place:
    rank, score = stored["rank"], stored.get("score")
    return Place(int(str(rank)), None if score is None else int(str(score)), Kind[str(stored.get("kind", "PLAYED"))])


def _separated_pairs(stages: Sequence[Stage], starters: Starters) -> dict[int, tuple[SeparatedPair, ...]]:
    rules: dict[int, list[tuple[int, int, int | None]]] = defaultdict(list)
    seasons = {stage.division.season_id for stage in stages}
    rows = MeetingRule.objects.filter(season__in=seasons).order_by("pk")
    for season, one, other, until in rows.values_list("season", "one", "other", "from_round"):
        rules[season].append((one, other, until))
    kept: dict[int, tuple[SeparatedPair, ...]] = {}
    for stage in stages:
        known = {each.entrant_id for each in starters[stage.pk]}
        kept[stage.pk] = tuple(
            SeparatedPair(frozenset({one, other}), until)
            for one, other, until in rules[stage.division.season_id]
            if one in known and other in known
        )
    return kept


def _forbidden(stages: Sequence[Stage], starters: Starters) -> dict[int, frozenset[frozenset[int]]]:
    """With tables online and at the club, a guest (who cannot log in) and a bot (who cannot come) never meet."""
    mixed = [stage.pk for stage in stages if stage.division.season.where == Season.Where.BOTH]
    here = [each.entrant_id for stage in mixed for each in starters[stage]]
    guests, bots = set(), set()
    if here:
        rows = EntrantRow.objects.filter(pk__in=here)
        guests = set(rows.filter(user__is_guest=True).values_list("pk", flat=True))
        bots = set(rows.filter(kind=EntrantRow.Kind.BOT).values_list("pk", flat=True))
    apart: dict[int, frozenset[frozenset[int]]] = {stage.pk: frozenset() for stage in stages}
    for stage in mixed:
        own = {each.entrant_id for each in starters[stage]}
        apart[stage] = frozenset(frozenset({guest, bot}) for guest in guests & own for bot in bots & own)
    return apart
