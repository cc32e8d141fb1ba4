"""Encryption and signature of web push, against the example of RFC 8291 and a reader of our own."""

import pytest

from accounts.infra import web_push
from tests.accounts.push_browser import PushBrowser, claims_of

# RFC 8291, section 5 and appendix A.
MESSAGE = b"When I grow up, I want to be a watermelon"
P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
OWN_PRIVATE = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
OWN_PUBLIC = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def test_the_example_of_the_rfc():
    own = web_push.private_key(int.from_bytes(web_push.decode(OWN_PRIVATE)))
    assert web_push.encode(web_push.public_bytes(own)) == OWN_PUBLIC
    body = web_push.encrypt(MESSAGE, p256dh=P256DH, auth=AUTH, own=own, salt=web_push.decode(SALT))
    assert web_push.encode(body) == BODY


def test_only_the_browser_reads_it_and_no_two_are_the_same():
    browser = PushBrowser()
    bodies = {web_push.encrypt("È il tuo turno".encode(), **browser.keys) for _ in range(3)}
    assert len(bodies) == 3
    assert {browser.decrypt(body).decode() for body in bodies} == {"È il tuo turno"}
    assert len({body[21:86] for body in bodies}) == 3, "each message has a key of its own"


def test_a_long_message_fits_and_a_longer_one_is_refused():
    browser = PushBrowser()
    longest = b"x" * web_push.MAX_MESSAGE_BYTES
    body = web_push.encrypt(longest, **browser.keys)
    assert len(body) <= web_push.RECORD_BYTES
    assert browser.decrypt(body) == longest
    with pytest.raises(ValueError, match="too long"):
        web_push.encrypt(longest + b"x", **browser.keys)


def test_the_sender_says_who_they_are():
    key = web_push.private_key(web_push.key_from_secret("a secret of the site"))
    header = web_push.authorization(
        "https://push.example:8443/a/b?c", key=key, contact="https://club.example", now=1000
    )
    claims, signer = claims_of(header)
    assert claims == {"aud": "https://push.example:8443", "exp": 1000 + 12 * 3600, "sub": "https://club.example"}
    assert signer == web_push.encode(web_push.public_bytes(key))


def test_the_same_secret_gives_the_same_key():
    assert web_push.key_from_secret("a") == web_push.key_from_secret("a") != web_push.key_from_secret("b")
    assert 0 < web_push.key_from_secret("a") < web_push.ORDER


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", AUTH),
        (P256DH, ""),
        (P256DH, AUTH[:-2]),
        (P256DH[:-4], AUTH),
        (P256DH + "AAAA", AUTH),
        # A point beside the curve, and one in the short form.
        (web_push.encode(b"\x04" + b"\x01" * 64), AUTH),
        (web_push.encode(b"\x02" + web_push.decode(P256DH)[1:33]), AUTH),
        ("p=&%", AUTH),
        ("ż" * 87, AUTH),
        (P256DH, "+/" * 11),
    ],
)
def test_what_is_no_key_is_refused(p256dh, auth):
    with pytest.raises(web_push.BadKey):
        web_push.check_keys(p256dh, auth)


def test_a_key_may_have_its_padding():
    web_push.check_keys(P256DH + "=", AUTH + "==")
