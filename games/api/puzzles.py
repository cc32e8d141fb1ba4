from dataclasses import asdict
from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from rest_framework.request import Request

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.models import Scope, User
from games.api import puzzle_serializers
from games.models import Puzzle, PuzzleTry
from games.puzzles import choosing, presentation, tries


def serialize(puzzle: Puzzle | None) -> Data:
    if puzzle is None:
        raise Http404
    return {
        "id": puzzle.pk,
        "game": puzzle.game,
        "players": puzzle.players,
        "seat": puzzle.seat,
        "rating": round(puzzle.rating / 1000),
        "tries": puzzle.tries,
        "is_whole_turn": puzzle.turn is not None,
        **presentation.position(puzzle),
    }


class OfDay(Api):
    tag = "puzzles"

    @operation("read_puzzle_of_day", gives=puzzle_serializers.PuzzleSerializer, also=(409,))
    def get(self, request: Request) -> Data:
        """The puzzle of the day, the same for everybody; days begin at midnight UTC."""
        return serialize(choosing.puzzle_of_day(choosing.today()))


class Next(Api):
    tag = "puzzles"

    @operation(
        "read_next_puzzle",
        gives=puzzle_serializers.PuzzleSerializer,
        query=puzzle_serializers.NextPuzzleQuery,
        also=(409,),
    )
    def get(self, request: Request, query: Data) -> Data:
        """The puzzle nearest to my rating that I have not tried; without an account, any."""
        person = request.user if isinstance(request.user, User) else None
        return serialize(choosing.next_puzzle(person, query.get("after")))


class OnePuzzle(Api):
    tag = "puzzles"

    @operation("read_puzzle", gives=puzzle_serializers.PuzzleSerializer, also=(409,))
    def get(self, request: Request, pk: int) -> Data:
        """A puzzle: the table before the choice, as the seat saw it."""
        return serialize(choosing.puzzle_or_404(pk))

    @operation(
        "try_puzzle",
        takes=puzzle_serializers.PuzzleTryInput,
        gives=puzzle_serializers.SolvedSerializer,
        scope=Scope.PLAY,
        also=(409,),
    )
    def post(self, request: PersonRequest, pk: int, data: Data) -> Any:
        """Try a puzzle, and learn what each answer is worth. My first try is kept and rated, others are not.

        A whole turn is answered choice by choice, for as long as `goes_on` is true.
        """
        puzzle, before = choosing.puzzle_or_404(pk), data.get("before", [])
        return asdict(tries.answer(person=request.user, puzzle=puzzle, move=data["move"], before=before))


class Tries(Api):
    tag = "puzzles"

    @operation("list_puzzle_tries", gives=puzzle_serializers.PuzzleTrySerializer, pages=("-at", "-pk"), private=True)
    def get(self, request: PersonRequest) -> QuerySet[PuzzleTry]:
        """What I have tried, the latest first, with my rating before and after."""
        return PuzzleTry.objects.filter(person=request.user).select_related("puzzle")
