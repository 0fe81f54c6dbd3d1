"""One browser for the folder, and a certificate for the names of a product in production."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from tests.support.chromium import steady
from tools.chromium import chromium

DEADLINE = 30_000
NAMES = ["app.product.example", "front.elsewhere.example", "*.usercontent.example"]


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """What starts browsers; there is one at a time."""
    expect.set_options(timeout=DEADLINE)
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    # Names of a product and of its sandbox, as in production, lead to this machine; its camera is pretended.
    cameras = ["--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream"]
    started = steady(playwright, chromium(), "--host-resolver-rules=MAP *.example 127.0.0.1", *cameras)
    yield started
    started.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page whose script errors fail the test."""
    context = browser.new_context()
    made = context.new_page()
    made.set_default_timeout(DEADLINE)
    errors: list[str] = []
    made.on("pageerror", lambda error: errors.append(str(error)))
    yield made
    context.close()
    assert errors == []


@pytest.fixture(scope="package")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A certificate for the product's names, as options of uvicorn."""
    folder = tmp_path_factory.mktemp("tls")
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test")])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(one) for one in NAMES]), critical=False)
        .sign(key, hashes.SHA256())
    )
    return {
        "ssl_certfile": _saved(folder / "cert.pem", made.public_bytes(serialization.Encoding.PEM)),
        "ssl_keyfile": _saved(
            folder / "key.pem",
            key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
            ),
        ),
    }


def _saved(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)
