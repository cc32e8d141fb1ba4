from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request

from accounts.models import Scope
from accounts.rest import Api, Data, PersonRequest, Problem, operation
from leagues import close, draw, results
from leagues.access import Permission, require
from leagues.api import round_shapes as shapes
from leagues.api.common import found, runs
from leagues.models import Bye, Pairing, Round, Stage
from leagues.words import names, said


class Rounds(Api):
    tag = "rounds"

    @operation("list_rounds", gives=shapes.RoundShape, pages="number")
    def get(self, request: Request, pk: int) -> QuerySet[Round]:
        """The rounds of a stage; what is only drawn is there for organisers alone."""
        stage = found(request.user, Stage, pk=pk)
        rows = Round.objects.filter(stage=stage)
        return rows if runs(request.user, stage) else rows.exclude(status=Round.Status.DRAWN)


class OneRound(Api):
    tag = "rounds"

    @operation("read_round", gives=shapes.RoundShape)
    def get(self, request: Request, pk: int) -> Round:
        """A round."""
        return found(request.user, Round, pk=pk)


class Pairings(Api):
    tag = "rounds"

    @operation("list_round_pairings", gives=shapes.PairingShape, pages="number")
    def get(self, request: Request, pk: int) -> QuerySet[Pairing]:
        """The tables of a round."""
        return listed().filter(round=found(request.user, Round, pk=pk))


def listed() -> QuerySet[Pairing]:
    return Pairing.objects.select_related("match").prefetch_related("seats__entrant__user", "results__by")


class Byes(Api):
    tag = "rounds"

    @operation("list_byes", gives=shapes.ByesShape)
    def get(self, request: Request, pk: int) -> Any:
        """Who sits a round out, and why."""
        current = found(request.user, Round, pk=pk)
        called = names(current.stage)
        rows = Bye.objects.filter(round=current).select_related("entrant__user")
        return {"byes": [{"entrant": row.entrant, "kind": row.kind, "why": said(row.reason, called)} for row in rows]}


class Publish(Api):
    tag = "rounds"

    @operation("publish_round", takes=shapes.PublishTerms, gives=shapes.RoundShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Round:
        """Publish a round: the players are told, online tables open."""
        return draw.publish(actor=request.user, round=found(request.user, Round, pk=pk), **data)


class TakeBack(Api):
    tag = "rounds"

    @operation("take_back_round", scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> None:
        """Take back the latest round of a stage, as long as nobody has played in it."""
        draw.take_back(actor=request.user, round=found(request.user, Round, pk=pk))


class Close(Api):
    tag = "rounds"

    @operation("close_round", gives=shapes.RoundShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Round:
        """Close a round that has no open table; its standings are kept."""
        return close.close_round(actor=request.user, round=found(request.user, Round, pk=pk))


class Reopen(Api):
    tag = "rounds"

    @operation("reopen_round", gives=shapes.RoundShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Round:
        """Let a closed round take results again."""
        return close.reopen_round(actor=request.user, round=found(request.user, Round, pk=pk))


class Evening(Api):
    tag = "rounds"

    @operation("enter_results", takes=shapes.EveningTerms, gives=shapes.ResultsShape, scope=Scope.ORGANISE, also=(422,))
    def post(self, request: PersonRequest, pk: int, data: Data) -> Data:
        """Enter the results of several tables at once: all of them or none."""
        current = found(request.user, Round, pk=pk)
        require(request.user, Permission.ORGANISE, current)
        tables = {table.key: table for table in Pairing.objects.filter(round=current)}
        unknown = {row["pairing"] for row in data["results"]} - set(tables)
        if unknown:
            wrong = {
                f"results.{at}.pairing": ["There is no such table in this round."] for at in _places(data, unknown)
            }
            raise Problem("unprocessable", "Some tables are not of this round.", errors=wrong)
        rows = {tables[row["pairing"]]: row for row in data["results"]}
        try:
            made = results.enter(
                actor=request.user,
                rows={table: row["places"] for table, row in rows.items()},
                grades={table: row["grade"] for table, row in rows.items()},
            )
        except results.RowErrors as refused:
            keys = {table.pk: table.key for table in rows}
            wrong = {
                f"results.{at}": [why] for table, why in refused.rows.items() for at in _places(data, {keys[table]})
            }
            raise Problem("unprocessable", refused.message, errors=wrong) from refused
        return {"results": made}


def _places(data: Data, keys: set[str]) -> list[int]:
    return [at for at, row in enumerate(data["results"]) if row["pairing"] in keys]
