"""The waiting room. Every operation returns the table after the change."""

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.models import Scope
from games.api import serializers
from games.api.common import match_or_404
from games.models import Match
from games.tables import seating, start


class Sit(Api):
    tag = "tables"

    @operation("sit", takes=serializers.SitInput, gives=serializers.TableSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Match:
        """Take a free place."""
        seating.sit(person=request.user, match=match_or_404(request.user, key), **data)
        return match_or_404(request.user, key)


class StandUp(Api):
    tag = "tables"

    @operation("stand_up", gives=serializers.TableSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str) -> Match:
        """Give one’s place up before the match begins."""
        seating.stand_up(person=request.user, match=match_or_404(request.user, key))
        return match_or_404(request.user, key)


class Role(Api):
    tag = "tables"

    @operation("choose_role", takes=serializers.WishInput, gives=serializers.TableSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Match:
        """Wish for a role when the seats are drawn."""
        seating.choose_role(person=request.user, match=match_or_404(request.user, key), wish=data["wish"])
        return match_or_404(request.user, key)


class Word(Api):
    tag = "tables"

    @operation("add_word", takes=serializers.WordInput, gives=serializers.TableSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Match:
        """Mix a word of one’s own into the shuffle, which the site has promised already."""
        seating.add_word(person=request.user, match=match_or_404(request.user, key), word=data["word"])
        return match_or_404(request.user, key)


class Bot(Api):
    tag = "tables"

    @operation("add_bot", takes=serializers.BotInput, gives=serializers.TableSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Match:
        """Put a bot of the site into a free place; for the host."""
        seating.fill_with_bot(person=request.user, match=match_or_404(request.user, key), **data)
        return match_or_404(request.user, key)


class Fill(Api):
    tag = "tables"

    @operation("fill_with_bots", takes=serializers.FillInput, gives=serializers.TableSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Match:
        """Put bots of one level into all free places; for the host."""
        seating.fill_with_bots(person=request.user, match=match_or_404(request.user, key), level=data["level"])
        return match_or_404(request.user, key)


class Clear(Api):
    tag = "tables"

    @operation("clear_place", takes=serializers.PlaceInput, gives=serializers.TableSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Match:
        """Send a bot or a guest away from a place; for the host."""
        seating.clear_place(person=request.user, match=match_or_404(request.user, key), index=data["index"])
        return match_or_404(request.user, key)


class Start(Api):
    tag = "tables"

    @operation("start_match", gives=serializers.TableSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str) -> Match:
        """Draw the seats and deal; for the host, once every place is taken."""
        start.start(person=request.user, match=match_or_404(request.user, key))
        return match_or_404(request.user, key)


class CallOff(Api):
    tag = "tables"

    @operation("call_off", gives=serializers.TableSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str) -> Match:
        """Call a table off before its first move; for the host."""
        start.call_off(person=request.user, match=match_or_404(request.user, key))
        return match_or_404(request.user, key)
