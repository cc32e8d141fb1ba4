from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import Language

MAX_LENGTH = 300


class Announcement(models.Model):
    """An announcement to everyone on the site, shown on all open pages until it ends."""

    text = models.CharField(max_length=MAX_LENGTH)
    made_at = models.DateTimeField(auto_now_add=True)
    ends_at = models.DateTimeField()
    # Empty until it was sent to all open pages: the row is its own outbox.
    sent_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(text=""), name="announcement_says_something"),
            models.CheckConstraint(condition=Q(ends_at__gt=models.F("made_at")), name="announcement_ends_later"),
        ]
        indexes = [models.Index("made_at", condition=Q(sent_at=None), name="announcement_unsent")]

    def __str__(self) -> str:
        return self.text


class Pulse(models.Model):
    """The last sign of life of a program that has no health page."""

    BEAT = "beat"

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.at}"


class SitePage(models.Model):
    """The words of staff for one of the site's own pages, in one language. Without a row the page has our words."""

    class Name(models.TextChoices):
        ABOUT = "about", _("About")
        PRIVACY = "privacy", _("Privacy")
        TERMS = "terms", _("Terms")
        CONTACT = "contact", _("Contact")

    name = models.CharField(max_length=10, choices=Name)
    language = models.CharField(max_length=2, choices=Language)
    text = models.TextField(_("text"), max_length=30_000, help_text=_("You can use Markdown."))
    changed_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["name", "language"], name="site_page_once_a_language"),
            models.CheckConstraint(
                condition=Q(name__in=["about", "privacy", "terms", "contact"]), name="site_page_known"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.language})"
