from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.request import Request

from accounts.models import Scope, User
from accounts.rest import Api, Data, PersonRequest, operation
from games.models import OwnBot
from leagues import absence, access, byes, enrol
from leagues.access import Permission
from leagues.api import shapes
from leagues.api.common import found
from leagues.models import Division, Entrant, RequestedBye, Season, Stage


class Entrants(Api):
    tag = "entrants"

    @operation("list_entrants", gives=shapes.EntrantShape, query=shapes.EntrantQuery, pages="pk")
    def get(self, request: Request, pk: int, query: Data) -> QuerySet[Entrant]:
        """Who has entered a season, in the order in which they did."""
        rows = Entrant.objects.named().filter(season=found(request.user, Season, pk=pk))
        return rows.filter(**query).prefetch_related("members__user")

    @operation("enter_season", takes=shapes.EnterTerms, gives=shapes.EntrantShape, scope=Scope.PLAY, status=201)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Entrant:
        """Enter a season oneself; when it is full, one waits."""
        season = found(request.user, Season, pk=pk)
        division = get_object_or_404(Division, season=season, pk=data["division"]) if "division" in data else None
        return enrol.register(person=request.user, season=season, division=division)


class AddPerson(Api):
    tag = "entrants"

    @operation("add_person", takes=shapes.HandleTerms, gives=shapes.EntrantShape, scope=Scope.ORGANISE, status=201)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Entrant:
        """Enter somebody into a division."""
        division = found(request.user, Division, pk=pk)
        access.require(request.user, Permission.ORGANISE, division)
        return enrol.add_person(actor=request.user, division=division, person=_person(data["handle"]))


class AddGuests(Api):
    tag = "entrants"

    @operation("add_guests", takes=shapes.GuestTerms, gives=shapes.EntrantsShape, scope=Scope.ORGANISE, status=201)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Data:
        """Enter people without an account, by name; all of them or none."""
        division = found(request.user, Division, pk=pk)
        with transaction.atomic():
            made = [enrol.add_guest(actor=request.user, division=division, name=name) for name in data["names"]]
        return {"entrants": made}


class AddBot(Api):
    tag = "entrants"

    @operation(
        "add_bot_entrant", takes=shapes.BotEntrantTerms, gives=shapes.EntrantShape, scope=Scope.ORGANISE, status=201
    )
    def post(self, request: PersonRequest, pk: int, data: Data) -> Entrant:
        """Enter a bot into a division: one of the house, or one that somebody brought."""
        division = found(request.user, Division, pk=pk)
        if "level" in data:
            return enrol.add_bot(actor=request.user, division=division, level=data["level"])
        access.require(request.user, Permission.ORGANISE, division)
        bot = get_object_or_404(OwnBot.objects.select_related("user", "owner"), user__handle__iexact=data["bot"])
        return enrol.add_own_bot(actor=request.user, division=division, bot=bot)


class AddTeam(Api):
    tag = "entrants"

    @operation("add_team", takes=shapes.TeamTerms, gives=shapes.EntrantShape, scope=Scope.ORGANISE, status=201)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Entrant:
        """Enter a team into a division."""
        division = found(request.user, Division, pk=pk)
        access.require(request.user, Permission.ORGANISE, division)
        members = [_person(handle) for handle in data["members"]]
        made = enrol.add_team(
            actor=request.user, division=division, name=data["name"], members=members, bots=data["bots"]
        )
        return found(request.user, Entrant, pk=made.pk)


def _person(handle: str) -> User:
    return get_object_or_404(User, handle__iexact=handle, is_active=True)


class OneEntrant(Api):
    tag = "entrants"

    @operation("read_entrant", gives=shapes.EntrantShape)
    def get(self, request: Request, pk: int) -> Entrant:
        """An entrant."""
        return found(request.user, Entrant, pk=pk)


class Withdraw(Api):
    tag = "entrants"

    @operation("withdraw", gives=shapes.EntrantShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> Entrant:
        """Withdraw from the next round on: oneself, or an organiser for somebody."""
        return absence.withdraw(actor=request.user, entrant=found(request.user, Entrant, pk=pk))


class Return(Api):
    tag = "entrants"

    @operation("return_to_season", gives=shapes.EntrantShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> Entrant:
        """Come back after having withdrawn."""
        return absence.come_back(actor=request.user, entrant=found(request.user, Entrant, pk=pk))


class CheckIn(Api):
    tag = "entrants"

    @operation("check_in", gives=shapes.EntrantShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> Entrant:
        """Check in before the first round."""
        return enrol.check_in(actor=request.user, entrant=found(request.user, Entrant, pk=pk))

    @operation("check_out", gives=shapes.EntrantShape, scope=Scope.PLAY)
    def delete(self, request: PersonRequest, pk: int) -> Entrant:
        """Take a check-in back."""
        return enrol.check_out(actor=request.user, entrant=found(request.user, Entrant, pk=pk))


class MoveEntrant(Api):
    tag = "entrants"

    @operation("move_entrant", takes=shapes.MoveTerms, gives=shapes.EntrantShape, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Entrant:
        """Put an entrant into another division of the season."""
        entrant = found(request.user, Entrant, pk=pk)
        division = get_object_or_404(Division, season=entrant.season, pk=data["division"])
        return enrol.move(actor=request.user, entrant=entrant, division=division)


class Byes(Api):
    tag = "entrants"

    @operation("list_requested_byes", gives=shapes.ByeShape, pages="pk")
    def get(self, request: Request, pk: int) -> QuerySet[RequestedBye]:
        """Rounds that an entrant has asked to miss."""
        return RequestedBye.objects.filter(entrant=found(request.user, Entrant, pk=pk))

    @operation("ask_for_bye", takes=shapes.ByeTerms, gives=shapes.ByeShape, scope=Scope.PLAY, status=201)
    def post(self, request: PersonRequest, pk: int, data: Data) -> RequestedBye:
        """Ask to miss a round."""
        entrant = found(request.user, Entrant, pk=pk)
        stage = get_object_or_404(Stage, division=entrant.division, pk=data["stage"])
        return byes.ask(actor=request.user, entrant=entrant, stage=stage, number=data["round"], kind=data["kind"])


class OneBye(Api):
    tag = "entrants"

    @operation("cancel_bye", scope=Scope.PLAY)
    def delete(self, request: PersonRequest, pk: int, bye: int) -> None:
        """Play a round after all."""
        asked = RequestedBye.objects.filter(entrant=found(request.user, Entrant, pk=pk), pk=bye).first()
        if asked is None:
            raise Http404
        byes.cancel(actor=request.user, request=asked)
