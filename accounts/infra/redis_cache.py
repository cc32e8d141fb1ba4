"""Django's cache in Redis with clients that are kept: Django makes a new one for every call.

A client is little more than the table of its commands, but making that table costs more than asking Redis.
"""

from functools import cache
from typing import Any

from django.core.cache.backends import redis as backend
from redis import Redis


class Client(backend.RedisCacheClient):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._client: Any = cache(Redis)  # one for each pool; threads may share it


class RedisCache(backend.RedisCache):
    def __init__(self, server: Any, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = Client
