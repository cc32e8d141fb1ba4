import pytest

from accounts import joining
from accounts.models import JoinRequest


@pytest.fixture
def asked(club, charlie) -> JoinRequest:
    return joining.request_to_join(person=charlie, club=club, message="I bring biscuits")


@pytest.fixture
def invite(club, alice) -> joining.NewInvite:
    return joining.invite(actor=alice, club=club)
