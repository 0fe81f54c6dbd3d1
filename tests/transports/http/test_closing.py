"""What is left after `close`: no task, no connection. And what is needed before anything."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cloche.transports.http.client import HttpTransport
from cloche.wire.messages import encode_request
from tests.support.doors import serving
from tests.support.everything import build
from tests.support.official_client import new_key
from tests.transports.http.peers import begin, modern, tool


def open_sockets() -> int:
    """Sockets that this process has open, those of a server in a thread of it included."""
    links = [Path("/proc/self/fd") / name for name in os.listdir("/proc/self/fd")]
    return sum(1 for link in links if link.is_symlink() and os.readlink(link).startswith("socket:"))


@pytest.mark.parametrize("era", ["handshake", "stateless"])
async def test_close_leaves_no_connection_open(era: str) -> None:
    with serving(build().asgi(path="/mcp")) as origin:
        before = None
        for _ in range(3):
            transport = HttpTransport(f"{origin}/mcp")
            key = new_key()
            hang, began = tool("hang", key=key), tool("recorded", what=f"{key} began")
            if era == "handshake":
                await begin(transport)
            else:
                hang, began = modern(hang), modern(began)
            await transport.send(encode_request("h", "tools/call", hang))
            await asyncio.gather(*(transport.request("tools/call", began) for _ in range(5)))
            assert transport._tasks
            await transport.close()
            assert not transport._tasks
            after = await settled(before)
            assert before in (None, after)
            before = after


async def settled(wanted: int | None) -> int:
    """The number of open sockets, once the server's side of closed ones is gone as well."""
    last = -1
    for _ in range(200):
        now = open_sockets()
        if now == (wanted if wanted is not None else last):
            return now
        last = now
        await asyncio.sleep(0.02)
    return last


def test_without_httpx2_the_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['httpx2'] = None\n"
        "from cloche.errors import MissingExtraError\n"
        "try:\n"
        "    from cloche.transports.http.client import HttpTransport\n"
        "except MissingExtraError as error:\n"
        "    print(error)\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout == "HttpTransport needs the extra 'client': pip install 'cloche[client]'\n"


def test_a_client_loads_no_server_and_a_server_no_client() -> None:
    code = "import sys\nimport {}\nprint(*sys.modules)"
    for module, unwanted in (("cloche.transports.http.client", "cloche.server"), ("cloche.serve.http.app", "httpx2")):
        ran = subprocess.run(
            [sys.executable, "-c", code.format(module)], capture_output=True, text=True, timeout=60, check=True
        )
        assert unwanted not in ran.stdout.split()
