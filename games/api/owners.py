"""The bots that a person brings, for programs; what the bots' own programs do is in `games.api.bot`."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers

import engine
from accounts.models import HANDLE_VALIDATORS, Scope
from accounts.people import LONGEST_NAME
from accounts.rest import Api, Data, PersonRequest, operation
from accounts.rest.fields import Flag, PersonShape, Terms, Text
from games import access, botevents, challenges, ownbots
from games.access import Permission
from games.api.common import match_or_404
from games.models import BotChallenge, BotFault, OwnBot


class OwnBotShape(serializers.Serializer):
    """A bot that a person brought."""

    id = serializers.IntegerField()
    account = PersonShape(source="user")
    about = serializers.CharField()
    games = serializers.ListField(child=serializers.CharField())
    accepts = serializers.ChoiceField(OwnBot.Accepts.choices)
    is_on = serializers.BooleanField()
    is_connected = serializers.SerializerMethodField()
    made_at = serializers.DateTimeField()

    def get_is_connected(self, bot: OwnBot) -> bool:
        return botevents.is_listening(bot)


class KeyShape(serializers.Serializer):
    """A bot with the key for its program."""

    bot = OwnBotShape()
    secret = serializers.CharField(help_text="Told this once.")


class OwnBotTerms(Terms):
    name = Text(max_length=LONGEST_NAME)
    about = Text(max_length=300, default="", allow_blank=True)
    games = serializers.ListField(child=serializers.ChoiceField(list(engine.GAMES)), min_length=1, max_length=10)
    accepts = serializers.ChoiceField(OwnBot.Accepts.choices, default=OwnBot.Accepts.ANYONE)


class NewOwnBotTerms(OwnBotTerms):
    handle = Text(max_length=30, validators=HANDLE_VALIDATORS, help_text="It stays for good.")


class BotSwitchTerms(Terms):
    on = Flag()


class FaultShape(serializers.ModelSerializer):
    """What went wrong with a bot at a ply."""

    match = serializers.CharField(source="match.key")
    kind = serializers.ChoiceField(BotFault.Kind.choices)

    class Meta:
        model = BotFault
        fields = ["match", "ply", "kind", "detail", "count", "at"]


class AskBotTerms(Terms):
    bot = Text(max_length=30, help_text="The bot’s handle.")


class AskedShape(serializers.Serializer):
    """A bot that was asked to a table."""

    id = serializers.IntegerField()
    bot = PersonShape(source="bot.user")
    status = serializers.ChoiceField(BotChallenge.Status.choices)
    reason = serializers.CharField()
    at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()


class BotsShape(serializers.Serializer):
    bots = PersonShape(many=True)


class OwnBots(Api):
    tag = "bots"

    @operation("list_own_bots", gives=OwnBotShape, pages="pk", private=True, scope=Scope.BOT)
    def get(self, request: PersonRequest) -> QuerySet[OwnBot]:
        """The bots that I brought."""
        return OwnBot.objects.filter(owner=request.user).select_related("user")

    @operation("bring_bot", takes=NewOwnBotTerms, gives=KeyShape, scope=Scope.BOT, status=201)
    def post(self, request: PersonRequest, data: Data) -> ownbots.NewKey:
        """Bring a bot; the key for its program is told this once."""
        return ownbots.make(owner=request.user, **data)


class OneOwnBot(Api):
    tag = "bots"

    @operation("read_own_bot", gives=OwnBotShape, private=True, scope=Scope.BOT)
    def get(self, request: PersonRequest, pk: int) -> OwnBot:
        """A bot that I brought."""
        return _own(request, pk)

    @operation("edit_own_bot", takes=OwnBotTerms, gives=OwnBotShape, scope=Scope.BOT)
    def put(self, request: PersonRequest, pk: int, data: Data) -> OwnBot:
        """Change what is said about a bot."""
        return ownbots.edit(owner=request.user, bot=_own(request, pk), **data)


class NewKey(Api):
    tag = "bots"

    @operation("rekey_own_bot", gives=KeyShape, scope=Scope.BOT)
    def post(self, request: PersonRequest, pk: int) -> ownbots.NewKey:
        """Make a new key; the old one ends at once."""
        return ownbots.new_key(owner=request.user, bot=_own(request, pk))


class SwitchOwnBot(Api):
    tag = "bots"

    @operation("switch_own_bot", takes=BotSwitchTerms, gives=OwnBotShape, scope=Scope.BOT)
    def post(self, request: PersonRequest, pk: int, data: Data) -> OwnBot:
        """Switch a bot on or off."""
        return ownbots.switch(owner=request.user, bot=_own(request, pk), on=data["on"])


class Faults(Api):
    tag = "bots"

    @operation("list_bot_faults", gives=FaultShape, pages="-pk", private=True, scope=Scope.BOT)
    def get(self, request: PersonRequest, pk: int) -> QuerySet[BotFault]:
        """What went wrong with a bot, the latest first."""
        return _own(request, pk).faults.select_related("match")


class Ask(Api):
    tag = "tables"

    @operation("list_bots_asked", gives=AskedShape, pages="-pk")
    def get(self, request: PersonRequest, key: str) -> QuerySet[BotChallenge]:
        """The bots that were asked to a table, and what they answered."""
        return BotChallenge.objects.filter(match=match_or_404(request.user, key)).select_related("bot__user")

    @operation("ask_bot", takes=AskBotTerms, gives=AskedShape, scope=Scope.PLAY, status=201)
    def post(self, request: PersonRequest, key: str, data: Data) -> BotChallenge:
        """Ask a bot that somebody brought to a free place; for the host."""
        match = match_or_404(request.user, key)
        bot = get_object_or_404(OwnBot, user__handle__iexact=data["bot"])
        return challenges.challenge(person=request.user, match=match, bot=bot)


class Askable(Api):
    tag = "tables"

    @operation("list_bots_to_ask", gives=BotsShape, private=True)
    def get(self, request: PersonRequest, key: str) -> Data:
        """Bots that somebody brought and that I could ask to this table; for the host."""
        match = match_or_404(request.user, key)
        access.require(request.user, Permission.HOST, match)
        return {"bots": [bot.user for bot in ownbots.offered(person=request.user, match=match)]}


class TakeBack(Api):
    tag = "tables"

    @operation("take_back_asking", scope=Scope.PLAY)
    def delete(self, request: PersonRequest, key: str, pk: int) -> None:
        """Take back that a bot was asked."""
        match = match_or_404(request.user, key)
        found = get_object_or_404(BotChallenge.objects.select_related("match"), match=match, pk=pk)
        challenges.cancel(person=request.user, challenge=found)


def _own(request: PersonRequest, pk: int) -> OwnBot:
    return get_object_or_404(OwnBot.objects.select_related("user", "owner"), pk=pk, owner=request.user)
