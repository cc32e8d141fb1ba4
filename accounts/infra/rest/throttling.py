"""Rate limits: requests a minute for each token, session or address."""

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

WINDOW = 60

log = structlog.get_logger("gauntlet.api")


@dataclass(frozen=True)
class RateLimitState:
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


class PerMinuteThrottle(BaseThrottle):
    """Counts in the cache that all web processes share: one atomic increment per request."""

    # For views with a rate of their own.
    kind = ""
    allowance: RateLimitState | None = None

    def allow_request(self, request: Request, view: Any) -> bool:
        now = time.time()
        who, kind = rate_limit_key(request)
        limit = settings.API_RATES[self.kind or kind]
        used = count(f"api-{self.kind}{who}-{int(now // WINDOW)}")
        self.allowance = RateLimitState(limit, used, WINDOW - int(now % WINDOW))
        request._request.allowance = self.allowance  # type: ignore[attr-defined]
        return used <= limit

    def wait(self) -> float | None:
        return self.allowance.reset if self.allowance else None


def rate_limit_key(request: Request) -> tuple[str, str]:
    """The key of the counter, and the name of the rate that applies."""
    if request.auth is not None:
        return f"token-{request.auth.pk}", "token"
    if request.user.is_authenticated:
        return f"user-{request.user.pk}", "token"
    return f"address-{get_adapter().get_client_ip(request._request)}", "address"


def too_often(request: HttpRequest) -> bool:
    """For pages that do what operations do: the same rate, by user or by address."""
    person = request.user.pk
    who = f"user-{person}" if person else f"address-{get_adapter().get_client_ip(request)}"
    return count(f"api-{who}-{int(time.time() // WINDOW)}") > settings.API_RATES["token" if person else "address"]


def count(key: str) -> int:
    try:
        cache.add(key, 0, 2 * WINDOW)
        return cache.incr(key)
    except Exception as error:
        # Every cache backend has its own exceptions; an unreachable cache must not stop a game.
        log.warning("cannot count requests", error=repr(error))
        return 0
