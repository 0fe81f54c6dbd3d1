"""Who may use the playground: pages of this machine at its own port, and only with the token (H01 to H09)."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from cloche.dev.playground import Playground
from cloche.dev.servers import of_command, of_url
from cloche.dev.site import SOCKET, SUBPROTOCOL, files
from tests.support.command import CLOCHE, Running, refusal, serving, started, write
from tests.support.playground import playground


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("guards")
    with playground(write(folder, CLOCHE), folder=folder) as process:
        yield process


def answer(running: Running, method: str, path: str, body: str | None = None, **headers: str) -> tuple[int, str | None]:
    """The status, and to whom the answer may be shown."""
    connection = http.client.HTTPConnection("127.0.0.1", running.address[1], timeout=20)
    try:
        connection.request(method, path, body, headers=headers)
        got = connection.getresponse()
        return got.status, got.getheader("Access-Control-Allow-Origin")
    finally:
        connection.close()


def get(running: Running, path: str, **headers: str) -> int:
    return answer(running, "GET", path, **headers)[0]


def token_of(running: Running) -> str:
    return running.url.partition("#token=")[2]


ROUTES = [*files(), "/cloche/mcp-app.js", "/cloche/self-test"]


@pytest.mark.parametrize("path", ROUTES)
def test_H02_names_are_taken_to_the_letter(running: Running, path: str) -> None:
    port = running.address[1]
    assert get(running, path, Host=f"localhost:{port}") == 200
    for name in ("localhost", "localhost:9", f"localhost.:{port}", f"localhost:{port}0", ""):
        assert get(running, path, Host=name) in (400, 421), name


@pytest.mark.parametrize("path", [*ROUTES, SOCKET, "/cloche/socket"])
def test_H06_H07_no_form_of_another_site_does_anything_and_nothing_is_shared(running: Running, path: str) -> None:
    evil = {"Origin": "http://evil.example"}
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/json"):
        status, shared = answer(running, "POST", path, "{}", **{"Content-Type": kind}, **evil)
        assert (status, shared) == (403, None)
        status, shared = answer(running, "POST", path, "{}", **{"Content-Type": kind})
        assert status in (403, 404, 405, 426), (path, kind)
        assert shared is None
    asked = {"Access-Control-Request-Method": "POST", **evil}
    assert answer(running, "OPTIONS", path, **asked) == (403, None)


def test_H09_it_listens_on_this_machine_alone(running: Running) -> None:
    port = running.address[1]
    rows = [line.split() for name in ("tcp", "tcp6") for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]
    listening = [
        row[1].partition(":")[0] for row in rows if row[3] == "0A" and int(row[1].partition(":")[2], 16) == port
    ]
    assert listening
    assert set(listening) <= {"0100007F", "00000000000000000000000001000000"}


@pytest.mark.parametrize("path", ROUTES)
def test_H01_H04_H05_every_route_refuses_other_names_and_other_sites(running: Running, path: str) -> None:
    assert get(running, path) == 200
    assert get(running, path, Host="evil.example") == 421
    assert get(running, path, Host=f"127.0.0.1.evil.example:{running.address[1]}") == 421
    assert get(running, path, Origin="http://evil.example") == 403
    assert get(running, path, Origin="http://localhost:9") == 403
    assert get(running, path, **{"Sec-Fetch-Site": "cross-site"}) == 403


def ask(running: Running, *, origin: str | None, token: str | None, subprotocol: str = SUBPROTOCOL) -> object:
    """What a page of this origin gets for its first request."""
    port = running.address[1]
    extra = {} if origin is None else {"Origin": origin.replace("PORT", str(port))}
    try:
        with connect(
            f"ws://localhost:{port}{SOCKET}", additional_headers=extra, subprotocols=[subprotocol], close_timeout=1
        ) as socket:
            if token is not None:
                socket.send(json.dumps({"token": token}))
            while True:
                told = json.loads(socket.recv(timeout=20))
                if told.get("event") == "ready":
                    socket.send(json.dumps({"id": 1, "do": "list", "server": told["servers"][0]["name"]}))
                if told.get("id") == 1:
                    return [tool["name"] for tool in told["value"]["tools"]]
    except (InvalidStatus, ConnectionClosed) as error:
        return type(error).__name__


def test_H03_the_socket_answers_our_page_with_the_token_and_nobody_else(running: Running) -> None:
    token, ours = token_of(running), "http://localhost:PORT"
    # With all of it in place it answers, so what is refused below is refused for its one difference.
    assert len(ask(running, origin=ours, token=token)) == 1  # type: ignore[arg-type]
    for origin in ("http://evil.example", "null", "http://localhost:9", "http://localhost:PORT.evil.example", None):
        assert ask(running, origin=origin, token=token) in ("InvalidStatus", "ConnectionClosedError")
    for wrong in ("", token[:-1], token + "x", None):
        assert ask(running, origin=ours, token=wrong) == "ConnectionClosedError"


def test_paths_are_not_looked_up_on_disk(running: Running) -> None:
    for path in ("/dev/../main.js", "/dev/%2e%2e/form.js", "/etc/passwd", "/dev/main.py"):
        assert get(running, path) == 404


def test_where_no_browser_can_be_opened_it_says_so_and_the_address_stands_above(tmp_path: Path) -> None:
    command = ["-m", "cloche", "dev", "--port", "0", write(tmp_path, CLOCHE)]
    with started(command, tmp_path, DISPLAY="", WAYLAND_DISPLAY="") as running:
        assert "#token=" in running.url
        assert running.line(starting="No browser") == (
            "No browser could be opened here: open the address above yourself."
        )


def test_mistakes_are_explained(tmp_path: Path) -> None:
    write(tmp_path, CLOCHE)
    assert "there is no file 'sever.py'" in refusal("dev", "sever.py", folder=tmp_path)
    with playground("server.py", folder=tmp_path) as running:
        taken = str(running.address[1])
        assert "is taken" in refusal("dev", "server.py", "--port", taken, folder=tmp_path, code=1)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("npx -y @modelcontextprotocol/server-everything@2026.8.31 stdio", "server-everything"),
        ("node node_modules/server-debug/dist/index.js --stdio", "server-debug"),
        ("uvx mcp-server-git", "mcp-server-git"),
        ("/usr/bin/python3.11 -m weather.main", "weather-main"),
    ],
    ids=["npx", "node", "uvx", "python"],
)
def test_a_command_is_called_after_what_it_runs(command: str, name: str) -> None:
    assert of_command(command.split()).name == name


def test_views_of_a_server_elsewhere_do_not_reach_this_machine_unless_that_is_asked_for() -> None:
    servers = [
        of_url("https://apps.example.com/mcp", "apps.example.com"),
        of_url("http://localhost:8000/mcp", "localhost"),
        of_url("http://192.168.7.7:8000/mcp", "192.168.7.7"),
        of_command(["npx", "weather"]),
    ]
    assert Playground(servers).host.strangers == {"apps-example-com", "192-168-7-7"}
    assert Playground(servers, allow_local=True).host.strangers == frozenset()


async def test_a_server_behind_a_token_is_reached_with_one(tmp_path: Path) -> None:
    token = "s3cr3t-s3cr3t-s3cr3t"
    write(tmp_path, CLOCHE)
    write(tmp_path, f"{token} ada\n", "tokens")
    with serving("server.py", "--http", "0", "--token-file", "tokens", folder=tmp_path) as running:
        headers = {"Authorization": f"Bearer {token}"}
        for given, problem in ({}, True), ({"token": token}, False), ({"headers": headers}, False):
            opened = Playground([of_url(running.url, "pantry", **given)])  # type: ignore[arg-type]
            try:
                listing = await opened.running.listing("pantry")
            finally:
                await opened.close()
                await opened.host.close()
            assert ("problem" in listing) is problem
            assert len(listing["tools"]) == (0 if problem else 1)
