"""A club's webhooks for programs; docs/webhooks.md says what is sent to them."""

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from rest_framework import serializers

from accounts import access, webhooks
from accounts.access import Permission
from accounts.api.clubs import club_or_404
from accounts.models import Delivery, Scope, Webhook
from accounts.rest import Api, Data, PersonRequest, operation
from accounts.rest.fields import Flag, PersonShape, Terms, Text


class WebhookShape(serializers.ModelSerializer):
    """A webhook of a club. Its secret is told when it is made, and never again."""

    shape = serializers.ChoiceField(Webhook.Shape.choices)
    events = serializers.ListField(child=serializers.CharField())
    made_by = PersonShape()

    class Meta:
        model = Webhook
        fields = ["id", "name", "url", "shape", "events", "is_on", "made_by", "made_at"]


class SecretShape(serializers.Serializer):
    """A webhook with its secret."""

    webhook = WebhookShape(source="hook")
    secret = serializers.CharField(help_text="Told this once.")


class WebhookTerms(Terms):
    name = Text(max_length=60)
    url = Text(max_length=500, help_text="Where it leads: https or http, into no private network.")
    shape = serializers.ChoiceField(Webhook.Shape.choices, default=Webhook.Shape.JSON)
    events = serializers.ListField(
        child=Text(max_length=40),
        min_length=1,
        max_length=50,
        help_text="`match.finished`, `round.paired`, `standings.changed`.",
    )


class SwitchTerms(Terms):
    on = Flag()


class DeliveryShape(serializers.ModelSerializer):
    """A piece of news for a webhook, and what became of it."""

    id = serializers.CharField(source="key")
    status = serializers.ChoiceField(Delivery.Status.choices)

    class Meta:
        model = Delivery
        fields = ["id", "event", "at", "status", "attempts", "tried_at", "due_at", "code", "took", "answer"]


class Webhooks(Api):
    tag = "webhooks"

    @operation("list_webhooks", gives=WebhookShape, pages="pk", private=True, scope=Scope.WEBHOOKS)
    def get(self, request: PersonRequest, slug: str) -> QuerySet[Webhook]:
        """A club’s webhooks; for its organisers."""
        club = club_or_404(slug)
        access.require(request.user, Permission.RUN_WEBHOOKS, club)
        return club.webhooks.select_related("made_by")

    @operation("make_webhook", takes=WebhookTerms, gives=SecretShape, scope=Scope.WEBHOOKS, status=201)
    def post(self, request: PersonRequest, slug: str, data: Data) -> webhooks.NewSecret:
        """Make a webhook; its secret is told this once."""
        return webhooks.make(actor=request.user, club=club_or_404(slug), **data)


class OneWebhook(Api):
    tag = "webhooks"

    @operation("read_webhook", gives=WebhookShape, private=True, scope=Scope.WEBHOOKS)
    def get(self, request: PersonRequest, slug: str, pk: int) -> Webhook:
        """A webhook."""
        return _hook(request, slug, pk)

    @operation("edit_webhook", takes=WebhookTerms, gives=WebhookShape, scope=Scope.WEBHOOKS)
    def put(self, request: PersonRequest, slug: str, pk: int, data: Data) -> Webhook:
        """Change a webhook."""
        return webhooks.edit(actor=request.user, hook=_hook(request, slug, pk), **data)

    @operation("remove_webhook", scope=Scope.WEBHOOKS)
    def delete(self, request: PersonRequest, slug: str, pk: int) -> None:
        """Remove a webhook, and the list of what was sent to it."""
        webhooks.remove(actor=request.user, hook=_hook(request, slug, pk))


class Switch(Api):
    tag = "webhooks"

    @operation("switch_webhook", takes=SwitchTerms, gives=WebhookShape, scope=Scope.WEBHOOKS)
    def post(self, request: PersonRequest, slug: str, pk: int, data: Data) -> Webhook:
        """Switch a webhook on or off."""
        return webhooks.switch(actor=request.user, hook=_hook(request, slug, pk), on=data["on"])


class NewSecret(Api):
    tag = "webhooks"

    @operation("rotate_webhook_secret", gives=SecretShape, scope=Scope.WEBHOOKS)
    def post(self, request: PersonRequest, slug: str, pk: int) -> webhooks.NewSecret:
        """Make a new secret; for a day the old one counts as well."""
        return webhooks.rotate(actor=request.user, hook=_hook(request, slug, pk))


class Test(Api):
    tag = "webhooks"

    @operation("test_webhook", gives=DeliveryShape, scope=Scope.WEBHOOKS, status=202)
    def post(self, request: PersonRequest, slug: str, pk: int) -> Delivery:
        """Send a test."""
        return webhooks.test(actor=request.user, hook=_hook(request, slug, pk))


class Deliveries(Api):
    tag = "webhooks"

    @operation("list_deliveries", gives=DeliveryShape, pages="-pk", private=True, scope=Scope.WEBHOOKS)
    def get(self, request: PersonRequest, slug: str, pk: int) -> QuerySet[Delivery]:
        """What was sent to a webhook in the last month, the latest first."""
        return _hook(request, slug, pk).deliveries.all()


class SendAgain(Api):
    tag = "webhooks"

    @operation("send_again", gives=DeliveryShape, scope=Scope.WEBHOOKS, status=202)
    def post(self, request: PersonRequest, slug: str, pk: int, key: str) -> Delivery:
        """Send a piece of news again, under the same id."""
        hook = _hook(request, slug, pk)
        delivery = get_object_or_404(Delivery.objects.select_related("hook__club"), hook=hook, key=key)
        return webhooks.send_again(actor=request.user, delivery=delivery)


def _hook(request: PersonRequest, slug: str, pk: int) -> Webhook:
    hook = get_object_or_404(Webhook.objects.select_related("club", "made_by"), pk=pk, club__slug=slug)
    access.require(request.user, Permission.RUN_WEBHOOKS, hook)
    return hook
