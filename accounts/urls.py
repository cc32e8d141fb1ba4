from django.urls import path, register_converter
from django.urls.converters import StringConverter

from accounts.views import clubs, joining, notices, people, tokens, webhooks

app_name = "accounts"


class Handle(StringConverter):
    """A handle, or the nameless one of somebody who left; nothing else reaches a view."""

    regex = "[A-Za-z0-9_~-]{1,30}"


register_converter(Handle, "handle")

urlpatterns = [
    path("clubs/", clubs.index, name="clubs"),
    path("clubs/new/", clubs.new, name="club-new"),
    path("clubs/<slug:slug>/", clubs.page, name="club"),
    path("clubs/<slug:slug>/members/", clubs.members, name="club-members"),
    path("clubs/<slug:slug>/edit/", clubs.edit, name="club-edit"),
    path("clubs/<slug:slug>/manage/", clubs.manage, name="club-manage"),
    path("clubs/<slug:slug>/log/", clubs.log, name="club-log"),
    path("clubs/<slug:slug>/leave/", clubs.leave, name="club-leave"),
    path("clubs/<slug:slug>/close/", clubs.close, name="club-close"),
    path("clubs/<slug:slug>/hand-over/", clubs.hand_over, name="club-hand-over"),
    path("clubs/<slug:slug>/members/<handle:handle>/remove/", clubs.remove, name="member-remove"),
    path("clubs/<slug:slug>/members/<handle:handle>/role/", clubs.role, name="member-role"),
    path("clubs/<slug:slug>/ask/", joining.ask, name="club-ask"),
    path("clubs/<slug:slug>/requests/<int:pk>/withdraw/", joining.withdraw, name="request-withdraw"),
    path("clubs/<slug:slug>/requests/<int:pk>/approve/", joining.approve, name="request-approve"),
    path("clubs/<slug:slug>/requests/<int:pk>/decline/", joining.decline, name="request-decline"),
    path("clubs/<slug:slug>/invites/", joining.invite, name="invite-new"),
    path("clubs/<slug:slug>/invites/<int:pk>/revoke/", joining.revoke, name="invite-revoke"),
    path("clubs/<slug:slug>/webhooks/", webhooks.index, name="webhooks"),
    path("clubs/<slug:slug>/webhooks/<int:pk>/", webhooks.page, name="webhook"),
    path("clubs/<slug:slug>/webhooks/<int:pk>/secret/", webhooks.rotate, name="webhook-secret"),
    path("clubs/<slug:slug>/webhooks/<int:pk>/switch/", webhooks.switch, name="webhook-switch"),
    path("clubs/<slug:slug>/webhooks/<int:pk>/test/", webhooks.test, name="webhook-test"),
    path("clubs/<slug:slug>/webhooks/<int:pk>/remove/", webhooks.remove, name="webhook-remove"),
    path("clubs/<slug:slug>/webhooks/<int:pk>/again/<str:key>/", webhooks.again, name="webhook-again"),
    path("join/<str:token>/", joining.accept, name="join"),
    path("people/<handle:handle>/", people.profile, name="person"),
    path("settings/", people.settings, name="settings"),
    path("settings/delete/", people.delete, name="account-delete"),
    path("settings/notices/", notices.choose, name="notice-choices"),
    path("settings/tokens/", tokens.index, name="tokens"),
    path("settings/tokens/<int:pk>/revoke/", tokens.revoke, name="token-revoke"),
    path("notices/", notices.index, name="notices"),
    path("notices/bell/", notices.bell, name="notices-bell"),
    path("notices/read/", notices.read_all, name="notices-read"),
    path("notices/stop/<str:ticket>/", notices.stop, name="notices-stop"),
    path("notices/<int:pk>/", notices.follow, name="notice"),
]
