import pytest
from django.test import Client
from django.utils import timezone

from accounts import demo as people
from accounts.models import Club, Notice, User
from leagues.demo import calendar as demo_nights
from leagues.models import ClubNight

pytestmark = pytest.mark.django_db


def test_the_demo_has_nights_behind_it_and_nights_to_come():
    people.seed()
    before = Notice.objects.count()
    for _again in range(2):
        demo_nights.seed()
    now = timezone.now()
    assert ClubNight.objects.filter(ends_at__lt=now).count() == demo_nights.PAST
    assert ClubNight.objects.filter(starts_at__gt=now).count() == demo_nights.AHEAD + 1
    assert Notice.objects.count() == before
    owner = User.objects.get(memberships__role="owner", memberships__club=Club.objects.order_by("pk").first())
    client = Client()
    client.force_login(owner)
    assert "Games evening" in client.get("/").content.decode()


def test_a_site_without_a_demo_has_none():
    demo_nights.seed()
    assert not ClubNight.objects.exists()
