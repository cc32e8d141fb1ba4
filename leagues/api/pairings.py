from django.db.models import Q, QuerySet
from django.http import Http404
from rest_framework.request import Request

from accounts.models import Scope, User
from accounts.rest import Api, Data, PersonRequest, operation
from leagues import access, corrections, results, tables
from leagues.access import Permission
from leagues.api import round_shapes as shapes
from leagues.api.common import found
from leagues.api.rounds import listed
from leagues.models import Pairing, Result, Season


class Pairings(Api):
    tag = "pairings"

    @operation("list_pairings", gives=shapes.PairingShape, query=shapes.PairingQuery, pages="-pk")
    def get(self, request: Request, query: Data) -> QuerySet[Pairing]:
        """Published tables of competitions, the latest first."""
        rows = listed().exclude(round__status="drawn").exclude(round__stage__division__season__status="draft")
        if "season" in query:
            rows = rows.filter(round__stage__division__season=found(request.user, Season, pk=query["season"]))
        if "state" in query:
            rows = rows.filter(state=query["state"])
        if query["mine"]:
            person = request.user if isinstance(request.user, User) else None
            sits = Q(seats__entrant__user=person) | Q(seats__entrant__members__user=person)
            rows = rows.filter(sits).distinct() if person else rows.none()
        return rows


class OnePairing(Api):
    tag = "pairings"

    @operation("read_pairing", gives=shapes.WholePairingShape)
    def get(self, request: Request, key: str) -> Pairing:
        """A table: who sits there and why, and every version of its result."""
        return found(request.user, Pairing, key=key)


class Here(Api):
    tag = "pairings"

    @operation("come_to_table", gives=shapes.WholePairingShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str) -> Pairing:
        """Say that one is there: an online match begins when everybody is."""
        tables.here(person=request.user, pairing=found(request.user, Pairing, key=key))
        return found(request.user, Pairing, key=key)


class Place(Api):
    tag = "pairings"

    @operation("place_pairing", takes=shapes.WhereTerms, gives=shapes.WholePairingShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, key: str, data: Data) -> Pairing:
        """Move a table online or to the club, before it is played."""
        tables.place(actor=request.user, pairing=found(request.user, Pairing, key=key), where=data["where"])
        return found(request.user, Pairing, key=key)


class Report(Api):
    tag = "results"

    @operation("report_result", takes=shapes.ResultTerms, gives=shapes.ResultShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Result:
        """Report a result as somebody who sat at the table; the same as reported agrees, another one disputes."""
        return results.report(person=request.user, pairing=found(request.user, Pairing, key=key), **data)


class Answer(Api):
    tag = "results"

    @operation("answer_result", takes=shapes.AnswerTerms, gives=shapes.ResultShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Result:
        """Say yes or no to what somebody else reported."""
        pairing = found(request.user, Pairing, key=key)
        reported = Result.objects.filter(pairing=pairing, version=data["version"]).first()
        if reported is None:
            raise Http404
        reported.pairing = pairing
        return results.answer(person=request.user, result=reported, agrees=data["agrees"], note=data["note"])


class Settle(Api):
    tag = "results"

    @operation("settle_result", takes=shapes.ResultTerms, gives=shapes.ResultShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, key: str, data: Data) -> Result:
        """An organiser’s word: it counts at once, and ends a dispute."""
        return results.settle(actor=request.user, pairing=found(request.user, Pairing, key=key), **data)


class Preview(Api):
    tag = "results"

    @operation("preview_correction", takes=shapes.PreviewTerms, gives=shapes.PreviewShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, key: str, data: Data) -> corrections.Preview:
        """All that would change if a result were corrected; nothing is written."""
        return corrections.preview(actor=request.user, pairing=found(request.user, Pairing, key=key), **data)


class Correct(Api):
    tag = "results"

    @operation("correct_result", takes=shapes.CorrectTerms, gives=shapes.ResultShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, key: str, data: Data) -> Result:
        """Correct a result that counts, having seen its preview; without places it is struck out."""
        return corrections.correct(actor=request.user, pairing=found(request.user, Pairing, key=key), **data)


class Void(Api):
    tag = "results"

    @operation("void_pairing", takes=shapes.ReasonedTerms, gives=shapes.ResultShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, key: str, data: Data) -> Result:
        """The table never was: it counts for nobody."""
        return results.void(actor=request.user, pairing=found(request.user, Pairing, key=key), why=data["why"])


class Forfeit(Api):
    tag = "results"

    @operation("forfeit", takes=shapes.AbsentTerms, gives=shapes.WholePairingShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, key: str, data: Data) -> Pairing:
        """Note who did not come: a table of two is decided, a larger one plays on."""
        results.forfeit(actor=request.user, pairing=found(request.user, Pairing, key=key), absent=data["absent"])
        return found(request.user, Pairing, key=key)


class Disputes(Api):
    tag = "results"

    @operation("list_disputes", gives=shapes.PairingShape, pages="pk", private=True)
    def get(self, request: PersonRequest, pk: int) -> QuerySet[Pairing]:
        """Tables of a season that wait for an organiser’s word."""
        season = found(request.user, Season, pk=pk)
        access.require(request.user, Permission.ORGANISE, season)
        return listed().filter(pk__in=[pairing.pk for pairing in results.waiting_for_organiser(season)])
