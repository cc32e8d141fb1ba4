import json
from typing import Any

from django.http import Http404
from django.utils.translation import get_language
from rest_framework import serializers
from rest_framework.request import Request

import engine
from accounts.rest import Api, operation
from engine.bots import LEVELS
from games import options, words


class OptionShape(serializers.Serializer):
    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    help = serializers.CharField()
    kind = serializers.ChoiceField(["int", "bool", "str"])
    default_value = serializers.JSONField(help_text="What holds when the option is left out.")
    least = serializers.IntegerField(allow_null=True)
    most = serializers.IntegerField(allow_null=True)
    choices = serializers.ListField(child=serializers.JSONField())


class GameShape(serializers.Serializer):
    name = serializers.CharField()
    title = serializers.CharField()
    rules_version = serializers.IntegerField()
    players = serializers.ListField(child=serializers.IntegerField(), help_text="How many can play.")
    roles = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), help_text="Of each seat, by the number of players."
    )
    cooperative = serializers.BooleanField()
    options = OptionShape(many=True)
    levels = serializers.ListField(child=serializers.CharField(), help_text="Of the house’s bots.")


class GamesShape(serializers.Serializer):
    games = GameShape(many=True)


class WordsShape(serializers.Serializer):
    """Names, texts, log sentences and terms of a game in one language."""

    game = serializers.CharField()
    language = serializers.CharField()
    title = serializers.CharField()
    names = serializers.DictField(child=serializers.CharField())
    texts = serializers.DictField(child=serializers.CharField())
    cards = serializers.DictField(child=serializers.DictField())
    sentences = serializers.DictField(child=serializers.CharField())
    terms = serializers.DictField(child=serializers.CharField())


class Games(Api):
    tag = "games"

    @operation("list_games", gives=GamesShape)
    def get(self, request: Request) -> Any:
        """The games of this house, with their options and the levels of its bots."""
        return {"games": [_told(engine.game(name)) for name in engine.GAMES]}


class Words(Api):
    tag = "games"

    @operation("read_words", gives=WordsShape)
    def get(self, request: Request, game: str) -> Any:
        """A game’s words in the language asked for: what the ids in its views are called, and how events read."""
        if game not in engine.GAMES:
            raise Http404
        return json.loads(words.encoded(game, get_language() or "en")[0])


def _told(game: engine.Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": game.title,
        "rules_version": game.rules_version,
        "players": list(game.players),
        "roles": {str(size): list(game.roles(size)) for size in game.players},
        "cooperative": game.cooperative,
        "options": [_option(game.name, option) for option in options.shown(game)],
        "levels": list(LEVELS),
    }


def _option(game: str, option: engine.Option) -> dict[str, Any]:
    said = options.words_of(game, option)
    return {
        "name": option.name,
        "label": str(said.label),
        "help": str(said.help),
        "kind": option.kind.__name__,
        "default_value": option.default,
        "least": option.least,
        "most": option.most,
        "choices": list(option.choices),
    }
