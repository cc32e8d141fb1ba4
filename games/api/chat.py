from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework.request import Request

from accounts.api.base import Api, PersonRequest
from accounts.infra.permissions import NotAllowed
from accounts.infra.rest import Data, operation
from accounts.models import Scope, User
from games import chat
from games.access import Permission
from games.api import serializers
from games.api.common import match_or_404
from games.models import ChatLine, Report


class Talk(Api):
    tag = "talk"

    @operation("list_talk", gives=serializers.ChatLineSerializer, pages="pk")
    def get(self, request: Request, key: str) -> Any:
        """What is said at a table, as far as I may read it."""
        return chat.visible_lines(request.user, match_or_404(request.user, key))

    @operation("say", takes=serializers.SayInput, gives=serializers.ChatLineSerializer, scope=Scope.PLAY, status=201)
    def post(self, request: PersonRequest, key: str, data: Data) -> ChatLine:
        """Say a line or a remark: players at the table, everyone else in the gallery."""
        return chat.post_line(person=request.user, match=match_or_404(request.user, key), **data)


class ReportLine(Api):
    tag = "talk"

    @operation("report_line", takes=serializers.ReasonInput, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, pk: int, data: Data) -> None:
        """Ask the site to look at a line."""
        lines = chat.visible_lines(request.user, match_or_404(request.user, key))
        chat.report(person=request.user, line=get_object_or_404(lines, pk=pk), reason=data["reason"])


class Mutes(Api):
    tag = "talk"

    @operation("list_mutes", gives=serializers.MutesSerializer, private=True)
    def get(self, request: PersonRequest) -> Data:
        """Whose talk I do not read."""
        return {"muted": chat.muted_by(request.user)}


class OneMute(Api):
    tag = "talk"

    @operation("mute", gives=serializers.MutesSerializer, scope=Scope.PLAY)
    def put(self, request: PersonRequest, handle: str) -> Data:
        """Read somebody’s talk no more, at any table."""
        chat.mute(person=request.user, other=_user_or_404(handle))
        return {"muted": chat.muted_by(request.user)}

    @operation("unmute", gives=serializers.MutesSerializer, scope=Scope.PLAY)
    def delete(self, request: PersonRequest, handle: str) -> Data:
        """Read somebody’s talk again."""
        chat.unmute(person=request.user, other=_user_or_404(handle))
        return {"muted": chat.muted_by(request.user)}


def _user_or_404(handle: str) -> User:
    return get_object_or_404(User, handle__iexact=handle)


class Reports(Api):
    tag = "talk"

    @operation("list_reports", gives=serializers.ReportSerializer, pages="pk", private=True)
    def get(self, request: PersonRequest) -> QuerySet[Report]:
        """Lines that somebody should look at; for staff."""
        _require_staff(request.user)
        return Report.objects.filter(settled_at=None).select_related("line__user", "line__match", "reporter")


class DecideReport(Api):
    tag = "talk"

    @operation("settle_report", takes=serializers.SettleInput, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int, data: Data) -> None:
        """Decide about a reported line; for staff."""
        _require_staff(request.user)
        chat.decide_report(person=request.user, report=get_object_or_404(Report, pk=pk), remove=data["remove"])


def _require_staff(person: User) -> None:
    if not person.is_staff:
        raise NotAllowed(Permission.MODERATE)
