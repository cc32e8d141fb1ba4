"""What a link to a match shows elsewhere: a picture and words, and no secret."""

import struct
from xml.etree import ElementTree

import engine
from games.presentation import share_card
from games.tables import leaving
from tests.factories import finished_match, play_one_move, started_match, two_turns_each


def test_a_shared_link_has_a_picture_and_its_names_are_only_text(alice, bob, client):
    bob.display_name = '<script>alert("x")</script> & Co'
    bob.save()
    match = finished_match(started_match(alice, bob))
    page = client.get(f"/play/{match.key}/").content.decode()
    assert f'og:image" content="http://testserver/play/{match.key}/card.png"' in page
    assert "<script>alert" not in page
    picture = client.get(f"/play/{match.key}/card.png")
    assert picture["Content-Type"] == "image/png"
    assert picture.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", picture.content[16:24]) == (1200, 630)
    again = client.get(f"/play/{match.key}/card.png", headers={"If-None-Match": picture["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    drawn = ElementTree.fromstring(share_card.render_svg(match, list(match.seats.all())))
    assert not list(drawn.iter("{http://www.w3.org/2000/svg}script"))


def test_a_shared_link_tells_the_result_in_words_and_nothing_of_a_match_that_runs(alice, bob, client):
    match = started_match(alice, bob)
    before = client.get(f"/play/{match.key}/card.png")
    page = client.get(f"/play/{match.key}/").content.decode()
    assert 'og:description" content="Playing now: Alice A., bob. Watch live."' in page
    play_one_move(match)
    assert client.get(f"/play/{match.key}/card.png")["ETag"] == before["ETag"]
    two_turns_each(match)
    leaving.resign(person=bob, match=match)
    page = client.get(f"/play/{match.key}/").content.decode()
    assert 'og:title" content="Splendor: Marvel · won by Alice A."' in page
    assert 'og:description" content="1. Alice A., 2. bob. A player resigned."' in page
    assert client.get(f"/play/{match.key}/card.png")["ETag"] != before["ETag"]


def test_no_title_is_too_long_for_the_picture():
    for game in engine.GAMES:
        title = engine.game(game).title
        assert len(title) * share_card.LETTER * share_card.fit_font_size(title, 64, share_card.ROOM) <= share_card.ROOM
        assert share_card.fit_font_size(title, 64, share_card.ROOM) >= 36
