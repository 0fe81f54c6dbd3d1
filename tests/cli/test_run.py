"""`cloche run`, as a process: stdio, HTTP, stopping, and what it says."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import (
    CLOCHE,
    DEADLINE,
    FASTMCP,
    FILES,
    HEADERS,
    INITIALIZE,
    INITIALIZED,
    Running,
    cloche,
    environment,
    refusal,
    serving,
    started,
    write,
)

KINDS = pytest.mark.parametrize("kind", FILES)
TOKEN = "a-token-that-nobody-guesses"


def result_of(text: str) -> Any:
    """The result in a JSON or an SSE body."""
    line = next(line for line in text.splitlines() if line.startswith(("data: {", "{")))
    return json.loads(line.removeprefix("data: "))["result"]


@KINDS
def test_stdio(tmp_path: Path, kind: str) -> None:
    write(tmp_path, "print('hello')\nimport os\nos.system('echo from a child')\n" + FILES[kind])
    done = cloche("run", "server.py", folder=tmp_path, stdin=json.dumps(INITIALIZE) + "\n")
    assert done.returncode == 0
    (line,) = done.stdout.splitlines()
    assert json.loads(line)["result"]["serverInfo"]["name"] == "pantry"
    assert done.stderr.splitlines()[:2] == ["hello", "from a child"]
    assert "http" not in done.stderr


@KINDS
def test_http(tmp_path: Path, kind: str) -> None:
    write(tmp_path, FILES[kind])
    with serving("server.py", "--http", "127.0.0.1:0", folder=tmp_path) as running:
        counts = "" if kind == "lowlevel" else ": 1 tool, 0 resources, 0 prompts"
        assert running.said == [f"pantry{counts}", running.url]
        assert running.url == f"http://127.0.0.1:{running.address[1]}/mcp"
        status, text = running.request(INITIALIZE)
        assert status == 200
        assert result_of(text)["serverInfo"]["name"] == "pantry"
        assert running.request(INITIALIZE, path="/elsewhere")[0] == 404
        assert running.stop(signal.SIGINT) == 0
        assert running.process.stdout is not None
        assert running.process.stdout.read() == ""


@pytest.mark.parametrize("kind", ["mcp", "fastmcp", "lowlevel"])
def test_http_runs_the_lifespan(tmp_path: Path, kind: str) -> None:
    lifespan = (
        "import sys\nfrom contextlib import asynccontextmanager\n"
        "@asynccontextmanager\nasync def life(_):\n"
        "    print('opened', file=sys.stderr)\n    yield {}\n    print('closed', file=sys.stderr)\n"
    )
    write(tmp_path, lifespan + FILES[kind].replace('("pantry"', '("pantry", lifespan=life'))
    with serving("server.py", "--http", "0", folder=tmp_path) as running:
        assert running.said[0] == "opened"
        running.process.terminate()
        running.line(starting="closed")


@pytest.mark.parametrize("kind", ["mcp", "fastmcp", "lowlevel"])
@pytest.mark.parametrize(
    ("case", "headers", "status"),
    [
        ("H01", {"host": "evil.example"}, 421),
        ("H02", {"host": "localhost:1"}, 421),
        ("H03", {"origin": "http://evil.example"}, 403),
        ("H04", {"origin": "http://localhost:9"}, 403),
        ("H05", {"sec_fetch_site": "cross-site"}, 403),
    ],
)
def test_H01_to_H05_hold_for_foreign_servers(
    tmp_path: Path, kind: str, case: str, headers: dict[str, str], status: int
) -> None:
    write(tmp_path, FILES[kind])
    with serving("server.py", "--http", "0", folder=tmp_path) as running:
        assert running.request(INITIALIZE, **headers)[0] == status, case
        assert running.request(INITIALIZE)[0] == 200


@KINDS
def test_allowed_hosts_and_origins_reach_the_server(tmp_path: Path, kind: str) -> None:
    write(tmp_path, FILES[kind])
    options = ["--allow-host", "mcp.example", "--allow-origin", "https://app.example"]
    with serving("server.py", "--http", "0", *options, folder=tmp_path) as running:
        assert running.request(INITIALIZE, host="mcp.example")[0] == 200
        assert running.request(INITIALIZE, host="mcp.example", origin="https://app.example")[0] == 200
        assert running.request(INITIALIZE, host="other.example")[0] == 421
        assert running.request(INITIALIZE)[0] == 200


def test_H08_the_guard_is_in_front_of_every_route(tmp_path: Path) -> None:
    route = (
        "from starlette.responses import PlainTextResponse\n"
        "@server.custom_route('/health', methods=['GET'])\n"
        "async def health(request): return PlainTextResponse('fine')\n"
    )
    write(tmp_path, FASTMCP + route)
    with serving("server.py", "--http", "0", folder=tmp_path) as running:
        assert running.request(None, "GET", "/health") == (200, "fine")
        assert running.request(None, "GET", "/health", host="evil.example")[0] == 421


@KINDS
def test_H09_a_public_address_needs_auth_or_a_word(tmp_path: Path, kind: str) -> None:
    write(tmp_path, FILES[kind])
    for address in ("0.0.0.0:0", "[::]:0"):
        said = refusal("run", "server.py", "--http", address, folder=tmp_path)
        assert "--token-file FILE" in said
        assert "--allow-public" in said
    with serving("server.py", "--http", "0.0.0.0:0", "--allow-public", folder=tmp_path) as running:
        assert running.request(INITIALIZE)[0] == 200


@KINDS
def test_H09_a_public_address_with_tokens(tmp_path: Path, kind: str) -> None:
    write(tmp_path, FILES[kind])
    write(tmp_path, f"# who may call\n\n{TOKEN} alice read write\n", "tokens.txt")
    options = ["--http", "0.0.0.0:0", "--token-file", "tokens.txt"]
    with serving("server.py", *options, folder=tmp_path) as running:
        status, text, headers = running.exchange(INITIALIZE)
        assert status == 401
        assert headers["www-authenticate"].startswith("Bearer ")
        assert TOKEN not in text
        assert running.request(INITIALIZE, authorization="Bearer wrong-but-long-enough")[0] == 401
        assert running.request(INITIALIZE, authorization=f"Bearer {TOKEN}")[0] == 200


def test_a_foreign_server_with_auth_of_its_own_may_be_public(tmp_path: Path) -> None:
    text = FASTMCP.replace(
        '("pantry")', '("pantry", auth=StaticTokenVerifier({"secret": {"client_id": "a", "scopes": []}}))'
    )
    write(tmp_path, "from fastmcp.server.auth import StaticTokenVerifier\n" + text)
    with serving("server.py", "--http", "0.0.0.0:0", folder=tmp_path) as running:
        assert running.request(INITIALIZE)[0] == 401
        assert running.request(INITIALIZE, authorization="Bearer secret")[0] == 200


def test_every_line_of_a_token_file_is_somebody(tmp_path: Path) -> None:
    from cloche.cli.token_file import read_tokens
    from cloche.errors import ConfigurationError

    path = tmp_path / "tokens.txt"
    path.write_text(f"{TOKEN}-1 alice read write\n# {TOKEN}-9\n{TOKEN}-2\n{TOKEN}-3\n", "utf-8")

    async def who(token: str) -> Any:
        return await read_tokens(path).verify(token)

    import asyncio

    alice, second, third = (asyncio.run(who(f"{TOKEN}-{number}")) for number in (1, 2, 3))
    assert (alice.id, alice.scopes) == ("alice", {"read", "write"})
    assert second.id != third.id
    assert asyncio.run(who(f"{TOKEN}-9")) is None
    path.write_text(f"{TOKEN} a\n{TOKEN} b\n", "utf-8")
    with pytest.raises(
        ConfigurationError, match=r"^tokens.txt, line 2: the token stands in the file twice, remove one$"
    ):
        read_tokens(path)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "the token file 'tokens.txt' cannot be read: no such file or directory"),
        (b"", "tokens.txt has no tokens: write lines of TOKEN [PRINCIPAL [SCOPE…]]"),
        (b"# only words\n", "tokens.txt has no tokens: write lines of TOKEN [PRINCIPAL [SCOPE…]]"),
        (b"\xff\xfe\x00", "the token file 'tokens.txt' is not a text file in UTF-8"),
    ],
)
def test_bad_token_files(tmp_path: Path, content: bytes | None, said: str) -> None:
    write(tmp_path, CLOCHE)
    if content is not None:
        (tmp_path / "tokens.txt").write_bytes(content)
    assert refusal("run", "server.py", "--http", "0", "--token-file", "tokens.txt", folder=tmp_path) == said


@pytest.mark.parametrize("kind", ["cloche", "mcp", "fastmcp"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_open_stream_does_not_hold_up_the_end(tmp_path: Path, kind: str, number: int) -> None:
    write(tmp_path, FILES[kind])
    with serving("server.py", "--http", "0", folder=tmp_path) as running:
        session = running.exchange(INITIALIZE)[2].get("mcp-session-id", "")
        running.request(INITIALIZED, mcp_session_id=session)
        connection = http.client.HTTPConnection(*running.address, timeout=DEADLINE)
        try:
            connection.request("GET", "/mcp", None, {**HEADERS, "mcp-session-id": session})
            stream = connection.getresponse()
            assert stream.status == 200
            assert running.stop(number) == 0
            with suppress(http.client.IncompleteRead):
                stream.read()
            rest = running.process.stderr.read() if running.process.stderr else ""
            assert rest == ""
        finally:
            connection.close()


STUCK = """
import sys, threading

@server.tool
def stuck() -> int:
    print("stuck", file=sys.stderr)
    threading.Event().wait()
"""
CALL_STUCK = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "stuck", "arguments": {}}}


@contextmanager
def stuck_in_a_thread(tmp_path: Path, seconds: float) -> Generator[Running, None, None]:
    """A fastmcp server, whose lifespan waits for a tool that never returns."""
    write(tmp_path, FASTMCP + STUCK)
    code = f"from cloche.cli import main, run; run.STOP_SECONDS = {seconds}; main()"
    with started(["-c", code, "run", "server.py", "--http", "0", "--sessionless"], tmp_path) as running:
        connection = http.client.HTTPConnection(*running.address, timeout=DEADLINE)
        try:
            headers = {**HEADERS, "mcp-protocol-version": "2025-11-25"}
            connection.request("POST", "/mcp", json.dumps(CALL_STUCK), headers)
            running.line(starting="stuck")
            yield running
        finally:
            connection.close()


def test_a_stuck_thread_does_not_hold_up_the_end(tmp_path: Path) -> None:
    with stuck_in_a_thread(tmp_path, 2.5) as running:
        running.process.terminate()
        assert running.line(starting="Error") == "Error: a request or the lifespan did not end in time: left without it"
        assert running.process.wait(DEADLINE) == 1


def test_who_presses_ctrl_c_three_times_is_let_go(tmp_path: Path) -> None:
    with stuck_in_a_thread(tmp_path, DEADLINE) as running:
        for _ in range(10):  # not three: signals that arrive together count once
            running.process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                running.process.wait(0.3)
        # The second time ends it before the lifespan is waited for, the third while it is, and one more may meet Python
        # on its way out. Whoever presses it wants it over, and it is: it did not wait for the thread.
        assert running.process.wait(0) in (0, 130, -signal.SIGINT)


def test_a_lifespan_that_fails(tmp_path: Path) -> None:
    lifespan = (
        "from contextlib import asynccontextmanager\n"
        "@asynccontextmanager\nasync def life(_):\n    raise ValueError('no database')\n    yield\n"
    )
    write(tmp_path, lifespan + FASTMCP.replace('("pantry")', '("pantry", lifespan=life)'))
    done = cloche("run", "server.py", "--http", "0", folder=tmp_path)
    assert done.returncode == 1
    assert "ValueError: no database" in done.stderr
    assert done.stderr.splitlines()[-1] == "Error: the server's lifespan failed at start: the log above says why"


def test_server_run_http_serves_the_same_way(tmp_path: Path) -> None:
    write(tmp_path, CLOCHE + "\nif __name__ == '__main__':\n    server.run('http', port=0)\n    print('after')\n")
    with started(["server.py"], tmp_path) as running:
        assert running.said == ["pantry: 1 tool, 0 resources, 0 prompts", running.url]
        assert running.request(INITIALIZE)[0] == 200
        assert running.request(INITIALIZE, host="evil.example")[0] == 421
        assert running.stop() == 0
        assert running.process.stdout is not None
        assert running.process.stdout.read() == "after\n"


def test_H09_server_run_http_refuses_a_public_address_too(tmp_path: Path) -> None:
    code = f"{CLOCHE}\nserver.run('http', host='0.0.0.0', port=0, **options)"
    done = subprocess.run(
        [sys.executable, "-c", f"options = {{}}\n{code}"],
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 1
    assert "allow_public=True" in done.stderr.splitlines()[-1]
    with started(["-c", f"options = {{'allow_public': True}}\n{code}"], tmp_path) as running:
        assert running.request(INITIALIZE)[0] == 200


def test_one_may_be_called_by_the_address_one_listens_on(tmp_path: Path) -> None:
    write(tmp_path, CLOCHE)
    with serving("server.py", "--http", "127.0.0.2:0", folder=tmp_path) as running:
        assert running.url.startswith("http://127.0.0.2:")
        assert running.request(INITIALIZE)[0] == 200


def test_port_taken(tmp_path: Path) -> None:
    write(tmp_path, CLOCHE)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        said = refusal("run", "server.py", "--http", str(port), folder=tmp_path, code=1)
        assert said == f"port {port} on 127.0.0.1 is taken: stop what uses it, choose another, or 0 for a free one"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["run"], "Missing argument 'FILE[:OBJECT]'."),
        (["run", "missing.py"], "there is no file 'missing.py': check the path"),
        (["run", "server.py", "--http", "99999"], "--http '99999' has no valid port"),
        (
            ["run", "server.py", "--http", "192.0.2.1:0", "--allow-public"],
            "192.0.2.1 is not an address of this machine",
        ),
        (["run", "server.py", "--sessionless"], "--sessionless is for HTTP: add --http HOST:PORT, or leave it out"),
        (["run", "server.py", "--allow-host", "a"], "--allow-host is for HTTP: add --http HOST:PORT, or leave it out"),
        (["run", "server.py", "--http", "0", "--header-timeout", "0"], "--header-timeout is a number of seconds"),
        (["run", "server.py", "--http", "0", "--header-timeout", "nan"], "--header-timeout is a number of seconds"),
        (["run", "server.py", "--http", "0", "--max-connections", "-1"], "--max-connections is a number"),
        (["run", "server.py", "--no-such"], "No such option"),
        (["no-such"], "there is no command 'no-such'"),
    ],
)
def test_usage_errors_are_one_line(tmp_path: Path, arguments: list[str], said: str) -> None:
    write(tmp_path, CLOCHE)
    found = refusal(*arguments, folder=tmp_path)
    assert found.startswith(said)
    assert "\n" not in found


def test_an_option_that_was_renamed_still_works_and_says_its_name(tmp_path: Path) -> None:
    done = cloche("run", "server.py", "--stateless", folder=tmp_path)
    first, second = done.stderr.splitlines()
    assert first == "--stateless is now called --sessionless"
    assert second == "Error: --sessionless is for HTTP: add --http HOST:PORT, or leave it out"


def test_import_errors_show_the_users_lines_and_no_others(tmp_path: Path) -> None:
    write(tmp_path, "import larder\n")
    write(tmp_path, "import json\njson.loads('{')\n", "larder.py")
    said = refusal("run", "server.py", folder=tmp_path)
    assert said.splitlines()[1:] == ["  server.py, line 1: import larder", "  larder.py, line 2: json.loads('{')"]


def test_version_and_help(tmp_path: Path) -> None:
    for arguments, start in [(["--version"], "cloche "), (["--help"], "Usage: cloche"), ([], "Usage: cloche")]:
        done = cloche(*arguments, folder=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(start)
    done = cloche("run", "--help", folder=tmp_path)
    assert "--header-timeout" in done.stdout


def without(module: str, *arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """`cloche` where a module is not installed."""
    code = f"import sys; sys.modules[{module!r}] = None\nfrom cloche.cli import main; main({list(arguments)!r})"
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=DEADLINE,
        env=environment(),
        check=False,
    )


def test_a_missing_extra_is_named(tmp_path: Path) -> None:
    write(tmp_path, CLOCHE)
    done = without("click", "run", "server.py", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: the cloche command needs the extra 'cli': pip install 'cloche[cli]'\n"
    done = without("uvicorn", "run", "server.py", "--http", "0", folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "Error: cloche run --http needs the extra 'http': pip install 'cloche[http]'\n"


def test_python_m_cloche_cli_is_the_same(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cloche.cli", "--version"], capture_output=True, text=True, timeout=DEADLINE, check=True
    )
    assert done.stdout.startswith("cloche ")
