"""Views in the test plugin's host, which emulates known hosts when it is told to."""

from __future__ import annotations

import pytest

from cloche import Server
from cloche.testing import ViewOpener
from tests.personalities.views import VIEWS, telling_server


@pytest.fixture(scope="module")
def server() -> Server:
    return telling_server()


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_that_looks_different_there(name: str, server: Server, open_view: ViewOpener) -> None:
    strict = open_view(server, name, {"start": 7}, timeout=20)
    strict.expect("#out").to_have_text(VIEWS[name].strict)
    emulated = open_view(server, name, {"start": 7}, personality=name, timeout=20)
    emulated.expect("#out").to_have_text(VIEWS[name].emulated)
