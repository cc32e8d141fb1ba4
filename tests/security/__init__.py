"""Permissions of every route, operation, socket message and task; and common attacks."""
