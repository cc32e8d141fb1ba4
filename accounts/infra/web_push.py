"""Messages to browsers: encrypted for one browser (RFC 8291) and signed by this site (VAPID, RFC 8292).

The push service that carries a message cannot read it. A browser takes messages only from the site whose key it was
given when it subscribed.
"""

import base64
import hashlib
import hmac
import json
import secrets
import time
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
# How many private keys the curve has, less one.
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
POINT_BYTES, AUTH_BYTES, SALT_BYTES = 65, 16, 16
# One record holds the whole message; push services take 4096 bytes and no more.
RECORD_BYTES = 4096
MAX_MESSAGE_BYTES = RECORD_BYTES - (SALT_BYTES + 4 + 1 + POINT_BYTES) - 16 - 1
# How long a signature is valid. A day is the most that is allowed.
SIGNED_FOR = 12 * 3600


class BadKey(ValueError):
    """Not the key of a browser."""


def encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text: str) -> bytes:
    """Base64 for URLs, with or without its padding; nothing else passes."""
    text = text.rstrip("=")
    try:
        data = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        raise BadKey("this is not base64url") from None
    if encode(data) != text:
        raise BadKey("this is not base64url")
    return data


def private_key(number: int) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(number, CURVE)


def key_from_secret(secret: str) -> int:
    """A private key that follows from a secret, always the same."""
    return int.from_bytes(hashlib.sha512(f"web-push:{secret}".encode()).digest()) % (ORDER - 1) + 1


def public_bytes(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def check_keys(p256dh: str, auth: str) -> None:
    """Refuse what no browser gives: a point that is not on the curve, or a secret of another length."""
    point(decode(p256dh))
    if len(decode(auth)) != AUTH_BYTES:
        raise BadKey("the secret has another length")


def point(data: bytes) -> ec.EllipticCurvePublicKey:
    if len(data) != POINT_BYTES:
        raise BadKey("the key has another length")
    try:
        return ec.EllipticCurvePublicKey.from_encoded_point(CURVE, data)
    except ValueError:
        raise BadKey("the key is not on the curve") from None


def encrypt(
    message: bytes,
    *,
    p256dh: str,
    auth: str,
    own: ec.EllipticCurvePrivateKey | None = None,
    salt: bytes = b"",
) -> bytes:
    """The body of a push message. `own` and `salt` are new for each message; tests give those of the RFC."""
    if len(message) > MAX_MESSAGE_BYTES:
        raise ValueError("the message is too long")
    own = own or ec.generate_private_key(CURVE)
    salt = salt or secrets.token_bytes(SALT_BYTES)
    theirs, ours = decode(p256dh), public_bytes(own)
    shared = own.exchange(ec.ECDH(), point(theirs))
    secret = _expand(_hmac(decode(auth), shared), b"WebPush: info\0" + theirs + ours, 32)
    key, nonce = message_keys(secret, salt)
    # The byte 2 ends the last record.
    sealed = AESGCM(key).encrypt(nonce, message + b"\2", None)
    return salt + RECORD_BYTES.to_bytes(4) + bytes([POINT_BYTES]) + ours + sealed


def message_keys(secret: bytes, salt: bytes) -> tuple[bytes, bytes]:
    """Key and nonce of RFC 8188."""
    seed = _hmac(salt, secret)
    return _expand(seed, b"Content-Encoding: aes128gcm\0", 16), _expand(seed, b"Content-Encoding: nonce\0", 12)


def _hmac(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).digest()


def _expand(key: bytes, info: bytes, length: int) -> bytes:
    """HKDF for outputs of at most 32 bytes."""
    return _hmac(key, info + b"\1")[:length]


def authorization(endpoint: str, *, key: ec.EllipticCurvePrivateKey, contact: str, now: float | None = None) -> str:
    """The header that says who sends: a signed statement for this push service alone, and our public key."""
    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(now if now is not None else time.time()) + SIGNED_FOR,
        "sub": contact,
    }
    signed = ".".join(encode(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims))
    r, s = decode_dss_signature(key.sign(signed.encode(), ec.ECDSA(SHA256())))
    signature = encode(r.to_bytes(32) + s.to_bytes(32))
    return f"vapid t={signed}.{signature}, k={encode(public_bytes(key))}"
