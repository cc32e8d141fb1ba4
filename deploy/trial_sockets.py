"""Sockets of people who play without an account: their session says who they are, though nobody is logged in."""

from collections.abc import Awaitable, Callable
from typing import Any

from asgiref.sync import sync_to_async
from channels.auth import get_user

from accounts import trials
from accounts.infra.db import drop_broken_connections

Application = Callable[[dict[str, Any], Any, Any], Awaitable[Any]]


class TrialSockets:
    """Inside the application that knows who is logged in."""

    def __init__(self, application: Application) -> None:
        self.application = application

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> Any:
        user = scope["user"]
        if not user.is_authenticated and scope["session"].session_key:
            user = await sync_to_async(_trial_of)(scope["session"]) or user
        return await self.application({**scope, "user": user, "find_user": find_user}, receive, send)


async def find_user(scope: dict[str, Any]) -> Any:
    """Who is logged in with a session, or plays without an account in it."""
    user = await get_user(scope)
    return user if user.is_authenticated else await sync_to_async(_trial_of)(scope["session"]) or user


def _trial_of(session: Any) -> Any:
    drop_broken_connections()
    return trials.of_session(session)
