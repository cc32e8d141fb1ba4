"""Following, blocking and writing to people."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from accounts import access, follows, messages, presence
from accounts.access import Permission
from accounts.api import serializers
from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.models import Block, DirectMessage, Follow, MessageReport, Scope, User


class Follows(Api):
    tag = "company"

    @operation("list_followed", gives=serializers.FollowedSerializer, pages="-pk", private=True)
    def get(self, request: PersonRequest) -> QuerySet[Follow]:
        """Whom I follow, and which of them follow me and are here now."""
        _mark_friends(request)
        return follows.followed_by(request.user)


class OneFollow(Api):
    tag = "company"

    @operation("follow", gives=serializers.FollowedSerializer, scope=Scope.PLAY)
    def put(self, request: PersonRequest, handle: str) -> Follow:
        """Follow somebody."""
        made = follows.follow(person=request.user, other=_person_or_404(handle))
        _mark_friends(request)
        return made

    @operation("unfollow", scope=Scope.PLAY)
    def delete(self, request: PersonRequest, handle: str) -> None:
        """Follow somebody no more."""
        follows.unfollow(person=request.user, other=_person_or_404(handle))


class Followers(Api):
    tag = "company"

    @operation("list_followers", gives=serializers.FollowerSerializer, pages="-pk", private=True)
    def get(self, request: PersonRequest) -> QuerySet[Follow]:
        """Who follows me."""
        return follows.followers_of(request.user)


class Blocks(Api):
    tag = "company"

    @operation("list_blocked", gives=serializers.BlockSerializer, pages="-pk", private=True)
    def get(self, request: PersonRequest) -> QuerySet[Block]:
        """Whom I have blocked."""
        return follows.blocked_by(request.user)


class OneBlock(Api):
    tag = "company"

    @operation("block", scope=Scope.PLAY)
    def put(self, request: PersonRequest, handle: str) -> None:
        """Want nothing from somebody any more: no challenge, no message, no talk, no place at my tables."""
        follows.block(person=request.user, other=_person_or_404(handle))

    @operation("unblock", scope=Scope.PLAY)
    def delete(self, request: PersonRequest, handle: str) -> None:
        """Block somebody no more."""
        follows.unblock(person=request.user, other=_person_or_404(handle))


class Conversations(Api):
    tag = "company"

    @operation("list_conversations", gives=serializers.ConversationsSerializer, private=True)
    def get(self, request: PersonRequest) -> Data:
        """The last message with each person, the latest first; the hundred latest."""
        return {"conversations": messages.conversations(request.user)}


class Messages(Api):
    tag = "company"

    @operation("list_messages", gives=serializers.MessageSerializer, pages="-pk", private=True)
    def get(self, request: PersonRequest, handle: str) -> QuerySet[DirectMessage]:
        """What somebody and I have written to each other, the latest first."""
        return messages.between(request.user, _person_or_404(handle))

    @operation(
        "write_message",
        takes=serializers.MessageInput,
        gives=serializers.MessageSerializer,
        scope=Scope.PLAY,
        status=201,
    )
    def post(self, request: PersonRequest, handle: str, data: Data) -> DirectMessage:
        """Write to a friend: somebody who follows me and whom I follow."""
        return messages.write(person=request.user, to=_person_or_404(handle), text=data["text"])


class ReadMessages(Api):
    tag = "company"

    @operation("read_messages", gives=serializers.CountSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, handle: str) -> Data:
        """Count what somebody has written to me as read."""
        return {"count": messages.read(person=request.user, other=_person_or_404(handle))}


class ReportMessage(Api):
    tag = "company"

    @operation("report_message", takes=serializers.MessageReportInput, scope=Scope.PLAY)
    def post(self, request: PersonRequest, handle: str, pk: int, data: Data) -> None:
        """Show a message that I have got to the site’s staff."""
        between = messages.between(request.user, _person_or_404(handle))
        messages.report(person=request.user, message=get_object_or_404(between, pk=pk), reason=data["reason"])


class MessageReports(Api):
    tag = "company"

    @operation("list_message_reports", gives=serializers.MessageReportSerializer, pages="pk", private=True)
    def get(self, request: PersonRequest) -> QuerySet[MessageReport]:
        """Messages that somebody should look at; for staff."""
        access.require(request.user, Permission.RUN_SITE)
        return messages.open_reports()


class DecideMessageReport(Api):
    tag = "company"

    @operation("decide_message_report", takes=serializers.RemoveInput, scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int, data: Data) -> None:
        """Decide about a reported message; for staff."""
        access.require(request.user, Permission.RUN_SITE)
        report = get_object_or_404(MessageReport, pk=pk)
        messages.decide_report(person=request.user, report=report, remove=data["remove"])


def _person_or_404(handle: str) -> User:
    return get_object_or_404(User, handle__iexact=handle, is_active=True)


def _mark_friends(request: PersonRequest) -> None:
    """For the serializer of a list: who is a friend, and which friends are here."""
    request.friends = follows.friend_ids(request.user)  # type: ignore[attr-defined]
    request.here = presence.people_here(request.friends)  # type: ignore[attr-defined]
