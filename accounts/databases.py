"""Connections to the database, where a thread or process keeps its own."""

from django.db import connections


def drop_broken_connections() -> None:
    """Let go of what a restarted database has cut off; a sound connection is kept, for a new one takes its time."""
    for connection in connections.all(initialized_only=True):
        if connection.errors_occurred:
            connection.close_if_unusable_or_obsolete()
