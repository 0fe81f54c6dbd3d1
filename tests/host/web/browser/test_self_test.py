"""The self-test page: green where the sandbox works, and the reason and the fix where it does not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from cloche.host import Host
from tests.support.host_surface import SECRET, make_server, product
from tests.support.served import Served

CHECKS = ["origin", "loads", "opaque", "proxy", "network", "rtc", "preconnect", "busy", "socket"]


def states(page: Page) -> dict[str, str]:
    """What each check came to, when all have."""
    expect(page.locator("#copy")).to_be_enabled(timeout=30_000)
    items = page.locator("#checks li").all()
    return {item.get_attribute("data-check") or "": item.get_attribute("data-state") or "" for item in items}


@pytest.fixture
def served() -> Iterator[Served]:
    host = Host({"dice": make_server()}, secret=SECRET)
    with Served(host.wrap(product)) as made:
        yield made


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1"])
def test_on_this_machine_everything_passes_without_configuration(served: Served, page: Page, name: str) -> None:
    page.goto(served.url("/cloche/self-test", name))
    assert states(page) == {**dict.fromkeys(CHECKS, "ok"), "clipboard": "note"}
    expect(page.locator("#summary")).to_contain_text("Everything works")


def without(headers: list[bytes], app: Any) -> Any:
    """A proxy that takes headers off every answer."""

    async def stripped(scope: Any, receive: Any, send: Any) -> None:
        async def sending(event: Any) -> None:
            if event["type"] == "http.response.start":
                kept = [(name, value) for name, value in event["headers"] if name not in headers]
                event = {**event, "headers": kept}
            await send(event)

        await app(scope, receive, sending)

    return stripped


@pytest.mark.parametrize("more", [[], [b"connection-allowlist"]], ids=["one-layer-left", "no-layer-left"])
def test_a_proxy_that_takes_the_policy_off_is_found_out(page: Page, more: list[bytes]) -> None:
    host = Host({"dice": make_server()}, secret=SECRET)
    with Served(without([b"content-security-policy", *more], host.wrap(product))) as served:
        page.goto(served.url("/cloche/self-test"))
        found = states(page)
        assert found["network"] == "failed"
        assert found["opaque"] == "ok"
        expect(page.locator("[data-check=network] p")).to_contain_text("Content-Security-Policy")
        expect(page.locator("#summary")).to_contain_text("not safe")


def test_a_proxy_without_websockets_is_found_out(page: Page) -> None:
    host = Host({"dice": make_server()}, secret=SECRET)
    with Served(host.wrap(product), ws="none") as served:
        page.goto(served.url("/cloche/self-test"))
        assert states(page)["socket"] == "failed"
        expect(page.locator("[data-check=socket] p")).to_contain_text("Upgrade")


def test_where_no_sandbox_can_be_derived_the_page_says_which_setting(page: Page) -> None:
    served = Served(None)
    address = f"http://shop.example:{served.port}"
    served.app = Host({"dice": make_server()}, secret=SECRET, origins=[address]).wrap(product)
    with served:
        page.goto(f"{address}/cloche/self-test")
        found = states(page)
        assert (found["origin"], found["loads"], found["socket"]) == ("failed", "skipped", "ok")
        expect(page.locator("#summary")).to_contain_text("1 of 9")
        text = page.locator("[data-check=origin] p").inner_text()
        assert "Host(sandbox='https://{name}.usercontent.example')" in text


def test_the_report_can_be_copied(served: Served, page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(served.url("/cloche/self-test"))
    states(page)
    page.click("#copy")
    expect(page.locator("#copy")).to_have_text("Copied")
    report = page.evaluate("navigator.clipboard.readText()")
    assert report.startswith(f"Page {served.url('')}")
    assert report.count("[passed]") == len(CHECKS)
