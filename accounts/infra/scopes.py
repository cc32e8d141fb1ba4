"""What a program may be allowed to do with a token."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Scope(models.TextChoices):
    """What a token lets a program do; each asks for itself, none contains another."""

    READ = "read", _("Read what I can read")
    PLAY = "play", _("Take part for me: tables, moves, talk, entries, clubs, notices")
    BOT = "bot", _("Run my bots")
    ORGANISE = "organise", _("Run the clubs and leagues that I organise")
    WEBHOOKS = "webhooks", _("Manage my webhooks")
