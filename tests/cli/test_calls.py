"""`cloche list`, `call`, `read` and `prompt`: every kind of server, programs and people, and what goes wrong."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.cli.test_terminal import at_a_terminal
from tests.support.command import FILES, cloche, serving, started, write

TOKEN = "s3cr3t-s3cr3t-s3cr3t"

KITCHEN = '''
import asyncio, os
from dataclasses import dataclass
from typing import Literal

from cloche import Context, Server

print("printed at import")
server = Server("kitchen", version="2.1", instructions="Ask the cook.")


@server.tool(annotations={"readOnlyHint": True})
def cook(dish: str, portions: int = 2, heat: Literal["low", "high"] = "low") -> dict[str, object]:
    """Cook a dish.

    It takes a while."""
    print("printed in the tool")
    return {"dish": dish, "portions": portions, "heat": heat}


@server.tool
def burn() -> str:
    raise ValueError("it \\x1b[31mburnt")


@server.tool
def secret() -> str:
    return os.environ.get("SECRET", "none")


@server.tool
async def simmer(ctx: Context) -> str:
    await ctx.progress(1, 4, "stirring")
    await ctx.info("the pot \\x1b[31mboils")
    return "done"


@server.tool
async def wait(ctx: Context) -> str:
    await ctx.progress(1, None, "waiting")
    open("waiting", "w").close()
    try:
        await asyncio.Event().wait()
    except asyncio.CancelledError:
        open("cancelled", "w").close()
        raise


@dataclass
class Guest:
    name: str
    seats: int = 2
    spicy: bool = False


@server.tool
async def reserve(ctx: Context) -> str:
    got = await ctx.elicit("Who is coming?", Guest)
    return f"{got.action} {got.data}"


@server.resource("menu://today", mime_type="text/markdown")
def menu() -> str:
    """Today's menu."""
    return "# Soup"


@server.resource("photo://soup", mime_type="image/png")
def photo() -> bytes:
    return b"\\x89PNG\\xff"


@server.prompt
def recipe(dish: str, guests: str = "2") -> str:
    """Write a recipe."""
    return f"How do I cook {dish} for {guests}?"
'''


@pytest.fixture
def kitchen(tmp_path: Path) -> Path:
    write(tmp_path, KITCHEN)
    return tmp_path


def answer(*arguments: str, folder: Path, code: int = 0, **env: str) -> Any:
    """What a command prints for programs."""
    done = cloche(*arguments, folder=folder, **env)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def test_list_for_programs_and_for_people(kitchen: Path) -> None:
    found = answer("list", "server.py", folder=kitchen)
    assert found["server"] == {"name": "kitchen", "version": "2.1"}
    assert (found["instructions"], found["protocolVersion"]) == ("Ask the cook.", "2026-07-28")
    assert [tool["name"] for tool in found["tools"]][:2] == ["cook", "burn"]
    assert found["tools"][0]["inputSchema"]["required"] == ["dish"]
    assert [one["uri"] for one in found["resources"]] == ["menu://today", "photo://soup"]
    assert [one["name"] for one in found["prompts"]] == ["recipe"]
    shown = cloche("list", "server.py", "-o", "text", folder=kitchen).stdout
    assert shown.startswith("kitchen 2.1: 6 tools, 2 resources, 1 prompt, protocol 2026-07-28\nAsk the cook.\n")
    row = next(line for line in shown.splitlines() if "cook " in line and "dish" in line)
    assert row.split() == ["cook", "dish", "portions=2", 'heat="low"', "Cook", "a", "dish."]
    tool = cloche("list", "server.py", "cook", "-o", "text", folder=kitchen).stdout
    assert "It takes a while." in tool
    assert "The server says: readOnly" in tool
    assert tool.rstrip().endswith("cloche call server.py cook dish=…")
    assert answer("list", "server.py", "cook", folder=kitchen)["name"] == "cook"


def test_call_for_programs_keeps_what_servers_print_off_stdout(kitchen: Path) -> None:
    done = cloche("call", "server.py", "cook", "dish=soup", "portions=3", "heat=high", folder=kitchen)
    result = json.loads(done.stdout)
    assert result["structuredContent"] == {"dish": "soup", "portions": 3, "heat": "high"}
    assert result["isError"] is False
    assert "printed at import\nprinted in the tool\n" in done.stderr
    given = '{"dish": "stew", "portions": 1}'
    assert answer("call", "server.py", "cook", "--json", given, folder=kitchen)["structuredContent"]["dish"] == "stew"
    (kitchen / "given.json").write_text(given, "utf-8")
    from_file = answer("call", "server.py", "cook", "--json", "@given.json", folder=kitchen)
    assert from_file["structuredContent"]["portions"] == 1
    piped = cloche("call", "server.py", "cook", "--json", "-", folder=kitchen, stdin=given)
    assert json.loads(piped.stdout)["structuredContent"]["dish"] == "stew"


def test_a_tool_that_fails_is_exit_code_1_and_cannot_steer_the_terminal(kitchen: Path) -> None:
    assert answer("call", "server.py", "burn", folder=kitchen, code=1)["isError"] is True
    done = cloche("call", "server.py", "burn", "-o", "text", folder=kitchen)
    assert done.returncode == 1
    assert done.stdout == "The tool burn failed: it ⟨U+001B⟩[31mburnt\n"


def test_read_and_prompt(kitchen: Path) -> None:
    read = answer("read", "server.py", "menu://today", folder=kitchen)
    assert read == {"contents": [{"uri": "menu://today", "mimeType": "text/markdown", "text": "# Soup"}]}
    assert cloche("read", "server.py", "menu://today", "-o", "text", folder=kitchen).stdout == "# Soup\n"
    shown = cloche("read", "server.py", "photo://soup", "-o", "text", folder=kitchen).stdout
    assert shown == "[image/png, 6 bytes; --raw > FILE keeps it]\n"
    with open(kitchen / "photo.png", "wb") as file:
        command = [sys.executable, "-m", "cloche", "read", "server.py", "photo://soup", "--raw"]
        subprocess.run(command, cwd=kitchen, stdout=file, stderr=subprocess.DEVNULL, check=True, timeout=30)
    assert (kitchen / "photo.png").read_bytes() == b"\x89PNG\xff"
    assert "did you mean 'menu://today'?" in errors_of("read", "server.py", "menu://todey", folder=kitchen, code=1)
    filled = answer("prompt", "server.py", "recipe", "dish=soup", folder=kitchen)
    assert filled["messages"] == [{"role": "user", "content": {"type": "text", "text": "How do I cook soup for 2?"}}]
    shown = cloche("prompt", "server.py", "recipe", "dish=soup", "guests=5", "-o", "text", folder=kitchen).stdout
    assert shown == "user:\nHow do I cook soup for 5?\n"


def errors_of(*arguments: str, folder: Path, code: int) -> str:
    """The last line on stderr of a command that fails; nothing is on stdout."""
    done = cloche(*arguments, folder=folder)
    assert (done.returncode, done.stdout) == (code, ""), done
    assert "Traceback" not in done.stderr
    last = done.stderr.rstrip("\n").splitlines()[-1]
    assert last.startswith("Error: ")
    return last


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["call", "server.py", "cok"], "the server has no tool 'cok': did you mean 'cook'?"),
        (["call", "server.py"], "name a tool: there are cook, burn"),
        (["call", "server.py", "cook"], "cook needs the argument 'dish': add dish=…"),
        (["call", "server.py", "cook", "dish=a", "portions=many"], "portions: expected a whole number, got 'many'"),
        (["call", "server.py", "cook", "--json", "{"], "--json is not JSON"),
        (["call", "server.py", "cook", "--json", "[]"], "--json takes a JSON object"),
        (["call", "server.py", "cook", "dish=a", "--json", "{}"], "--json has all arguments: leave out 'dish=a'"),
        (["call"], "name a server"),
        (["list", "server.py", "cook", "burn"], "one tool at a time"),
        (["prompt", "server.py", "recip"], "the server has no prompt 'recip': did you mean 'recipe'?"),
        (["prompt", "server.py", "recipe"], "recipe needs the argument 'dish'"),
        (["read", "server.py"], "name one URI"),
        (["call", "server.py", "cook", "--header", "A: b"], "--header is for a server behind a URL"),
        (["call", "server.py", "cook", "--token", "abc"], "--token is for a server behind a URL"),
        (["list", "http://localhost:9", "--env", "A=b"], "--env is for a file or a command"),
        (["list", "http://localhost:9", "--header", "nonsense"], "--header takes NAME:VALUE"),
        (["list", "http://localhost:9", "--token", "a b"], "the token has characters"),
        (["list", "server.py", "--env", "NO_SUCH_VARIABLE_HERE"], "there is no such variable here"),
        (["list", "--", "no-such-program"], "The command 'no-such-program' was not found"),
        (["lst"], "there is no command 'lst': did you mean list?"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_mistakes_are_explained(kitchen: Path, arguments: list[str], said: str) -> None:
    assert said in errors_of(*arguments, folder=kitchen, code=2)


@pytest.mark.parametrize("library", ["mcp", "fastmcp"])
def test_files_of_other_libraries(tmp_path: Path, library: str) -> None:
    write(tmp_path, FILES[library])
    assert answer("call", "server.py", "add", "a=2", "b=3", folder=tmp_path)["content"][0]["text"] == "5"
    assert "did you mean 'add'?" in errors_of("call", "server.py", "ad", "a=1", folder=tmp_path, code=2)


def test_a_command_and_its_environment(kitchen: Path) -> None:
    command = ["--", sys.executable, "-m", "cloche", "run", "server.py"]
    assert answer("list", *command, folder=kitchen)["server"]["name"] == "kitchen"
    cooked = answer("call", "cook", "dish=soup", *command, folder=kitchen)
    assert cooked["structuredContent"]["dish"] == "soup"

    def secret(*arguments: str) -> str:
        text: str = answer("call", *arguments, folder=kitchen, SECRET="of this shell")["content"][0]["text"]
        return text

    assert secret("secret", *command) == "none"
    assert secret("secret", "--env", "SECRET=x=y", *command) == "x=y"
    assert secret("secret", "--env", "SECRET", *command) == "of this shell"
    assert secret("server.py", "secret", "--env", "SECRET=mine") == "mine"
    assert secret("server.py", "secret") == "of this shell"


def test_a_url_with_a_token_in_list_call_and_check(kitchen: Path) -> None:
    write(kitchen, f"{TOKEN} ada\n", "tokens")
    with serving("server.py", "--http", "0", "--token-file", "tokens", folder=kitchen) as running:
        said = errors_of("list", running.url, folder=kitchen, code=3)
        assert "the server wants a token: set CLOCHE_TOKEN, or add --token or --header" in said
        assert "wants a token" in errors_of("list", running.url, "--token", "wrong", folder=kitchen, code=3)
        assert answer("list", running.url, "--token", TOKEN, folder=kitchen)["server"]["name"] == "kitchen"
        header = ["--header", f"Authorization: Bearer {TOKEN}"]
        cooked = answer("call", running.url, "cook", "dish=soup", *header, folder=kitchen)
        assert cooked["structuredContent"]["dish"] == "soup"
        by_variable = answer("call", running.url, "cook", "dish=stew", folder=kitchen, CLOCHE_TOKEN=TOKEN)
        assert by_variable["structuredContent"]["dish"] == "stew"
        assert "--token" in cloche("check", running.url, "--static", folder=kitchen).stdout
        assert cloche("check", running.url, "--static", "--token", TOKEN, folder=kitchen).returncode == 0
        playground = ["-m", "cloche", "dev", running.url, "--no-open", "--port", "0"]
        with started(playground, kitchen) as refused:
            assert "or CLOCHE_TOKEN" in refused.line(starting="The server '127-0-0-1' at")


def test_nobody_there_is_exit_code_3(kitchen: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    errors_of("list", f"http://127.0.0.1:{port}/mcp", folder=kitchen, code=3)
    errors_of("list", f"ws://127.0.0.1:{port}/mcp", folder=kitchen, code=3)
    died = errors_of("list", "--", sys.executable, "-c", "raise SystemExit('out of flour')", folder=kitchen, code=3)
    assert "out of flour" in died


def test_a_websocket(kitchen: Path) -> None:
    with started(["-m", "cloche", "run", "server.py", "--websocket", "0"], kitchen, until="ws://") as running:
        cooked = answer("call", running.url, "cook", "dish=soup", folder=kitchen)
        assert cooked["structuredContent"]["dish"] == "soup"


def test_logs_with_verbose_only(kitchen: Path) -> None:
    for target in (["server.py", "simmer"], ["simmer", "--", sys.executable, "-m", "cloche", "run", "server.py"]):
        at = target.index("--") if "--" in target else len(target)
        loud = cloche("call", *target[:at], "--verbose", *target[at:], folder=kitchen)
        assert json.loads(loud.stdout)["content"][0]["text"] == "done"
        assert "info: the pot ⟨U+001B⟩[31mboils" in loud.stderr
        assert "boils" not in cloche("call", *target, folder=kitchen).stderr


def test_a_time_out_is_no_answer(kitchen: Path) -> None:
    assert "timed out" in errors_of("call", "server.py", "wait", "--timeout", "1", folder=kitchen, code=3)


def test_without_a_terminal_questions_are_declined(kitchen: Path) -> None:
    done = cloche("call", "server.py", "reserve", "-o", "text", folder=kitchen)
    assert done.stdout == "decline None\n"
    assert "kitchen asked: Who is coming? (declined: there is no terminal to answer at)" in done.stderr


def test_at_a_terminal_questions_are_asked(kitchen: Path) -> None:
    with at_a_terminal("call", "server.py", "reserve", "-o", "text", folder=kitchen, NO_COLOR="1") as terminal:
        terminal.until("kitchen asks: Who is coming?")
        terminal.until("name: ")
        os.write(terminal.end, b"\n")
        terminal.until("name is required.")
        os.write(terminal.end, b"Ada\n")
        terminal.until("seats (optional) [2]: ")
        os.write(terminal.end, b"many\n")
        terminal.until("seats: expected a whole number, got 'many'")
        os.write(terminal.end, b"4\n")
        terminal.until("spicy (yes or no, optional) [False]: ")
        os.write(terminal.end, b"\n")
        terminal.until("Send this? [Y/n] ")
        os.write(terminal.end, b"\n")
        assert terminal.process.wait(20) == 0
    with at_a_terminal("call", "server.py", "reserve", "-o", "text", folder=kitchen) as terminal:
        terminal.until("name: ")
        os.write(terminal.end, b"\x04")
        assert terminal.process.wait(20) == 0


def test_ctrl_c_cancels_the_call(kitchen: Path) -> None:
    command = [sys.executable, "-m", "cloche", "run", "server.py"]
    with at_a_terminal("call", "wait", "--", *command, folder=kitchen) as terminal:
        terminal.until("waiting")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.process.wait(20) == 130
    assert (kitchen / "cancelled").exists()


def test_progress_is_shown_at_a_terminal(kitchen: Path) -> None:
    with at_a_terminal("call", "server.py", "wait", folder=kitchen, NO_COLOR="1") as terminal:
        terminal.until("waiting")
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.process.wait(20) == 130


def test_every_command_has_short_help_and_help_imports_little(tmp_path: Path) -> None:
    from cloche.cli.commands import COMMANDS

    shown = cloche("-h", folder=tmp_path).stdout
    assert all(f"  {name} " in shown for name in COMMANDS)
    for name in COMMANDS:
        done = cloche(name, "-h", folder=tmp_path)
        assert (done.returncode, done.stdout.startswith(f"Usage: cloche {name} ")) == (0, True), done
    heavy = ("asyncio", "uvicorn", "rich", "cloche.host", "cloche.client", "cloche.browser.bundle", "mcp", "pydantic")
    for words, allowed in (["--help"], ()), (["run", "missing.py"], ("asyncio",)):
        code = (
            "import sys\nfrom cloche.cli import main\ntry:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
            f"found = [name for name in {heavy!r} if name in sys.modules]\nsys.exit(','.join(found))"
        )
        done = subprocess.run(
            [sys.executable, "-c", code, *words], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=30
        )
        loaded = set(done.stderr.splitlines()[-1].split(",")) if done.returncode else set()
        assert {one for one in loaded if one in heavy} <= set(allowed), done.stderr
