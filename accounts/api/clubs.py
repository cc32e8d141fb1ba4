from django.db.models import Count
from django.shortcuts import get_object_or_404
from rest_framework.request import Request

from accounts import access, clubs
from accounts.access import Permission
from accounts.api import serializers
from accounts.api.base import Api, PersonRequest
from accounts.api.log_lines import LogLines
from accounts.infra import text
from accounts.infra.rest import Data, operation
from accounts.models import Club, ClubQuerySet, Membership, MembershipQuerySet, Scope, User


def club_or_404(slug: str) -> Club:
    return get_object_or_404(counted(), slug=slug)


def counted() -> ClubQuerySet:
    return Club.objects.annotate(size=Count("memberships"))


class Clubs(Api):
    tag = "clubs"

    @operation("list_clubs", gives=serializers.ClubSerializer, query=serializers.ClubQuery, pages="-pk")
    def get(self, request: Request, query: Data) -> ClubQuerySet:
        """Clubs, the youngest first."""
        listed = counted().filter(closed_at=None).seen_by(request.user)
        for word in text.plain(query.get("q", "")).split():
            listed = listed.filter(search__contains=word)
        if query["mine"]:
            mine = request.user.memberships.all() if isinstance(request.user, User) else Membership.objects.none()
            listed = listed.filter(pk__in=mine.values_list("club", flat=True))
        return listed

    @operation(
        "found_club", takes=serializers.ClubInput, gives=serializers.ClubSerializer, scope=Scope.ORGANISE, status=201
    )
    def post(self, request: PersonRequest, data: Data) -> Club:
        """Start a club; the founder owns it."""
        return club_or_404(clubs.create_club(founder=request.user, **data).slug)


class OneClub(Api):
    tag = "clubs"

    @operation("read_club", gives=serializers.ClubSerializer)
    def get(self, request: Request, slug: str) -> Club:
        """A club."""
        club = club_or_404(slug)
        access.require(request.user, Permission.SEE_CLUB, club)
        return club

    @operation("edit_club", takes=serializers.ClubInput, gives=serializers.ClubSerializer, scope=Scope.ORGANISE)
    def patch(self, request: PersonRequest, slug: str, data: Data) -> Club:
        """Change some of a club’s details."""
        club = club_or_404(slug)
        fields = serializers.ClubInput.Meta.fields
        clubs.edit(actor=request.user, club=club, **{name: data.get(name, getattr(club, name)) for name in fields})
        return club_or_404(slug)


class Members(Api):
    tag = "clubs"

    @operation("list_members", gives=serializers.MembershipSerializer, pages="pk")
    def get(self, request: Request, slug: str) -> MembershipQuerySet:
        """A club’s members, in the order in which they joined."""
        club = club_or_404(slug)
        access.require(request.user, Permission.SEE_CLUB, club)
        return Membership.objects.filter(club=club).select_related("user")


class Member(Api):
    tag = "clubs"

    @operation("change_role", takes=serializers.RoleInput, gives=serializers.MembershipSerializer, scope=Scope.ORGANISE)
    def put(self, request: PersonRequest, slug: str, handle: str, data: Data) -> Membership:
        """Make a member an organiser, or an ordinary member again."""
        clubs.change_role(actor=request.user, membership=_membership(slug, handle), role=data["role"])
        return _membership(slug, handle)

    @operation("remove_member", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, slug: str, handle: str) -> None:
        """Send a member away."""
        clubs.remove(actor=request.user, membership=_membership(slug, handle))


def _membership(slug: str, handle: str) -> Membership:
    return get_object_or_404(
        Membership.objects.select_related("club", "user"), club__slug=slug, user__handle__iexact=handle
    )


class Leave(Api):
    tag = "clubs"

    @operation("leave_club", scope=Scope.PLAY)
    def post(self, request: PersonRequest, slug: str) -> None:
        """Leave a club."""
        clubs.leave(person=request.user, club=club_or_404(slug))


class Close(Api):
    tag = "clubs"

    @operation("close_club", scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, slug: str) -> None:
        """Close a club for good: its page and its history stay, its members are let go."""
        clubs.close(actor=request.user, club=club_or_404(slug))


class HandOver(Api):
    tag = "clubs"

    @operation("hand_over_club", takes=serializers.HeirInput, gives=serializers.ClubSerializer, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, slug: str, data: Data) -> Club:
        """Make another member the owner."""
        club = club_or_404(slug)
        access.require(request.user, Permission.HAND_OVER, club)
        heir = get_object_or_404(User, handle__iexact=data["to"], memberships__club=club)
        clubs.hand_over(actor=request.user, club=club, to=heir)
        return club_or_404(slug)


class Log(Api):
    tag = "clubs"

    @operation("read_club_log", gives=serializers.LineSerializer, pages="-pk", private=True)
    def get(self, request: PersonRequest, slug: str) -> LogLines:
        """What was done in a club, the latest first; for its organisers."""
        club = club_or_404(slug)
        access.require(request.user, Permission.READ_LOG, club)
        return LogLines(club.audit_entries.all())
