"""The plugin as users meet it: installed, in a project of their own, with nothing set up."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SERVER = """
from cloche import Server, View

server = Server("shop")
PAGE = '''<p id="out"></p><button>Buy</button>
<script>
cloche.on("tool:result", (result) => { out.textContent = result.content[0].text; });
document.querySelector("button").onclick = () => cloche.callTool("buy", {item: "bread"});
</script>'''

@server.tool(view=View(PAGE))
def shop(day: str) -> str:
    return f"open on {day}"

@server.tool
def buy(item: str) -> str:
    return f"bought {item}"
"""


def run_tests(folder: Path, code: str, *options: str, **environment: str) -> tuple[int, str]:
    """pytest in a project that holds the server above and `code`."""
    (folder / "shop.py").write_text(SERVER)
    (folder / "test_shop.py").write_text(code)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON", "CLOCHE"))}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error", *options],
        cwd=folder,
        env={**kept, **environment, "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_views_and_clients_work_without_any_setup(tmp_path: Path) -> None:
    code = """
from shop import server

def test_plain(mcp):
    assert mcp(server).call_tool("buy", {"item": "milk"}).text == "bought milk"

def test_with(mcp):
    with mcp(server) as client:
        assert [tool.name for tool in client.list_tools()] == ["shop", "buy"]

def test_view(open_view, tmp_path):
    view = open_view(server, "shop", {"day": "Monday"}, theme="dark", width=400)
    view.expect("#out").to_have_text("open on Monday")
    view.click(text="Buy")
    assert view.wait_for("answered").result["content"][0]["text"] == "bought bread"
    view.screenshot(tmp_path / "shop.png")
    view.check()
"""
    status, output = run_tests(tmp_path, code)
    assert (status, "3 passed" in output) == (0, True), output


def test_async_tests_of_another_runner_use_it(tmp_path: Path) -> None:
    code = """
import pytest
from shop import server

@pytest.fixture
def anyio_backend():
    return "asyncio"

@pytest.mark.anyio
async def test_awaited(mcp_client):
    async with mcp_client(server) as client:
        assert (await client.call_tool("buy", {"item": "milk"})).text == "bought milk"

@pytest.mark.anyio
async def test_a_view_beside_it(mcp_client, open_view):
    view = open_view(server, "shop", {"day": "Sunday"})
    view.wait_for_text("open on Sunday")
"""
    status, output = run_tests(tmp_path, code)
    assert (status, "2 passed" in output) == (0, True), output


def test_a_client_that_is_left_open_fails_its_test(tmp_path: Path) -> None:
    code = """
import asyncio
from shop import server

def test_forgetful(mcp_client):
    async def forget():
        await mcp_client(server).connect()
    asyncio.run(forget())
"""
    status, output = run_tests(tmp_path, code)
    assert status == 1
    assert "A client was left open: use `async with mcp_client(server) as client`" in output


def test_without_a_browser_the_test_fails_with_what_to_install(tmp_path: Path) -> None:
    code = """
from shop import server

def test_view(open_view):
    open_view(server, "shop", {"day": "Monday"})

def test_plain(mcp):
    assert mcp(server).call_tool("buy", {"item": "milk"}).text == "bought milk"
"""
    status, output = run_tests(tmp_path, code, PATH=str(tmp_path), PLAYWRIGHT_BROWSERS_PATH=str(tmp_path))
    assert status == 1
    assert "1 failed, 1 passed" in output
    assert "none was found here: run `playwright install chromium`" in output


def test_a_blank_view_is_explained_at_the_end_of_the_run(tmp_path: Path) -> None:
    code = """
from cloche import Server, View

server = Server("blank")

@server.tool(view=View("<p>Hi</p><script>missing()</script>", script=False))
def blank() -> str:
    return "nothing"

def test_view(open_view):
    open_view(server, "blank")
"""
    status, output = run_tests(tmp_path, code)
    assert status == 1
    assert "Why: its script failed: missing is not defined" in output
    assert '>       open_view(server, "blank")' in output
    assert "open_view.py" not in output


def test_who_does_not_use_it_pays_nothing(tmp_path: Path) -> None:
    code = """
import sys

def test_nothing_is_loaded():
    assert "cloche.testing.plugin" in sys.modules
    heavy = {"asyncio", "msgspec", "playwright", "cloche.client", "cloche.server", "cloche.errors"}
    if sys.version_info >= (3, 14):
        heavy.remove("asyncio")  # the debugger, which pytest loads, loads it
    assert [name for name in heavy if name in sys.modules] == []
"""
    status, output = run_tests(tmp_path, code, "-p", "no:anyio")
    assert status == 0, output


def test_fixtures_of_the_project_win(tmp_path: Path) -> None:
    code = """
import pytest

@pytest.fixture
def mcp():
    return "mine"

def test_own(mcp):
    assert mcp == "mine"
"""
    status, output = run_tests(tmp_path, code)
    assert status == 0, output


def test_the_fixtures_are_listed_with_what_they_do(tmp_path: Path) -> None:
    _, output = run_tests(tmp_path, "", "--fixtures")
    for name in ("mcp", "mcp_client", "open_view"):
        assert f"\n{name} -- " in output
    assert "_cloche_browser" not in output
