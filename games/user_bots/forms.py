"""Forms for users' bots."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

import engine
from accounts.models import HANDLE_VALIDATORS
from accounts.people import MAX_NAME_LENGTH
from games.models import OwnBot
from games.titles import game_title


class BotForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=MAX_NAME_LENGTH)
    about = forms.CharField(label=_("About it"), max_length=300, required=False)
    games = forms.MultipleChoiceField(
        label=_("Games it plays"),
        choices=lambda: [(name, game_title(name)) for name in engine.GAMES],
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one game that it plays.")},
    )
    accepts = forms.ChoiceField(label=_("Who may challenge it"), choices=OwnBot.Accepts.choices)

    def __init__(self, *args: Any, bot: OwnBot | None = None, **kwargs: Any) -> None:
        if bot is not None:
            kwargs["initial"] = {
                "name": bot.user.display_name,
                "about": bot.about,
                "games": bot.games,
                "accepts": bot.accepts,
            }
        super().__init__(*args, **kwargs)


class NewBotForm(BotForm):
    handle = forms.CharField(
        label=_("Handle"),
        max_length=30,
        validators=HANDLE_VALIDATORS,
        help_text=_("How others find it: letters, digits, hyphens and underscores. It stays for good."),
    )
    field_order = ["handle", "name"]
