from typing import Any

from django.db.models import QuerySet
from rest_framework.request import Request

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, Problem, operation
from accounts.models import Scope
from leagues.api import round_serializers
from leagues.api.common import get_visible_or_404, runs
from leagues.core.access import Permission, require
from leagues.core.reason_text import entrant_names, render_reason
from leagues.models import Bye, Pairing, Round, Stage
from leagues.results import reporting
from leagues.rounds import closing, draw


class Rounds(Api):
    tag = "rounds"

    @operation("list_rounds", gives=round_serializers.RoundSerializer, pages="number")
    def get(self, request: Request, pk: int) -> QuerySet[Round]:
        """The rounds of a stage; only organisers see unpublished ones."""
        stage = get_visible_or_404(request.user, Stage, pk=pk)
        rows = Round.objects.filter(stage=stage)
        return rows if runs(request.user, stage) else rows.exclude(status=Round.Status.DRAWN)


class OneRound(Api):
    tag = "rounds"

    @operation("read_round", gives=round_serializers.RoundSerializer)
    def get(self, request: Request, pk: int) -> Round:
        """A round."""
        return get_visible_or_404(request.user, Round, pk=pk)


class Pairings(Api):
    tag = "rounds"

    @operation("list_round_pairings", gives=round_serializers.PairingSerializer, pages="number")
    def get(self, request: Request, pk: int) -> QuerySet[Pairing]:
        """The tables of a round."""
        return listed().filter(round=get_visible_or_404(request.user, Round, pk=pk))


def listed() -> QuerySet[Pairing]:
    rows = Pairing.objects.select_related("match", "placement__slot__night__club")
    return rows.prefetch_related("seats__entrant__user", "results__by")


class Byes(Api):
    tag = "rounds"

    @operation("list_byes", gives=round_serializers.ByesSerializer)
    def get(self, request: Request, pk: int) -> Any:
        """The byes of a round, with reasons."""
        current = get_visible_or_404(request.user, Round, pk=pk)
        called = entrant_names(current.stage)
        rows = Bye.objects.filter(round=current).select_related("entrant__user")
        return {
            "byes": [
                {"entrant": row.entrant, "kind": row.kind, "why": render_reason(row.reason, called)} for row in rows
            ]
        }


class Publish(Api):
    tag = "rounds"

    @operation(
        "publish_round",
        takes=round_serializers.PublishInput,
        gives=round_serializers.RoundSerializer,
        scope=Scope.ORGANISE,
    )
    def post(self, request: PersonRequest, pk: int, data: Data) -> Round:
        """Publish a round: players are notified and online tables open."""
        return draw.publish(actor=request.user, round=get_visible_or_404(request.user, Round, pk=pk), **data)


class Redraw(Api):
    tag = "rounds"

    @operation("redraw_round", gives=round_serializers.RoundSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Round:
        """Draw an unpublished round again, with those who are here now; changes by hand are dropped."""
        return draw.draw_again(actor=request.user, round=get_visible_or_404(request.user, Round, pk=pk))


class TakeBack(Api):
    tag = "rounds"

    @operation("take_back_round", scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> None:
        """Delete the latest round of a stage, if nobody has played in it."""
        draw.delete_round(actor=request.user, round=get_visible_or_404(request.user, Round, pk=pk))


class Close(Api):
    tag = "rounds"

    @operation("close_round", gives=round_serializers.RoundSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Round:
        """Close a round that has no open table; its standings are stored."""
        return closing.close_round(actor=request.user, round=get_visible_or_404(request.user, Round, pk=pk))


class Reopen(Api):
    tag = "rounds"

    @operation("reopen_round", gives=round_serializers.RoundSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Round:
        """Reopen a closed round."""
        return closing.reopen_round(actor=request.user, round=get_visible_or_404(request.user, Round, pk=pk))


class Evening(Api):
    tag = "rounds"

    @operation(
        "enter_results",
        takes=round_serializers.EveningInput,
        gives=round_serializers.ResultsSerializer,
        scope=Scope.ORGANISE,
        also=(422,),
    )
    def post(self, request: PersonRequest, pk: int, data: Data) -> Data:
        """Enter the results of several tables at once: all of them or none."""
        current = get_visible_or_404(request.user, Round, pk=pk)
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
            made = reporting.enter_round_results(
                actor=request.user,
                rows={table: row["places"] for table, row in rows.items()},
                grades={table: row["grade"] for table, row in rows.items()},
            )
        except reporting.RoundEntryErrors as refused:
            keys = {table.pk: table.key for table in rows}
            wrong = {
                f"results.{at}": [why] for table, why in refused.rows.items() for at in _places(data, {keys[table]})
            }
            raise Problem("unprocessable", refused.message, errors=wrong) from refused
        return {"results": made}


def _places(data: Data, keys: set[str]) -> list[int]:
    return [at for at, row in enumerate(data["results"]) if row["pairing"] in keys]
