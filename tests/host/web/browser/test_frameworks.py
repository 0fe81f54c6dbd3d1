"""The same line wraps an app of each framework, with the product's own protections switched on."""

from __future__ import annotations

import socket
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.support.live_server import LiveServer

ROOT = Path(__file__).parents[4]
EXAMPLES = {
    "starlette": "host_starlette",
    "fastapi": "host_fastapi.app",
    "litestar": "host_litestar",
    "django": "host_django",
}


def free_port() -> int:
    """One that nobody had a moment ago: Litestar wants to know its own."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
    return port


@pytest.fixture(scope="module", params=EXAMPLES)
def product(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """The example of a framework, served."""
    port = free_port()
    code = f"""
import os
sys.path.insert(0, {str(ROOT)!r})
os.environ["PORT"] = "{port}"
from examples.{EXAMPLES[request.param]} import app
"""
    with LiveServer(tmp_path_factory.mktemp(request.param), code, port=port) as server:
        yield server


def fetch(server: LiveServer, path: str, host: str, **headers: str) -> tuple[int, dict[str, str]]:
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(f"http://127.0.0.1:{server.port}{path}", headers={"Host": host, **given})
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, {name.lower(): value for name, value in answer.headers.items()}
    except HTTPError as error:
        return error.code, {name.lower(): value for name, value in error.headers.items()}


@pytest.mark.requirement(105, 107, 109)
def test_a_view_is_shown_and_used(product: LiveServer, page: Page) -> None:
    with page.expect_response("**/cloche/sandbox?*") as loading:
        page.goto(f"http://localhost:{product.port}/")
        if page.locator("#composer").count():  # the chat shows something when it is asked to
            page.get_by_text("Show my to-do list").click()
    view = page.frame_locator("mcp-app iframe").frame_locator("iframe")
    expect(view.locator("h2")).to_contain_text("To do")
    before = view.locator("li").count()
    view.locator("[name=title]").click()  # a view that takes the keyboard by itself loses it
    view.locator("[name=title]").fill("Buy bread")
    view.locator("[name=title]").press("Enter")
    expect(view.locator("li")).to_have_count(before + 1)
    view.locator("li").last.get_by_role("button").click()
    expect(view.locator("li")).to_have_count(before)
    sandbox = loading.value
    assert (urlsplit(sandbox.url).hostname or "").endswith(".localhost")
    assert "x-frame-options" not in sandbox.headers
    assert "default-src 'none'" in sandbox.headers["content-security-policy"]


def test_the_products_own_pages_keep_their_protections(product: LiveServer) -> None:
    own = f"localhost:{product.port}"
    status, headers = fetch(product, "/", own)
    assert status == 200
    assert headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert fetch(product, "/", f"evil.com:{product.port}")[0] == 400
    assert fetch(product, "/", f"shop.localhost:{product.port}")[0] == 400


def test_on_a_sandbox_name_the_product_does_not_answer(product: LiveServer) -> None:
    name = f"todo-0123456789ab.localhost:{product.port}"
    for path in ("/", "/api/events", "/cloche/mcp-app.js", "/cloche/sandbox?p=x"):
        status, headers = fetch(product, path, name, sec_fetch_dest="iframe")
        assert (status, headers.get("x-frame-options")) == (404, None), path


def test_our_routes_stand_behind_our_own_guard(product: LiveServer) -> None:
    assert fetch(product, "/cloche/mcp-app.js", f"localhost:{product.port}")[0] == 200
    assert fetch(product, "/cloche/mcp-app.js", f"evil.com:{product.port}")[0] == 421


def test_the_product_starts_and_stops_without_a_word(product: LiveServer) -> None:
    refusals = [line for line in product.stderr.splitlines() if "Cloche does not answer to the host 'evil.com:" in line]
    assert product.stderr.splitlines() == refusals  # what an attack of another test was told, and nothing else


def test_without_the_wrapper_the_products_protections_would_break_the_sandbox(tmp_path: Path) -> None:
    """The control: the same host inside the product's middleware instead of outside of it."""
    code = f"""
sys.path.insert(0, {str(ROOT)!r})
from starlette.middleware.trustedhost import TrustedHostMiddleware
from examples.host_starlette import app as wrapped
app = TrustedHostMiddleware(wrapped, allowed_hosts=["localhost", "127.0.0.1"])
"""
    with LiveServer(tmp_path, code) as inside:
        name = f"todo-0123456789ab.localhost:{inside.port}"
        assert fetch(inside, "/cloche/sandbox?p=x", name, sec_fetch_dest="iframe")[0] == 400
