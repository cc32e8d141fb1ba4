"""Portraits and emblems: what is kept of a file, what is refused, who sees it, and how it goes away."""

import base64
import struct
import zlib
from datetime import timedelta
from io import BytesIO
from typing import Any

import pytest
import time_machine
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from PIL import Image, features

from accounts import administration, people, portraits
from accounts.infra import pictures
from accounts.infra.errors import Refused
from accounts.models import AuditEntry, Club, Emblem, Notice, Portrait, User
from deploy.own_data import own_data
from tests.factories import PICTURE, logged_in

GREY = base64.b64decode(PICTURE)


@pytest.fixture(autouse=True)
def fresh_counts() -> None:
    """Ids start again with every test's database, and so must what they have sent this minute."""
    cache.clear()


def file_of(kind: str, size: tuple[int, int] = (300, 200), mode: str = "RGB", colour: Any = (200, 30, 30), **how):
    made = BytesIO()
    Image.new(mode, size, colour).save(made, kind, **how)
    return made.getvalue()


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few kilobytes that would unpack to gigabytes."""
    head = struct.pack(">IIBBBBB", width, height, 8, 6, 0, 0, 0)
    rows = zlib.compress(b"\0" * 1_000_000, 9)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def frames(kind: str) -> bytes:
    first, second = Image.new("RGB", (64, 64), (0, 0, 255)), Image.new("RGB", (64, 64), (255, 0, 0))
    made = BytesIO()
    first.save(made, kind, save_all=True, append_images=[second], duration=100, lossless=True)
    return made.getvalue()


def opened(content: bytes) -> Image.Image:
    image = Image.open(BytesIO(content))
    image.load()
    return image


class TestWhatIsKept:
    @pytest.mark.parametrize(
        "content",
        [
            file_of("PNG"),
            file_of("JPEG"),
            file_of("WEBP"),
            file_of("JPEG", mode="CMYK", colour=(0, 200, 200, 0)),
            file_of("PNG", mode="P", colour=3),
            file_of("PNG", mode="I;16", colour=40_000),
            file_of("PNG", mode="1", colour=1),
            file_of("PNG", mode="LA", colour=(9, 90)),
            file_of("JPEG", size=(4000, 3000)),
            GREY,
        ],
        ids=["png", "jpeg", "webp", "cmyk", "palette", "16-bit", "1-bit", "grey-alpha", "large", "small"],
    )
    def test_a_square_of_our_own(self, content):
        made = opened(pictures.square_picture(content).content)
        assert (made.format, made.size) == ("WEBP", (256, 256))

    def test_grey_in_16_bits_stays_grey(self):
        made = opened(pictures.square_picture(file_of("PNG", mode="I;16", colour=40_000)).content)
        assert all(abs(part - 155) < 6 for part in made.getpixel((128, 128)))

    def test_transparency_stays(self):
        made = pictures.square_picture(file_of("PNG", mode="RGBA", colour=(9, 9, 9, 0)))
        assert opened(made.content).getchannel("A").getextrema() == (0, 0)

    def test_the_middle_of_a_wide_picture(self):
        wide = Image.new("RGB", (900, 300), (255, 0, 0))
        wide.paste((0, 0, 255), (300, 0, 600, 300))
        made = BytesIO()
        wide.save(made, "PNG")
        corner = opened(pictures.square_picture(made.getvalue()).content).getpixel((20, 128))
        assert corner[2] > 200 > 60 > corner[0]

    def test_nothing_else_of_the_file(self):
        exif = Image.Exif()
        exif[0x010E] = "taken at 52.2297 N"
        exif[0x0112] = 6
        tall = Image.new("RGB", (200, 400), (10, 200, 10))
        made = BytesIO()
        tall.save(made, "JPEG", exif=exif, icc_profile=b"a profile of the camera" * 20, comment=b"by Zdzicha")
        result = pictures.square_picture(made.getvalue() + b"<script>alert(1)</script>").content
        for trace in (b"52.2297", b"profile", b"Zdzicha", b"script", b"EXIF", b"ICCP", b"XMP "):
            assert trace not in result
        assert not opened(result).getexif()

    def test_the_camera_was_held_upright(self):
        """The note that says how to turn the photograph goes, so it is turned."""
        exif = Image.Exif()
        exif[0x0112] = 3
        photo = Image.new("RGB", (300, 300), (255, 0, 0))
        photo.paste((0, 0, 255), (0, 150, 300, 300))
        made = BytesIO()
        photo.save(made, "JPEG", exif=exif)
        top = opened(pictures.square_picture(made.getvalue()).content).getpixel((128, 20))
        assert top[2] > 200 > 60 > top[0]

    @pytest.mark.parametrize("kind", ["PNG", "WEBP"])
    def test_the_first_frame_of_an_animation(self, kind):
        assert features.check("webp")
        made = opened(pictures.square_picture(frames(kind)).content)
        assert getattr(made, "n_frames", 1) == 1
        assert made.getpixel((128, 128))[2] > 200

    def test_the_same_picture_has_the_same_fingerprint(self):
        assert pictures.square_picture(GREY) == pictures.square_picture(GREY)


REFUSED = {
    "nothing": b"",
    "text": b"hello",
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>',
    "html": b"<!doctype html><script>alert(1)</script>",
    "html after the head of a PNG": b"\x89PNG\r\n\x1a\n<!doctype html><script>alert(1)</script>",
    "gif": file_of("GIF", mode="P", colour=1),
    "bmp": file_of("BMP"),
    "tiff": file_of("TIFF"),
    "cut png": file_of("PNG", size=(500, 500))[:-40],
    "cut jpeg": file_of("JPEG", size=(500, 500))[:600],
    "cut webp": file_of("WEBP", size=(500, 500))[:60],
    "head alone": GREY[:33],
    "bomb": bomb(30_000, 30_000),
    "large bomb": bomb(2_000_000_000, 2_000_000_000),
    "no width": bomb(0, 100),
    "lies about its size": bomb(4_000, 4_000),
    "thin": file_of("PNG", size=(12_000, 40), mode="1", colour=1),
    "too many pixels": file_of("PNG", size=(5000, 4001), mode="1", colour=1),
    "too large webp": file_of("WEBP", size=(16_000, 100)),
    "too small": file_of("PNG", size=(31, 400)),
    "too many bytes": GREY + b"\0" * pictures.MAX_BYTES,
}


class TestRefused:
    @pytest.mark.parametrize("content", REFUSED.values(), ids=REFUSED.keys())
    def test_in_words_with_nothing_written(self, bob, content):
        before = AuditEntry.objects.count()
        answer = logged_in(bob).post("/settings/portrait/", {"picture": SimpleUploadedFile("me.png", content)})
        assert answer.status_code == 422
        assert "errorlist" in answer.text
        assert (Portrait.objects.count(), AuditEntry.objects.count()) == (0, before)
        assert User.objects.get(pk=bob.pk).portrait == ""

    def test_no_file(self, as_bob):
        assert "Choose a file" in as_bob.post("/settings/portrait/").text
        assert as_bob.post("/settings/portrait/", {"picture": "a text"}).status_code == 422

    def test_by_program(self, as_bob):
        for picture, status in (("%%%", 409), ("", 422), ("aGVsbG8=", 409), (7, 400), ("x" * 240_001, 400)):
            answer = as_bob.put("/api/v1/me/portrait/", {"picture": picture}, content_type="application/json")
            assert answer.status_code == status
        assert not Portrait.objects.exists()

    def test_not_by_the_dozen(self, bob):
        with time_machine.travel("2026-11-18T12:00:00Z", tick=False):
            for _ in range(portraits.MOST_A_MINUTE):
                with pytest.raises(Refused, match="not a picture"):
                    portraits.set_portrait(person=bob, content=b"hello")
            with pytest.raises(Refused, match="many pictures"):
                portraits.set_portrait(person=bob, content=GREY)
            assert not Portrait.objects.exists()
        with time_machine.travel("2026-11-18T12:01:00Z", tick=False):
            portraits.set_portrait(person=bob, content=GREY)


class TestPortraits:
    def test_it_stands_where_the_drawn_one_stood(self, as_bob, bob, club, client):
        drawn = client.get(bob.get_absolute_url()).text
        assert "<img" not in drawn
        sent = {"picture": SimpleUploadedFile("../../etc/passwd", file_of("JPEG"))}
        assert as_bob.post("/settings/portrait/", sent).status_code == 302
        bob.refresh_from_db()
        assert bob.portrait in bob.picture
        for path in (bob.get_absolute_url(), club.get_absolute_url()):
            assert f'src="{bob.picture}"' in client.get(path).text
        assert client.get(f"/api/v1/people/{bob.handle}/").json()["picture"] == bob.picture

    def test_how_it_is_served(self, bob, client):
        portraits.set_portrait(person=bob, content=GREY)
        bob.refresh_from_db()
        answer = client.get(bob.picture)
        assert (answer.status_code, answer["Content-Type"]) == (200, "image/webp")
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
        assert "sandbox" in answer["Content-Security-Policy"]
        assert "Set-Cookie" not in answer
        assert opened(answer.content).size == (256, 256)
        assert client.get(bob.picture.replace(bob.portrait, "0" * 32)).status_code == 404

    def test_another_one_has_another_address(self, bob, client):
        portraits.set_portrait(person=bob, content=GREY)
        old = User.objects.get(pk=bob.pk).picture
        portraits.set_portrait(person=bob, content=file_of("PNG"))
        assert Portrait.objects.count() == 1
        assert client.get(old).status_code == 404

    def test_removed(self, as_bob, bob, client):
        portraits.set_portrait(person=bob, content=GREY)
        address = User.objects.get(pk=bob.pk).picture
        assert as_bob.post("/settings/portrait/remove/").status_code == 302
        assert as_bob.post("/settings/portrait/remove/").status_code == 302
        assert client.get(address).status_code == 404
        assert User.objects.get(pk=bob.pk).picture == ""
        assert AuditEntry.objects.filter(action="account.portrait-removed").count() == 1

    def test_staff_remove_it(self, bob, stella, alice):
        portraits.set_portrait(person=bob, content=GREY)
        administration.remove_portrait(actor=stella, person=bob)
        assert not Portrait.objects.exists()
        assert Notice.objects.get(user=bob).kind == "account.portrait-removed"
        with pytest.raises(Refused, match="no portrait"):
            administration.remove_portrait(actor=stella, person=bob)

    def test_whoever_is_locked_out_shows_none(self, bob, stella, client):
        portraits.set_portrait(person=bob, content=GREY)
        address = User.objects.get(pk=bob.pk).picture
        administration.lock(actor=stella, person=bob, reason="insults")
        assert client.get(address).status_code == 404
        assert User.objects.get(pk=bob.pk).picture == ""

    def test_erased_with_the_account(self, charlie, client):
        portraits.set_portrait(person=charlie, content=GREY)
        address = User.objects.get(pk=charlie.pk).picture
        people.delete_account(person=charlie)
        assert not Portrait.objects.exists()
        assert User.objects.get(pk=charlie.pk).portrait == ""
        assert client.get(address).status_code == 404

    def test_in_ones_own_data(self, bob):
        portraits.set_portrait(person=bob, content=GREY)
        (kept,) = own_data(bob)["portrait"]
        assert opened(base64.b64decode(kept["webp_base64"])).size == (256, 256)
        assert own_data(User.objects.create_user("nobody"))["portrait"] == []

    def test_by_program(self, as_bob, bob):
        given = as_bob.put("/api/v1/me/portrait/", {"picture": PICTURE}, content_type="application/json").json()
        assert given["picture"] == User.objects.get(pk=bob.pk).picture != ""
        assert as_bob.delete("/api/v1/me/portrait/").status_code == 204
        assert not Portrait.objects.exists()


class TestEmblems:
    @pytest.fixture
    def private(self, club, alice) -> Club:
        portraits.set_emblem(actor=alice, club=club, content=GREY)
        Club.objects.filter(pk=club.pk).update(is_private=True)
        club.refresh_from_db()
        return club

    def test_on_the_club_and_its_leagues(self, as_olga, club, client):
        sent = {"picture": SimpleUploadedFile("e.png", GREY)}
        assert as_olga.post(f"/clubs/{club.slug}/emblem/", sent).status_code == 302
        club.refresh_from_db()
        assert f'src="{club.picture}"' in client.get(club.get_absolute_url()).text
        assert "public" in client.get(club.picture)["Cache-Control"]
        assert client.get(f"/api/v1/clubs/{club.slug}/").json()["picture"] == club.picture
        assert as_olga.post(f"/clubs/{club.slug}/emblem/remove/").status_code == 302
        assert not Emblem.objects.exists()

    def test_a_private_clubs_emblem_is_for_its_members(self, private, as_bob, as_charlie, client):
        assert as_bob.get(private.picture)["Cache-Control"].startswith("private")
        assert (as_charlie.get(private.picture).status_code, client.get(private.picture).status_code) == (404, 404)
        sent = {"picture": SimpleUploadedFile("e.png", GREY)}
        assert as_charlie.post(f"/clubs/{private.slug}/emblem/", sent).status_code == 404
        assert as_bob.post(f"/clubs/{private.slug}/emblem/", sent).status_code == 403
        assert as_bob.post(f"/clubs/{private.slug}/emblem/remove/").status_code == 403
        assert Emblem.objects.count() == 1

    def test_refused_with_its_reason(self, as_olga, club):
        answer = as_olga.post(f"/clubs/{club.slug}/emblem/", {"picture": SimpleUploadedFile("e.svg", REFUSED["svg"])})
        assert answer.status_code == 422
        assert "not a picture that can be read" in answer.text
        assert not Emblem.objects.exists()

    def test_of_a_closed_club_only_staff_remove_it(self, private, alice, stella):
        Club.objects.filter(pk=private.pk).update(closed_at=private.founded_at + timedelta(days=1))
        assert logged_in(alice).post(f"/clubs/{private.slug}/emblem/remove/").status_code == 403
        assert Emblem.objects.exists()
        assert "Remove the emblem" in logged_in(stella).get("/staff/clubs/").text
        assert logged_in(stella).post(f"/clubs/{private.slug}/emblem/remove/").status_code == 302
        assert not Emblem.objects.exists()

    def test_a_colour(self, as_olga, club, client):
        known = {"name": club.name, "city": "", "time_zone": "UTC", "is_private": "no", "admission": "request"}
        for wrong in ("pink", "#ff0000", "mind;", "x" * 99):
            assert as_olga.post(f"/clubs/{club.slug}/edit/", {**known, "colour": wrong}).status_code == 422
        for colour in ("reality", "time"):
            assert as_olga.post(f"/clubs/{club.slug}/edit/", {**known, "colour": colour}).status_code == 302
            assert f"page-head in-{colour}" in client.get(club.get_absolute_url()).text
        answer = as_olga.patch(f"/api/v1/clubs/{club.slug}/", {"colour": "soul"}, content_type="application/json")
        assert answer.json()["colour"] == "soul"
        assert Client().get(f"/api/v1/clubs/{club.slug}/").json()["colour"] == "soul"
