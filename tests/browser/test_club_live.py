"""An open club page updates itself: it shows new requests, and the bell rings."""

from playwright.sync_api import Browser, expect

from deploy.harness.servers import SiteServer


def test_the_member_list_and_the_bell_keep_up(browser: Browser, empty_site: SiteServer) -> None:
    address = empty_site.webs[0]
    alice, bob = empty_site.sign_in("alice"), empty_site.sign_in("bob")
    empty_site.post(
        "/clubs/new/", session=alice, name="Open Door", time_zone="UTC", admission="request", is_private="no"
    )

    context = browser.new_context(base_url=address, locale="en-GB")
    context.add_cookies([{"name": "sessionid", "value": alice, "url": address}])
    page = context.new_page()
    frames: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame)))
    page.goto("/clubs/open-door/")
    while not {'{"subscribed": "user"}', '{"subscribed": "club.open-door"}'} <= set(frames):
        page.wait_for_timeout(50)
    expect(page.locator("#members")).to_contain_text("1 member")

    empty_site.post("/clubs/open-door/ask/", session=bob)
    expect(page.locator("#bell")).to_contain_text("1 unread")

    request = empty_site.python(
        "from accounts.models import JoinRequest; print(JoinRequest.objects.get(user__handle='bob').pk)"
    )
    empty_site.post(f"/clubs/open-door/requests/{request.splitlines()[-1]}/approve/", session=alice)
    expect(page.locator("#members")).to_contain_text("2 members")
    expect(page.locator("#members")).to_contain_text("@bob")
    context.close()
