"""A club's webhooks for programs; docs/webhooks.md says what is sent to them."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers

from accounts import access
from accounts.access import Permission
from accounts.api.base import Api, PersonRequest
from accounts.api.clubs import club_or_404
from accounts.api.fields import PersonSerializer
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import Flag, InputSerializer, Text
from accounts.models import Delivery, Scope, Webhook
from accounts.webhooks import service as webhooks


class WebhookSerializer(serializers.ModelSerializer[Any]):
    """A webhook of a club. Its secret is shown when it is made, and never again."""

    shape = serializers.ChoiceField(Webhook.Shape.choices)
    events = serializers.ListField(child=serializers.CharField())
    made_by = PersonSerializer()

    class Meta:
        model = Webhook
        fields = ["id", "name", "url", "shape", "events", "is_on", "made_by", "made_at"]


class SecretSerializer(serializers.Serializer[Any]):
    """A webhook with its secret."""

    webhook = WebhookSerializer(source="hook")
    secret = serializers.CharField(help_text="Told this once.")


class WebhookInput(InputSerializer):
    name = Text(max_length=60)
    url = Text(max_length=500, help_text="Where it leads: https or http, into no private network.")
    shape = serializers.ChoiceField(Webhook.Shape.choices, default=Webhook.Shape.JSON)
    events = serializers.ListField(
        child=Text(max_length=40),
        min_length=1,
        max_length=50,
        help_text="`match.finished`, `round.paired`, `standings.changed`.",
    )


class SwitchInput(InputSerializer):
    on = Flag()


class DeliverySerializer(serializers.ModelSerializer[Any]):
    """A piece of news for a webhook, and what became of it."""

    id = serializers.CharField(source="key")
    status = serializers.ChoiceField(Delivery.Status.choices)

    class Meta:
        model = Delivery
        fields = ["id", "event", "at", "status", "attempts", "tried_at", "due_at", "code", "took", "answer"]


class Webhooks(Api):
    tag = "webhooks"

    @operation("list_webhooks", gives=WebhookSerializer, pages="pk", private=True, scope=Scope.WEBHOOKS)
    def get(self, request: PersonRequest, slug: str) -> QuerySet[Webhook]:
        """A club’s webhooks; for its organisers."""
        club = club_or_404(slug)
        access.require(request.user, Permission.RUN_WEBHOOKS, club)
        return club.webhooks.select_related("made_by")

    @operation("make_webhook", takes=WebhookInput, gives=SecretSerializer, scope=Scope.WEBHOOKS, status=201)
    def post(self, request: PersonRequest, slug: str, data: Data) -> webhooks.NewSecret:
        """Make a webhook; its secret is shown only this once."""
        return webhooks.create_webhook(actor=request.user, club=club_or_404(slug), **data)


class OneWebhook(Api):
    tag = "webhooks"

    @operation("read_webhook", gives=WebhookSerializer, private=True, scope=Scope.WEBHOOKS)
    def get(self, request: PersonRequest, slug: str, pk: int) -> Webhook:
        """A webhook."""
        return _hook(request, slug, pk)

    @operation("edit_webhook", takes=WebhookInput, gives=WebhookSerializer, scope=Scope.WEBHOOKS)
    def put(self, request: PersonRequest, slug: str, pk: int, data: Data) -> Webhook:
        """Change a webhook."""
        return webhooks.edit(actor=request.user, hook=_hook(request, slug, pk), **data)

    @operation("remove_webhook", scope=Scope.WEBHOOKS)
    def delete(self, request: PersonRequest, slug: str, pk: int) -> None:
        """Remove a webhook, and the list of what was sent to it."""
        webhooks.remove(actor=request.user, hook=_hook(request, slug, pk))


class Switch(Api):
    tag = "webhooks"

    @operation("switch_webhook", takes=SwitchInput, gives=WebhookSerializer, scope=Scope.WEBHOOKS)
    def post(self, request: PersonRequest, slug: str, pk: int, data: Data) -> Webhook:
        """Switch a webhook on or off."""
        return webhooks.set_enabled(actor=request.user, hook=_hook(request, slug, pk), on=data["on"])


class NewSecret(Api):
    tag = "webhooks"

    @operation("rotate_webhook_secret", gives=SecretSerializer, scope=Scope.WEBHOOKS)
    def post(self, request: PersonRequest, slug: str, pk: int) -> webhooks.NewSecret:
        """Make a new secret; for a day the old one counts as well."""
        return webhooks.rotate(actor=request.user, hook=_hook(request, slug, pk))


class Test(Api):
    tag = "webhooks"

    @operation("test_webhook", gives=DeliverySerializer, scope=Scope.WEBHOOKS, status=202)
    def post(self, request: PersonRequest, slug: str, pk: int) -> Delivery:
        """Send a test."""
        return webhooks.send_test(actor=request.user, hook=_hook(request, slug, pk))


class Deliveries(Api):
    tag = "webhooks"

    @operation("list_deliveries", gives=DeliverySerializer, pages="-pk", private=True, scope=Scope.WEBHOOKS)
    def get(self, request: PersonRequest, slug: str, pk: int) -> QuerySet[Delivery]:
        """What was sent to a webhook in the last month, the latest first."""
        return _hook(request, slug, pk).deliveries.all()


class SendAgain(Api):
    tag = "webhooks"

    @operation("send_again", gives=DeliverySerializer, scope=Scope.WEBHOOKS, status=202)
    def post(self, request: PersonRequest, slug: str, pk: int, key: str) -> Delivery:
        """Send a piece of news again, under the same id."""
        hook = _hook(request, slug, pk)
        delivery = get_object_or_404(Delivery.objects.select_related("hook__club"), hook=hook, key=key)
        return webhooks.send_again(actor=request.user, delivery=delivery)


def _hook(request: PersonRequest, slug: str, pk: int) -> Webhook:
    hook = get_object_or_404(Webhook.objects.select_related("club", "made_by"), pk=pk, club__slug=slug)
    access.require(request.user, Permission.RUN_WEBHOOKS, hook)
    return hook
