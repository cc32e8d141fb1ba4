"""The pictures that people and clubs have uploaded. Their fingerprints stand in the rows of their owners."""

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.models.club import Club


class Portrait(models.Model):
    """A person's picture: a small square in WebP, made by `infra.pictures`."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    digest = models.CharField(max_length=32)
    content = models.BinaryField()
    at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"portrait of {self.user_id}"


class Emblem(models.Model):
    """The same for a club."""

    club = models.OneToOneField(Club, models.PROTECT, related_name="+")
    digest = models.CharField(max_length=32)
    content = models.BinaryField()
    at = models.DateTimeField(default=timezone.now, editable=False)

    def __str__(self) -> str:
        return f"emblem of {self.club_id}"
