"""The other end of web push: a browser with keys of its own, which reads what a push service was sent."""

import json
from dataclasses import dataclass, field
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from accounts.infra import web_push


def hkdf(salt: bytes, secret: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


@dataclass
class PushBrowser:
    key: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    auth: bytes = b"sixteen secrets!"

    @property
    def keys(self) -> dict[str, str]:
        return {"p256dh": web_push.encode(web_push.public_bytes(self.key)), "auth": web_push.encode(self.auth)}

    def decrypt(self, body: bytes) -> bytes:
        """As RFC 8291 says, with the HKDF of another hand than ours."""
        salt, size, length = body[:16], int.from_bytes(body[16:20]), body[20]
        theirs, sealed = body[21 : 21 + length], body[21 + length :]
        assert len(sealed) <= size
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), theirs))
        info = b"WebPush: info\0" + web_push.public_bytes(self.key) + theirs
        secret = hkdf(self.auth, shared, info, 32)
        key = hkdf(salt, secret, b"Content-Encoding: aes128gcm\0", 16)
        nonce = hkdf(salt, secret, b"Content-Encoding: nonce\0", 12)
        padded = AESGCM(key).decrypt(nonce, sealed, None).rstrip(b"\0")
        assert padded[-1:] == b"\2"
        return padded[:-1]

    def read(self, body: bytes) -> dict[str, Any]:
        return dict(json.loads(self.decrypt(body)))


def claims_of(header: str) -> tuple[dict[str, Any], str]:
    """What a VAPID header claims, and the key that signed it; a wrong signature fails."""
    scheme, _, rest = header.partition(" ")
    assert scheme == "vapid"
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    signed, _, signature = parts["t"].rpartition(".")
    raw = web_push.decode(signature)
    try:
        web_push.point(web_push.decode(parts["k"])).verify(
            encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:])),
            signed.encode(),
            ec.ECDSA(SHA256()),
        )
    except InvalidSignature:
        raise AssertionError("the signature is wrong") from None
    return json.loads(web_push.decode(signed.partition(".")[2])), parts["k"]
