"""Clubs and sessions on open pages."""

from accounts.live.consumer import SOMEONE_ELSE
from tests.houses import House


def test_whoever_comes_or_goes_is_seen_on_the_clubs_open_pages(house: House) -> None:
    dora, emil = house.sign_in("dora"), house.sign_in("emil")
    house.post("/clubs/new/", session=dora, name="Open Door", time_zone="UTC", admission="request")
    with house.socket(len(house.webs) - 1) as visitor:
        visitor.subscribe("club.open-door")
        house.post("/clubs/open-door/ask/", session=emil)
        assert visitor.wait_for("club") == {"event": "club"}


def test_a_page_left_open_falls_silent_when_its_session_ends(house: House) -> None:
    session = house.sign_in("fiona")
    with house.socket(session=session) as left_open:
        left_open.subscribe("user")
        status, _ = house.post("/accounts/logout/", session=session, web=len(house.webs) - 1)
        assert status == 200
        assert left_open.farewell() == SOMEONE_ELSE


def test_a_deleted_account_hears_nothing_more(house: House) -> None:
    session = house.python(
        "from django.test import Client; from accounts.models import User\n"
        "gina = User.objects.create_user('gina', 'gina@club.test', 'a-quiet-night')\n"
        "client = Client(); client.force_login(gina); print(client.cookies['sessionid'].value)"
    ).splitlines()[-1]
    with house.socket(session=session) as left_open:
        left_open.subscribe("user")
        status, _ = house.post("/settings/delete/", session=session, password="a-quiet-night")
        assert status == 200
        assert left_open.farewell() == SOMEONE_ELSE
