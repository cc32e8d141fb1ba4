"""An open club page keeps up by itself: who comes is seen, and the bell rings."""

from playwright.sync_api import Browser, expect

from tests.houses import House


def test_the_member_list_and_the_bell_keep_up(browser: Browser, demo_house: House) -> None:
    address = demo_house.webs[0]
    alice, bob = demo_house.sign_in("alice"), demo_house.sign_in("bob")
    demo_house.post("/clubs/new/", session=alice, name="Open Door", time_zone="UTC", admission="request")

    context = browser.new_context(base_url=address, locale="en-GB")
    context.add_cookies([{"name": "sessionid", "value": alice, "url": address}])
    page = context.new_page()
    heard: list[str | bytes] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(frame)))
    page.goto("/clubs/open-door/")
    while not {'{"subscribed": "user"}', '{"subscribed": "club.open-door"}'} <= set(heard):
        page.wait_for_timeout(50)
    expect(page.locator("#members")).to_contain_text("1 member")

    demo_house.post("/clubs/open-door/ask/", session=bob)
    expect(page.locator("#bell")).to_contain_text("1 unread")

    request = demo_house.python(
        "from accounts.models import JoinRequest; print(JoinRequest.objects.get(user__handle='bob').pk)"
    )
    demo_house.post(f"/clubs/open-door/requests/{request.splitlines()[-1]}/approve/", session=alice)
    expect(page.locator("#members")).to_contain_text("2 members")
    expect(page.locator("#members")).to_contain_text("@bob")
    context.close()
