"""What organisers write: to all players of a season, or as news of their club."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.models import Club
from leagues.models.competition import Season

MOST_LETTERS = 4000
MAX_TITLE_LENGTH = 120


class Announcement(models.Model):
    """A text for many people. As public as its season, or as its club if it has none: then it is news of the club."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="announcements")
    season = models.ForeignKey(Season, models.CASCADE, null=True, blank=True, related_name="announcements")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    title = models.CharField(_("title"), max_length=MAX_TITLE_LENGTH, blank=True)
    text = models.TextField(_("text"), max_length=MOST_LETTERS)
    # News need not ring at everybody's door.
    is_told = models.BooleanField(default=True, help_text="readers got a notice")
    at = models.DateTimeField(default=timezone.now, editable=False)
    edited_at = models.DateTimeField(null=True, blank=True, editable=False)
    # The row stays without its text, so that deleting makes no room for more on the same day.
    deleted_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [models.Index(fields=["club", "-at"], name="announcement_of_club")]
        constraints = [models.CheckConstraint(condition=~Q(text=""), name="announcement_has_text")]

    def __str__(self) -> str:
        return f"announcement {self.pk} of club {self.club_id}"

    def get_absolute_url(self) -> str:
        return reverse("leagues:announcement", args=[self.pk])
