from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from accounts.api import serializers
from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.models import Notice, Scope
from accounts.notifications import preferences
from accounts.notifications.service import read, read_all


class Notices(Api):
    tag = "me"

    @operation(
        "list_notices", gives=serializers.NoticeSerializer, query=serializers.NoticeQuery, pages="-pk", private=True
    )
    def get(self, request: PersonRequest, query: Data) -> QuerySet[Notice]:
        """One’s notices, the latest first."""
        mine = request.user.notices.select_related("actor", "club")
        return mine.filter(read_at=None) if query["unread"] else mine.all()


class Read(Api):
    tag = "me"

    @operation("read_notice", gives=serializers.NoticeSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> Notice:
        """Count a notice as read."""
        mine = request.user.notices.select_related("actor", "club")
        read(person=request.user, notice=get_object_or_404(mine, pk=pk))
        return mine.get(pk=pk)


class ReadAll(Api):
    tag = "me"

    @operation("read_all_notices", gives=serializers.CountSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest) -> Data:
        """Count all notices as read."""
        return {"count": read_all(person=request.user)}


class Choices(Api):
    tag = "me"

    @operation("read_notice_choices", gives=serializers.ChoicesSerializer, private=True)
    def get(self, request: PersonRequest) -> Data:
        """What I want to hear about, kind by kind."""
        return _serialize_preferences(request)

    @operation("choose_notices", takes=serializers.ChoicesInput, gives=serializers.ChoicesSerializer, scope=Scope.PLAY)
    def put(self, request: PersonRequest, data: Data) -> Data:
        """Choose what to hear about, by e-mail and as an alert; kinds that are left out stay as they are."""
        chosen = preferences.preferences_of(request.user)
        changes = {
            row["kind"]: preferences.Preference(row["bell"], row["mail"], row.get("push", chosen[row["kind"]].push))
            for row in data["choices"]
            if row["kind"] in chosen
        }
        preferences.set_preferences(person=request.user, changes=chosen | changes)
        return _serialize_preferences(request)


def _serialize_preferences(request: PersonRequest) -> Data:
    wishes = preferences.preferences_of(request.user)
    rows = [{"kind": kind, "bell": wish.bell, "mail": wish.mail, "push": wish.push} for kind, wish in wishes.items()]
    return {"choices": rows}
