"""`cloche open`: a view in a real browser, what it does as lines of JSON, and the end of both."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect, sync_playwright
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Subprotocol

from tests.support.axe import violations
from tests.support.chromium import FLAGS
from tests.support.command import CLOCHE, DEADLINE, cloche, environment, refusal, serving, write
from tools.chromium import chromium, whole_chromium

SERVER = """
from cloche import Context, Server
server = Server("dice")

@server.tool(view="view.html")
async def throw(ctx: Context) -> dict[str, list[int]]:
    await ctx.progress(1, 4, "shaking")
    said = await ctx.elicit("How many?", {"type": "object", "properties": {"count": {"type": "integer"}}})
    return {"dice": [6] * (said.data["count"] if said.accepted else 0)}

@server.tool(view="view.html")
def roll(count: int = 2) -> dict[str, list[int]]:
    return {"dice": [6] * count}

@server.tool
def double(value: int) -> int:
    return 2 * value

@server.tool(visibility=["app"])
def helper() -> str:
    return "x"
"""

VIEW = """<!doctype html><meta charset="utf-8"><title>Dice</title>
<p id="dice">…</p><button id="tell">Tell</button><button id="call">Call</button><button id="note">Note</button>
<script>
  cloche.on("tool:result", ({ structuredContent }) => dice.textContent = structuredContent.dice.join(" "));
  const on = (id, what) => document.getElementById(id).onclick = what;
  on("tell", () => cloche.sendMessage("six it is"));
  on("call", async () => dice.textContent = (await cloche.callTool("double", { value: 21 })).content[0].text);
  on("note", () => cloche.updateModelContext({ content: [{ type: "text", text: "all sixes" }] }));
</script>
"""


@pytest.fixture
def dice(tmp_path: Path) -> Path:
    write(tmp_path, SERVER)
    write(tmp_path, VIEW, "view.html")
    return tmp_path


class Opened:
    """A running `cloche open`, and the lines that it prints."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.events: list[Any] = []

    def event(self, kind: str) -> Any:
        """Wait for the next event of a kind."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.events.append(json.loads(line))
            if self.events[-1]["event"] == kind:
                return self.events[-1]
        assert self.process.stderr is not None
        raise AssertionError(f"no {kind}: {self.events} {self.process.stderr.read()}")


@contextmanager
def opened(*arguments: str, folder: Path, **env: str) -> Generator[Opened, None, None]:
    process = subprocess.Popen(
        [sys.executable, "-m", "cloche", "open", *arguments],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(**env),
    )
    try:
        yield Opened(process)
    finally:
        process.kill()
        process.communicate()


def test_what_a_view_does_is_told_until_its_window_is_closed(dice: Path) -> None:
    words = ["server.py", "roll", "count=3", "--no-browser"]
    with opened(*words, folder=dice) as command, sync_playwright() as playwright:
        url = command.event("open")["url"]
        assert url.startswith("http://localhost:")
        browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
        page = browser.new_page(bypass_csp=True)
        page.set_default_timeout(DEADLINE * 1000)
        expect.set_options(timeout=DEADLINE * 1000)
        page.goto(url)
        view = page.frame_locator("mcp-app >> iframe").frame_locator("iframe")
        expect(view.locator("#dice")).to_have_text("6 6 6")
        assert page.title() == f"roll · {dice.name.replace('_', '-')[:32].strip('-')}"
        assert "token" not in page.url
        assert violations(page) == []
        view.get_by_role("button", name="Tell").click()
        assert command.event("message")["text"] == "six it is"
        view.get_by_role("button", name="Note").click()
        assert command.event("context")["content"] == [{"type": "text", "text": "all sixes"}]
        view.get_by_role("button", name="Call").click()
        assert command.event("call") == {"event": "call", "tool": "double", "arguments": {"value": 21}}
        assert command.event("answer")["result"]["content"][0]["text"] == "42"
        assert next(one for one in command.events if one["event"] == "result")["result"]["structuredContent"] == {
            "dice": [6, 6, 6]
        }
        page.reload()  # is not closing
        expect(view.locator("#dice")).to_have_text("6 6 6")
        second = browser.new_page(bypass_csp=True)  # the address works once
        second.goto(url)
        expect(second.get_by_role("status")).to_contain_text("This address was used before")
        assert violations(second) == []
        assert command.process.poll() is None
        browser.close()
        assert command.event("closed") == {"event": "closed"}
        assert command.process.wait(DEADLINE) == 0


def test_a_tool_that_asks_is_answered_in_its_window(dice: Path) -> None:
    with opened("server.py", "throw", "--no-browser", folder=dice) as command, sync_playwright() as playwright:
        page = playwright.chromium.launch(executable_path=chromium(), args=FLAGS).new_page(bypass_csp=True)
        page.set_default_timeout(DEADLINE * 1000)
        expect.set_options(timeout=DEADLINE * 1000)
        page.goto(command.event("open")["url"])
        dialog = page.get_by_role("alertdialog")
        expect(dialog).to_contain_text("How many?")
        expect(page.get_by_text("shaking")).to_have_count(1)
        assert violations(page) == []
        dialog.get_by_label("count").fill("2")
        page.locator("button.accept[aria-disabled=false]").wait_for()
        dialog.get_by_role("button", name="Send").click()
        view = page.frame_locator("mcp-app >> iframe").frame_locator("iframe")
        expect(view.locator("#dice")).to_have_text("6 6")
        assert command.event("result")["result"]["structuredContent"] == {"dice": [6, 6]}


def test_a_window_of_chromium_and_ctrl_c(dice: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    # The real browser, without a display: a machine that tests has none.
    folder = tmp_path_factory.mktemp("bin")
    os.mkfifo(folder / "words")
    script = folder / "windowed"
    browser = f'exec {whole_chromium()} --headless=new --disable-gpu "$@"'
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" $$ "$@" > "{folder}/words"\n{browser}\n')
    script.chmod(0o755)
    with opened("server.py", "roll", folder=dice, CLOCHE_CHROMIUM=str(script), DISPLAY=":99") as command:
        command.event("result")
        pid, *words = (folder / "words").read_text().splitlines()
        assert any(word.startswith("--app=http://localhost:") for word in words)
        profile = next(word.partition("=")[2] for word in words if word.startswith("--user-data-dir="))
        command.process.send_signal(signal.SIGINT)
        command.event("closed")
        assert command.process.wait(DEADLINE) == 0
        assert not os.path.exists(f"/proc/{pid}")
        assert not os.path.exists(profile)


def test_strangers_are_not_let_in(dice: Path) -> None:
    with opened("server.py", "roll", "--no-browser", folder=dice) as command:
        url = command.event("open")["url"]
        address = url.partition("/#")[0].removeprefix("http://")

        def hello(frame: str, origin: str, **options: Any) -> Any:
            kind = [Subprotocol("cloche.window.1")]
            target = f"ws://{address}/window/socket"
            with connect(target, origin=origin, subprotocols=kind, **options) as socket:  # type: ignore[arg-type]
                socket.send(frame)
                return json.loads(socket.recv(timeout=DEADLINE))

        own = f"http://{address}"
        for frame in ("{}", '{"token": "guess", "key": ""}', '{"token": 1}', "nonsense", '{"token": "a", "more": 1}'):
            with pytest.raises(ConnectionClosed) as refused:
                hello(frame, own)
            assert refused.value.rcvd is not None
            assert refused.value.rcvd.reason == "token"
        token = url.partition("token=")[2]
        with pytest.raises(Exception, match="403"):
            hello(json.dumps({"token": token}), "https://elsewhere.example")
        assert "key" in hello(json.dumps({"token": token}), own)
        with pytest.raises(ConnectionClosed):
            hello(json.dumps({"token": token}), own)


def test_mistakes_are_explained(dice: Path) -> None:
    write(dice, CLOCHE, "plain.py")
    assert "did you mean 'roll'?" in refusal("open", "server.py", "rol", folder=dice)
    assert "cloche call shows its result" in refusal("open", "plain.py", "add", "a=1", "b=2", folder=dice)
    assert "count: expected a whole number" in refusal("open", "server.py", "roll", "count=x", folder=dice)
    assert "name a tool" in refusal("open", "server.py", folder=dice)
    assert cloche("open", "--no-browser", "roll", "--", "false", folder=dice).returncode == 3


def test_a_server_behind_a_token(dice: Path) -> None:
    token = "s3cr3t-s3cr3t-s3cr3t"
    write(dice, f"{token} ada\n", "tokens")
    with serving("server.py", "--http", "0", "--token-file", "tokens", folder=dice) as running:
        with opened(running.url, "roll", "--no-browser", folder=dice, CLOCHE_TOKEN=token) as command:
            assert command.event("result")["result"]["structuredContent"] == {"dice": [6, 6]}
        assert cloche("open", running.url, "roll", "--no-browser", folder=dice).returncode == 3
