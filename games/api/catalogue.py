import json
from typing import Any

from django.http import Http404
from django.utils.translation import get_language
from rest_framework import serializers
from rest_framework.request import Request

import engine
from accounts.api.base import Api
from accounts.infra.rest import operation
from engine.bots import LADDER, LEVELS
from games import bot_levels
from games.catalogue import option_labels
from games.catalogue import texts as catalogue_texts
from games.catalogue.spec import spec
from games.models.record import LEVEL_NAMES
from games.tables.setup import difficulties
from games.titles import game_title


class OptionSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    label = serializers.CharField()  # type: ignore[assignment]
    help = serializers.CharField()
    kind = serializers.ChoiceField(["int", "bool", "str"])
    default_value = serializers.JSONField(help_text="What holds when the option is left out.")
    least = serializers.IntegerField(allow_null=True)
    most = serializers.IntegerField(allow_null=True)
    choices = serializers.ListField(child=serializers.JSONField())


class LadderSerializer(serializers.Serializer[Any]):
    level = serializers.CharField()
    name = serializers.CharField()
    rating = serializers.IntegerField(help_text="On this site’s scale.")
    suits = serializers.BooleanField(help_text="Whether it is the level for whoever asks.")


class GameSerializer(serializers.Serializer[Any]):
    name = serializers.CharField()
    title = serializers.CharField()
    rules_version = serializers.IntegerField()
    players = serializers.ListField(child=serializers.IntegerField(), help_text="How many can play.")
    roles = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()), help_text="Of each seat, by the number of players."
    )
    cooperative = serializers.BooleanField()
    options = OptionSerializer(many=True)
    levels = serializers.ListField(child=serializers.CharField(), help_text="All that the site’s bots may have.")
    ladder = LadderSerializer(many=True, help_text="The eight levels to choose from, the weakest first.")
    sentence = serializers.CharField(help_text="What the game is, in one sentence.")
    minutes = serializers.IntegerField(help_text="How long a match takes, about.")
    difficulties = serializers.ListField(child=serializers.CharField(), help_text="Where all play together.")
    first_difficulty = serializers.CharField(help_text="The one for newcomers; empty where there is none.")


class GamesSerializer(serializers.Serializer[Any]):
    games = GameSerializer(many=True)


class WordsSerializer(serializers.Serializer[Any]):
    """Names, texts, log sentences and terms of a game in one language."""

    game = serializers.CharField()
    language = serializers.CharField()
    title = serializers.CharField()
    names = serializers.DictField(child=serializers.CharField())
    texts = serializers.DictField(child=serializers.CharField())
    cards = serializers.DictField(child=serializers.DictField())
    stand_ins = serializers.DictField(
        child=serializers.DictField(),
        help_text="Values for which no source was found, by id: `fields` names them, `text` says it in words.",
    )
    sentences = serializers.DictField(child=serializers.CharField())
    terms = serializers.DictField(child=serializers.CharField())


class Games(Api):
    tag = "games"

    @operation("list_games", gives=GamesSerializer)
    def get(self, request: Request) -> Any:
        """The games of this site, with their options and the levels of its bots."""
        known = bot_levels.known(request.user)
        return {"games": [_serialize_game(engine.game(name), known) for name in engine.GAMES]}


class Texts(Api):
    tag = "games"

    @operation("read_words", gives=WordsSerializer)
    def get(self, request: Request, game: str) -> Any:
        """A game’s words in the language asked for: what the ids in its views are called, and how events read."""
        if game not in engine.GAMES:
            raise Http404
        return json.loads(catalogue_texts.encoded(game, get_language() or "en")[0])


def _serialize_game(game: engine.Game, known: bot_levels.Known) -> dict[str, Any]:
    ratings, suits = bot_levels.ratings(game.name, known), bot_levels.suggested(game.name, known)
    return {
        "name": game.name,
        "title": game_title(game.name),
        "rules_version": game.rules_version,
        "players": list(game.players),
        "roles": {str(size): list(game.roles(size)) for size in game.players},
        "cooperative": game.cooperative,
        "options": [_option(game.name, option) for option in option_labels.form_options(game)],
        "levels": list(LEVELS),
        "ladder": [
            {"level": level, "name": str(LEVEL_NAMES[level]), "rating": ratings[level], "suits": level == suits}
            for level in LADDER
        ],
        "sentence": str(spec(game.name).sentence),
        "minutes": spec(game.name).minutes,
        "difficulties": difficulties(game.name),
        "first_difficulty": spec(game.name).first_difficulty,
    }


def _option(game: str, option: engine.Option) -> dict[str, Any]:
    labels = option_labels.get_option_label(game, option)
    return {
        "name": option.name,
        "label": str(labels.label),
        "help": str(labels.help),
        "kind": option.kind.__name__,
        "default_value": option.default,
        "least": option.least,
        "most": option.most,
        "choices": list(option.choices),
    }
