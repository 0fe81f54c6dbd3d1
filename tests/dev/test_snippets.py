"""What the page of a message copies as curl, Python and JSON: run as it is copied, against the server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from cloche import Server
from tests.support.command import Running
from tests.support.doors import serving
from tests.support.playground import Screen, opened, playground
from tools.apt import command

FILE = '''
from cloche import Server

server = Server("echoes")

@server.tool
def echo(text: str, count: int = 1, plain: bool = False) -> str:
    """Say it again."""
    return f"{text}|{count}|{plain}"
'''
TEXT = "it's “quoted” $HOME `date` \\n 😀"
PRINTED = TEXT.replace("\\", "\\\\")
SECONDS = 60


def echoes() -> Server:
    server = Server("echoes")

    @server.tool(title="Echo")
    def echo(text: str, count: int = 1, plain: bool = False) -> str:
        """Say it again."""
        return f"{text}|{count}|{plain}"

    @server.resource("echo://ümlaut")
    def umlaut() -> str:
        """A resource with a name that no header carries as it is."""
        return "ä resource"

    return server


@pytest.fixture(scope="module", autouse=True)
def curl() -> None:
    """Installed where it is missing."""
    command("curl")


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    with serving(echoes().asgi(path="/mcp")) as origin:
        yield origin


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("echoes")
    (folder / "local.py").write_text(FILE, "utf-8")
    return folder


@pytest.fixture(scope="module")
def running(origin: str, folder: Path) -> Iterator[Running]:
    with playground(f"{origin}/mcp", "local.py", folder=folder, deadline=300) as process:
        yield process


@pytest.fixture
def screen(browser: Browser, running: Running) -> Iterator[Screen]:
    allowed = ["clipboard-read", "clipboard-write"]
    with opened(browser, running.url, permissions=allowed) as screen:
        yield screen


def call(screen: Screen, server: str) -> None:
    screen.choose_of(server, "echo")
    screen.fill("text", TEXT)
    screen.call()
    expect(screen.page.locator("#outcome")).to_contain_text("|1|False")
    message(screen, "echo")


def message(screen: Screen, name: str) -> None:
    rows = screen.side("Messages").locator(".rows > li", has_text=name)
    rows.last.locator("summary").first.click()
    rows.last.get_by_role("link", name="Open, copy or send again").click()
    expect(screen.page.locator("#page h2")).to_contain_text(name)


def copied(screen: Screen, words: str, contains: str) -> str:
    screen.page.get_by_role("button", name=words).click()
    return screen.copied(contains)


def ran(command: list[str], folder: Path, text: str = "") -> str:
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    done = subprocess.run(
        command,
        cwd=folder,
        input=text,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def answer(said: str) -> Any:
    """The last message of an answer, as JSON or as a stream of events."""
    lines = [line.removeprefix("data: ") for line in said.splitlines() if line.startswith(("{", "data: {"))]
    return json.loads(lines[-1])["result"]


@pytest.mark.parametrize("version", ["2026-07-28", "2025-11-25"])
def test_curl_and_python_of_a_server_at_a_url_run(screen: Screen, version: str, tmp_path: Path) -> None:
    page = screen.page
    page.get_by_role("link", name="127-0-0-1", exact=True).click()
    page.get_by_label("Protocol version").select_option(version)
    expect(page.locator("#page .facts-list")).to_contain_text("handshake" if version < "2026" else "stateless")
    call(screen, "127-0-0-1")
    curl = copied(screen, "Copy as curl", "curl")
    assert answer(ran(["bash", "-eu"], tmp_path, curl))["content"][0]["text"] == f"{TEXT}|1|False"
    assert ("initialize" in curl) == (version < "2026")
    program = copied(screen, "Copy as Python", "asyncio")
    assert f"{PRINTED}|1|False" in ran([sys.executable, "-"], tmp_path, program)
    request = json.loads(copied(screen, "Copy JSON", '"jsonrpc"'))
    assert request["params"]["arguments"]["text"] == TEXT
    screen.choose_of("127-0-0-1", "echo://ümlaut")
    screen.call("Read")
    expect(page.locator("#outcome")).to_contain_text("ä resource")
    message(screen, "echo://ümlaut")
    curl = copied(screen, "Copy as curl", "resources/read")
    assert answer(ran(["bash", "-eu"], tmp_path, curl))["contents"][0]["text"] == "ä resource"


def test_python_of_a_file_runs_and_curl_once_it_is_served(screen: Screen, folder: Path, origin: str) -> None:
    call(screen, "local")
    program = copied(screen, "Copy as Python", "asyncio")
    assert f"{PRINTED}|1|False" in ran([sys.executable, "-"], folder, program)
    curl = copied(screen, "Copy as curl", "curl")
    assert curl.startswith("# first: cloche run 'local.py' --http 127.0.0.1:8000\n")
    # The same server at another port, because others may use this one.
    served = curl.replace("http://127.0.0.1:8000", origin)
    assert answer(ran(["bash", "-eu"], folder, served))["content"][0]["text"] == f"{TEXT}|1|False"
