"""A person's devices that get alerts: switched on and off. What is sent is in `push`."""

from datetime import timedelta

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.access import Permission, require
from accounts.infra import outbound_http, web_push
from accounts.infra.errors import Refused
from accounts.models import ApiToken, PushAlert, PushDevice, User
from accounts.notifications import push

ADDED = audit.declare_action("account.device-added", _("%(actor)s switched alerts on for the device “%(name)s”"))
REMOVED = audit.declare_action("account.device-removed", _("%(actor)s switched alerts off for the device “%(name)s”"))

MAX_DEVICES = 10
MAX_ENDPOINT = 1000
MAX_NAME = 60
# How long somebody waits before they test again.
TEST_INTERVAL = timedelta(seconds=10)
# Names that only a private network knows; a name that leads into one is found when something is sent.
PRIVATE_NAMES = (".localhost", ".local", ".internal", ".home.arpa", ".lan")


@transaction.atomic
def add_device(
    *,
    person: User,
    endpoint: str,
    p256dh: str,
    auth: str,
    name: str = "",
    session: UserSession | None = None,
    token: ApiToken | None = None,
) -> PushDevice:
    """Send alerts to this browser, or to this program, as long as it is logged in.

    The same again renews it. A browser that was somebody else's gets nothing of theirs any more.
    """
    require(person, Permission.EDIT_PROFILE, person)
    _check_endpoint(endpoint)
    try:
        web_push.check_keys(p256dh, auth)
    except web_push.BadKey:
        raise Refused(gettext("The key of this browser is not valid.")) from None
    User.objects.select_for_update().get(pk=person.pk)
    former = PushDevice.objects.filter(endpoint=endpoint).first()
    PushDevice.objects.filter(endpoint=endpoint).exclude(user=person).delete()
    if session is not None:
        PushDevice.objects.filter(user=person, session=session).exclude(endpoint=endpoint).delete()
    is_new = former is None or former.user_id != person.pk
    if is_new and PushDevice.objects.filter(user=person).count() >= MAX_DEVICES:
        raise Refused(
            gettext("Alerts go to at most %(most)s devices. Switch them off for another one first.")
            % {"most": MAX_DEVICES}
        )
    device, _created = PushDevice.objects.update_or_create(
        user=person,
        endpoint=endpoint,
        defaults={
            "session": session,
            "token": token,
            "name": " ".join(name.split())[:MAX_NAME],
            "p256dh": p256dh.rstrip("="),
            "auth": auth.rstrip("="),
            "server_key": push.public_key(),
            "given_up": 0,
        },
    )
    if is_new:
        audit.record(ADDED, actor=person, on=person, person=person, name=device.name)
    return device


def _check_endpoint(endpoint: str) -> None:
    if len(endpoint) > MAX_ENDPOINT:
        raise Refused(gettext("The address of this push service is too long."))
    try:
        parts = outbound_http.validate_url(endpoint)
    except outbound_http.Forbidden as error:
        raise Refused(gettext(str(error))) from None
    if settings.WEBHOOKS_TO_PRIVATE:
        return
    host = parts.hostname or ""
    if parts.scheme != "https":
        raise Refused(gettext("The address of a push service begins with https://."))
    if ("." not in host.strip(".") and ":" not in host) or f".{host.rstrip('.')}".endswith(PRIVATE_NAMES):
        raise Refused(gettext("the address leads into a private network"))


@transaction.atomic
def remove_device(*, person: User, device: PushDevice) -> None:
    require(person, Permission.EDIT_PROFILE, device.user)
    audit.record(REMOVED, actor=person, on=person, person=person, name=device.name)
    device.delete()


@transaction.atomic
def send_test(*, person: User, device: PushDevice) -> None:
    """Send something harmless to the device, the way all alerts go."""
    require(person, Permission.EDIT_PROFILE, device.user)
    now = timezone.now()
    rested = PushDevice.objects.filter(pk=device.pk).exclude(tested_at__gt=now - TEST_INTERVAL)
    if not rested.update(tested_at=now):
        raise Refused(gettext("A test was sent a moment ago: wait a few seconds."))
    push.enqueue([PushAlert.objects.create(device=device)])
