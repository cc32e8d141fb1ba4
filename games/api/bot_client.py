"""The API for a bot's own program: its state, the event stream, its answers and moves."""

from typing import Any

from django.http import Http404, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path, re_path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.api.base import Api, PersonRequest
from accounts.infra.input import whole_number
from accounts.infra.rest import Data, Problem, operation
from accounts.infra.rest.fields import InputSerializer, Text, Whole
from accounts.infra.rest.operations import admit
from accounts.infra.rest.throttling import PerMinuteThrottle
from accounts.models import ApiToken, Scope
from games.api import user_bots
from games.errors import Illegal, Stale
from games.models import BotChallenge, BotFault, Match, OwnBot
from games.play import moves
from games.play.moves import MAX_MOVE_LENGTH
from games.tables import leaving
from games.user_bots import challenges, service
from games.user_bots import events as user_bots_events
from games.user_bots.stream import Stream, is_number, lines


class BotMinute(PerMinuteThrottle):
    """A bot that plays needs a higher rate than a program that reads."""

    kind = "bot"


class Since(InputSerializer):
    since = serializers.IntegerField(
        min_value=0, max_value=2**62, required=False, help_text="The number of the last event that was seen."
    )


class EventSerializer(serializers.Serializer[Any]):
    """One event; what else it holds depends on its kind, as docs/bots/your-own.md lists."""

    kind = serializers.CharField(
        help_text="`challenge`, `challenge.cancelled`, `turn`, `seat.lost`, `match.over`, `reset`"
    )
    seq = serializers.IntegerField(help_text="Its number: go on after it with `since`.")

    def to_representation(self, instance: Data) -> Data:
        return instance


class EventsSerializer(serializers.Serializer[Any]):
    """The next events, in order."""

    events = EventSerializer(many=True)


class BotSerializer(serializers.Serializer[Any]):
    """A bot, and all that waits for it."""

    handle = serializers.CharField()
    name = serializers.CharField()
    games = serializers.ListField(child=serializers.CharField())
    seq = serializers.IntegerField(help_text="The number of the latest event.")
    challenges = serializers.ListField(child=serializers.DictField(), help_text="Challenges that wait for an answer.")
    turns = serializers.ListField(child=serializers.DictField(), help_text="Matches that wait for a move.")


class BotMove(InputSerializer):
    ply = Whole(min_value=0, max_value=2**31 - 1, help_text="The ply that the move answers.")
    move = Text(max_length=MAX_MOVE_LENGTH, help_text="One of `legal`, word for word.")


class PlayedSerializer(serializers.Serializer[Any]):
    """A move that counts."""

    ply = serializers.IntegerField(help_text="Where the match stands now.")
    over = serializers.BooleanField()


class Reason(InputSerializer):
    reason = Text(max_length=120, required=False, default="", allow_blank=True)


class BotChallengeSerializer(serializers.Serializer[Any]):
    """A challenge, as it was answered."""

    id = serializers.IntegerField(source="pk")
    status = serializers.CharField()
    match = serializers.CharField(source="match.key")


class BotApi(Api):
    tag = "bot"
    throttle_classes = (BotMinute,)


class State(BotApi):
    @operation("read_bot", gives=BotSerializer, scope=Scope.BOT, private=True)
    def get(self, request: PersonRequest) -> Data:
        """The bot that this token belongs to, and all that waits for it."""
        bot = _bot(request)
        named = {"handle": bot.user.handle, "name": bot.user.name, "games": bot.games, "seq": bot.seq}
        return named | user_bots_events.state(bot)


class Events(BotApi):
    @operation("list_bot_events", gives=EventsSerializer, query=Since, scope=Scope.BOT, private=True)
    def get(self, request: PersonRequest, query: Data) -> Data:
        """The next events, for a program that would rather ask than listen."""
        return {"events": user_bots_events.after(_bot(request), query.get("since"))}


class EventStream(BotApi):
    """The same without end: lines of JSON. It is described in docs/bots/your-own.md, not in the schema."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> HttpResponseBase:
        admit(request, EVENTS)
        bot, since = _bot(request), request.query_params.get("since", "")
        if since and not is_number(since):
            raise Problem("invalid", "`since` is the number of an event.")
        assert isinstance(request.auth, ApiToken)
        stream = Stream(bot, request.auth, whole_number(since))
        answer = StreamingHttpResponse(lines(stream), content_type="application/x-ndjson")
        answer["Cache-Control"] = "no-store"
        answer["X-Accel-Buffering"] = "no"  # for proxies that buffer
        return answer


EVENTS = Events.get.operation  # type: ignore[attr-defined]


class MatchMove(BotApi):
    @operation("play_bot_move", takes=BotMove, gives=PlayedSerializer, scope=Scope.BOT, also=(422,))
    def post(self, request: PersonRequest, key: str, data: Data) -> Data:
        """Play a move at a ply.

        `stale` says that the match is elsewhere by now, `illegal-move` why the rules refuse it; either way nothing
        has changed. Moves that are illegal are counted, and shown to the bot's owner.
        """
        bot, match = _bot(request), _match(request, key)
        try:
            played = moves.play_as(person=bot.user, match=match, ply=data["ply"], move=data["move"])
        except Stale as stale:
            raise Problem("stale", ply=stale.ply) from None
        except Illegal as illegal:
            user_bots_events.record_fault(bot, match, BotFault.Kind.ILLEGAL, str(illegal))
            raise Problem("illegal-move", str(illegal), ply=match.ply) from None
        return {"ply": played.ply, "over": played.over}


class MatchResign(BotApi):
    @operation("resign_bot_match", scope=Scope.BOT)
    def post(self, request: PersonRequest, key: str) -> None:
        """Give a match up."""
        leaving.resign(person=_bot(request).user, match=_match(request, key))


class MatchComeBack(BotApi):
    @operation("come_back_bot", scope=Scope.BOT)
    def post(self, request: PersonRequest, key: str) -> None:
        """Take the seat back from the site's bot that kept it."""
        leaving.come_back(person=_bot(request).user, match=_match(request, key))


class Accept(BotApi):
    @operation("accept_bot_challenge", gives=BotChallengeSerializer, scope=Scope.BOT)
    def post(self, request: PersonRequest, pk: int) -> BotChallenge:
        """Take the place. `cancelled` in the answer: somebody else has it by now."""
        bot = _bot(request)
        challenges.accept(bot=bot, challenge=_challenge(bot, pk))
        return _challenge(bot, pk)


class Decline(BotApi):
    @operation("decline_bot_challenge", takes=Reason, gives=BotChallengeSerializer, scope=Scope.BOT)
    def post(self, request: PersonRequest, pk: int, data: Data) -> BotChallenge:
        """Say no, and why if you like."""
        bot = _bot(request)
        return challenges.decline(bot=bot, challenge=_challenge(bot, pk), reason=data["reason"])


def _bot(request: Any) -> OwnBot:
    bot = service.bot_of_account(request.user)
    if bot is None or not isinstance(request.auth, ApiToken):
        raise Problem("forbidden", "This needs the token of a bot that is switched on.")
    return bot


def _match(request: PersonRequest, key: str) -> Match:
    """A table that the bot sits at; 404 for any other."""
    match = Match.objects.filter(key=key, seats__user=request.user).prefetch_related("seats__user").first()
    if match is None:
        raise Http404
    return match


def _challenge(bot: OwnBot, pk: int) -> BotChallenge:
    return get_object_or_404(BotChallenge.objects.select_related("match", "by"), bot=bot, pk=pk)


urlpatterns = [
    path("me/bots/", user_bots.OwnBots.as_view(), name="own-bots"),
    path("me/bots/<int:pk>/", user_bots.OneOwnBot.as_view(), name="own-bot"),
    path("me/bots/<int:pk>/key/", user_bots.NewKey.as_view(), name="own-bot-key"),
    path("me/bots/<int:pk>/switch/", user_bots.SwitchOwnBot.as_view(), name="own-bot-switch"),
    path("me/bots/<int:pk>/faults/", user_bots.Faults.as_view(), name="own-bot-faults"),
    path("tables/<slug:key>/bots/", user_bots.Askable.as_view(), name="bots-to-ask"),
    path("tables/<slug:key>/challenges/", user_bots.Ask.as_view(), name="challenges"),
    path("tables/<slug:key>/challenges/<int:pk>/", user_bots.TakeBack.as_view(), name="challenge"),
    path("bot/", State.as_view(), name="bot-state"),
    path("bot/events/", Events.as_view(), name="bot-events"),
    re_path(r"^bot/stream/?$", EventStream.as_view(), name="bot-stream"),
    path("bot/matches/<slug:key>/move/", MatchMove.as_view(), name="bot-move"),
    path("bot/matches/<slug:key>/resign/", MatchResign.as_view(), name="bot-resign"),
    path("bot/matches/<slug:key>/come-back/", MatchComeBack.as_view(), name="bot-come-back"),
    path("bot/challenges/<int:pk>/accept/", Accept.as_view(), name="bot-accept"),
    path("bot/challenges/<int:pk>/decline/", Decline.as_view(), name="bot-decline"),
]
