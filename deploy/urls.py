from django.urls import include, path

from accounts import url_converters  # noqa: F401 - it registers what a handle looks like
from deploy import admin, health, metrics, pages, phone, preferences, staff

handler500 = "deploy.pages.server_error"

urlpatterns = [
    path("", pages.home, name="home"),
    path("play/", include("games.urls")),
    path("rules/", include("games.rules_urls")),
    path("puzzles/", include("games.puzzle_urls")),
    path("leagues/", include("leagues.urls")),
    path("calendar/", include("leagues.feed_urls")),
    path("leaderboards/", include("leagues.leaderboards.urls")),
    path("staff/ratings/", include("leagues.staff_urls")),
    path("api/", include("deploy.api_urls")),
    path("admin/", admin.site.urls),
    path("staff/", staff.overview, name="staff"),
    path("staff/people/", staff.people, name="staff-people"),
    path("staff/people/<handle:handle>/", staff.person, name="staff-person"),
    path("staff/people/<handle:handle>/<slug:verb>/", staff.help_person, name="staff-help"),
    path("staff/clubs/", staff.clubs, name="staff-clubs"),
    path("staff/deliveries/", staff.deliveries, name="staff-deliveries"),
    path("staff/log/", staff.log, name="staff-log"),
    path("staff/pages/<slug:name>/<slug:language>/", staff.edit_page, name="staff-page"),
    path("about/", staff.show_page, {"name": "about"}, name="about"),
    path("privacy/", staff.show_page, {"name": "privacy"}, name="privacy"),
    path("terms/", staff.show_page, {"name": "terms"}, name="terms"),
    path("contact/", staff.show_page, {"name": "contact"}, name="contact"),
    path("robots.txt", staff.robots, name="robots"),
    path("manifest.webmanifest", phone.manifest, name="manifest"),
    path("service-worker.js", phone.service_worker, name="service-worker"),
    path("offline/", phone.offline, name="offline"),
    path("settings/data/", pages.own_data, name="own-data"),
    path("theme/", preferences.set_theme, name="set_theme"),
    path("language/", preferences.set_language, name="set_language"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", metrics.metrics, name="metrics"),
    path("accounts/", include("allauth.urls")),
    path("", include("accounts.urls")),
]
