"""One way to talk to a server, whatever is between: what the to-do test asks is the same everywhere."""

from __future__ import annotations

from typing import Any, Protocol

from playwright.sync_api import Page

from cloche import McpError
from cloche.testing.sync_client import SyncClient
from tests.browser.page.waiting import wait_until

VERSION = "2025-11-25"


class Peer(Protocol):
    """A client of the handshake era."""

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """`{"result": …}` or `{"error": …}`."""

    def updated(self, number: int) -> list[str]:
        """The first so many URIs of which an update was told, once they were."""

    def subscribe(self, uri: str) -> None:
        """Be told of updates."""


class PythonPeer:
    """Our Python client, to anything that it connects to."""

    def __init__(self, target: Any) -> None:
        self._updates: list[str] = []
        self._client = SyncClient(target, version=VERSION)

    def __enter__(self) -> PythonPeer:
        self._client.connect()
        told = lambda params: self._updates.append(params["uri"])  # noqa: E731
        self._client.client.on_notification("notifications/resources/updated", told)
        return self

    def __exit__(self, *_: object) -> None:
        self._client.close()

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        try:
            return {"result": self._client.request(method, params)}
        except McpError as error:
            return {"error": error.to_json_rpc_error()}

    def subscribe(self, uri: str) -> None:
        self._client._run("subscribe_resource", uri)

    def updated(self, number: int) -> list[str]:
        wait_until(lambda: len(self._updates) >= number)
        return self._updates[:number]


class PagePeer:
    """Our JavaScript client, in a page."""

    def __init__(self, page: Page, name: str) -> None:
        self._page = page
        self._name = name
        page.evaluate("(name) => lab.connect(name)", name)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        found: dict[str, Any] = self._page.evaluate("(of) => lab.ask(...of)", [self._name, method, params])
        return found

    def subscribe(self, uri: str) -> None:
        self.ask("resources/subscribe", uri=uri)

    def updated(self, number: int) -> list[str]:
        told = "([name, number]) => lab.servers[name].kept.updates.length >= number"
        self._page.wait_for_function(told, arg=[self._name, number])
        found: list[str] = self._page.evaluate("(name) => lab.servers[name].kept.updates", self._name)
        return found[:number]
