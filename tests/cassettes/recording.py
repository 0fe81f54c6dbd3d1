"""Recording in a product of one page, which costs less than a playground in a process of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, FrameLocator

from cloche.host import Host
from cloche.testing.cassettes.recorder import CassetteRecorder
from tests.page.product import Product

DEADLINE = 30.0


def until(condition: Callable[[], Any], what: str) -> Any:
    """What `condition` gives, once it is something."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.05)
    raise AssertionError(f"this never came: {what}")


def lines_of(path: Path, kind: str | None = None) -> list[dict[str, Any]]:
    """The whole lines of a cassette, of one kind if it is named."""
    whole = path.read_bytes().rpartition(b"\n")[0].split(b"\n")
    found = [msgspec.json.decode(line) for line in whole if line]
    return [line for line in found if kind is None or line["kind"] == kind]


def document_has(path: Path, *texts: str) -> None:
    """Wait until the last document in the cassette has these texts."""

    def found() -> bool:
        documents = lines_of(path, "dom")
        return bool(documents) and all(text in documents[-1]["text"] for text in texts)

    until(found, f"a recorded document with {texts}")


class Recorded:
    """A view that is being recorded."""

    def __init__(self, path: Path, view: FrameLocator, product: Product) -> None:
        self.path = path
        self.view = view
        self.product = product


@contextmanager
def recorded(
    browser: Browser, server: Any, tool: str, path: Path, *, with_recorder: bool = True, **options: Any
) -> Iterator[Recorded]:
    """A tool of a server, called and shown on a page, and everything recorded."""
    host = Host({"lab": server}, secret="a secret for recordings", name="Cloche lab")
    recorder = CassetteRecorder(path, ["lab"])
    if with_recorder:
        recorder.listen(host.traffic)
        host.recorder = recorder
    context = browser.new_context(**options)
    context.set_default_timeout(DEADLINE * 1000)
    try:
        with Product(host) as product:
            page = context.new_page()
            page.goto(product.page(product.embed(f"lab.{tool}", {})))
            frame = page.frame_locator("mcp-app iframe").frame_locator("iframe")
            frame.locator("body").wait_for()
            yield Recorded(path, frame, product)
            page.close()
    finally:
        recorder.close()
        context.close()
