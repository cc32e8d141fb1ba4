"""A small OpenID Connect provider on loopback: one person, who is always logged in there and always agrees."""

import base64
import hashlib
import json
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT, SECRET = "gauntlet", "a-secret-between-two-servers"


class Provider:
    """What it knows: its key, the person, and the codes it has given out."""

    def __init__(self, person: dict[str, object]) -> None:
        self.person = person
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.codes: dict[str, dict[str, str]] = {}
        self.tokens: set[str] = set()
        self.address = ""

    def configuration(self) -> dict[str, object]:
        names = {"authorization": "authorize", "token": "token", "userinfo": "userinfo"}
        return {
            "issuer": self.address,
            "jwks_uri": f"{self.address}/keys",
            "token_endpoint_auth_methods_supported": ["client_secret_post"],
            **{f"{name}_endpoint": f"{self.address}/{path}" for name, path in names.items()},
        }

    def authorize(self, asked: dict[str, str]) -> str:
        assert asked["client_id"] == CLIENT
        assert asked["code_challenge_method"] == "S256"
        code = secrets.token_urlsafe(16)
        self.codes[code] = asked
        return asked["redirect_uri"] + "?" + urlencode({"code": code, "state": asked["state"]})

    def exchange(self, asked: dict[str, str]) -> dict[str, object]:
        granted = self.codes.pop(asked["code"])
        assert (asked["client_id"], asked["client_secret"]) == (CLIENT, SECRET)
        assert asked["redirect_uri"] == granted["redirect_uri"]
        digest = hashlib.sha256(asked["code_verifier"].encode()).digest()
        assert base64.urlsafe_b64encode(digest).rstrip(b"=").decode() == granted["code_challenge"]
        token = secrets.token_urlsafe(16)
        self.tokens.add(token)
        now = int(time.time())
        claims = {"iss": self.address, "aud": CLIENT, "iat": now, "exp": now + 60, **self.person}
        if "nonce" in granted:
            claims["nonce"] = granted["nonce"]
        signed = jwt.encode(claims, self.key, algorithm="RS256", headers={"kid": "one"})
        return {"access_token": token, "token_type": "Bearer", "expires_in": 60, "id_token": signed}


@contextmanager
def running(person: dict[str, object]) -> Iterator[Provider]:
    provider = Provider(person)

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            address = urlsplit(self.path)
            asked = {name: values[0] for name, values in parse_qs(address.query).items()}
            if address.path == "/.well-known/openid-configuration":
                self.answer(provider.configuration())
            elif address.path == "/keys":
                public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(provider.key.public_key()))
                self.answer({"keys": [{**public, "kid": "one", "alg": "RS256", "use": "sig"}]})
            elif address.path == "/authorize":
                self.send_response(302)
                self.send_header("Location", provider.authorize(asked))
                self.end_headers()
            elif address.path == "/userinfo":
                bearer = self.headers["Authorization"].removeprefix("Bearer ")
                assert bearer in provider.tokens
                self.answer(provider.person)
            else:
                self.send_error(404)

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self.answer(provider.exchange({name: values[0] for name, values in parse_qs(body).items()}))

        def answer(self, value: object) -> None:
            body = json.dumps(value).encode()
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    provider.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
