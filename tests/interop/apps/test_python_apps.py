"""Apps of the other Python libraries, as objects in the host's own process."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from tests.interop.apps.shown import DEADLINE, Shown

Show = Callable[..., Shown]


def test_an_app_of_the_official_package(show: Show) -> None:
    shown = show("apps.greet", name="Ada").ready()
    shown.expect_text("#greeting", "Hello, Ada!")
    shown.view.locator("#again").click()
    shown.expect_text("#greeting", "Hello, again!")
    shown.picture("apps")


def test_prefab_with_its_own_scripts(show: Show) -> None:
    shown = show("prefab.counter", start=21).ready()
    expect(shown.view.get_by_text("The number is 21")).to_be_visible(timeout=DEADLINE)
    shown.view.get_by_role("button", name="Double it").click()
    expect(shown.view.get_by_text("The number is 42")).to_be_visible(timeout=DEADLINE)
    shown.view.get_by_role("button", name="Tell").click()
    assert shown.heard.next("message") == "The number is 42"
    shown.picture("prefab")
