"""Competitions, calendars and ratings for programs: the same verbs as the pages."""

from leagues.api.urls import urlpatterns

__all__ = ["urlpatterns"]
