"""The pytest plugin: `mcp`, `mcp_client` and `open_view` in every project where Cloche is installed.

Nothing but pytest is imported here. Whoever uses none of the fixtures pays for none of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from cloche.client import Client
    from cloche.testing.background import BackgroundLoop
    from cloche.testing.browser import Chromium
    from cloche.testing.open_view import ViewOpener
    from cloche.testing.sync_client import SyncClient


@pytest.fixture
def mcp_client() -> Iterator[Callable[..., Client]]:
    """For async tests: `async with mcp_client(server) as client: await client.call_tool("add", {"a": 1})`.

    Options are those of `cloche.Client`. The test fails when it leaves a client open.
    """
    from cloche.client import Client
    from cloche.testing.sync_client import TEST_TIMEOUT

    made: list[Client] = []

    def make(server: Any, **options: Any) -> Client:
        made.append(Client(server, **{"timeout": TEST_TIMEOUT, **options}))
        return made[-1]

    yield make
    if any(client.is_connected for client in made):
        pytest.fail("A client was left open: use `async with mcp_client(server) as client`", pytrace=False)


@pytest.fixture
def mcp() -> Iterator[Callable[..., SyncClient]]:
    """For plain tests: `client = mcp(server)`, then `client.call_tool("add", {"a": 1})`; closed when the test ends."""
    from cloche.testing.sync_client import SyncClient

    made: list[SyncClient] = []

    def make(server: Any, **options: Any) -> SyncClient:
        client = SyncClient(server, **options)
        client.connect()
        made.append(client)
        return client

    yield make
    for client in made:
        client.close()


@pytest.fixture(scope="session")
def _cloche_browser() -> Iterator[tuple[BackgroundLoop, Chromium]]:
    """One browser for the whole run, started by the first view."""
    from cloche.testing.background import BackgroundLoop
    from cloche.testing.browser import Chromium

    background, chromium = BackgroundLoop("cloche-browser"), Chromium()
    yield background, chromium
    background.run(chromium.close())
    background.close()


@pytest.fixture
def open_view(_cloche_browser: tuple[BackgroundLoop, Chromium], request: pytest.FixtureRequest) -> Iterator[ViewOpener]:
    """`view = open_view(server, "chart", {"year": 2026}, theme="dark")`: calls the tool and opens its view in Chromium.

    `open_view.story("Last year")` opens a story. Each view has a browser context of its own, closed when the test ends.
    """
    from cloche.testing.open_view import ViewOpener

    opener = ViewOpener(*_cloche_browser, folder=request.path.parent, root=request.config.rootpath)
    yield opener
    opener.close()
