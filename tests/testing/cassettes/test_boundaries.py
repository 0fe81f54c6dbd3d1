"""Where it ends: a product knows nothing of recording, a view cannot forge it, and a played view reaches nobody."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from cloche import Csp, Server, View
from cloche.errors import ConfigurationError
from cloche.testing import ViewError, ViewOpener
from cloche.testing import browser as finding
from cloche.testing.background import BackgroundLoop
from cloche.testing.browser import VARIABLE, Chromium
from cloche.testing.cassettes import played_view
from cloche.testing.cassettes.lines import PageLine as RecordedPage
from tests.attacks.browsers import FLAGS as AS_PEOPLE_HAVE_IT
from tests.support.recording import document_has, lines_of, recorded
from tools.chromium import whole_chromium

expect.set_options(timeout=30_000)
PORT = re.compile(rb":\d{4,5}")
SENT = """<!doctype html><p>…</p><script>
cloche.on("tool:result", async () => {
  document.querySelector("p").textContent = "sent";
});</script>"""
STUN = """<!doctype html><p>…</p><script>
cloche.on("tool:result", async () => {
  const peer = new RTCPeerConnection({iceServers: [{urls: "stun:127.0.0.1:45678"}]});
  window.gathered = new Promise((done) => peer.onicegatheringstatechange = () =>
    peer.iceGatheringState === "complete" && done(true));
  peer.createDataChannel("x");
  await peer.setLocalDescription(await peer.createOffer());
  document.querySelector("p").textContent = "sent";
});</script>"""
"""Says something to a port that is replaced before it is played."""


def server_of(html: str, **options: object) -> Server:
    server = Server("lab")

    @server.tool(view=View(html, **options))  # type: ignore[arg-type]
    def show() -> str:
        """Show it."""
        return "shown"

    return server


def served(page: Page) -> list[tuple[str, bytes]]:
    """What a page is given from now on: the sandbox's page and the view's."""
    found: list[tuple[str, bytes]] = []

    def keep(response: object) -> None:
        url = response.url  # type: ignore[attr-defined]
        for kind in ("/cloche/sandbox", "/cloche/body/"):
            if kind in url:
                found.append((kind, PORT.sub(b":port", response.body())))  # type: ignore[attr-defined]

    page.on("response", keep)
    return found


def test_a_product_serves_what_it_always_did(browser: Browser, tmp_path: Path) -> None:
    bodies = {}
    for with_recorder in (False, True):
        path = tmp_path / f"{with_recorder}.cassette"
        server = server_of("<!doctype html><p>plain</p>")
        with recorded(browser, server, "show", path, with_recorder=with_recorder, watch=served) as run:
            expect(run.view.locator("p")).to_have_text("plain")
            bodies[with_recorder] = dict(run.watched)
            seen = run.view.locator("html").evaluate("() => [String(Math.random), document.scripts.length]")
            assert ("[native code]" in seen[0]) is not with_recorder
    assert bodies[False]["/cloche/sandbox"] == bodies[True]["/cloche/sandbox"]
    plain, extended = bodies[False]["/cloche/body/"], bodies[True]["/cloche/body/"]
    assert b"cloche/recorded" not in plain + bodies[False]["/cloche/sandbox"]
    start, _, rest = extended.partition(b"<script>")
    assert plain == start + rest.partition(b"</script>")[2], "the recorder is all that was added"
    assert not lines_of(tmp_path / "False.cassette", "view")


FORGERY = """<!doctype html><p id="p">waiting</p><script>
const post = (params) => parent.postMessage({jsonrpc: "2.0", method: "cloche/recorded", params}, "*");
post(null); post({}); post({entries: 5}); post({entries: [{kind: "dom", at: 1, text: 5}]});
post({entries: [{kind: "view", number: 7}]}); post({entries: [{kind: "user", at: 1, event: "explode"}]});
post({entries: [{kind: "user", at: 1, event: "click", target: "x".repeat(5000)}]});
post({entries: [{kind: "dom", at: 1, text: "forged", extra: 1}]});
cloche.on("tool:result", () => document.getElementById("p").textContent = "alive");
</script>"""


def test_what_a_view_forges_is_not_recorded(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "forged.cassette"
    with recorded(browser, server_of(FORGERY), "show", path):
        document_has(path, '"alive"')
    assert lines_of(path, "user") == [line for line in lines_of(path, "user") if line["event"] == "resize"]
    assert all("forged" not in line["text"].split("<body>")[-1] for line in lines_of(path, "dom"))
    assert len(lines_of(path, "view")) == 1
    assert all("cloche/recorded" not in str(line["message"]) for line in lines_of(path, "said"))


@pytest.fixture
def outside() -> Iterator[tuple[str, list[str]]]:
    """A server on this machine that counts who comes."""
    hits: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            hits.append(self.path)
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://localhost:{server.server_port}", hits
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_played_view_reaches_nothing(
    browser: Browser, tmp_path: Path, outside: tuple[str, list[str]], open_view: ViewOpener
) -> None:
    origin, hits = outside
    path = tmp_path / "beacon.cassette"
    page = f"""<!doctype html><p id="p">…</p><script>cloche.on("tool:result", () => {{
      fetch("{origin}/beacon", {{mode: "no-cors"}}).catch(() => {{}});
      document.getElementById("p").textContent = "sent";
    }});</script>"""
    with recorded(browser, server_of(page, csp=Csp(connect=[origin])), "show", path):
        document_has(path, '"sent"')
    assert hits == ["/beacon"], "while it is recorded it gets through"
    view = open_view.replay(path)
    view.expect("#p").to_have_text("sent")
    assert view.requests == [f"{origin}/beacon"], "it tries again"
    assert hits == ["/beacon"], "and nobody hears of it"


@pytest.fixture
def ports() -> Iterator[list[socket.socket]]:
    """Two ports of an attacker, for datagrams."""
    with closing(socket.socket(type=socket.SOCK_DGRAM)) as one, closing(socket.socket(type=socket.SOCK_DGRAM)) as two:
        for port in (one, two):
            port.bind(("127.0.0.1", 0))
            port.settimeout(30)
        yield [one, two]


@pytest.fixture
def whole(monkeypatch: pytest.MonkeyPatch) -> Iterator[ViewOpener]:
    """The browser as people have it: with the flags of tests it ends a page that uses WebRTC where it may not."""
    monkeypatch.setenv(VARIABLE, whole_chromium())
    monkeypatch.setattr(finding, "FLAGS", AS_PEOPLE_HAVE_IT)
    background, chromium = BackgroundLoop("whole"), Chromium()
    opener = ViewOpener(background, chromium)
    yield opener
    opener.close()
    background.run(chromium.close())
    background.close()


def test_a_played_view_says_nothing_by_webrtc_and_does_without_the_sandbox_s_headers(
    browser: Browser,
    tmp_path: Path,
    ports: list[socket.socket],
    open_view: ViewOpener,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = tmp_path / "stun.cassette"
    with recorded(browser, server_of(SENT), "show", path):
        document_has(path, '"sent"')
    (page,) = lines_of(path, "page")

    def changed(port: socket.socket) -> str:
        script = STUN.partition("<script>")[2].replace("45678", str(port.getsockname()[1]))
        found: str = page["html"].replace(SENT.partition("<script>")[2], script)
        assert found != page["html"]
        return found

    def play(port: socket.socket) -> None:
        view = whole.replay(path, html=changed(port), check=False)
        view.expect("p").to_have_text("sent")
        assert view.evaluate("gathered") is True

    ours, control = ports
    with pytest.raises(ViewError, match="the browser ended its page"):
        open_view.replay(path, html=changed(ours))
    whole: ViewOpener = request.getfixturevalue("whole")
    play(ours)
    monkeypatch.setattr(played_view, "CLOSING", ())
    play(control)
    assert control.recv(2048), "without the headers it gets out"
    ours.setblocking(False)
    with pytest.raises(BlockingIOError):
        ours.recv(2048)


def test_origins_of_a_cassette_are_parsed_as_those_of_a_server_are() -> None:
    hostile = ["https://a.example; frame-src *", "https://good.example", "*", "javascript:", "data:", "'unsafe-eval'"]
    page = RecordedPage(hash="x", html="", csp={"connectDomains": hostile, "resourceDomains": hostile})
    policy = played_view.played_frame(page, 1, 1).policy
    assert re.findall(r"connect-src ([^;]*)", policy) == ["https://good.example"]
    assert "a.example" not in policy
    assert "frame-src 'none'" in policy
    assert "unsafe-eval" not in policy
    for more in ({"connect-src": ["https://a.example; frame-src *"]}, {"connect-src 'none'; frame-src": ["*"]}):
        with pytest.raises(ConfigurationError):
            played_view.played_frame(RecordedPage(hash="x", html="", more=more), 1, 1)
