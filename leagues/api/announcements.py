"""Announcements to all players of a season, or to all members of a club."""

from typing import Any

from django.db.models import QuerySet
from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework import serializers
from rest_framework.request import Request

from accounts import access as club_access
from accounts.api.base import Api, PersonRequest
from accounts.api.fields import PersonSerializer
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import InputSerializer, Text
from accounts.models import Club, Scope
from leagues.api.common import get_visible_or_404
from leagues.models import Announcement, Season
from leagues.models.announcement import MOST_LETTERS
from leagues.seasons import announcements


class AnnouncementSerializer(serializers.Serializer[Any]):
    """What an organiser wrote to many."""

    id = serializers.IntegerField()
    page = serializers.CharField(source="get_absolute_url")
    club = serializers.CharField(source="club.slug")
    season = serializers.IntegerField(source="season_id", allow_null=True, help_text="Null: to all members.")
    by = PersonSerializer()
    text = serializers.CharField()
    at = serializers.DateTimeField()


class AnnouncementInput(InputSerializer):
    text = Text(max_length=MOST_LETTERS)


class OfSeason(Api):
    tag = "seasons"

    @operation("list_season_announcements", gives=AnnouncementSerializer, pages=("-at", "-pk"))
    def get(self, request: Request, pk: int) -> QuerySet[Announcement]:
        """The announcements to all players of a season."""
        return announcements.latest(get_visible_or_404(request.user, Season, pk=pk))

    @operation(
        "announce_to_players", takes=AnnouncementInput, gives=AnnouncementSerializer, scope=Scope.ORGANISE, status=201
    )
    def post(self, request: PersonRequest, pk: int, data: Data) -> Announcement:
        """Write to all players of a season: they get a notice and an e-mail, as they have chosen."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        return announcements.announce(actor=request.user, season=season, text=data["text"])


class OfClub(Api):
    tag = "clubs"

    @operation("list_club_announcements", gives=AnnouncementSerializer, pages=("-at", "-pk"))
    def get(self, request: Request, slug: str) -> QuerySet[Announcement]:
        """The announcements to all members of a club."""
        return announcements.latest(_club(request, slug))

    @operation(
        "announce_to_members", takes=AnnouncementInput, gives=AnnouncementSerializer, scope=Scope.ORGANISE, status=201
    )
    def post(self, request: PersonRequest, slug: str, data: Data) -> Announcement:
        """Write to all members of a club."""
        return announcements.announce(actor=request.user, club=_club(request, slug), text=data["text"])


class OneAnnouncement(Api):
    tag = "seasons"

    @operation("delete_announcement", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, pk: int) -> None:
        """Delete an announcement; e-mails that were sent stay sent."""
        rows = Announcement.objects.select_related("club", "season__league__club")
        row = rows.filter(pk=pk).first()
        if row is None or not announcements.may_read(request.user, row):
            raise Http404
        announcements.delete(actor=request.user, announcement=row)


def _club(request: Request, slug: str) -> Club:
    club = get_object_or_404(Club, slug=slug)
    club_access.require(request.user, club_access.Permission.SEE_CLUB, club)
    return club
