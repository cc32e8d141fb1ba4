"""Clubs and sessions on open pages."""

from accounts.infra.realtime.consumer import SESSION_CHANGED
from deploy.harness.servers import SiteServer


def test_whoever_comes_or_goes_is_seen_on_the_clubs_open_pages(site: SiteServer) -> None:
    dora, emil = site.sign_in("dora"), site.sign_in("emil")
    site.post("/clubs/new/", session=dora, name="Open Door", time_zone="UTC", admission="request", is_private="no")
    with site.socket(len(site.webs) - 1) as visitor:
        visitor.subscribe("club.open-door")
        site.post("/clubs/open-door/ask/", session=emil)
        assert visitor.wait_for("club") == {"event": "club"}


def test_a_page_left_open_falls_silent_when_its_session_ends(site: SiteServer) -> None:
    session = site.sign_in("fiona")
    with site.socket(session=session) as left_open:
        left_open.subscribe("user")
        status, _ = site.post("/accounts/logout/", session=session, web=len(site.webs) - 1)
        assert status == 200
        assert left_open.farewell() == SESSION_CHANGED


def test_a_deleted_account_hears_nothing_more(site: SiteServer) -> None:
    session = site.python(
        "from django.test import Client; from accounts.models import User\n"
        "gina = User.objects.create_user('gina', 'gina@club.test', 'a-quiet-night')\n"
        "client = Client(); client.force_login(gina); print(client.cookies['sessionid'].value)"
    ).splitlines()[-1]
    with site.socket(session=session) as left_open:
        left_open.subscribe("user")
        status, _ = site.post("/settings/delete/", session=session, password="a-quiet-night")
        assert status == 200
        assert left_open.farewell() == SESSION_CHANGED
