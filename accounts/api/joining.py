from datetime import timedelta

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.urls import reverse

from accounts import access, joining
from accounts.access import Permission
from accounts.api import serializers
from accounts.api.base import Api, PersonRequest
from accounts.api.clubs import club_or_404
from accounts.infra.rest import Data, operation
from accounts.models import Club, Invite, InviteQuerySet, JoinRequest, Scope


class Requests(Api):
    tag = "clubs"

    @operation("list_requests", gives=serializers.RequestSerializer, pages="pk", private=True)
    def get(self, request: PersonRequest, slug: str) -> QuerySet[JoinRequest]:
        """Who waits to be let in: all of them for organisers, one’s own for others."""
        club = club_or_404(slug)
        pending = JoinRequest.objects.filter(club=club, status=JoinRequest.Status.PENDING).select_related("user")
        if access.may(request.user, Permission.DECIDE_REQUESTS, club):
            return pending
        return pending.filter(user=request.user)

    @operation(
        "ask_to_join", takes=serializers.AskInput, gives=serializers.RequestSerializer, scope=Scope.PLAY, status=201
    )
    def post(self, request: PersonRequest, slug: str, data: Data) -> JoinRequest:
        """Ask to join a club."""
        return joining.request_to_join(person=request.user, club=club_or_404(slug), message=data.get("message", ""))


class OneRequest(Api):
    tag = "clubs"

    @operation("withdraw_request", scope=Scope.PLAY)
    def delete(self, request: PersonRequest, slug: str, pk: int) -> None:
        """Withdraw one’s request to join."""
        joining.withdraw(person=request.user, request=_request(slug, pk))


class Answer(Api):
    tag = "clubs"

    @operation(
        "answer_request", takes=serializers.LetInInput, gives=serializers.RequestSerializer, scope=Scope.ORGANISE
    )
    def post(self, request: PersonRequest, slug: str, pk: int, data: Data) -> JoinRequest:
        """Let somebody in, or decline."""
        (joining.approve if data["let_in"] else joining.decline)(actor=request.user, request=_request(slug, pk))
        return _request(slug, pk)


def _request(slug: str, pk: int) -> JoinRequest:
    return get_object_or_404(JoinRequest.objects.select_related("club", "user"), pk=pk, club__slug=slug)


class Invites(Api):
    tag = "clubs"

    @operation("list_invites", gives=serializers.InviteSerializer, pages="-pk", private=True)
    def get(self, request: PersonRequest, slug: str) -> InviteQuerySet:
        """Invite links that still work; for organisers."""
        club = club_or_404(slug)
        access.require(request.user, Permission.INVITE, club)
        return Invite.objects.usable().filter(club=club).select_related("made_by")

    @operation(
        "invite", takes=serializers.InviteInput, gives=serializers.NewInviteSerializer, scope=Scope.ORGANISE, status=201
    )
    def post(self, request: PersonRequest, slug: str, data: Data) -> Data:
        """Make an invite link; its secret is shown only this once."""
        new = joining.invite(
            actor=request.user,
            club=club_or_404(slug),
            max_uses=data["max_uses"],
            lasting=timedelta(days=data["days"]),
        )
        link = request.build_absolute_uri(reverse("accounts:join", args=[new.token]))
        return {"invite": new.invite, "token": new.token, "link": link}


class OneInvite(Api):
    tag = "clubs"

    @operation("revoke_invite", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, slug: str, pk: int) -> None:
        """Revoke an invite link."""
        made = get_object_or_404(Invite.objects.select_related("club"), pk=pk, club__slug=slug)
        joining.revoke(actor=request.user, invite=made)


class Join(Api):
    tag = "clubs"

    @operation("accept_invite", takes=serializers.JoinInput, gives=serializers.ClubSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, data: Data) -> Club:
        """Join a club with an invite."""
        return club_or_404(joining.accept(person=request.user, token=data["token"]).slug)
