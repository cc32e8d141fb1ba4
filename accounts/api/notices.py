from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from accounts import notices
from accounts.api import shapes
from accounts.models import Notice, Scope
from accounts.rest import Api, Data, PersonRequest, operation


class Notices(Api):
    tag = "me"

    @operation("list_notices", gives=shapes.NoticeShape, query=shapes.NoticeQuery, pages="-pk", private=True)
    def get(self, request: PersonRequest, query: Data) -> QuerySet[Notice]:
        """One’s notices, the latest first."""
        mine = request.user.notices.select_related("actor", "club")
        return mine.filter(read_at=None) if query["unread"] else mine.all()


class Read(Api):
    tag = "me"

    @operation("read_notice", gives=shapes.NoticeShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> Notice:
        """Count a notice as read."""
        mine = request.user.notices.select_related("actor", "club")
        notices.read(person=request.user, notice=get_object_or_404(mine, pk=pk))
        return mine.get(pk=pk)


class ReadAll(Api):
    tag = "me"

    @operation("read_all_notices", gives=shapes.CountShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest) -> Data:
        """Count all notices as read."""
        return {"count": notices.read_all(person=request.user)}
