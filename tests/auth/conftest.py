"""An issuer of tokens, and a real HTTP server for its keys."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

AUDIENCE = "https://mcp.example.com/mcp"
ISSUER = "https://issuer.example.com"


class Issuer:
    """Signs tokens as an authorization server would."""

    name = ISSUER
    audience = AUDIENCE

    def __init__(self) -> None:
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.ec_key = ec.generate_private_key(ec.SECP256R1())
        self.ed_key = ed25519.Ed25519PrivateKey.generate()
        self.pem = self.key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)

    def jwk(self, kid: str = "one", **members: Any) -> dict[str, Any]:
        return {**jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key(), as_dict=True), "kid": kid, **members}

    def jwks(self) -> dict[str, Any]:
        return {"keys": [self.jwk()]}

    def claims(self, **changes: Any) -> dict[str, Any]:
        """Good claims with some changed; None removes one."""
        now = int(time.time())
        claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "alice", "exp": now + 300, "iat": now, "scope": "read write"}
        return {name: value for name, value in (claims | changes).items() if value is not None}

    def token(self, kid: str | None = "one", algorithm: str = "RS256", key: Any = None, **changes: Any) -> str:
        headers = {} if kid is None else {"kid": kid}
        return jwt.encode(self.claims(**changes), key or self.key, algorithm=algorithm, headers=headers)


@pytest.fixture(scope="session")
def issuer() -> Issuer:
    return Issuer()


class KeyServer:
    """Serves one document on 127.0.0.1 and counts how often it was asked for."""

    def __init__(self, document: object) -> None:
        self.requests = 0
        self.status = 200
        self.headers: dict[str, str] = {}
        self.release = threading.Event()
        self.release.set()
        self.body = json.dumps(document).encode()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01})
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/jwks.json"

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                owner.requests += 1
                owner.release.wait(10)
                self.send_response(owner.status)
                for name, value in owner.headers.items():
                    self.send_header(name, value)
                self.end_headers()
                # The reader may leave in the middle: that is what some tests are about.
                try:
                    self.wfile.write(owner.body)
                except OSError:
                    self.close_connection = True

            def log_message(self, *_: object) -> None:
                pass

        return Handler

    def close(self) -> None:
        self.release.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


@pytest.fixture
def key_server(issuer: Issuer) -> Iterator[KeyServer]:
    server = KeyServer(issuer.jwks())
    yield server
    server.close()
