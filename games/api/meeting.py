"""Challenges from person to person, and quick pairing."""

from typing import Any

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404

from accounts.api.base import Api, PersonRequest
from accounts.infra.rest import Data, operation
from accounts.models import Scope, User
from games.api import serializers
from games.api.tables import rules
from games.meeting import challenges, quick_pairing
from games.meeting.challenges import Terms
from games.models import PersonChallenge


class PersonChallenges(Api):
    tag = "company"

    @operation(
        "list_person_challenges",
        gives=serializers.PersonChallengeSerializer,
        query=serializers.PersonChallengeQuery,
        pages="-pk",
        private=True,
    )
    def get(self, request: PersonRequest, query: Data) -> QuerySet[PersonChallenge]:
        """Challenges to me and from me, the latest first."""
        return (challenges.open_for if query["open"] else challenges.visible_to)(request.user)

    @operation(
        "challenge_person",
        takes=serializers.PersonChallengeInput,
        gives=serializers.PersonChallengeSerializer,
        scope=Scope.PLAY,
        status=201,
    )
    def post(self, request: PersonRequest, data: Data) -> PersonChallenge:
        """Ask somebody to a table. It opens once they accept."""
        to = get_object_or_404(User, handle__iexact=data.pop("to"), is_active=True)
        with rules():
            return challenges.challenge(person=request.user, to=to, terms=Terms(**data))


class OnePersonChallenge(Api):
    tag = "company"

    @operation("read_person_challenge", gives=serializers.PersonChallengeSerializer, private=True)
    def get(self, request: PersonRequest, pk: int) -> PersonChallenge:
        """A challenge to me or from me, and the table once it is accepted."""
        return _challenge_or_404(request, pk)

    @operation("withdraw_person_challenge", gives=serializers.PersonChallengeSerializer, scope=Scope.PLAY)
    def delete(self, request: PersonRequest, pk: int) -> PersonChallenge:
        """Withdraw a challenge of mine."""
        return challenges.withdraw(person=request.user, challenge=_challenge_or_404(request, pk))


class AcceptPersonChallenge(Api):
    tag = "company"

    @operation("accept_person_challenge", gives=serializers.PersonChallengeSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> PersonChallenge:
        """Accept: the table opens with both seated, and begins if every place is taken."""
        return challenges.accept(person=request.user, challenge=_challenge_or_404(request, pk))


class DeclinePersonChallenge(Api):
    tag = "company"

    @operation("decline_person_challenge", gives=serializers.PersonChallengeSerializer, scope=Scope.PLAY)
    def post(self, request: PersonRequest, pk: int) -> PersonChallenge:
        """Decline a challenge to me."""
        return challenges.decline(person=request.user, challenge=_challenge_or_404(request, pk))


class CounterPersonChallenge(Api):
    tag = "company"

    @operation(
        "counter_person_challenge",
        takes=serializers.ChallengeTermsInput,
        gives=serializers.PersonChallengeSerializer,
        scope=Scope.PLAY,
        status=201,
    )
    def post(self, request: PersonRequest, pk: int, data: Data) -> PersonChallenge:
        """Answer with another suggestion: a challenge back to who asked."""
        row = _challenge_or_404(request, pk)
        with rules():
            return challenges.counter(person=request.user, challenge=row, terms=Terms(**data))


def _challenge_or_404(request: PersonRequest, pk: int) -> PersonChallenge:
    return get_object_or_404(challenges.visible_to(request.user), pk=pk)


class QuickPairing(Api):
    tag = "company"

    @operation("read_quick_pairing", gives=serializers.PairingStateSerializer, private=True)
    def get(self, request: PersonRequest) -> Data:
        """What I look for, and the table once there is one."""
        return _state(quick_pairing.wish_of(request.user))

    @operation(
        "seek_table", takes=serializers.PairingInput, gives=serializers.PairingStateSerializer, scope=Scope.PLAY
    )  # fmt: skip
    def put(self, request: PersonRequest, data: Data) -> Data:
        """Look for a table with people of about my strength. Send it again at least once a minute while you wait."""
        return _state(quick_pairing.seek(person=request.user, **data))

    @operation("stop_seeking", scope=Scope.PLAY)
    def delete(self, request: PersonRequest) -> None:
        """Look for a table no more."""
        quick_pairing.leave(person=request.user)


def _state(wish: Any) -> Data:
    return {"wish": wish, "table": wish.match.key if wish and wish.match else None}
