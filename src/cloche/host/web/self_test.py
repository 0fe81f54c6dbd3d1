"""`{at}/self-test`: a page that a developer opens to see whether the sandbox works here, and what to do if not."""

from __future__ import annotations

from urllib.parse import urlsplit

from cloche.host.web.assets import fill_meta
from cloche.host.web.headers import Headers, document_headers
from cloche.host.web.sandbox import SandboxError
from cloche.host.web.sandbox_urls import SandboxUrls
from cloche.web import read_web
from cloche.wire.apps.csp import Sources
from cloche.wire.json import encode
from cloche.wire.types import Json

SERVER = "self-test"
"""The name that the sandbox of this page is made for."""


def self_test_answer(sandbox_urls: SandboxUrls, address: str, setting: str | None) -> tuple[bytes, Headers]:
    """The page for whoever opened it at `address`, and its headers."""
    config: Json = {"setting": setting or "none"}
    try:
        config["sandbox"] = sandbox_urls.sandbox(SERVER, address, address, Sources({}))
        config["probe"] = sandbox_urls.probe(SERVER, address, address)
    except SandboxError as error:
        config["problem"] = str(error)
    return fill_meta(read_web("host/self-test.html"), config=encode(config).decode()), _headers(address, config)


def _headers(address: str, config: Json) -> Headers:
    socket = urlsplit(address)._replace(scheme="wss" if address.startswith("https:") else "ws").geturl()
    frame = config["sandbox"]["origin"] if "sandbox" in config else "'none'"
    return document_headers(f"script-src 'self'; style-src 'self'; connect-src 'self' {socket}; frame-src {frame}")
