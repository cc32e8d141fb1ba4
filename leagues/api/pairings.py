from django.db.models import Q, QuerySet
from django.http import Http404
from rest_framework.request import Request

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import Flag, InputSerializer
from accounts.models import Scope, User
from leagues.api import round_serializers
from leagues.api.common import get_visible_or_404
from leagues.api.rounds import listed
from leagues.core import access
from leagues.core.access import Permission
from leagues.models import League, Pairing, Result, Season
from leagues.results import corrections, reporting
from leagues.rounds import tables


class Pairings(Api):
    tag = "pairings"

    @operation(
        "list_pairings", gives=round_serializers.PairingSerializer, query=round_serializers.PairingQuery, pages="-pk"
    )
    def get(self, request: Request, query: Data) -> QuerySet[Pairing]:
        """Published tables of competitions, the latest first."""
        rows = listed().exclude(round__status="drawn").exclude(round__stage__division__season__status="draft")
        rows = rows.filter(round__stage__division__season__league__in=League.objects.seen_by(request.user))
        if "season" in query:
            rows = rows.filter(
                round__stage__division__season=get_visible_or_404(request.user, Season, pk=query["season"])
            )
        if "state" in query:
            rows = rows.filter(state=query["state"])
        if query["mine"]:
            person = request.user if isinstance(request.user, User) else None
            sits = Q(seats__entrant__user=person) | Q(seats__entrant__members__user=person)
            rows = rows.filter(sits).distinct() if person else rows.none()
        return rows


class OnePairing(Api):
    tag = "pairings"

    @operation("read_pairing", gives=round_serializers.WholePairingSerializer)
    def get(self, request: Request, key: str) -> Pairing:
        """A table: who sits there and why, and every version of its result."""
        return get_visible_or_404(request.user, Pairing, key=key)


class Here(Api):
    tag = "pairings"

    @operation("come_to_table", gives=round_serializers.WholePairingSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str) -> Pairing:
        """Report that you are present: an online match begins when everybody is."""
        tables.mark_present(person=request.user, pairing=get_visible_or_404(request.user, Pairing, key=key))
        return get_visible_or_404(request.user, Pairing, key=key)


class Place(Api):
    tag = "pairings"

    @operation(
        "place_pairing",
        takes=round_serializers.WhereInput,
        gives=round_serializers.WholePairingSerializer,
        scope=Scope.ORGANISE,
    )
    def post(self, request: PersonRequest, key: str, data: Data) -> Pairing:
        """Move a table online or to the club, before it is played."""
        tables.set_location(
            actor=request.user, pairing=get_visible_or_404(request.user, Pairing, key=key), where=data["where"]
        )
        return get_visible_or_404(request.user, Pairing, key=key)


class Report(Api):
    tag = "results"

    @operation(
        "report_result",
        takes=round_serializers.SentResultInput,
        gives=round_serializers.ResultSerializer,
        scope=Scope.PLAY,
    )
    def post(self, request: PersonRequest, key: str, data: Data) -> Result:
        """Report a result as a player. The same as already reported confirms it, another one disputes it."""
        pairing, sent_as = get_visible_or_404(request.user, Pairing, key=key), data.pop("key")
        return reporting.send_once(
            person=request.user,
            pairing=pairing,
            key=sent_as,
            write=lambda: reporting.report(person=request.user, pairing=pairing, **data),
        )


class Answer(Api):
    tag = "results"

    @operation(
        "answer_result", takes=round_serializers.AnswerInput, gives=round_serializers.ResultSerializer, scope=Scope.PLAY
    )
    def post(self, request: PersonRequest, key: str, data: Data) -> Result:
        """Confirm or dispute what another player reported, or object to a result that counts."""
        pairing = get_visible_or_404(request.user, Pairing, key=key)
        reported = Result.objects.filter(pairing=pairing, version=data["version"]).first()
        if reported is None:
            raise Http404
        reported.pairing = pairing
        return reporting.answer(person=request.user, result=reported, agrees=data["agrees"], note=data["note"])


class DecisionInput(InputSerializer):
    stands = Flag(help_text="Whether the result stands. If not, it stays out of the ratings.")


class Objections(Api):
    tag = "results"

    @operation(
        "decide_objections", takes=DecisionInput, gives=round_serializers.WholePairingSerializer, scope=Scope.ORGANISE
    )
    def post(self, request: PersonRequest, key: str, data: Data) -> Pairing:
        """Decide about objections to a counted result, as an organiser who did not play there."""
        pairing = get_visible_or_404(request.user, Pairing, key=key)
        reporting.decide_objections(actor=request.user, pairing=pairing, stands=data["stands"])
        return get_visible_or_404(request.user, Pairing, key=key)


class Settle(Api):
    tag = "results"

    @operation(
        "settle_result",
        takes=round_serializers.SentResultInput,
        gives=round_serializers.ResultSerializer,
        scope=Scope.ORGANISE,
    )
    def post(self, request: PersonRequest, key: str, data: Data) -> Result:
        """Enter a result as an organiser: it counts at once, and ends a dispute. At your own table it is a report."""
        pairing, sent_as = get_visible_or_404(request.user, Pairing, key=key), data.pop("key")
        return reporting.send_once(
            person=request.user,
            pairing=pairing,
            key=sent_as,
            write=lambda: reporting.enter_result(actor=request.user, pairing=pairing, **data),
        )


class Preview(Api):
    tag = "results"

    @operation(
        "preview_correction",
        takes=round_serializers.PreviewInput,
        gives=round_serializers.PreviewSerializer,
        scope=Scope.ORGANISE,
    )
    def post(self, request: PersonRequest, key: str, data: Data) -> corrections.Preview:
        """Preview of all that a correction would change; nothing is written."""
        return corrections.preview(
            actor=request.user, pairing=get_visible_or_404(request.user, Pairing, key=key), **data
        )


class Correct(Api):
    tag = "results"

    @operation(
        "correct_result",
        takes=round_serializers.CorrectInput,
        gives=round_serializers.ResultSerializer,
        scope=Scope.ORGANISE,
    )
    def post(self, request: PersonRequest, key: str, data: Data) -> Result:
        """Correct a confirmed result after its preview; without places it is voided."""
        return corrections.correct(
            actor=request.user, pairing=get_visible_or_404(request.user, Pairing, key=key), **data
        )


class Void(Api):
    tag = "results"

    @operation(
        "void_pairing",
        takes=round_serializers.ReasonedInput,
        gives=round_serializers.ResultSerializer,
        scope=Scope.ORGANISE,
    )
    def post(self, request: PersonRequest, key: str, data: Data) -> Result:
        """Void a table: it counts for nobody."""
        return reporting.void(
            actor=request.user, pairing=get_visible_or_404(request.user, Pairing, key=key), why=data["why"]
        )


class Forfeit(Api):
    tag = "results"

    @operation(
        "forfeit",
        takes=round_serializers.AbsentInput,
        gives=round_serializers.WholePairingSerializer,
        scope=Scope.ORGANISE,
    )
    def post(self, request: PersonRequest, key: str, data: Data) -> Pairing:
        """Record who did not come: a table of two is decided, a larger one plays on. Nobody: they came after all."""
        reporting.forfeit(
            actor=request.user, pairing=get_visible_or_404(request.user, Pairing, key=key), absent=data["absent"]
        )
        return get_visible_or_404(request.user, Pairing, key=key)


class Disputes(Api):
    tag = "results"

    @operation("list_disputes", gives=round_serializers.PairingSerializer, pages="pk", private=True)
    def get(self, request: PersonRequest, pk: int) -> QuerySet[Pairing]:
        """Tables of a season that wait for an organiser’s decision."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        access.require(request.user, Permission.ORGANISE, season)
        return listed().filter(pk__in=[pairing.pk for pairing in reporting.disputed_pairings(season)])
