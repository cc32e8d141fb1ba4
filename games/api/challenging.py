"""Asking somebody's bot to a table."""

from django.shortcuts import get_object_or_404

from accounts.models import Scope
from accounts.rest import Api, Data, PersonRequest, operation
from accounts.rest.fields import Terms, Text
from games import access, challenges
from games.access import Permission
from games.api.bot import ChallengeShape
from games.api.common import match_or_404
from games.models import BotChallenge, OwnBot


class AskBotTerms(Terms):
    bot = Text(max_length=30, help_text="Its handle.")


class AskBot(Api):
    tag = "tables"

    @operation("challenge_bot", takes=AskBotTerms, gives=ChallengeShape, scope=Scope.PLAY, status=201)
    def post(self, request: PersonRequest, key: str, data: Data) -> BotChallenge:
        """Ask somebody’s bot to take a place; for the host."""
        match = match_or_404(request.user, key)
        access.require(request.user, Permission.HOST, match)
        bot = get_object_or_404(OwnBot.objects.select_related("user"), user__handle__iexact=data["bot"])
        return challenges.challenge(person=request.user, match=match, bot=bot)


class CancelAsking(Api):
    tag = "tables"

    @operation("cancel_bot_challenge", scope=Scope.PLAY)
    def delete(self, request: PersonRequest, key: str, pk: int) -> None:
        """Take the question back."""
        match = match_or_404(request.user, key)
        found = get_object_or_404(BotChallenge.objects.select_related("match"), pk=pk, match=match)
        challenges.cancel(person=request.user, challenge=found)
