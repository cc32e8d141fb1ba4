"""A club's own cards: uploaded, chosen for a table, and read there."""

import json
from pathlib import Path

from playwright.sync_api import BrowserContext, expect

import engine

CLUB = "/play/clubs/the-lantern-table/cards/"
GAME = "thanos-rising"
LABELS = """() => [...document.querySelector("thanos-rising-table").renderRoot.querySelectorAll("[data-card]")]
  .map((one) => one.getAttribute("aria-label")).join()"""


def test_an_organiser_corrects_the_cards_and_plays_with_them(owner: BrowserContext, tmp_path: Path) -> None:
    page = owner.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    document = json.loads(engine.game(GAME).own_card_file())
    for card in document["assets"]:
        card["name"] = f"Box {card['id']}"
    right, wrong = tmp_path / "right.json", tmp_path / "wrong.json"
    right.write_text(json.dumps(document, indent=1), encoding="utf-8")
    wrong.write_text(right.read_text(encoding="utf-8").replace('"reroll"', '"rerol"', 1), encoding="utf-8")
    page.goto(CLUB)
    for file, words in ((wrong, "cannot be played with: line"), (right, "Version 1 can be chosen")):
        page.get_by_label("Title").fill("As in our box")
        page.get_by_label("File", exact=True).set_input_files(file)
        page.get_by_role("button", name="Upload").click()
        expect(page.locator("main, .messages, body").first).to_contain_text(words)
    page.goto(f"/play/new/?game={GAME}&club=the-lantern-table")
    page.get_by_label("Cards").select_option(index=1)
    page.get_by_label("Players").select_option("2")
    page.get_by_label("Rated").uncheck()
    page.get_by_role("button", name="Open the table").click()
    expect(page.locator("#own-cards")).to_contain_text("version 1: As in our box")
    key = page.url.rstrip("/").rsplit("/", 1)[1]
    token = owner.cookies()
    csrf = next(cookie["value"] for cookie in token if cookie["name"] == "csrftoken")
    for verb, form in (("bot", {"level": "rookie"}), ("start", {})):
        sent = owner.request.post(
            f"/play/{key}/{verb}/", form={**form, "csrfmiddlewaretoken": csrf}, headers={"Referer": page.url}
        )
        assert sent.ok, sent.text()[:500]
    # The open page goes to the match by itself.
    page.wait_for_selector("html[data-table=ready]")
    page.wait_for_function(f"() => ({LABELS})().includes('Box ')")
    page.goto(f"/play/{key}/cards/")
    expect(page.locator("main")).to_contain_text("Box hawkeye")
    expect(page.locator("main")).to_contain_text("Our stand-in, no source was found: its dice, what it does.")
    assert not errors
