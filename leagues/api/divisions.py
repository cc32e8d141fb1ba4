from django.db.models import QuerySet
from rest_framework.request import Request

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.models import Scope
from leagues.api import round_serializers, serializers
from leagues.api.common import get_visible_or_404
from leagues.entries import seeding
from leagues.models import Division, Round, Season, Stage
from leagues.rounds import closing, draw
from leagues.seasons import setup


class Divisions(Api):
    tag = "seasons"

    @operation("list_divisions", gives=serializers.DivisionSerializer, pages="pk")
    def get(self, request: Request, pk: int) -> QuerySet[Division]:
        """The divisions of a season."""
        return Division.objects.filter(season=get_visible_or_404(request.user, Season, pk=pk))

    @operation(
        "add_division",
        takes=serializers.DivisionInput,
        gives=serializers.DivisionSerializer,
        scope=Scope.ORGANISE,
        status=201,
    )
    def post(self, request: PersonRequest, pk: int, data: Data) -> Division:
        """Add a division below the existing ones."""
        return setup.add_division(actor=request.user, season=get_visible_or_404(request.user, Season, pk=pk), **data)


class OneDivision(Api):
    tag = "seasons"

    @operation("read_division", gives=serializers.DivisionSerializer)
    def get(self, request: Request, pk: int) -> Division:
        """A division."""
        return get_visible_or_404(request.user, Division, pk=pk)

    @operation(
        "edit_division", takes=serializers.DivisionInput, gives=serializers.DivisionSerializer, scope=Scope.ORGANISE
    )
    def patch(self, request: PersonRequest, pk: int, data: Data) -> Division:
        """Change a division’s name, places, or how many move."""
        division = get_visible_or_404(request.user, Division, pk=pk)
        new = {name: getattr(division, name) for name in serializers.DivisionInput.Meta.fields} | data
        return setup.edit_division(actor=request.user, division=division, **new)

    @operation("remove_division", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, pk: int) -> None:
        """Remove a division that nobody has entered."""
        setup.remove_division(actor=request.user, division=get_visible_or_404(request.user, Division, pk=pk))


class Seeding(Api):
    tag = "seasons"

    @operation("seed_division", takes=serializers.SeedInput, gives=serializers.EntrantsSerializer, scope=Scope.ORGANISE)
    def put(self, request: PersonRequest, pk: int, data: Data) -> Data:
        """Seed a division by rating, by lot, or by hand."""
        division = get_visible_or_404(request.user, Division, pk=pk)
        match data["by"]:
            case "rating":
                order = seeding.by_rating(actor=request.user, division=division)
            case "lot":
                order = seeding.by_lot(actor=request.user, division=division)
            case _:
                order = seeding.by_hand(actor=request.user, division=division, order=data["order"])
        return {"entrants": order}


class Stages(Api):
    tag = "seasons"

    @operation("list_stages", gives=serializers.StageSerializer, pages="pk")
    def get(self, request: Request, pk: int) -> QuerySet[Stage]:
        """The stages of a division."""
        return Stage.objects.filter(division=get_visible_or_404(request.user, Division, pk=pk))

    @operation(
        "add_stage", takes=serializers.StageInput, gives=serializers.StageSerializer, scope=Scope.ORGANISE, status=201
    )
    def post(self, request: PersonRequest, pk: int, data: Data) -> Stage:
        """Add a stage to a division."""
        return setup.add_stage(actor=request.user, division=get_visible_or_404(request.user, Division, pk=pk), **data)


class OneStage(Api):
    tag = "seasons"

    @operation("read_stage", gives=serializers.StageSerializer)
    def get(self, request: Request, pk: int) -> Stage:
        """A stage."""
        return get_visible_or_404(request.user, Stage, pk=pk)

    @operation("edit_stage", takes=serializers.StageInput, gives=serializers.StageSerializer, scope=Scope.ORGANISE)
    def put(self, request: PersonRequest, pk: int, data: Data) -> Stage:
        """Change a stage’s format or settings."""
        return setup.edit_stage(actor=request.user, stage=get_visible_or_404(request.user, Stage, pk=pk), **data)

    @operation("remove_stage", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, pk: int) -> None:
        """Remove the last stage of a division."""
        setup.remove_stage(actor=request.user, stage=get_visible_or_404(request.user, Stage, pk=pk))


class Draw(Api):
    tag = "rounds"

    @operation(
        "draw_round", takes=round_serializers.DrawInput, gives=round_serializers.RoundSerializer, scope=Scope.ORGANISE
    )
    def post(self, request: PersonRequest, pk: int, data: Data) -> Round:
        """Draw the next round; with its number, repeating the request draws nothing more."""
        return draw.draw_next_round(
            actor=request.user, stage=get_visible_or_404(request.user, Stage, pk=pk), number=data.get("number")
        )


class DrawAll(Api):
    tag = "rounds"

    @operation("draw_all_rounds", gives=round_serializers.RoundsSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Data:
        """Draw all rounds of a format that has a plan."""
        return {
            "rounds": draw.draw_all_rounds(actor=request.user, stage=get_visible_or_404(request.user, Stage, pk=pk))
        }


class Finish(Api):
    tag = "rounds"

    @operation("finish_stage", gives=round_serializers.FinishedSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Data:
        """Finish a stage; the next one of its division starts from its order."""
        return {"next": closing.finish_stage(actor=request.user, stage=get_visible_or_404(request.user, Stage, pk=pk))}
