"""A bot that somebody brings: what its owner says about it."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

import engine
from accounts.models import HANDLE_VALIDATORS
from accounts.people import LONGEST_NAME
from games.models import OwnBot


class BotForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=LONGEST_NAME)
    about = forms.CharField(label=_("About it"), max_length=300, required=False)
    games = forms.MultipleChoiceField(
        label=_("Games it plays"),
        choices=[(name, engine.game(name).title) for name in engine.GAMES],
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
