"""`SyncClient`: a client for tests that are plain functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

from cloche.client import CallToolResult, Client, GetPromptResult, ReadResourceResult
from cloche.client.targets import Target
from cloche.testing.background import BackgroundLoop
from cloche.wire.types import Json, Prompt, Resource, ResourceTemplate, Tool

TEST_TIMEOUT = 10.0
"""Seconds a call may take in a test, unless it says otherwise."""


class SyncClient:
    """What `cloche.Client` does, without `await`: its loop runs in a thread.

    with SyncClient(server) as client:
        assert client.call_tool("add", {"a": 1, "b": 2}).data == 3

    Options are those of `Client`. `client` is the asynchronous one inside.
    """

    def __init__(self, target: Target, *, timeout: float | None = TEST_TIMEOUT, **options: Any) -> None:
        self._target = target
        self._options = {**options, "timeout": timeout}
        self._background: BackgroundLoop | None = None
        self._client: Client | None = None

    def __enter__(self) -> Self:
        self.connect()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def connect(self) -> None:
        """Open the connection; does nothing when it is open."""
        if self._background is not None:
            return
        self._background = BackgroundLoop("cloche-client")
        try:
            self._client = self._background.run(self._open())
        except BaseException:
            self.close()
            raise

    async def _open(self) -> Client:
        client = Client(self._target, **self._options)
        await client.connect()
        return client

    def close(self) -> None:
        """End the connection and the thread. May be called twice."""
        background, client = self._background, self._client
        self._background = self._client = None
        if background is None:
            return
        try:
            if client is not None:
                background.run(client.close())
        finally:
            background.close()

    @property
    def client(self) -> Client:
        """The client that does the work; raises before `connect`."""
        if self._client is None:
            from cloche.errors import LocalProtocolError

            raise LocalProtocolError("The client is not connected: use `with SyncClient(…) as client`")
        return self._client

    def _run(self, method: str, *args: Any, **options: Any) -> Any:
        client = self.client
        assert self._background is not None
        return self._background.run(getattr(client, method)(*args, **options))

    def call_tool(self, name: str, arguments: Json | None = None, **options: Any) -> CallToolResult | Any:
        """Call a tool; with `returns=SomeType` the value itself."""
        return self._run("call_tool", name, arguments, **options)

    def list_tools(self) -> list[Tool]:
        """Every tool of the server."""
        return self._run("list_tools")  # type: ignore[no-any-return]

    def list_resources(self) -> list[Resource]:
        """Every resource of the server that has a fixed URI."""
        return self._run("list_resources")  # type: ignore[no-any-return]

    def list_resource_templates(self) -> list[ResourceTemplate]:
        """Every family of resources of the server."""
        return self._run("list_resource_templates")  # type: ignore[no-any-return]

    def read_resource(self, uri: str) -> ReadResourceResult:
        """The content of a resource."""
        return self._run("read_resource", uri)  # type: ignore[no-any-return]

    def list_prompts(self) -> list[Prompt]:
        """Every prompt of the server."""
        return self._run("list_prompts")  # type: ignore[no-any-return]

    def get_prompt(self, name: str, arguments: dict[str, str] | None = None) -> GetPromptResult:
        """A prompt, filled in with `arguments`."""
        return self._run("get_prompt", name, arguments)  # type: ignore[no-any-return]

    def complete(self, argument: str, value: str, **options: Any) -> Sequence[str]:
        """Suggestions for an argument of a prompt or a resource template."""
        return self._run("complete", argument, value, **options)  # type: ignore[no-any-return]

    def request(self, method: str, params: Json | None = None) -> Any:
        """Any request; the result as plain Python values."""
        return self._run("request", method, params)
