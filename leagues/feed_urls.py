from django.urls import path

from leagues import url_converters  # noqa: F401 - it registers what a feed token looks like
from leagues.views import feeds

app_name = "calendar"

urlpatterns = [
    path("", feeds.page, name="page"),
    path("renew/", feeds.renew, name="renew"),
    path("leagues/<slug:slug>.ics", feeds.of_league, name="league"),
    path("clubs/<slug:slug>.ics", feeds.of_club, name="club"),
    path("<feedtoken:token>.ics", feeds.own, name="own"),
]
