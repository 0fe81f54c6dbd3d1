"""A view with a permission has an origin, and with it cookies: what it leaves there, no view that comes later finds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Playwright, expect

from cloche import Server, View
from cloche.host import Host, Policy
from cloche.host.web.sandbox import Sandboxes
from tests.support.chromium import FLAGS
from tests.support.host_surface import SECRET
from tests.support.served import Served
from tools.chromium import whole_chromium

LEAVE = """<!doctype html><p id=out></p><script>
  document.cookie = "left=by-notes; domain=usercontent.example; path=/; SameSite=None; Secure";
  out.textContent = document.cookie || "nothing";
</script>"""
FIND = """<!doctype html><p id=out></p><script>out.textContent = document.cookie || "nothing"</script>"""


class Product(Served):
    """Two servers whose views have a permission each; the page shows the one that its path names."""

    def __init__(self, certificate: dict[str, str]) -> None:
        super().__init__(None, **certificate)
        self.own = f"https://app.product.example:{self.port}"
        servers = {}
        for name, html in (("notes", LEAVE), ("bank", FIND)):
            servers[name] = Server(name)
            servers[name].register_tool(lambda: "x", name="look", view=View(html, permissions=["geolocation"]))
        pattern = f"https://{{name}}.usercontent.example:{self.port}"
        policy = Policy(permission="allow")
        self.host = Host(servers, secret=SECRET, sandbox=pattern, origins=[self.own], policy=policy)
        self.app = self.host.wrap(self.answer)

    async def answer(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            raise ValueError("none")
        call = await self.host.session("ann").start(f"{scope['path'][1:]}.look", {})
        script = '<script type="module" src="/cloche/mcp-app.js"></script>'
        headers = [(b"content-type", b"text/html; charset=utf-8"), (b"set-cookie", b"login=ann; Secure")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": f"<!doctype html>{script}{call.embed()}".encode()})


@pytest.fixture(scope="module")
def product(certificate: dict[str, str]) -> Iterator[Product]:
    with Product(certificate) as made:
        yield made


@pytest.fixture(scope="module")
def allowing(playwright: Playwright, tmp_path_factory: pytest.TempPathFactory) -> Iterator[BrowserContext]:
    """A browser that lets frames of other sites have cookies, as most people's do."""
    profile = tmp_path_factory.mktemp("profile")
    preferences = Path(profile) / "Default" / "Preferences"
    preferences.parent.mkdir(parents=True)
    preferences.write_text(json.dumps({"profile": {"cookie_controls_mode": 0}}), encoding="utf-8")
    flags = [*FLAGS, "--host-resolver-rules=MAP *.example 127.0.0.1", "--no-sandbox"]
    context = playwright.chromium.launch_persistent_context(
        profile, executable_path=whole_chromium(), args=flags, ignore_https_errors=True, permissions=["geolocation"]
    )
    yield context
    context.close()


def seen(context: BrowserContext, product: Product, server: str) -> str:
    """The cookies that a view of this server sees."""
    page = context.new_page()
    page.goto(f"{product.own}/{server}")
    # A view with a permission has a page more around its proxy page.
    frames = page.locator("mcp-app").frame_locator("iframe").frame_locator("iframe").frame_locator("iframe")
    out = frames.locator("#out")
    expect(out).not_to_be_empty(timeout=30_000)
    found = out.inner_text()
    page.close()
    return found


def test_what_a_view_of_one_server_leaves_a_view_of_another_does_not_find(
    product: Product, allowing: BrowserContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert seen(allowing, product, "notes") == "left=by-notes"
    assert seen(allowing, product, "bank") == "nothing"
    monkeypatch.setattr(Sandboxes, "owns_site", False)  # the control
    assert seen(allowing, product, "notes") == "left=by-notes"
    assert seen(allowing, product, "bank") == "left=by-notes"
    assert [one["value"] for one in allowing.cookies(product.own)] == ["ann"]  # the product's own are its own
