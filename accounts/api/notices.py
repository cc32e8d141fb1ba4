from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from accounts import choices, kinds, notices
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


class Choices(Api):
    tag = "me"

    @operation("read_notice_choices", gives=shapes.ChoicesShape, private=True)
    def get(self, request: PersonRequest) -> Data:
        """What I want to be told, kind by kind."""
        return _told(request)

    @operation("choose_notices", takes=shapes.ChoicesTerms, gives=shapes.ChoicesShape, scope=Scope.PLAY)
    def put(self, request: PersonRequest, data: Data) -> Data:
        """Choose what to be told, and whether by e-mail; kinds that are left out stay as they are."""
        known = kinds.kinds()
        wishes = {
            row["kind"]: choices.Wish(row["bell"], row["mail"]) for row in data["choices"] if row["kind"] in known
        }
        choices.choose(person=request.user, wishes=choices.of(request.user) | wishes)
        return _told(request)


def _told(request: PersonRequest) -> Data:
    wishes = choices.of(request.user)
    return {"choices": [{"kind": kind, "bell": wish.bell, "mail": wish.mail} for kind, wish in wishes.items()]}
