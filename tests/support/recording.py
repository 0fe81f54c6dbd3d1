"""Recording in a product of one page, which costs less than a playground in a process of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from playwright.sync_api import Browser, FrameLocator, Page

from cloche.host import Host
from cloche.testing.cassettes.recorder import CassetteRecorder
from tests.support.playground import until
from tests.support.product import Product

DEADLINE = 30.0


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

    def __init__(self, path: Path, view: FrameLocator, watched: Any) -> None:
        self.path = path
        self.view = view
        self.watched = watched


@contextmanager
def recorded(
    browser: Browser,
    server: Any,
    tool: str,
    path: Path,
    arguments: dict[str, Any] | None = None,
    *,
    name: str = "lab",
    with_recorder: bool = True,
    watch: Callable[[Page], Any] | None = None,
    **options: Any,
) -> Iterator[Recorded]:
    """A tool of a server, called and shown on a page, and everything recorded. `watch` sees the page before it loads;
    `options` are those of the browser's context.
    """
    host = Host({name: server}, secret="a secret for recordings", name="Cloche lab")
    recorder = CassetteRecorder(path, [name])
    if with_recorder:
        recorder.listen(host.traffic)
        host.recorder = recorder
    context = browser.new_context(**options)
    context.set_default_timeout(DEADLINE * 1000)
    try:
        with Product(host) as product:
            page = context.new_page()
            watched = watch(page) if watch is not None else None
            page.goto(product.page(product.embed(f"{name}.{tool}", arguments or {})))
            frame = page.frame_locator("mcp-app iframe").frame_locator("iframe")
            frame.locator("body").wait_for()
            yield Recorded(path, frame, watched)
            page.close()
    finally:
        recorder.close()
        context.close()
