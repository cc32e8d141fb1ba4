"""Devices that get alerts. A program takes part as a browser does: by a push service and the keys of RFC 8291."""

from allauth.usersessions.models import UserSession
from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from accounts.api import serializers
from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.models import ApiToken, PushDevice, Scope
from accounts.notifications import devices, push


class PushKey(Api):
    tag = "me"

    @operation("read_push_key", gives=serializers.PushKeySerializer)
    def get(self, request: PersonRequest) -> Data:
        """The site’s public key, which a browser needs to subscribe to alerts."""
        return {"key": push.public_key()}


class Devices(Api):
    tag = "me"

    @operation("list_devices", gives=serializers.DeviceSerializer, pages="pk", private=True)
    def get(self, request: PersonRequest) -> QuerySet[PushDevice]:
        """The devices that get my alerts."""
        return request.user.push_devices.all()

    @operation(
        "add_device",
        takes=serializers.DeviceInput,
        gives=serializers.DeviceSerializer,
        scope=Scope.PLAY,
        status=201,
    )
    def post(self, request: PersonRequest, data: Data) -> PushDevice:
        """Send my alerts to a device as well, for as long as this token or this session is valid."""
        if isinstance(request.auth, ApiToken):
            return devices.add_device(person=request.user, token=request.auth, **data)
        UserSession.objects.create_from_request(request)
        session = UserSession.objects.get(session_key=request.session.session_key)
        return devices.add_device(person=request.user, session=session, **data)


class OneDevice(Api):
    tag = "me"

    @operation("remove_device", scope=Scope.PLAY)
    def delete(self, request: PersonRequest, pk: int) -> None:
        """Send no more alerts to a device."""
        device = get_object_or_404(PushDevice, pk=pk, user=request.user)
        devices.remove_device(person=request.user, device=device)


class TestDevice(Api):
    tag = "me"

    @operation("test_device", scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> None:
        """Send a test alert to a device."""
        device = get_object_or_404(PushDevice, pk=pk, user=request.user)
        devices.send_test(person=request.user, device=device)
