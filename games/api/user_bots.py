"""The API for a user's bots and for challenges; the API for the bots' own programs is in `bot_client`."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers

from accounts.api.base import Api, PersonRequest
from accounts.api.fields import PersonSerializer
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import Flag, InputSerializer, Text
from accounts.models import HANDLE_VALIDATORS, Scope
from accounts.people import MAX_NAME_LENGTH
from games import access
from games.access import Permission
from games.api.common import match_or_404
from games.api.serializers import GameField
from games.models import BotChallenge, BotFault, OwnBot
from games.user_bots import challenges, events
from games.user_bots import service as user_bots


class OwnBotSerializer(serializers.Serializer[Any]):
    """A bot that a person brought."""

    id = serializers.IntegerField()
    account = PersonSerializer(source="user")
    about = serializers.CharField()
    games = serializers.ListField(child=serializers.CharField())
    accepts = serializers.ChoiceField(OwnBot.Accepts.choices)
    is_on = serializers.BooleanField()
    is_connected = serializers.SerializerMethodField()
    made_at = serializers.DateTimeField()

    def get_is_connected(self, bot: OwnBot) -> bool:
        return events.is_listening(bot)


class KeySerializer(serializers.Serializer[Any]):
    """A bot with the key for its program."""

    bot = OwnBotSerializer()
    secret = serializers.CharField(help_text="Told this once.")


class OwnBotInput(InputSerializer):
    name = Text(max_length=MAX_NAME_LENGTH)
    about = Text(max_length=300, default="", allow_blank=True)
    games = serializers.ListField(child=GameField(), min_length=1, max_length=10)
    accepts = serializers.ChoiceField(OwnBot.Accepts.choices, default=OwnBot.Accepts.ANYONE)


class NewOwnBotInput(OwnBotInput):
    handle = Text(max_length=30, validators=HANDLE_VALIDATORS, help_text="It stays for good.")


class BotSwitchInput(InputSerializer):
    on = Flag()


class FaultSerializer(serializers.ModelSerializer[Any]):
    """What went wrong with a bot at a ply."""

    match = serializers.CharField(source="match.key")
    kind = serializers.ChoiceField(BotFault.Kind.choices)

    class Meta:
        model = BotFault
        fields = ["match", "ply", "kind", "detail", "count", "at"]


class AskBotInput(InputSerializer):
    bot = Text(max_length=30, help_text="The bot’s handle.")


class AskedSerializer(serializers.Serializer[Any]):
    """A bot that was asked to a table."""

    id = serializers.IntegerField()
    bot = PersonSerializer(source="bot.user")
    status = serializers.ChoiceField(BotChallenge.Status.choices)
    reason = serializers.CharField()
    at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class BotsSerializer(serializers.Serializer[Any]):
    bots = PersonSerializer(many=True)


class OwnBots(Api):
    tag = "bots"

    @operation("list_own_bots", gives=OwnBotSerializer, pages="pk", private=True, scope=Scope.BOT)
    def get(self, request: PersonRequest) -> QuerySet[OwnBot]:
        """The bots that I brought."""
        return OwnBot.objects.filter(owner=request.user).select_related("user")

    @operation("bring_bot", takes=NewOwnBotInput, gives=KeySerializer, scope=Scope.BOT, status=201)
    def post(self, request: PersonRequest, data: Data) -> user_bots.NewKey:
        """Bring a bot; the key for its program is shown only this once."""
        return user_bots.create(owner=request.user, **data)


class OneOwnBot(Api):
    tag = "bots"

    @operation("read_own_bot", gives=OwnBotSerializer, private=True, scope=Scope.BOT)
    def get(self, request: PersonRequest, pk: int) -> OwnBot:
        """A bot that I brought."""
        return _own(request, pk)

    @operation("edit_own_bot", takes=OwnBotInput, gives=OwnBotSerializer, scope=Scope.BOT)
    def put(self, request: PersonRequest, pk: int, data: Data) -> OwnBot:
        """Change what is said about a bot."""
        return user_bots.edit(owner=request.user, bot=_own(request, pk), **data)


class NewKey(Api):
    tag = "bots"

    @operation("rekey_own_bot", gives=KeySerializer, scope=Scope.BOT)
    def post(self, request: PersonRequest, pk: int) -> user_bots.NewKey:
        """Make a new key; the old one ends at once."""
        return user_bots.new_key(owner=request.user, bot=_own(request, pk))


class SwitchOwnBot(Api):
    tag = "bots"

    @operation("switch_own_bot", takes=BotSwitchInput, gives=OwnBotSerializer, scope=Scope.BOT)
    def post(self, request: PersonRequest, pk: int, data: Data) -> OwnBot:
        """Switch a bot on or off."""
        return user_bots.switch(owner=request.user, bot=_own(request, pk), on=data["on"])


class Faults(Api):
    tag = "bots"

    @operation("list_bot_faults", gives=FaultSerializer, pages="-pk", private=True, scope=Scope.BOT)
    def get(self, request: PersonRequest, pk: int) -> QuerySet[BotFault]:
        """What went wrong with a bot, the latest first."""
        return _own(request, pk).faults.select_related("match")


class Ask(Api):
    tag = "tables"

    @operation("list_bots_asked", gives=AskedSerializer, pages="-pk")
    def get(self, request: PersonRequest, key: str) -> QuerySet[BotChallenge]:
        """The bots that were asked to a table, and what they answered."""
        return BotChallenge.objects.filter(match=match_or_404(request.user, key)).select_related("bot__user")

    @operation("ask_bot", takes=AskBotInput, gives=AskedSerializer, scope=Scope.PLAY, status=201)
    def post(self, request: PersonRequest, key: str, data: Data) -> BotChallenge:
        """Ask a bot that somebody brought to a free place; for the host."""
        match = match_or_404(request.user, key)
        bot = get_object_or_404(OwnBot, user__handle__iexact=data["bot"])
        return challenges.challenge(person=request.user, match=match, bot=bot)


class Askable(Api):
    tag = "tables"

    @operation("list_bots_to_ask", gives=BotsSerializer, private=True)
    def get(self, request: PersonRequest, key: str) -> Data:
        """Bots that somebody brought and that I could ask to this table; for the host."""
        match = match_or_404(request.user, key)
        access.require(request.user, Permission.HOST, match)
        return {"bots": [bot.user for bot in user_bots.challengeable_bots(person=request.user, match=match)]}


class TakeBack(Api):
    tag = "tables"

    @operation("take_back_asking", scope=Scope.PLAY)
    def delete(self, request: PersonRequest, key: str, pk: int) -> None:
        """Take back that a bot was asked."""
        match = match_or_404(request.user, key)
        challenge = get_object_or_404(BotChallenge.objects.select_related("match"), match=match, pk=pk)
        challenges.cancel(person=request.user, challenge=challenge)


def _own(request: PersonRequest, pk: int) -> OwnBot:
    return get_object_or_404(OwnBot.objects.select_related("user", "owner"), pk=pk, owner=request.user)
