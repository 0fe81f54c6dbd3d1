"""A server in a visitor's tab that talks back: everything it may ask is asked over the visitor's own page."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from cloche.errors import RequestCancelledError
from cloche.host import Host, InBrowser, Policy
from tests.support import talking
from tests.support.axe import violations
from tests.support.form_filling import FILLED, ZONE, fill_everything
from tests.support.visitor_site import Site


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(timezone_id=ZONE, bypass_csp=True)
    context.route("https://pay.example/**", lambda route: route.fulfill(body="paid"))
    yield context.new_page()
    context.close()


def accept(page: Page, button: str) -> None:
    page.locator("button.accept[aria-disabled=false]").wait_for()
    page.get_by_role("alertdialog").get_by_role("button", name=button).click()


def test_forms_addresses_models_folders_progress_logs_and_cancelling(browser: Browser, page: Page) -> None:
    seen: list[Any] = []
    host = Host({"mine": InBrowser(ask="never")}, secret="s" * 32, policy=Policy())
    host.on_sample(lambda session, wanted: f"{wanted.text} Rye")
    host.on_roots(lambda session, server: [f"file:///{server}"])
    host.on_server_log(lambda session, line: seen.append((line.server, line.level, line.logger, line.data)))
    host.on_progress(lambda call, update: seen.append((update.fraction, update.message)))
    with Site(host, browser) as site:
        site.visit(page)
        dialog = page.get_by_role("alertdialog")
        call = site.start("mine.talk", about="form", message=talking.MESSAGE, form=talking.FORM)
        expect(dialog).to_contain_text("“mine” asks")
        fill_everything(dialog)
        accept(page, "Send")
        assert json.loads(site.said(call)) == {"action": "accept", "content": FILLED}
        call = site.start("mine.talk", about="form", message=talking.MESSAGE, form=talking.FORM)
        dialog.get_by_role("button", name="Decline").click()
        assert json.loads(site.said(call)) == {"action": "decline"}
        call = site.start("mine.talk", about="url", message=talking.MESSAGE, url=talking.URL)
        expect(dialog).to_contain_text(talking.URL)
        with page.expect_popup() as opened:
            accept(page, "Open")
        assert opened.value.url == talking.URL
        opened.value.close()
        assert json.loads(site.said(call)) == {"action": "accept"}
        call = site.start("mine.talk", about="sample")
        expect(dialog).to_contain_text("Name a bread.")  # whether the product's model answers is asked, too
        assert violations(page, "body > div") == []
        accept(page, "Allow once")
        assert site.said(call) == "Name a bread. Rye"
        assert json.loads(site.call("mine.talk", about="roots")) == ["file:///mine"]
        call = site.start("mine.work")
        site.run(told(call))
        site.run(call.cancel())
        with pytest.raises(RequestCancelledError):
            site.said(call)
        page.locator("body[data-wrote=cancelled]").wait_for()
        assert seen == [(0.25, "heating"), ("mine", "warning", "disks", {"disk": "full"})]


async def told(call: Any) -> None:
    """Wait for the first report."""
    async for _ in call.progress():
        return
