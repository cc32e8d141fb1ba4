import base64
import binascii

from django.utils.translation import gettext as _

from accounts import portraits
from accounts.api import serializers
from accounts.api.base import Api, PersonRequest
from accounts.api.clubs import club_or_404
from accounts.api.fields import PersonSerializer
from accounts.infra.errors import Refused
from accounts.infra.rest import Data, operation
from accounts.models import Club, Scope, User


class OwnPortrait(Api):
    tag = "me"

    @operation("set_portrait", takes=serializers.PictureInput, gives=PersonSerializer, scope=Scope.PLAY)
    def put(self, request: PersonRequest, data: Data) -> User:
        """Choose a portrait: the square in the middle of a picture is kept, and nothing else of the file."""
        return portraits.set_portrait(person=request.user, content=_content(data["picture"]))

    @operation("remove_portrait", scope=Scope.PLAY)
    def delete(self, request: PersonRequest) -> None:
        """Show the drawn picture again."""
        portraits.remove_portrait(person=request.user)


class ClubEmblem(Api):
    tag = "clubs"

    @operation("set_emblem", takes=serializers.PictureInput, gives=serializers.ClubSerializer, scope=Scope.ORGANISE)
    def put(self, request: PersonRequest, slug: str, data: Data) -> Club:
        """Choose a club’s emblem, as for a portrait."""
        portraits.set_emblem(actor=request.user, club=club_or_404(slug), content=_content(data["picture"]))
        return club_or_404(slug)

    @operation("remove_emblem", scope=Scope.ORGANISE)
    def delete(self, request: PersonRequest, slug: str) -> None:
        """Show the drawn crest again."""
        portraits.remove_emblem(actor=request.user, club=club_or_404(slug))


def _content(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise Refused(_("The picture is not in base64.")) from None
