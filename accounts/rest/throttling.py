"""How much one may ask: so many requests a minute for each token, session or address."""

import time
from dataclasses import dataclass
from typing import Any

import structlog
from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.models import ApiToken

WINDOW = 60

log = structlog.get_logger("gauntlet.api")


@dataclass(frozen=True)
class Allowance:
    limit: int
    used: int
    reset: int

    @property
    def headers(self) -> dict[str, str]:
        left = max(0, self.limit - self.used)
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(left),
            "RateLimit-Reset": str(self.reset),
        }


class Minute(BaseThrottle):
    """Counted in the cache, which all web processes share: one atomic step a request, whatever the rate."""

    # A rate of its own, for views that ask for one.
    kind = ""
    allowance: Allowance | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        now = time.time()
        who, kind = asker(request)
        limit = settings.API_RATES[self.kind or kind]
        used = count(f"api-{self.kind}{who}-{int(now // WINDOW)}")
        self.allowance = Allowance(limit, used, WINDOW - int(now % WINDOW))
        request._request.allowance = self.allowance  # type: ignore[attr-defined]
        return used <= limit

    def wait(self) -> float | None:
        return self.allowance.reset if self.allowance else None


def asker(request: Request) -> tuple[str, str]:
    """Whose count this is, and which rate goes for it."""
    if isinstance(request.auth, ApiToken):
        return f"token-{request.auth.pk}", "token"
    if request.user.is_authenticated:
        return f"user-{request.user.pk}", "token"
    return f"address-{get_adapter().get_client_ip(request._request)}", "address"


def too_often(request: HttpRequest) -> bool:
    """For pages that do what operations do: the same allowance, by person or by address."""
    person = request.user.pk
    who = f"user-{person}" if person else f"address-{get_adapter().get_client_ip(request)}"
    return count(f"api-{who}-{int(time.time() // WINDOW)}") > settings.API_RATES["token" if person else "address"]


def count(key: str) -> int:
    try:
        cache.add(key, 0, 2 * WINDOW)
        return cache.incr(key)
    except Exception as error:
        # Whatever the cache is made of, it has errors of its own; a cache out of reach keeps nobody from playing.
        log.warning("cannot count requests", error=repr(error))
        return 0
