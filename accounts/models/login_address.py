"""From where people log in, as a fingerprint: it can be compared, but not read."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.crypto import salted_hmac


class LoginAddress(models.Model):
    """An address that somebody logged in from in the last weeks. The staff learns only that two people share one."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="login_addresses")
    fingerprint = models.CharField(max_length=64)
    last_at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["fingerprint"], name="login_address_shared")]
        constraints = [models.UniqueConstraint(fields=["user", "fingerprint"], name="login_address_once")]

    def __str__(self) -> str:
        return f"an address of {self.user_id}"


def fingerprint(address: str) -> str:
    return salted_hmac("accounts.login-address", address, algorithm="sha256").hexdigest()
