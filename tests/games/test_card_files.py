"""Card files of clubs: upload, versions, tables that are played with them, and stand-ins that are marked."""

import json
from contextlib import suppress

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import Http404
from django.test import Client
from django.utils import translation

import engine
from accounts.infra.errors import Refused
from accounts.infra.permissions import NotAllowed
from accounts.models import Club
from engine.bots import Budget, Situation, bot
from games import card_files, engine_match, fairness
from games.catalogue import stand_ins, texts
from games.models import CardFile, Match
from games.tables import setup
from games.tables.setup import Setting, open_table
from tests.api.conftest import Program
from tests.factories import actions_of, finished_match, fresh, logged_in, play_one_move, started_match

GAME = "thanos-rising"
RULES = engine.game(GAME)


def document() -> dict:
    return json.loads(RULES.own_card_file())


def named(name: object = "Hawk-Eye of Łódź", **more) -> bytes:
    """The site's file with another name on one card, and perhaps other parts."""
    changed = document() | more
    next(card for card in changed["assets"] if card["id"] == "hawkeye")["name"] = name
    return json.dumps(changed, ensure_ascii=False, indent=1).encode()


def upload(actor, club, content: bytes | None = None, title: str = "As in our box") -> CardFile:
    return card_files.upload(actor=actor, club=club, game=GAME, title=title, content=content or named())


@pytest.fixture
def own(olga, club) -> CardFile:
    return upload(olga, club)


class TestUpload:
    def test_versions_are_counted_and_kept_by_content(self, olga, club, own):
        again = upload(olga, club, named("Clint"), "Second thoughts")
        assert (own.number, again.number) == (1, 2)
        assert own.digest != again.digest
        assert own.is_intact
        assert actions_of(club)[-2:] == ["games.cards-uploaded"] * 2

    def test_the_same_content_is_not_kept_twice(self, olga, club, own):
        with pytest.raises(Refused, match="version 1"):
            upload(olga, club)

    def test_a_version_never_changes(self, own):
        own.source = own.source.replace("Hawk-Eye", "Hawk")
        with pytest.raises(ValueError, match="never changes"):
            own.save()

    def test_only_organisers_upload(self, bob, charlie, club):
        for person in (bob, charlie):
            with pytest.raises(NotAllowed):
                upload(person, club)
        Club.objects.filter(pk=club.pk).update(is_private=True)
        club.refresh_from_db()
        with pytest.raises(Http404):
            upload(charlie, club)
        assert not CardFile.objects.exists()

    def test_a_game_that_has_no_card_option_takes_none(self, olga, club):
        with pytest.raises(Refused, match="its own cards only"):
            card_files.upload(actor=olga, club=club, game="splendor-marvel", title="x", content=named())

    @pytest.mark.parametrize(
        ("content", "words"),
        [
            (named().replace(b'"op": "reroll"', b'"op": "rerol"', 1), r"line \d+: card hawkeye: op: 'rerol'"),
            (b"[1, 2]", "line 1: the file: must be an object"),
            (b"{\n\n", "line 3: not JSON"),
            (b"{\n\xff}", "Line 2 is not text"),
            (named("x" * 61), r"line \d+: card hawkeye: name: must be a text of 1 to 60"),
            (named(7), r"line \d+: card hawkeye: name"),
            (named("HALF").replace(b"HALF", b"\\ud800"), "cannot be shown"),
            (named("\u0001"), "cannot be shown"),
            (named(note=float("nan")), "ordinary number"),
            (b" " * (card_files.MAX_BYTES + 1), "at most 128 kB"),
            (b"9" * 5000, "too many digits"),
            (b"[" * 100_000, "nested too deep"),
            (named(note=json.loads("[" * 14 + "{}" + "]" * 14)), "nested deeper"),
            (named(stone_die={"faces": ["red"] * 6}), "shows only 1 stones"),
        ],
    )
    def test_what_cannot_be_played_is_refused_with_its_place(self, olga, club, content, words):
        with pytest.raises(Refused, match=words):
            upload(olga, club, content)
        assert not CardFile.objects.exists()

    def test_a_club_keeps_only_so_many(self, olga, club, own, monkeypatch):
        monkeypatch.setattr(card_files, "MAX_FILES", 1)
        with pytest.raises(Refused, match="delete one"):
            upload(olga, club, named("Clint"))


class TestAtTheTable:
    @pytest.fixture
    def match(self, own, alice, bob, club) -> Match:
        return started_match(alice, bob, game=GAME, club=club, card_file=own)

    def test_the_record_replays_and_is_verified_with_exactly_this_file(self, match, own, olga, club):
        upload(olga, club, named("Clint"), "later")
        card_files.set_offered(actor=olga, card_file=own, on=False)
        finished = finished_match(match)
        record = json.loads(json.dumps(fairness.transcript_of(finished)))
        assert record["options"] == {"card_set": own.document}
        assert engine.replay(record).outcome is not None
        assert fairness.verify(match=finished).is_fair
        CardFile.objects.filter(pk=own.pk).update(source=own.source.replace("Hawk-Eye", "Hawk"))
        assert not fairness.verify(match=fresh(finished)).is_fair

    def test_other_cards_make_another_match(self, olga, club, alice, bob):
        changed = document()
        for card in changed["assets"]:
            card["damage"] = 1
        weak = upload(olga, club, json.dumps(changed).encode(), "All weak")
        match = started_match(alice, bob, game=GAME, club=club, card_file=weak)
        sectors = engine_match.load(match).view(None)["table"]["sectors"]
        assert {card["spaces"] for sector in sectors for card in sector} == {1}

    def test_bots_think_with_it(self, match, own):
        """A bot process gets the transcript: the whole file goes with it."""
        current = engine_match.load(play_one_move(match))
        sent = json.loads(json.dumps(engine.transcript.transcript(current)))
        assert sent["options"]["card_set"] == own.document
        replayed = engine.replay(sent)
        seat = replayed.to_act
        action = bot(GAME, "rookie").choose(Situation(replayed, seat), Budget(20, 0.2), "a seed")
        assert replayed.notation(action, seat) in replayed.view(seat)["legal"]

    def test_names_on_the_table_are_those_of_the_file(self, match, as_alice, as_charlie):
        page = as_alice.get(match.get_absolute_url())
        address = page.context["state"]["words"]
        assert match.key in address
        words = as_alice.get(address)
        assert words.json()["names"]["hawkeye"] == "Hawk-Eye of Łódź"
        assert "private" in words["Cache-Control"]
        assert "version 1" in page.content.decode()
        listed = as_charlie.get(f"/play/{match.key}/cards/").content.decode()
        assert "Hawk-Eye of Łódź" in listed

    def test_a_private_clubs_cards_are_not_there_for_strangers(self, match, own, club, as_charlie, client):
        Club.objects.filter(pk=club.pk).update(is_private=True)
        state = logged_in(match.host).get(match.get_absolute_url()).context["state"]
        for someone in (as_charlie, client):
            for path in (
                state["words"],
                f"/play/{match.key}/cards/",
                f"/play/clubs/{club.slug}/cards/",
                f"/play/clubs/{club.slug}/cards/{own.pk}/",
                f"/play/clubs/{club.slug}/cards/{own.pk}/file.json",
                f"/api/v1/clubs/{club.slug}/card-files/",
                f"/api/v1/clubs/{club.slug}/card-files/{own.pk}/",
                f"/api/v1/matches/{match.key}/cards/",
                f"/api/v1/matches/{match.key}/words/",
            ):
                answer = someone.get(path)
                assert answer.status_code == 404, path
                assert "Hawk-Eye" not in answer.content.decode()

    def test_only_tables_of_the_club_have_its_cards(self, own, alice, charlie):
        for club in (None, Club.objects.create(name="Other", slug="other")):
            with suppress(Refused):
                open_table(host=None, setting=Setting(GAME, 2, club=club, card_file=own))
                pytest.fail("another club has these cards")
        with pytest.raises(Refused, match="no such card file"):
            open_table(host=alice, setting=Setting(GAME, 2, card_file=own))
        with pytest.raises(Refused, match="member"):
            open_table(host=charlie, setting=Setting(GAME, 2, club=own.club, card_file=own))

    def test_it_is_not_rated(self, own, alice, club):
        with pytest.raises(Refused, match="not rated"):
            open_table(host=alice, setting=Setting(GAME, 2, club=club, card_file=own, rated=True))

    def test_a_rematch_has_the_same_cards(self, match, alice, own):
        assert setup.rematch(person=alice, match=finished_match(match)).card_file == own

    def test_a_withdrawn_version_is_for_no_new_table(self, own, olga, alice, club):
        card_files.set_offered(actor=olga, card_file=own, on=False)
        with pytest.raises(Refused, match="withdrawn"):
            open_table(host=alice, setting=Setting(GAME, 2, club=club, card_file=own))
        card_files.set_offered(actor=olga, card_file=own, on=True)
        assert open_table(host=alice, setting=Setting(GAME, 2, club=club, card_file=own)).card_file == own

    def test_what_was_played_with_is_not_deleted(self, match, own, olga, bob):
        with pytest.raises(NotAllowed):
            card_files.delete(actor=bob, card_file=own)
        with pytest.raises(Refused, match="is kept"):
            card_files.delete(actor=olga, card_file=own)
        assert CardFile.objects.filter(pk=own.pk).exists()

    def test_what_nothing_was_played_with_is_deleted(self, own, olga, club):
        card_files.delete(actor=olga, card_file=own)
        assert not CardFile.objects.exists()
        assert actions_of(club)[-1] == "games.cards-deleted"


class TestPages:
    def test_an_organiser_uploads_and_a_member_plays(self, as_olga, as_bob, club):
        path = f"/play/clubs/{club.slug}/cards/"
        file = SimpleUploadedFile("cards.json", named(), "application/json")
        answer = as_olga.post(path, {"game": GAME, "title": "As in our box", "file": file}, follow=True)
        assert "As in our box" in answer.content.decode()
        own = CardFile.objects.get()
        assert as_bob.get(f"{path}{own.pk}/file.json").content == named()
        table = {"game": GAME, "players": 2, "clock": "none", "visibility": "anyone", "card_file": own.pk}
        refused = as_bob.post("/play/new/", {**table, "rated": "on"})
        assert refused.status_code == 422
        assert {"rated", "card_file"} <= set(refused.context["form"].errors)
        as_bob.post("/play/new/", {**table, "club": club.slug})
        assert Match.objects.get().card_file == own

    def test_a_refusal_names_the_line_and_keeps_the_text(self, as_olga, club):
        wrong = named().replace(b'"op": "reroll"', b'"op": "rerol"', 1).decode()
        path = f"/play/clubs/{club.slug}/cards/"
        answer = as_olga.post(path, {"game": GAME, "title": "Mine", "text": wrong})
        assert answer.status_code == 422
        assert "card hawkeye" in answer.content.decode()
        assert answer.context["form"]["text"].value() == wrong

    def test_members_and_visitors_look_but_do_not_upload(self, as_bob, client, club, own):
        path = f"/play/clubs/{club.slug}/cards/"
        for someone in (as_bob, client):
            page = someone.get(path).content.decode()
            assert own.title in page
            assert "multipart/form-data" not in page
        data = {"game": GAME, "title": "Mine", "text": named("Clint").decode()}
        assert as_bob.post(path, data).status_code == 403
        assert client.post(path, data).status_code == 302
        assert CardFile.objects.count() == 1

    def test_a_file_of_another_club_has_no_address_here(self, as_olga, own):
        assert as_olga.post(f"/play/clubs/other/cards/{own.pk}/delete/").status_code == 404

    def test_markup_in_a_title_or_a_name_stays_text(self, olga, club, client):
        own = upload(olga, club, named("<b>Hawk</b>"), "<i>Ours</i>")
        for path in (f"/play/clubs/{club.slug}/cards/", own.get_absolute_url()):
            page = client.get(path).content.decode()
            assert "<i>Ours" not in page
            assert "<b>Hawk" not in page


class TestApi:
    def test_the_whole_way(self, olga, bob, charlie, club):
        organiser, member = Program(olga), Program(bob)
        path = f"/clubs/{club.slug}/card-files/"
        body = {"game": GAME, "title": "As in our box", "text": named().decode()}
        assert member.post(path, body).status_code == 403
        made = organiser.post(path, body)
        assert made.status_code == 201
        pk = made.json()["id"]
        assert member.get(f"{path}{pk}/").json()["text"] == body["text"]
        wrong = organiser.post(path, {**body, "text": "{"})
        assert (wrong.status_code, "line 1" in wrong.json()["detail"]) == (409, True)
        table = {"game": GAME, "players": 2, "card_file": pk}
        opened = member.post("/tables/", {**table, "club": club.slug})
        assert opened.json()["card_file"]["digest"] == made.json()["digest"]
        for body in (table, {**table, "club": club.slug, "card_file": pk + 1}):
            assert set(member.post("/tables/", body).json()["errors"]) == {"card_file"}
        key = opened.json()["key"]
        cards = Program(charlie).get(f"/matches/{key}/cards/").json()
        assert cards["card_file"]["id"] == pk
        assert cards["document"]["assets"]
        assert member.get(f"/matches/{key}/words/").json()["names"]["hawkeye"] == "Hawk-Eye of Łódź"
        assert organiser.post(f"{path}{pk}/offer/", {"on": False}).json()["withdrawn_at"]
        assert organiser.delete(f"{path}{pk}/").status_code == 409

    def test_a_whole_document_as_an_option_is_not_taken(self, bob):
        body = {"game": GAME, "players": 2, "options": {"card_set": document()}}
        assert set(Program(bob).post("/tables/", body).json()["errors"]) == {"options.card_set"}


class TestStandIns:
    def test_every_reconstructed_value_of_the_built_in_data_is_marked(self):
        found = dict(stand_ins.find(texts.built_in(GAME)))
        assert found["wakanda"] == ["dice", "ability"]
        assert found["power_dice red"] == ["count"]
        assert "hawkeye" not in found
        text = json.dumps(texts.built_in(GAME)) + json.dumps(texts.built_in("infinity-gauntlet"))
        marked = sum(len(fields) for fields in found.values())
        marked += len(dict(stand_ins.find(texts.built_in("infinity-gauntlet"))))
        # One more is the legend of the file, which says what the word means.
        assert text.count('"reconstructed"') == marked + 1

    @pytest.mark.parametrize(
        ("language", "words"), [("en", "Our stand-in"), ("it", "Un valore nostro"), ("pl", "Nasza wartość")]
    )
    def test_they_are_said_in_every_language(self, language, words):
        told = json.loads(texts.encoded(GAME, language)[0])["stand_ins"]["wakanda"]
        assert told["fields"] == ["dice", "ability"]
        assert told["text"].startswith(words)

    def test_a_clubs_file_says_it_of_its_own_values(self):
        corrected = document()
        next(base for base in corrected["bases"] if base["id"] == "wakanda")["status"] = "confirmed"
        with translation.override("en"):
            told = json.loads(texts.encoded_own(GAME, "en", json.dumps(corrected))[0])["stand_ins"]
        assert "wakanda" not in told
        assert "knowhere" in told

    @pytest.mark.parametrize("game", engine.GAMES)
    def test_the_page_of_a_games_cards(self, db, game):
        page = Client().get(f"/play/cards/{game}/").content.decode()
        assert ("Our stand-in" in page) == (game != "splendor-marvel")

    def test_the_file_of_the_site_can_be_downloaded_and_uploaded(self, olga, club, client):
        file = client.get(f"/play/cards/{GAME}/file.json").content
        assert upload(olga, club, file).document == document()
        assert client.get("/play/cards/splendor-marvel/file.json").status_code == 404
