from django.db.models import QuerySet
from rest_framework.request import Request

from accounts.models import Scope
from accounts.rest import Api, Data, PersonRequest, operation
from leagues import close, competitions, draw, seeding
from leagues.api import round_shapes, shapes
from leagues.api.common import found
from leagues.models import Division, Round, Season, Stage


class Divisions(Api):
    tag = "seasons"

    @operation("list_divisions", gives=shapes.DivisionShape, pages="pk")
    def get(self, request: Request, pk: int) -> QuerySet[Division]:
        """The divisions of a season."""
        return Division.objects.filter(season=found(request.user, Season, pk=pk))

    @operation("add_division", takes=shapes.DivisionTerms, gives=shapes.DivisionShape, scope=Scope.ORGANISE, status=201)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Division:
        """A division below those that are there."""
        return competitions.add_division(actor=request.user, season=found(request.user, Season, pk=pk), **data)


class OneDivision(Api):
    tag = "seasons"

    @operation("read_division", gives=shapes.DivisionShape)
    def get(self, request: Request, pk: int) -> Division:
        """A division."""
        return found(request.user, Division, pk=pk)

    @operation("edit_division", takes=shapes.DivisionTerms, gives=shapes.DivisionShape, scope=Scope.ORGANISE)
    def patch(self, request: PersonRequest, pk: int, data: Data) -> Division:
        """Change a division’s name, places, or how many move."""
        division = found(request.user, Division, pk=pk)
        new = {name: getattr(division, name) for name in shapes.DivisionTerms.Meta.fields} | data
        return competitions.edit_division(actor=request.user, division=division, **new)

    @operation("remove_division", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, pk: int) -> None:
        """Remove a division that nobody has entered."""
        competitions.remove_division(actor=request.user, division=found(request.user, Division, pk=pk))


class Seeding(Api):
    tag = "seasons"

    @operation("seed_division", takes=shapes.SeedTerms, gives=shapes.EntrantsShape, scope=Scope.ORGANISE)
    def put(self, request: PersonRequest, pk: int, data: Data) -> Data:
        """Order a division by rating, by lot, or by hand."""
        division = found(request.user, Division, pk=pk)
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

    @operation("list_stages", gives=shapes.StageShape, pages="pk")
    def get(self, request: Request, pk: int) -> QuerySet[Stage]:
        """The stages of a division."""
        return Stage.objects.filter(division=found(request.user, Division, pk=pk))

    @operation("add_stage", takes=shapes.StageTerms, gives=shapes.StageShape, scope=Scope.ORGANISE, status=201)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Stage:
        """The next stage of a division, by one format."""
        return competitions.add_stage(actor=request.user, division=found(request.user, Division, pk=pk), **data)


class OneStage(Api):
    tag = "seasons"

    @operation("read_stage", gives=shapes.StageShape)
    def get(self, request: Request, pk: int) -> Stage:
        """A stage."""
        return found(request.user, Stage, pk=pk)

    @operation("edit_stage", takes=shapes.StageTerms, gives=shapes.StageShape, scope=Scope.ORGANISE)
    def put(self, request: PersonRequest, pk: int, data: Data) -> Stage:
        """Another format or other settings."""
        return competitions.edit_stage(actor=request.user, stage=found(request.user, Stage, pk=pk), **data)

    @operation("remove_stage", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, pk: int) -> None:
        """Remove the last stage of a division."""
        competitions.remove_stage(actor=request.user, stage=found(request.user, Stage, pk=pk))


class Draw(Api):
    tag = "rounds"

    @operation("draw_round", takes=round_shapes.DrawTerms, gives=round_shapes.RoundShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Round:
        """Draw the next round; with its number, asking twice is the same as asking once."""
        return draw.pair(actor=request.user, stage=found(request.user, Stage, pk=pk), number=data.get("number"))


class DrawAll(Api):
    tag = "rounds"

    @operation("draw_all_rounds", gives=round_shapes.RoundsShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Data:
        """Draw all rounds of a format that has a plan."""
        return {"rounds": draw.pair_all(actor=request.user, stage=found(request.user, Stage, pk=pk))}


class Finish(Api):
    tag = "rounds"

    @operation("finish_stage", gives=round_shapes.FinishedShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> Data:
        """End a stage; the next one of its division begins from its order."""
        return {"next": close.finish_stage(actor=request.user, stage=found(request.user, Stage, pk=pk))}
