"""The numbers of the places where people sit: no two tables that are played at the same time have the same one."""

from collections.abc import Iterator
from itertools import count, islice

from django.db.models import Q

from leagues.core import format_catalogue, locks
from leagues.models import Pairing, Round


def free_numbers(round_: Round, how_many: int) -> list[int]:
    """The lowest numbers that no table beside this round has. Under the lock of the season's numbers."""
    locks.table_numbers(round_.stage.division.season)
    return list(islice(_free(_taken(round_)), how_many))


def number_tables(round_: Round, pairings: list[Pairing]) -> None:
    """Give new tables of a round their numbers; those at the club first, so that a room has no gaps."""
    ordered = sorted(pairings, key=lambda pairing: (pairing.where != Pairing.Where.CLUB, pairing.number))
    for pairing, number in zip(ordered, free_numbers(round_, len(ordered))):
        pairing.table_number = number


def renumber(pairing: Pairing) -> None:
    """Another number for a table that lost its place on the calendar, if a table beside it has the same."""
    locks.table_numbers(pairing.round.stage.division.season)
    if pairing.table in _taken(pairing.round, but=pairing):
        pairing.table_number = next(_free(_taken(pairing.round, but=pairing)))
        Pairing.objects.filter(pk=pairing.pk).update(table_number=pairing.table_number)


def _free(taken: set[int]) -> Iterator[int]:
    return (number for number in count(1) if number not in taken)


def _taken(round_: Round, but: Pairing | None = None) -> set[int]:
    known = format_catalogue.format_of(round_.stage)
    beside = Q(round=round_)
    beside |= ~Q(round__stage__division=round_.stage.division_id) & ~Q(round__status=Round.Status.CLOSED)
    if known.has_bracket or known.is_ladder or known.is_arena:
        # Rounds of these overlap.
        beside |= Q(round__stage=round_.stage_id) & ~Q(state__in=[Pairing.State.CONFIRMED, Pairing.State.VOID])
    season = round_.stage.division.season_id
    rows = Pairing.objects.filter(beside, round__stage__division__season=season)
    if but is not None:
        rows = rows.exclude(pk=but.pk)
    # Tables from before there were such numbers have the one of their round.
    return {own or number for own, number in rows.values_list("table_number", "number")}
