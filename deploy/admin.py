"""Django's administration at /admin/: rows to look at and search. What changes something is an action of ours.

Columns are named one by one, so that no secret is among them: no password, no seed, no key.
"""

from typing import Any

from allauth.account.decorators import secure_admin_login
from django.contrib import admin, messages
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _

from accounts import administration
from accounts.infra.errors import Refused
from accounts.models import AuditEntry, Club, Delivery, Membership, User
from accounts.webhooks import service as webhooks
from games.models import Match
from leagues.models import League, Result, Season


class Site(admin.AdminSite):
    """For staff, who log in on our own page, with their second factor."""

    site_header = "Gauntlet"
    site_title = "Gauntlet"

    def has_permission(self, request: HttpRequest) -> bool:
        return isinstance(request.user, User) and request.user.is_active and request.user.is_staff

    def logout(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return redirect("account_logout")

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return redirect("account_change_password")


site = Site(name="admin")
site.login = secure_admin_login(site.login)  # type: ignore[method-assign]


class ReadOnly(admin.ModelAdmin):
    """Facts are never written here."""

    list_per_page = 50
    show_full_result_count = False

    def has_module_permission(self, request: HttpRequest) -> bool:
        return site.has_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return site.has_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(User, site=site)
class People(ReadOnly):
    fields = ("handle", "display_name", "email", "language", "time_zone", "is_bot", "is_guest", "is_active", "is_staff")
    list_display = ("handle", "display_name", "email", "joined_at", "is_active", "is_staff", "is_bot", "is_guest")
    list_filter = ("is_active", "is_staff", "is_bot", "is_guest")
    search_fields = ("handle", "display_name", "email")
    ordering = ("-joined_at",)
    actions = ("confirm_addresses",)

    @admin.action(description=_("Confirm the address"))
    def confirm_addresses(self, request: HttpRequest, chosen: QuerySet[User]) -> None:
        for person in chosen:
            try:
                assert isinstance(request.user, User)
                administration.confirm_address(actor=request.user, person=person)
            except Refused as refused:
                self.message_user(request, f"{person.handle}: {refused.message}", messages.WARNING)
            else:
                self.message_user(request, f"{person.handle}: ✓")


@admin.register(Club, site=site)
class Clubs(ReadOnly):
    fields = ("name", "slug", "city", "time_zone", "is_private", "admission", "founded_at", "closed_at")
    list_display = ("name", "city", "is_private", "founded_at", "closed_at")
    list_filter = ("is_private", "admission")
    search_fields = ("name", "city", "slug")


@admin.register(Membership, site=site)
class Memberships(ReadOnly):
    fields = ("club", "user", "role", "joined_at")
    list_display = ("club", "user", "role", "joined_at")
    list_select_related = ("club", "user")
    list_filter = ("role",)
    search_fields = ("club__name", "user__handle")


@admin.register(Match, site=site)
class Matches(ReadOnly):
    fields = ("key", "game", "players", "status", "club", "host", "visibility", "rated", "created_at", "finished_at")
    list_display = ("key", "game", "status", "club", "host", "created_at", "finished_at")
    list_select_related = ("club", "host")
    list_filter = ("game", "status")
    search_fields = ("key", "host__handle", "club__name")
    ordering = ("-pk",)


@admin.register(League, site=site)
class Leagues(ReadOnly):
    fields = ("name", "slug", "club", "game", "is_private", "made_at", "closed_at")
    list_display = ("name", "club", "game", "is_private", "closed_at")
    list_select_related = ("club",)
    search_fields = ("name", "club__name")


@admin.register(Season, site=site)
class Seasons(ReadOnly):
    fields = ("league", "number", "name", "status", "starts_at", "ends_at", "closed_at")
    list_display = ("league", "number", "name", "status", "starts_at", "closed_at")
    list_select_related = ("league",)
    list_filter = ("status",)
    search_fields = ("name", "league__name")


@admin.register(Result, site=site)
class Results(ReadOnly):
    fields = ("pairing", "kind", "source", "places", "in_force", "by", "at", "note")
    list_display = ("pairing", "kind", "source", "in_force", "by", "at")
    list_select_related = ("pairing", "by")
    list_filter = ("kind", "source", "in_force")
    search_fields = ("pairing__key", "by__handle")


@admin.register(Delivery, site=site)
class Deliveries(ReadOnly):
    fields = ("hook", "event", "status", "attempts", "at", "due_at", "code", "answer")
    list_display = ("hook", "event", "status", "attempts", "at", "code")
    list_select_related = ("hook",)
    list_filter = ("status", "event")
    search_fields = ("hook__name", "hook__club__name")
    actions = ("send_again",)

    @admin.action(description=_("Send again"))
    def send_again(self, request: HttpRequest, chosen: QuerySet[Delivery]) -> None:
        for delivery in chosen.select_related("hook__club"):
            try:
                assert isinstance(request.user, User)
                webhooks.send_again(actor=request.user, delivery=delivery)
            except Refused as refused:
                self.message_user(request, f"{delivery.pk}: {refused.message}", messages.WARNING)
            else:
                self.message_user(request, f"{delivery.pk}: ✓")


@admin.register(AuditEntry, site=site)
class Audit(ReadOnly):
    fields = ("at", "action", "actor", "person", "club", "object_type", "object_id", "params")
    list_display = ("at", "action", "actor", "person", "club")
    list_select_related = ("actor", "person", "club")
    search_fields = ("action", "actor__handle", "person__handle", "club__name")
