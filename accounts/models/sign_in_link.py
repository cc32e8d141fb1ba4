"""Links with which a member without an e-mail address signs in."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from accounts.models.club import Club


class SignInLinkQuerySet(models.QuerySet["SignInLink"]):
    def usable(self) -> "SignInLinkQuerySet":
        """Of accounts that the club still looks after: whoever has an address or a password of their own needs none."""
        return self.filter(
            used_at=None,
            revoked_at=None,
            expires_at__gt=timezone.now(),
            club__closed_at=None,
            user__looked_after_by=F("club"),
            user__is_active=True,
            user__is_staff=False,
            user__email="",
        )


class SignInLink(models.Model):
    """A link that an organiser hands to one member, for one use. Only the hash of its token is kept."""

    club = models.ForeignKey(Club, models.PROTECT, related_name="sign_in_links")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="sign_in_links")
    token_hash = models.CharField(max_length=64, unique=True)
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    made_at = models.DateTimeField(default=timezone.now, editable=False)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    objects = SignInLinkQuerySet.as_manager()

    class Meta:
        ordering = ["-made_at", "-pk"]
        constraints = [
            models.CheckConstraint(condition=Q(used_at=None) | Q(revoked_at=None), name="sign_in_link_used_or_revoked"),
        ]

    def __str__(self) -> str:
        return f"sign-in link {self.pk} of {self.user_id}"
