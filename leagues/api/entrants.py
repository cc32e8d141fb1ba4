from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.request import Request

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import Flag, InputSerializer
from accounts.models import Scope, User
from games.models import OwnBot
from leagues.api import serializers
from leagues.api.common import get_visible_or_404
from leagues.core import access
from leagues.core.access import Permission
from leagues.entries import bye_requests, invitations, late_entry, registration, withdrawal
from leagues.models import Division, Entrant, RequestedBye, Season, Stage
from leagues.rounds import attending


class ConsentInput(InputSerializer):
    plays = Flag(help_text="Whether you play.")


class Consent(Api):
    tag = "entrants"

    @operation("answer_entry", takes=ConsentInput, gives=serializers.EntrantSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Entrant:
        """Say whether you play, after an organiser entered you. A no takes the entry out."""
        entrant = get_visible_or_404(request.user, Entrant, pk=pk)
        return invitations.answer(person=request.user, entrant=entrant, plays=data["plays"])


class Entrants(Api):
    tag = "entrants"

    @operation("list_entrants", gives=serializers.EntrantSerializer, query=serializers.EntrantQuery, pages="pk")
    def get(self, request: Request, pk: int, query: Data) -> QuerySet[Entrant]:
        """The entrants of a season, in the order of their entries."""
        rows = Entrant.objects.named().filter(season=get_visible_or_404(request.user, Season, pk=pk))
        return rows.filter(**query).prefetch_related("members__user")

    @operation(
        "enter_season", takes=serializers.EnterInput, gives=serializers.EntrantSerializer, scope=Scope.PLAY, status=201
    )
    def post(self, request: PersonRequest, pk: int, data: Data) -> Entrant:
        """Enter a season yourself; if it is full, you are on the waiting list.

        Where organisers approve entries, ask by `ask_to_enter`.
        """
        season = get_visible_or_404(request.user, Season, pk=pk)
        division = get_object_or_404(Division, season=season, pk=data["division"]) if "division" in data else None
        return registration.register(person=request.user, season=season, division=division, answers=data["answers"])


class AddPerson(Api):
    tag = "entrants"

    @operation(
        "add_person",
        takes=serializers.HandleInput,
        gives=serializers.EntrantSerializer,
        scope=Scope.ORGANISE,
        status=201,
    )
    def post(self, request: PersonRequest, pk: int, data: Data) -> Entrant:
        """Enter a member into a division."""
        division = get_visible_or_404(request.user, Division, pk=pk)
        access.require(request.user, Permission.ORGANISE, division)
        return registration.add_person(actor=request.user, division=division, person=_person(data["handle"]))


class AddGuests(Api):
    tag = "entrants"

    @operation(
        "add_guests",
        takes=serializers.GuestInput,
        gives=serializers.EntrantsSerializer,
        scope=Scope.ORGANISE,
        status=201,
    )
    def post(self, request: PersonRequest, pk: int, data: Data) -> Data:
        """Enter guests by name, who need no account; all of them or none."""
        division = get_visible_or_404(request.user, Division, pk=pk)
        with transaction.atomic():
            made = [registration.add_guest(actor=request.user, division=division, name=name) for name in data["names"]]
        return {"entrants": made}


class AddBot(Api):
    tag = "entrants"

    @operation(
        "add_bot_entrant",
        takes=serializers.BotEntrantInput,
        gives=serializers.EntrantSerializer,
        scope=Scope.ORGANISE,
        status=201,
    )
    def post(self, request: PersonRequest, pk: int, data: Data) -> Entrant:
        """Enter a bot into a division: one of the site, or a user’s own."""
        division = get_visible_or_404(request.user, Division, pk=pk)
        if "level" in data:
            return registration.add_bot(actor=request.user, division=division, level=data["level"])
        access.require(request.user, Permission.ORGANISE, division)
        bot = get_object_or_404(OwnBot.objects.select_related("user", "owner"), user__handle__iexact=data["bot"])
        return registration.add_own_bot(actor=request.user, division=division, bot=bot)


class AddTeam(Api):
    tag = "entrants"

    @operation(
        "add_team", takes=serializers.TeamInput, gives=serializers.EntrantSerializer, scope=Scope.ORGANISE, status=201
    )
    def post(self, request: PersonRequest, pk: int, data: Data) -> Entrant:
        """Enter a team into a division."""
        division = get_visible_or_404(request.user, Division, pk=pk)
        access.require(request.user, Permission.ORGANISE, division)
        members = [_person(handle) for handle in data["members"]]
        made = registration.add_team(
            actor=request.user, division=division, name=data["name"], members=members, bots=data["bots"]
        )
        return get_visible_or_404(request.user, Entrant, pk=made.pk)


def _person(handle: str) -> User:
    return get_object_or_404(User, handle__iexact=handle, is_active=True)


class LateEntryNow(Api):
    tag = "entrants"

    @operation("read_late_entry", gives=serializers.LateEntrySerializer)
    def get(self, request: Request, pk: int) -> Data:
        """Whether and how somebody can still enter a running season."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        late = late_entry.late_entry(season, request.user if isinstance(request.user, User) else None)
        if late is None:
            raise Http404
        return {"possible": late.is_possible, "divisions": [each.pk for each in late.divisions], "words": late.words}


class OneEntrant(Api):
    tag = "entrants"

    @operation("read_entrant", gives=serializers.EntrantSerializer)
    def get(self, request: Request, pk: int) -> Entrant:
        """An entrant."""
        return get_visible_or_404(request.user, Entrant, pk=pk)


class Withdraw(Api):
    tag = "entrants"

    @operation("withdraw", gives=serializers.EntrantSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> Entrant:
        """Withdraw from the next round on: by the entrant or an organiser."""
        return withdrawal.withdraw(actor=request.user, entrant=get_visible_or_404(request.user, Entrant, pk=pk))


class Return(Api):
    tag = "entrants"

    @operation("return_to_season", gives=serializers.EntrantSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> Entrant:
        """Return after a withdrawal."""
        return withdrawal.return_to_season(actor=request.user, entrant=get_visible_or_404(request.user, Entrant, pk=pk))


class CheckIn(Api):
    tag = "entrants"

    @operation("check_in", gives=serializers.EntrantSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> Entrant:
        """Check in before the first round."""
        return registration.check_in(actor=request.user, entrant=get_visible_or_404(request.user, Entrant, pk=pk))

    @operation("check_out", gives=serializers.EntrantSerializer, scope=Scope.PLAY)
    def delete(self, request: PersonRequest, pk: int) -> Entrant:
        """Take a check-in back."""
        return registration.check_out(actor=request.user, entrant=get_visible_or_404(request.user, Entrant, pk=pk))


class MoveEntrant(Api):
    tag = "entrants"

    @operation("move_entrant", takes=serializers.MoveInput, gives=serializers.EntrantSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int, data: Data) -> Entrant:
        """Move an entrant to another division of the season."""
        entrant = get_visible_or_404(request.user, Entrant, pk=pk)
        division = get_object_or_404(Division, season=entrant.season, pk=data["division"])
        return registration.move(actor=request.user, entrant=entrant, division=division)


class Byes(Api):
    tag = "entrants"

    @operation("list_requested_byes", gives=serializers.ByeSerializer, pages="pk")
    def get(self, request: Request, pk: int) -> QuerySet[RequestedBye]:
        """Byes that an entrant has requested."""
        return RequestedBye.objects.asked().filter(entrant=get_visible_or_404(request.user, Entrant, pk=pk))

    @operation("ask_for_bye", takes=serializers.ByeInput, gives=serializers.ByeSerializer, scope=Scope.PLAY, status=201)
    def post(self, request: PersonRequest, pk: int, data: Data) -> RequestedBye:
        """Request a bye."""
        entrant = get_visible_or_404(request.user, Entrant, pk=pk)
        stage = get_object_or_404(Stage, division=entrant.division, pk=data["stage"])
        return bye_requests.request_bye(
            actor=request.user, entrant=entrant, stage=stage, number=data["round"], kind=data["kind"]
        )


class OneBye(Api):
    tag = "entrants"

    @operation("cancel_bye", scope=Scope.PLAY)
    def delete(self, request: PersonRequest, pk: int, bye: int) -> None:
        """Cancel a requested bye."""
        entrant = get_visible_or_404(request.user, Entrant, pk=pk)
        asked = RequestedBye.objects.asked().filter(entrant=entrant, pk=bye).first()
        if asked is None:
            raise Http404
        attending.come_after_all(actor=request.user, request=asked)
