"""Guests of a club: rename them, join them to accounts with consent, undo that."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers

from accounts import people
from accounts.api.base import Api, PersonRequest
from accounts.api.fields import PersonSerializer
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import Flag, InputSerializer, Text
from accounts.models import Scope, User
from accounts.people import MAX_NAME_LENGTH
from leagues.api.calendar import run_club
from leagues.api.serializers import HandleInput
from leagues.entries import guests
from leagues.models import GuestJoin


class GuestJoinSerializer(serializers.Serializer[Any]):
    """The question whether somebody is a guest, and its answer."""

    id = serializers.IntegerField()
    page = serializers.CharField(source="get_absolute_url")
    club = serializers.CharField(source="club.slug")
    guest = PersonSerializer()
    person = PersonSerializer()
    state = serializers.ChoiceField(GuestJoin.State.choices)
    proposed_by = PersonSerializer()
    proposed_at = serializers.DateTimeField()
    answered_at = serializers.DateTimeField(allow_null=True)


class RenameInput(InputSerializer):
    name = Text(max_length=MAX_NAME_LENGTH)


class JoinAnswerInput(InputSerializer):
    joins = Flag(help_text="Whether you are this guest.")


class VouchInput(InputSerializer):
    agrees = Flag(help_text="Whether the guest you sat with was this person.")


def _joins() -> QuerySet[GuestJoin]:
    return GuestJoin.objects.select_related("club", "guest", "person", "proposed_by")


def _join_or_404(request: PersonRequest, pk: int) -> GuestJoin:
    join = get_object_or_404(_joins(), pk=pk)
    if not guests.may_see(request.user, join):
        raise Http404
    return join


class Guests(Api):
    tag = "entrants"

    @operation("list_guests", gives=PersonSerializer, pages="pk", private=True)
    def get(self, request: PersonRequest, slug: str) -> QuerySet[User]:
        """The guests of a club, without those who are joined to an account; for organisers."""
        return people.guests_of(run_club(request, slug)).filter(is_active=True)


class OneGuest(Api):
    tag = "entrants"

    @operation("rename_guest", takes=RenameInput, gives=PersonSerializer, scope=Scope.ORGANISE)
    def patch(self, request: PersonRequest, slug: str, handle: str, data: Data) -> User:
        """Call a guest by another name, in all seasons."""
        club = run_club(request, slug)
        guest = get_object_or_404(people.guests_of(club), handle=handle)
        return guests.rename(actor=request.user, club=club, guest=guest, name=data.get("name", guest.display_name))


class ProposeJoin(Api):
    tag = "entrants"

    @operation("propose_guest_join", takes=HandleInput, gives=GuestJoinSerializer, scope=Scope.ORGANISE, status=201)
    def post(self, request: PersonRequest, slug: str, handle: str, data: Data) -> GuestJoin:
        """Ask a member whether they are this guest."""
        club = run_club(request, slug)
        guest = get_object_or_404(people.guests_of(club), handle=handle)
        person = get_object_or_404(User, handle__iexact=data["handle"], is_active=True)
        return guests.propose(actor=request.user, club=club, guest=guest, person=person)


class Joins(Api):
    tag = "entrants"

    @operation("list_guest_joins", gives=GuestJoinSerializer, pages="-pk", private=True)
    def get(self, request: PersonRequest) -> QuerySet[GuestJoin]:
        """Guests that you were asked about, the latest first."""
        return _joins().filter(person=request.user)


class OneJoin(Api):
    tag = "entrants"

    @operation("read_guest_join", gives=GuestJoinSerializer, private=True)
    def get(self, request: PersonRequest, pk: int) -> GuestJoin:
        """A question about a guest: for the person, for organisers, and for those who sat with the guest."""
        return _join_or_404(request, pk)

    @operation("end_guest_join", gives=GuestJoinSerializer, scope=Scope.PLAY)
    def delete(self, request: PersonRequest, pk: int) -> GuestJoin:
        """Undo a join: the guest is a guest again. Organisers also take back a question without an answer."""
        join = _join_or_404(request, pk)
        verb = guests.withdraw_proposal if join.state == GuestJoin.State.ASKED else guests.undo
        return verb(actor=request.user, join=join)


class AnswerJoin(Api):
    tag = "entrants"

    @operation("answer_guest_join", takes=JoinAnswerInput, gives=GuestJoinSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int, data: Data) -> GuestJoin:
        """Say whether you are this guest. A yes gives you the guest’s entries and results."""
        return guests.answer(person=request.user, join=_join_or_404(request, pk), joins=data["joins"])


class VouchJoin(Api):
    tag = "entrants"

    @operation("vouch_guest_join", takes=VouchInput, gives=GuestJoinSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int, data: Data) -> GuestJoin:
        """Say whether the guest you sat with was this person. Only after a yes do these tables rate them."""
        return guests.vouch(person=request.user, join=_join_or_404(request, pk), agrees=data["agrees"]).join
