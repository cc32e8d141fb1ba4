"""The waiting room: every operation answers with the table as it stands afterwards."""

from accounts.models import Scope
from accounts.rest import Api, Data, PersonRequest, operation
from games import tables
from games.api import shapes
from games.api.common import match_or_404
from games.models import Match


class Sit(Api):
    tag = "tables"

    @operation("sit", takes=shapes.SitTerms, gives=shapes.TableShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Match:
        """Take a free place."""
        tables.sit(person=request.user, match=match_or_404(request.user, key), **data)
        return match_or_404(request.user, key)


class StandUp(Api):
    tag = "tables"

    @operation("stand_up", gives=shapes.TableShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str) -> Match:
        """Give one’s place up before the match begins."""
        tables.stand_up(person=request.user, match=match_or_404(request.user, key))
        return match_or_404(request.user, key)


class Role(Api):
    tag = "tables"

    @operation("choose_role", takes=shapes.WishTerms, gives=shapes.TableShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Match:
        """Wish for a role when the seats are drawn."""
        tables.choose_role(person=request.user, match=match_or_404(request.user, key), wish=data["wish"])
        return match_or_404(request.user, key)


class Word(Api):
    tag = "tables"

    @operation("add_word", takes=shapes.WordTerms, gives=shapes.TableShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Match:
        """Mix a word of one’s own into the shuffle, which the house has promised already."""
        tables.add_word(person=request.user, match=match_or_404(request.user, key), word=data["word"])
        return match_or_404(request.user, key)


class Bot(Api):
    tag = "tables"

    @operation("add_bot", takes=shapes.BotTerms, gives=shapes.TableShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Match:
        """Put a bot of the house into a free place; for the host."""
        tables.fill_with_bot(person=request.user, match=match_or_404(request.user, key), **data)
        return match_or_404(request.user, key)


class Clear(Api):
    tag = "tables"

    @operation("clear_place", takes=shapes.PlaceTerms, gives=shapes.TableShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str, data: Data) -> Match:
        """Send a bot or a guest away from a place; for the host."""
        tables.clear_place(person=request.user, match=match_or_404(request.user, key), index=data["index"])
        return match_or_404(request.user, key)


class Start(Api):
    tag = "tables"

    @operation("start_match", gives=shapes.TableShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str) -> Match:
        """Draw the seats and deal; for the host, once every place is taken."""
        tables.start(person=request.user, match=match_or_404(request.user, key))
        return match_or_404(request.user, key)


class CallOff(Api):
    tag = "tables"

    @operation("call_off", gives=shapes.TableShape, scope=Scope.PLAY)
    def post(self, request: PersonRequest, key: str) -> Match:
        """Call a table off before its first move; for the host."""
        tables.call_off(person=request.user, match=match_or_404(request.user, key))
        return match_or_404(request.user, key)
