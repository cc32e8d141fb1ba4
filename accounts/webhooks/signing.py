"""Webhook secrets and signatures, as specified by Standard Webhooks.

A secret is derived from the site's key and the webhook's salt whenever it is needed; it is not stored.
"""

import base64
import hashlib
import hmac
from datetime import datetime, timedelta

from django.utils.crypto import salted_hmac

from accounts.models import Webhook

PREFIX = "whsec_"
# How long the old secret still works after a new one was made.
OVERLAP = timedelta(days=1)


def secret_of(hook: Webhook, salt: str) -> str:
    digest = salted_hmac("accounts.webhooks", f"{hook.pk}.{salt}", algorithm="sha256").digest()
    return PREFIX + base64.b64encode(digest).decode()


def secrets_of(hook: Webhook, now: datetime) -> list[str]:
    """All secrets that are valid now, the newest first."""
    salts = [hook.salt]
    if hook.former_salt and hook.rotated_at and now < hook.rotated_at + OVERLAP:
        salts.append(hook.former_salt)
    return [secret_of(hook, salt) for salt in salts]


def headers(*, key: str, body: bytes, secrets: list[str], now: datetime) -> dict[str, str]:
    timestamp = str(int(now.timestamp()))
    return {
        "webhook-id": key,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(sign(secret, key, timestamp, body) for secret in secrets),
    }


def sign(secret: str, key: str, timestamp: str, body: bytes) -> str:
    signed = f"{key}.{timestamp}.".encode() + body
    digest = hmac.new(base64.b64decode(secret.removeprefix(PREFIX)), signed, hashlib.sha256).digest()
    return f"v1,{base64.b64encode(digest).decode()}"
