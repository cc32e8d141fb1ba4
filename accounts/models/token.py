"""API tokens, with which a program acts for a user."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts.infra.scopes import Scope


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def usable(self) -> "ApiTokenQuerySet":
        return self.filter(revoked_at=None, expires_at__gt=timezone.now(), user__is_active=True)


class ApiToken(models.Model):
    """Only the hash of the secret is stored; the owner recognises the token by `prefix`."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="tokens")
    name = models.CharField(_("name"), max_length=60)
    prefix = models.CharField(max_length=16)
    token_hash = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True, blank=True)
    # To the hour, so that not every request is a write.
    last_used_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [models.CheckConstraint(condition=~Q(name=""), name="token_has_a_name")]

    def __str__(self) -> str:
        return f"token {self.pk} of {self.user_id}"

    @property
    def scope_names(self) -> list[str]:
        return [str(Scope(scope).label) for scope in self.scopes if scope in Scope.values]
