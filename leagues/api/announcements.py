"""Announcements to all players of a season, and news of a club."""

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
from accounts.infra.rest.fields import Flag, InputSerializer, Text
from accounts.models import Club, Scope
from leagues.api.common import get_visible_or_404
from leagues.models import Announcement, Season
from leagues.models.announcement import MAX_TITLE_LENGTH, MOST_LETTERS
from leagues.seasons import announcements


class AnnouncementSerializer(serializers.Serializer[Any]):
    """What an organiser wrote to many."""

    id = serializers.IntegerField()
    page = serializers.CharField(source="get_absolute_url")
    club = serializers.CharField(source="club.slug")
    season = serializers.IntegerField(source="season_id", allow_null=True, help_text="Null: news of the club.")
    by = PersonSerializer()
    title = serializers.CharField()
    text = serializers.CharField()
    told = serializers.BooleanField(source="is_told", help_text="Whether its readers got a notice.")
    at = serializers.DateTimeField()
    edited_at = serializers.DateTimeField(allow_null=True)


class AnnouncementInput(InputSerializer):
    text = Text(max_length=MOST_LETTERS)


class NewsInput(AnnouncementInput):
    title = Text(max_length=MAX_TITLE_LENGTH, allow_blank=True, default="")
    tells = Flag(default=True, help_text="Whether all members get a notice and an e-mail, as they have chosen.")


class EditInput(InputSerializer):
    title = Text(max_length=MAX_TITLE_LENGTH, allow_blank=True)
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
        """The news of a club."""
        return announcements.latest(_club(request, slug))

    @operation("announce_to_members", takes=NewsInput, gives=AnnouncementSerializer, scope=Scope.ORGANISE, status=201)
    def post(self, request: PersonRequest, slug: str, data: Data) -> Announcement:
        """Write news of a club: on its page and its feed, and to all members if it tells them."""
        return announcements.announce(actor=request.user, club=_club(request, slug), **data)


class OneAnnouncement(Api):
    tag = "seasons"

    @operation("read_announcement", gives=AnnouncementSerializer)
    def get(self, request: Request, pk: int) -> Announcement:
        """One announcement."""
        return _readable(request, pk)

    @operation("edit_announcement", takes=EditInput, gives=AnnouncementSerializer, scope=Scope.ORGANISE)
    def patch(self, request: PersonRequest, pk: int, data: Data) -> Announcement:
        """Change its title or its text; nobody is notified again."""
        row = _readable(request, pk)
        words = {"title": data.get("title", row.title), "text": data.get("text", row.text)}
        return announcements.edit(actor=request.user, announcement=row, **words)

    @operation("delete_announcement", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, pk: int) -> None:
        """Delete an announcement; e-mails that were sent stay sent."""
        announcements.delete(actor=request.user, announcement=_readable(request, pk))


def _readable(request: Request, pk: int) -> Announcement:
    rows = Announcement.objects.select_related("by", "club", "season__league__club")
    row = rows.filter(pk=pk).first()
    if row is None or not announcements.may_read(request.user, row):
        raise Http404
    return row


def _club(request: Request, slug: str) -> Club:
    club = get_object_or_404(Club, slug=slug)
    club_access.require(request.user, club_access.Permission.SEE_CLUB, club)
    return club
