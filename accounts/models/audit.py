"""The audit trail: who did what. It is only ever appended to."""

from typing import Any, NoReturn

from django.conf import settings
from django.db import models
from django.utils import timezone

from accounts.models.club import Club


class AuditQuerySet(models.QuerySet["AuditEntry"]):
    def update(self, **kwargs: Any) -> NoReturn:
        raise TypeError("The audit trail is only ever appended to.")

    def delete(self) -> NoReturn:
        raise TypeError("The audit trail is only ever appended to.")


class AuditErasure(models.Model):
    """Only inside a transaction that erases a person: while it is there, the words of an entry may be changed."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")

    def __str__(self) -> str:
        return f"erasure of {self.person_id}"


class AuditEntry(models.Model):
    """Who did what, to which object, on whose behalf. A database trigger refuses every change."""

    actor = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    action = models.CharField(max_length=60)
    club = models.ForeignKey(Club, models.PROTECT, null=True, blank=True, related_name="audit_entries")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+")
    object_type = models.CharField(max_length=60, blank=True)
    object_id = models.CharField(max_length=40, blank=True)
    params = models.JSONField(default=dict, blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)

    objects = AuditQuerySet.as_manager()

    class Meta:
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(fields=["club", "-at"], name="audit_of_club"),
            models.Index(fields=["object_type", "object_id"], name="audit_of_object"),
        ]

    def __str__(self) -> str:
        return f"{self.action} by {self.actor_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if self.pk is not None:
            raise TypeError("The audit trail is only ever appended to.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("The audit trail is only ever appended to.")
