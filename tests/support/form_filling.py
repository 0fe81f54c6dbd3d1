"""The form of `tests/support/talking.py`, filled in by a person: a field of every kind that MCP has for one."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator

FILLED: dict[str, Any] = {
    "name": "Ann",
    "mail": "ann@example.com",
    "site": "https://example.com/a",
    "day": "2026-07-28",
    "count": 3,
    "weight": 1.5,
    "gift": True,
    "size": "l",
    "colour": "#00f",
    "extras": ["b", "c"],
    "tags": ["old"],
    "when": "2026-07-28T12:30:00+02:00",
    "wrap": "foil",
    "note": "Ring twice",
}
"""What then goes to the server; the last two are the form's defaults, and the zone is that of the browser."""

ZONE = "Europe/Paris"


def fill_everything(form: Locator) -> None:
    """Fill in every field."""
    form.get_by_label("Your name").fill("Ann")
    for label, text in (("mail", "ann@example.com"), ("site", "https://example.com/a"), ("day", "2026-07-28")):
        form.get_by_label(label).fill(text)
    form.get_by_label("count").fill("3")
    form.get_by_label("weight").fill("1.5")
    form.get_by_label("gift").check()
    form.get_by_label("size").select_option(label="Large")
    form.get_by_label("colour").select_option(label="Blue")
    form.get_by_role("checkbox", name="Bow").check()
    form.get_by_role("checkbox", name="Card").check()
    form.get_by_role("checkbox", name="old").check()
    form.get_by_label("when").fill("2026-07-28T12:30:00")
