from django.urls import path, register_converter
from django.urls.converters import StringConverter

from leagues.views import feeds

app_name = "calendar"


class Token(StringConverter):
    """The secret part of a person's calendar address."""

    regex = "[A-Za-z0-9_.-]{1,100}"


register_converter(Token, "feedtoken")

urlpatterns = [
    path("", feeds.page, name="page"),
    path("renew/", feeds.renew, name="renew"),
    path("leagues/<slug:slug>.ics", feeds.of_league, name="league"),
    path("clubs/<slug:slug>.ics", feeds.of_club, name="club"),
    path("<feedtoken:token>.ics", feeds.own, name="own"),
]
