"""The app on the phone in a real browser: installing it, alerts with no tab open, no connection, and logging out.

Chromium's own push service is far away, so the test is one: the site sends to it over loopback, it reads the message
with the keys of the browser, and hands it to the service worker as Chromium would.
"""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect

from deploy.harness.servers import SiteServer, browsed_site, standing
from tests.accounts.push_browser import PushBrowser
from tests.accounts.webhook_receiver import Receiver, listening

PATIENCE = 60
# What a browser does that has a push service: it remembers that the site is subscribed, and gives out address and keys.
SUBSCRIBES = """
const given = %s;
const subscription = () => {
  const key = localStorage.getItem("push-service");
  return key && {
    options: { applicationServerKey: Uint8Array.from(JSON.parse(key)).buffer },
    toJSON: () => given,
    unsubscribe: async () => { localStorage.removeItem("push-service"); return true; },
  };
};
PushManager.prototype.getSubscription = async () => subscription();
PushManager.prototype.subscribe = async ({ applicationServerKey, userVisibleOnly }) => {
  if (!userVisibleOnly || applicationServerKey.length !== 65) throw new Error("Chromium would refuse this");
  localStorage.setItem("push-service", JSON.stringify([...applicationServerKey]));
  return subscription();
};
"""
STORED = """async () => {
  const found = {};
  for (const name of await caches.keys()) {
    const store = await caches.open(name);
    found[name] = (await store.keys()).map((request) => new URL(request.url).pathname);
  }
  return found;
}"""


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with listening() as found:
        found.code = 201
        yield found


@pytest.fixture
def site(tmp_path: Path) -> Iterator[SiteServer]:
    yield from standing(browsed_site(tmp_path, GAUNTLET_DEMO="off", GAUNTLET_WEBHOOKS_PRIVATE="on"))


@pytest.fixture
def phone(browser: Browser, site: SiteServer, receiver: Receiver) -> Iterator[BrowserContext]:
    keys = PHONE.keys
    context = browser.new_context(
        base_url=site.webs[0], locale="en-GB", viewport={"width": 390, "height": 844}, has_touch=True
    )
    context.set_default_timeout(PATIENCE * 1000)
    context.grant_permissions(["notifications"], origin=site.webs[0])
    context.add_init_script(SUBSCRIBES % json.dumps({"endpoint": receiver.url, "keys": keys}))
    context.add_cookies([{"name": "sessionid", "value": site.sign_in("nina"), "url": site.webs[0]}])
    yield context
    context.close()


PHONE = PushBrowser()


def stored(page: Page) -> dict[str, list[str]]:
    return dict(page.evaluate(STORED))


def pages_in_store(page: Page) -> list[str]:
    return sorted(path for name, paths in stored(page).items() if name.startswith("pages ") for path in paths)


def wait_for_store(page: Page, path: str) -> None:
    while path not in pages_in_store(page):
        page.wait_for_timeout(100)


def deliver(devtools: CDPSession, registration: str, origin: str, message: dict) -> None:
    """What Chromium does when its push service hands it a message."""
    known = {"origin": origin, "registrationId": registration, "data": json.dumps(message)}
    devtools.send("ServiceWorker.deliverPushMessage", known)


def test_the_app_alerts_and_the_time_without_a_connection(
    phone: BrowserContext, site: SiteServer, receiver: Receiver
) -> None:
    origin = site.webs[0]
    page = phone.new_page()
    page.goto("/settings/notices/")

    # It can be installed.
    devtools = phone.new_cdp_session(page)
    manifest = devtools.send("Page.getAppManifest")
    assert manifest["errors"] == []
    document = json.loads(manifest["data"])
    assert (document["start_url"], document["display"]) == ("/", "standalone")
    sizes = {(icon["sizes"], icon["purpose"]) for icon in document["icons"]}
    assert sizes >= {("192x192", "any"), ("512x512", "any"), ("512x512", "maskable")}
    # A window of a test is like one in private, and that is all there is to say against it.
    errors = devtools.send("Page.getInstallabilityErrors")["installabilityErrors"]
    assert {error["errorId"] for error in errors} <= {"in-incognito"}

    # Alerts are switched on, and the site knows where to.
    expect(page.get_by_role("heading", name="Alerts on this device")).to_be_visible()
    page.get_by_role("button", name="Switch alerts on").click()
    expect(page.locator(".messages")).to_contain_text("Alerts are on for this device.")
    expect(page.locator(".alerts")).to_contain_text("This device")
    expect(page.get_by_role("button", name="Switch alerts on")).to_be_hidden()
    assert site.rows("SELECT endpoint FROM accounts_pushdevice") == [(receiver.url,)]

    # With every tab closed, what happens is sent to the push service, for this browser alone.
    page.close()
    assert site.post("/people/nina/follow/", session=site.sign_in("emil"))[0] == 200
    assert receiver.arrived.acquire(timeout=PATIENCE)
    message = PHONE.read(receiver.got[0][2])
    assert message["words"] == "emil follows you."
    assert message["path"] == "/people/emil/"

    # Chromium hands it to the service worker, which shows it; a click opens the page that it is about.
    page = phone.new_page()
    devtools = phone.new_cdp_session(page)
    registrations: list[str] = []
    devtools.on(
        "ServiceWorker.workerRegistrationUpdated",
        lambda event: registrations.extend(
            each["registrationId"] for each in event["registrations"] if not each["isDeleted"]
        ),
    )
    devtools.send("ServiceWorker.enable")
    page.goto("/notices/")
    page.wait_for_function("navigator.serviceWorker.controller")
    while not registrations:
        page.wait_for_timeout(50)
    deliver(devtools, registrations[0], origin, message)
    shown = page.evaluate_handle("navigator.serviceWorker.ready")
    while not shown.evaluate("async (worker) => (await worker.getNotifications()).length"):
        page.wait_for_timeout(50)
    alerts = shown.evaluate(
        "async (worker) => (await worker.getNotifications()).map(({ title, body, data }) => [title, body, data.path])"
    )
    assert alerts == [["Gauntlet", "emil follows you.", "/people/emil/"]]
    [worker] = phone.service_workers
    opened = worker.evaluate(
        """async () => {
          const opened = new Promise((resolve) => { self.clients.openWindow = async (url) => resolve(url); });
          const [notification] = await self.registration.getNotifications();
          self.dispatchEvent(new NotificationEvent("notificationclick", { notification }));
          return opened;
        }"""
    )
    assert opened == f"{origin}/people/emil/"

    # The page for the time without a connection and the rules are stored; of a match nothing ever is.
    wait_for_store(page, "/rules/thanos-rising/")
    page.goto("/rules/thanos-rising/")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile("/play/[a-z0-9]{10}/"))
    page.locator("#board, .board, main").first.wait_for()
    table = re.sub(r"^.*?(/play/\w+/).*$", r"\1", page.url)
    page.goto("/messages/")
    rules = ["/rules/", "/rules/infinity-gauntlet/", "/rules/splendor-marvel/", "/rules/thanos-rising/"]
    assert pages_in_store(page) == ["/offline/", *rules]
    files = [path for name, paths in stored(page).items() if not name.startswith("pages ") for path in paths]
    assert files
    assert all(path.startswith(("/static/", "/play/words/")) for path in files)

    # The connection is cut: the site's own page, not the browser's, with the rules and without the match.
    phone.set_offline(True)
    page.goto(table)
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.get_by_role("heading", name="Your next dates")).to_be_visible()
    expect(page.locator("main")).to_contain_text("Nothing is planned.")
    assert page.evaluate("getComputedStyle(document.querySelector('main .card')).paddingTop") != "0px"
    page.locator("main").get_by_role("link", name="Thanos Rising").click()
    expect(page.get_by_role("heading", name="Rules of Thanos Rising")).to_be_visible()
    phone.set_offline(False)

    # Logged out, nothing of hers is left: no page, and no alert.
    page.goto("/accounts/logout/")
    page.locator("main form button").first.click()
    page.wait_for_url(f"{origin}/")
    assert site.rows("SELECT COUNT(*) FROM accounts_pushdevice") == [(0,)]
    wait_for_store(page, "/offline/")
    left = page.evaluate("async () => (await caches.match('/offline/')).text()")
    assert "nina" not in left
    assert "Your next dates" not in left
    assert len([name for name in stored(page) if name.startswith("pages ")]) == 1
    phone.set_offline(True)
    page.goto("/settings/")
    expect(page.get_by_role("heading", name="No connection")).to_be_visible()
    expect(page.get_by_role("heading", name="Your next dates")).to_have_count(0)
