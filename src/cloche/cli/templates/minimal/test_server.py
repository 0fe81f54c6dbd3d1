"""Run with `pytest`."""

from server import server

from cloche.testing import SyncClient


def test_greet() -> None:
    with SyncClient(server) as client:
        assert client.call_tool("greet", {"name": "Ada"}).text == "Hello, Ada!"
