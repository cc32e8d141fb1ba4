"""Pages about ratings for the site's staff, under /staff/."""

from django.urls import path

from leagues.views import rating_flags

app_name = "ratings-staff"

urlpatterns = [
    path("", rating_flags.page, name="flags"),
    path("<int:pk>/", rating_flags.review, name="review"),
]
