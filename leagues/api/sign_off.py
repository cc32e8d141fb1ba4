"""The sign-off of the final standings."""

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.infra.rest.fields import InputSerializer, Text
from accounts.models import Scope
from leagues.api.common import get_visible_or_404
from leagues.api.serializers import SeasonSerializer
from leagues.models import Season
from leagues.seasons import sign_off


class WhyInput(InputSerializer):
    why = Text(max_length=300)


class SignOff(Api):
    tag = "seasons"

    @operation("sign_off", scope=Scope.ORGANISE)
    def post(self, request: PersonRequest, pk: int) -> None:
        """Sign the final standings of a season off, before it is closed."""
        sign_off.sign_off(actor=request.user, season=get_visible_or_404(request.user, Season, pk=pk))

    @operation("take_sign_off_back", takes=WhyInput, gives=SeasonSerializer, scope=Scope.ORGANISE)
    def put(self, request: PersonRequest, pk: int, data: Data) -> Season:
        """Take the sign-off back, so that results can be corrected again."""
        season = get_visible_or_404(request.user, Season, pk=pk)
        sign_off.take_sign_off_back(actor=request.user, season=season, why=data["why"])
        return get_visible_or_404(request.user, Season, pk=pk)
