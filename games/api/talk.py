from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework.request import Request

from accounts.models import Scope, User
from accounts.rest import Api, Data, PersonRequest, operation
from games import talk
from games.access import NotAllowed, Permission
from games.api import shapes
from games.api.common import match_or_404
from games.models import ChatLine, Report


class Talk(Api):
    tag = "talk"

    @operation("list_talk", gives=shapes.ChatLineShape, pages="pk")
    def get(self, request: Request, key: str) -> Any:
        """What is said at a table, as far as I may read it."""
        return talk.heard_by(request.user, match_or_404(request.user, key))

    @operation("say", takes=shapes.SayTerms, gives=shapes.ChatLineShape, scope=Scope.PLAY, status=201)
    def post(self, request: PersonRequest, key: str, data: Data) -> ChatLine:
        """Say a line or a remark: players at the table, everyone else in the gallery."""
        return talk.say(person=request.user, match=match_or_404(request.user, key), **data)


class ReportLine(Api):
    tag = "talk"

    @operation("report_line", takes=shapes.ReasonTerms, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, pk: int, data: Data) -> None:
        """Ask the house to look at a line."""
        heard = talk.heard_by(request.user, match_or_404(request.user, key))
        talk.report(person=request.user, line=get_object_or_404(heard, pk=pk), reason=data["reason"])


class Mutes(Api):
    tag = "talk"

    @operation("list_mutes", gives=shapes.MutesShape, private=True)
    def get(self, request: PersonRequest) -> Data:
        """Whose talk I do not read."""
        return {"muted": talk.muted_by(request.user)}


class OneMute(Api):
    tag = "talk"

    @operation("mute", gives=shapes.MutesShape, scope=Scope.PLAY)
    def put(self, request: PersonRequest, handle: str) -> Data:
        """Read somebody’s talk no more, at any table."""
        talk.mute(person=request.user, other=_somebody(handle))
        return {"muted": talk.muted_by(request.user)}

    @operation("unmute", gives=shapes.MutesShape, scope=Scope.PLAY)
    def delete(self, request: PersonRequest, handle: str) -> Data:
        """Read somebody’s talk again."""
        talk.unmute(person=request.user, other=_somebody(handle))
        return {"muted": talk.muted_by(request.user)}


def _somebody(handle: str) -> User:
    return get_object_or_404(User, handle__iexact=handle)


class Reports(Api):
    tag = "talk"

    @operation("list_reports", gives=shapes.ReportShape, pages="pk", private=True)
    def get(self, request: PersonRequest) -> QuerySet[Report]:
        """Lines that somebody should look at; for staff."""
        _require_staff(request.user)
        return Report.objects.filter(settled_at=None).select_related("line__user", "line__match", "reporter")


class Settle(Api):
    tag = "talk"

    @operation("settle_report", takes=shapes.SettleTerms, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int, data: Data) -> None:
        """Decide about a reported line; for staff."""
        _require_staff(request.user)
        talk.settle(person=request.user, report=get_object_or_404(Report, pk=pk), remove=data["remove"])


def _require_staff(person: User) -> None:
    if not person.is_staff:
        raise NotAllowed(Permission.MODERATE)  # type: ignore[arg-type]
