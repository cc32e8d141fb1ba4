from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import access
from accounts.access import Permission
from accounts.forms import WebhookForm
from accounts.infra import outbound_http
from accounts.infra.errors import Refused
from accounts.models import Club, Delivery, Webhook
from accounts.views.common import PersonRequest, flash_outcome, form_data, form_of, paginate
from accounts.webhooks import events
from accounts.webhooks import service as webhooks

DELIVERIES_A_PAGE = 50


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
def index(request: PersonRequest, slug: str) -> HttpResponse:
    """A club's webhooks, and the form for a new one. Its secret is shown in the response and never again."""
    club = get_object_or_404(Club, slug=slug)
    access.require(request.user, Permission.RUN_WEBHOOKS, club)
    form = WebhookForm(form_data(request))
    if form.is_valid():
        try:
            made = webhooks.create_webhook(actor=request.user, club=club, **form.cleaned_data)
        except Refused as refused:
            form.add_error(None, refused.message)
        else:
            return _show(request, made.hook, secret=made.secret)
    hooks = [(hook, outbound_http.validate_url(hook.url).hostname) for hook in club.webhooks.all()]
    context = {"club": club, "can": access.allowed(request.user, club), "hooks": hooks, "form": form}
    return render(request, "accounts/webhooks/list.html", context, status=422 if form.is_bound else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    """One webhook: its settings and its deliveries."""
    hook = _hook(slug, pk)
    access.require(request.user, Permission.RUN_WEBHOOKS, hook)
    if request.method != "POST":
        return _show(request, hook)
    form = WebhookForm(request.POST, instance=_hook(slug, pk))
    if form.is_valid():
        with flash_outcome(request, _("The webhook is saved.")):
            webhooks.edit(actor=request.user, hook=hook, **form.cleaned_data)
        return redirect("accounts:webhook", slug, pk)
    return _show(request, hook, form=form)


@login_required
@form_of("accounts:webhook", "slug", "pk")
@never_cache
def rotate(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    try:
        made = webhooks.rotate(actor=request.user, hook=_hook(slug, pk))
    except Refused as refused:
        messages.error(request, refused.message)
        return redirect("accounts:webhooks", slug)
    return _show(request, made.hook, secret=made.secret)


@login_required
@require_POST
def switch(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    on = request.POST.get("on") == "1"
    with flash_outcome(request, _("The webhook is on.") if on else _("The webhook is off.")):
        webhooks.set_enabled(actor=request.user, hook=_hook(slug, pk), on=on)
    return redirect("accounts:webhook", slug, pk)


@login_required
@require_POST
def test(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    with flash_outcome(request, _("A test is on its way.")):
        webhooks.send_test(actor=request.user, hook=_hook(slug, pk))
    return redirect("accounts:webhook", slug, pk)


@login_required
@require_POST
def again(request: PersonRequest, slug: str, pk: int, key: str) -> HttpResponse:
    delivery = get_object_or_404(Delivery.objects.select_related("hook__club"), hook=_hook(slug, pk), key=key)
    with flash_outcome(request, _("It is on its way again.")):
        webhooks.send_again(actor=request.user, delivery=delivery)
    return redirect("accounts:webhook", slug, pk)


@login_required
@require_POST
def remove(request: PersonRequest, slug: str, pk: int) -> HttpResponse:
    with flash_outcome(request, _("The webhook is removed.")):
        webhooks.remove(actor=request.user, hook=_hook(slug, pk))
    return redirect("accounts:webhooks", slug)


def _show(request: PersonRequest, hook: Webhook, *, form: WebhookForm | None = None, secret: str = "") -> HttpResponse:
    page = paginate(hook.deliveries.all(), request, DELIVERIES_A_PAGE)
    known = events.declared_events()
    rows = [
        {
            "delivery": delivery,
            "event": known[delivery.event].label if delivery.event in known else _("A test"),
            "answer": _(delivery.answer) if delivery.answer and delivery.code is None else delivery.answer,
        }
        for delivery in page
    ]
    context = {
        "club": hook.club,
        "can": access.allowed(request.user, hook.club),
        "hook": hook,
        "host": outbound_http.validate_url(hook.url).hostname,
        "form": form or WebhookForm(instance=hook),
        "secret": secret,
        "page": page,
        "rows": rows,
    }
    return render(request, "accounts/webhooks/detail.html", context, status=422 if form else 200)


def _hook(slug: str, pk: int) -> Webhook:
    return get_object_or_404(Webhook.objects.select_related("club", "made_by"), pk=pk, club__slug=slug)
