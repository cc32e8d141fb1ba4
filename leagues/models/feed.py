from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.crypto import get_random_string


def new_feed_key() -> str:
    return get_random_string(16)


class Feed(models.Model):
    """A person's calendar feed. Its address is this key with the site's signature, so the database alone does not
    reveal it; a new key makes a new address.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="feed")
    key = models.CharField(max_length=16, unique=True, default=new_feed_key)
    renewed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"calendar of {self.user_id}"
