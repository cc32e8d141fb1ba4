"""Webhooks of a club, for its organisers."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers

from accounts import access, webhooks
from accounts.access import Permission
from accounts.api.clubs import club_or_404
from accounts.models import Club, Delivery, Scope, Webhook
from accounts.rest import Api, Data, PersonRequest, operation
from accounts.rest.fields import Flag, Terms, Text


class WebhookShape(serializers.Serializer):
    id = serializers.IntegerField()
    name = serializers.CharField()
    url = serializers.CharField()
    shape = serializers.ChoiceField(Webhook.Shape.choices)
    events = serializers.ListField(child=serializers.CharField())
    is_on = serializers.BooleanField()
    made_at = serializers.DateTimeField()


class SecretShape(serializers.Serializer):
    """A webhook and the secret that its deliveries are signed with, told this once."""

    webhook = WebhookShape(source="hook")
    secret = serializers.CharField()


class WebhookTerms(Terms):
    name = Text(max_length=60)
    url = Text(max_length=500)
    shape = serializers.ChoiceField(Webhook.Shape.choices, default=Webhook.Shape.JSON)
    events = serializers.ListField(child=Text(max_length=60), min_length=1, max_length=20)


class SwitchTerms(Terms):
    on = Flag()


class DeliveryShape(serializers.Serializer):
    key = serializers.CharField()
    event = serializers.CharField()
    status = serializers.ChoiceField(Delivery.Status.choices)
    attempts = serializers.IntegerField()
    code = serializers.IntegerField(allow_null=True, help_text="The last answer’s.")
    at = serializers.DateTimeField()


def _run(request: PersonRequest, slug: str) -> Club:
    club = club_or_404(slug)
    access.require(request.user, Permission.RUN_WEBHOOKS, club)
    return club


def _hook(request: PersonRequest, slug: str, pk: int) -> Webhook:
    return get_object_or_404(Webhook.objects.select_related("club"), club=_run(request, slug), pk=pk)


class Webhooks(Api):
    tag = "webhooks"

    @operation("list_webhooks", gives=WebhookShape, pages="pk", private=True, scope=Scope.WEBHOOKS)
    def get(self, request: PersonRequest, slug: str) -> QuerySet[Webhook]:
        """Addresses that are told what happens in a club."""
        return Webhook.objects.filter(club=_run(request, slug))

    @operation("make_webhook", takes=WebhookTerms, gives=SecretShape, scope=Scope.WEBHOOKS, status=201)
    def post(self, request: PersonRequest, slug: str, data: Data) -> Any:
        """Have an address told; the secret of its signatures is told this once."""
        return webhooks.make(actor=request.user, club=_run(request, slug), **data)


class Deliveries(Api):
    tag = "webhooks"

    @operation("list_deliveries", gives=DeliveryShape, pages="-pk", private=True, scope=Scope.WEBHOOKS)
    def get(self, request: PersonRequest, slug: str, pk: int) -> QuerySet[Delivery]:
        """What was sent to a webhook, the latest first."""
        return Delivery.objects.filter(hook=_hook(request, slug, pk))


class OneWebhook(Api):
    tag = "webhooks"

    @operation("edit_webhook", takes=WebhookTerms, gives=WebhookShape, scope=Scope.WEBHOOKS)
    def put(self, request: PersonRequest, slug: str, pk: int, data: Data) -> Webhook:
        """Change a webhook."""
        return webhooks.edit(actor=request.user, hook=_hook(request, slug, pk), **data)

    @operation("remove_webhook", scope=Scope.WEBHOOKS)
    def delete(self, request: PersonRequest, slug: str, pk: int) -> None:
        """Remove a webhook."""
        webhooks.remove(actor=request.user, hook=_hook(request, slug, pk))


class Rotate(Api):
    tag = "webhooks"

    @operation("rotate_webhook_secret", gives=SecretShape, scope=Scope.WEBHOOKS)
    def post(self, request: PersonRequest, slug: str, pk: int) -> Any:
        """A new secret; for a day what is sent is signed with both."""
        return webhooks.rotate(actor=request.user, hook=_hook(request, slug, pk))


class Switch(Api):
    tag = "webhooks"

    @operation("switch_webhook", takes=SwitchTerms, gives=WebhookShape, scope=Scope.WEBHOOKS)
    def post(self, request: PersonRequest, slug: str, pk: int, data: Data) -> Webhook:
        """Switch a webhook on or off."""
        return webhooks.switch(actor=request.user, hook=_hook(request, slug, pk), on=data["on"])


class Test(Api):
    tag = "webhooks"

    @operation("test_webhook", gives=DeliveryShape, scope=Scope.WEBHOOKS, status=202)
    def post(self, request: PersonRequest, slug: str, pk: int) -> Delivery:
        """Send something harmless, to see it arrive."""
        return webhooks.test(actor=request.user, hook=_hook(request, slug, pk))


class Again(Api):
    tag = "webhooks"

    @operation("send_delivery_again", gives=DeliveryShape, scope=Scope.WEBHOOKS, status=202)
    def post(self, request: PersonRequest, slug: str, pk: int, key: str) -> Delivery:
        """Send a delivery again."""
        delivery = get_object_or_404(
            Delivery.objects.select_related("hook__club"), hook=_hook(request, slug, pk), key=key
        )
        return webhooks.send_again(actor=request.user, delivery=delivery)
