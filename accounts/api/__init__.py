"""People, clubs and notices for programs: the same verbs as the pages."""

from django.urls import path

import accounts.urls  # noqa: F401 - it registers what a handle looks like
from accounts.api import clubs, joining, me, notices, webhooks

urlpatterns = [
    path("me/", me.Me.as_view(), name="me"),
    path("me/token/", me.Token.as_view(), name="token"),
    path("people/<handle:handle>/", me.Person.as_view(), name="person"),
    path("notices/", notices.Notices.as_view(), name="notices"),
    path("notices/read/", notices.ReadAll.as_view(), name="notices-read"),
    path("notices/<int:pk>/read/", notices.Read.as_view(), name="notice-read"),
    path("clubs/", clubs.Clubs.as_view(), name="clubs"),
    path("clubs/<slug:slug>/", clubs.OneClub.as_view(), name="club"),
    path("clubs/<slug:slug>/members/", clubs.Members.as_view(), name="club-members"),
    path("clubs/<slug:slug>/members/<handle:handle>/", clubs.Member.as_view(), name="member"),
    path("clubs/<slug:slug>/leave/", clubs.Leave.as_view(), name="club-leave"),
    path("clubs/<slug:slug>/close/", clubs.Close.as_view(), name="club-close"),
    path("clubs/<slug:slug>/hand-over/", clubs.HandOver.as_view(), name="club-hand-over"),
    path("clubs/<slug:slug>/log/", clubs.Log.as_view(), name="club-log"),
    path("clubs/<slug:slug>/requests/", joining.Requests.as_view(), name="requests"),
    path("clubs/<slug:slug>/requests/<int:pk>/", joining.OneRequest.as_view(), name="request"),
    path("clubs/<slug:slug>/requests/<int:pk>/answer/", joining.Answer.as_view(), name="request-answer"),
    path("clubs/<slug:slug>/invites/", joining.Invites.as_view(), name="invites"),
    path("clubs/<slug:slug>/invites/<int:pk>/", joining.OneInvite.as_view(), name="invite"),
    path("clubs/<slug:slug>/webhooks/", webhooks.Webhooks.as_view(), name="webhooks"),
    path("clubs/<slug:slug>/webhooks/<int:pk>/", webhooks.OneWebhook.as_view(), name="webhook"),
    path("clubs/<slug:slug>/webhooks/<int:pk>/secret/", webhooks.NewSecret.as_view(), name="webhook-secret"),
    path("clubs/<slug:slug>/webhooks/<int:pk>/switch/", webhooks.Switch.as_view(), name="webhook-switch"),
    path("clubs/<slug:slug>/webhooks/<int:pk>/test/", webhooks.Test.as_view(), name="webhook-test"),
    path("clubs/<slug:slug>/webhooks/<int:pk>/deliveries/", webhooks.Deliveries.as_view(), name="deliveries"),
    path(
        "clubs/<slug:slug>/webhooks/<int:pk>/deliveries/<slug:key>/again/",
        webhooks.SendAgain.as_view(),
        name="delivery-again",
    ),
    path("me/notice-choices/", notices.Choices.as_view(), name="notice-choices"),
    path("join/", joining.Join.as_view(), name="join"),
]
