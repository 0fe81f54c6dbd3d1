"""A server in a page that comes and goes: reloads, navigation, back and forward, crashes, and copies of a tab."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

import pytest
from playwright.sync_api import Browser, Error, Page

from tests.support.chromium import FLAGS
from tests.support.page_cases import run_cases
from tests.support.transport_site import TransportSite
from tests.web.transports.tabs import Tabs, tabs_of
from tools.chromium import whole_chromium

SERVE = """async (name) => {
    globalThis.server = new TabServerTransport({
        channelName: "x", onReconnecting: () => log.push("reconnecting"), onReconnected: () => log.push("reconnected"),
    });
    answer(server, name);
    return await server.reconnect();
}"""
CLIENT = """async () => {
    globalThis.said = [];
    globalThis.client = new TabClientTransport({
        channelName: "x", onReconnecting: () => said.push("lost"), onReconnected: () => said.push("again"),
    });
    await greet(client);
    await client.request({ method: "resources/subscribe", params: { uri: "u:1" } });
}"""
WHO = "async () => (await client.request({ method: 'who' })).result.name"
HANG = "() => void (globalThis.hanging = client.request({ method: 'hang' }))"
RESTORED = [
    "reconnecting",
    "reconnected",
    "initialize",
    "notifications/initialized",
    "resources/subscribe u:1",
]


@pytest.fixture
def tabs(browser: Browser, site: TransportSite) -> Iterator[Tabs]:
    with tabs_of(browser, site) as made:
        yield made


def pair(tabs: Tabs) -> tuple[Page, Page]:
    """A tab with a server, and one with its client."""
    server, client = tabs.open(), tabs.open()
    assert server.evaluate(SERVE, "first") is False
    client.evaluate(CLIENT)
    return server, client


@pytest.mark.requirement(53)
def test_the_cases_pass_between_two_tabs(tabs: Tabs) -> None:
    tabs.serving(tab="cases")
    run_cases(tabs.open(), "tabs", "tab", channelName="cases")


@pytest.mark.requirement(53)
def test_cases_pass_on_a_session_whose_page_was_reloaded(tabs: Tabs) -> None:
    """One of each kind: a reload for every case takes its time."""
    tabs.serving(tab="restless")
    outcomes = tabs.open().evaluate(
        """async (names) => {
            const { runCases } = await import("/tests/web/transports/runner.js");
            const { restless } = await import("/tests/web/transports/ways/tabs.js");
            const only = (name) => names.some((one) => name.startsWith(one));
            return await runCases(() => restless({ channelName: "restless" }), { only });
        }""",
        ["initialize", "answers fifty", "recovers after bad", "cancels", "tells of changed resources", "asks"],
    )
    assert len(outcomes) == 12
    assert [outcome for outcome in outcomes if outcome["failure"]] == []


@pytest.mark.requirement(53, 54, 55)
def test_a_session_survives_that_its_page_is_left(tabs: Tabs) -> None:
    server, client = pair(tabs)
    assert client.evaluate(WHO) == "first"
    session = server.evaluate("() => server.sessionId")
    client.evaluate(HANG)
    server.evaluate("() => until(() => log.includes('hang'))")

    tabs.go(server, "?elsewhere")
    # No page is there: what was under way has ended, what is sent waits.
    assert client.evaluate("() => hanging")["error"]["code"] == -32000
    client.evaluate("() => void (globalThis.waiting = client.request({ method: 'who' }))")
    assert server.evaluate(SERVE, "second") is True
    assert client.evaluate("() => waiting")["result"] == {"name": "second"}
    assert client.evaluate("() => said") == ["lost", "again"]
    server.evaluate("() => until(() => log.includes('reconnected'))")
    assert server.evaluate("() => log") == [*RESTORED, "who"]

    for number, move in enumerate((server.reload, server.go_back, server.go_forward), 3):
        move()
        assert tabs.equip(server).evaluate(SERVE, f"page {number}") is True
        assert client.evaluate(WHO) == f"page {number}"
        assert server.evaluate("() => [server.epoch, server.sessionId]") == [number, session]
    # A change is told to whoever subscribed on a page that is long gone.
    client.evaluate("() => client.onMessage(({ method, params }) => method && said.push(method + ' ' + params.uri))")
    server.evaluate("""() => server.send(
        { jsonrpc: "2.0", method: "notifications/resources/updated", params: { uri: "u:1" } })""")
    client.evaluate("() => until(() => said.at(-1) === 'notifications/resources/updated u:1')")

    client.evaluate("() => client.close()")
    server.evaluate("() => until(() => !server.isConnected)")
    # Nothing is kept, and nothing listens any more that would keep it when the page is left.
    server.evaluate("() => void dispatchEvent(new PageTransitionEvent('pagehide'))")
    assert server.evaluate("() => sessionStorage.length") == 0


@pytest.mark.requirement(54, 55, 56, 57)
def test_what_the_tab_keeps(tabs: Tabs) -> None:
    server, _client = pair(tabs)
    assert server.evaluate("() => [server.storagePrefix, server.channelName]") == ["mcp-tab", "x"]
    session = server.evaluate("() => server.sessionId")
    server.evaluate("() => server.saveState()")
    stored: dict[str, str] = server.evaluate("() => ({ ...sessionStorage })")
    state: dict[str, Any] = json.loads(stored.pop(f"mcp-tab-session-{session}"))
    assert stored == {"mcp-tab-id-x": session}
    assert {key: state[key] for key in state if key not in {"client", "epoch"}} == {
        "sessionId": session,
        "protocolVersion": "2025-11-25",
        "serverCapabilities": {"resources": {}},
        "clientCapabilities": {"roots": {}},
        "subscriptions": ["u:1"],
        "lastMessageId": server.evaluate("() => server.lastMessageId"),
    }
    assert re.fullmatch(r"[0-9a-f-]{36}", state["lastMessageId"]), "that of the newest request, not of its answer"
    assert server.evaluate("() => CLAIM_TIMEOUT") == 2000


@pytest.mark.requirement(57)
def test_what_the_tab_keeps_in_the_era_without_a_handshake(tabs: Tabs) -> None:
    server, client = tabs.open(), tabs.open()
    serve = """async () => {
        const { createServer } = await import("/src/cloche/web/server.js");
        globalThis.server = new TabServerTransport({ channelName: "newer" });
        globalThis.mcp = createServer({ name: "newer" });
        mcp.registerResource("notes://1", {}, () => "text");
        mcp.registerTool("echo", {}, ({ text }) => text);
        mcp.connect(server);
        await server.reconnect();
    }"""
    kept = """() => (server.saveState(), JSON.parse(sessionStorage.getItem(server.storageKey)))"""
    server.evaluate(serve)
    client.evaluate("""async () => {
        const { McpClient } = await import("/src/cloche/web/client.js");
        const transport = new TabClientTransport({ channelName: "newer" });
        globalThis.client = new McpClient(transport, { capabilities: { roots: {} } });
        await client.connect();
        globalThis.stops = [await client.subscribe("notes://1"), await client.subscribe("notes://1")];
        globalThis.stop = await client.subscribe("notes://2");
    }""")
    assert client.evaluate("() => client.protocolVersion") == "2026-07-28"
    state = server.evaluate(kept)
    assert state["protocolVersion"] == "2026-07-28"
    assert state["serverCapabilities"] == client.evaluate("() => client.serverCapabilities")
    assert state["serverCapabilities"]["resources"] == {"subscribe": True, "listChanged": True}
    assert state["clientCapabilities"] == {"roots": {}}
    assert state["subscriptions"] == ["notes://1", "notes://2"]
    client.evaluate("async () => { await stop(); await client.callTool('echo', { text: 'after' }) }")
    assert server.evaluate(kept)["subscriptions"] == ["notes://1"]
    # The next page knows it before the client has said anything, and the client asks for its stream again.
    server.reload()
    tabs.equip(server).evaluate(serve)
    restored = server.evaluate("() => [server.protocolVersion, server.clientCapabilities, server.serverCapabilities]")
    assert restored == ["2026-07-28", {"roots": {}}, state["serverCapabilities"]]
    assert client.evaluate("async () => (await client.callTool('echo', { text: 'again' })).content[0].text") == "again"
    assert server.evaluate(kept)["subscriptions"] == ["notes://1"]


def test_a_crash_is_noticed_at_once(tabs: Tabs) -> None:
    server, client = pair(tabs)
    client.evaluate(HANG)
    server.evaluate("() => until(() => log.includes('hang'))")
    with pytest.raises(Error):
        server.goto("chrome://crash")
    assert client.evaluate("() => hanging")["error"]["code"] == -32000
    assert client.evaluate("() => said") == ["lost"]


def test_m09_a_zombie_is_not_believed(tabs: Tabs) -> None:
    """A page of an earlier epoch goes on speaking. The control is an end that believes everybody on the channel."""
    server, client = pair(tabs)
    client.evaluate("""() => {
        globalThis.naive = new BroadcastChannelTransport({ channelName: "x" });
        globalThis.heard = { naive: [], client: [] };
        naive.onMessage(({ method }) => heard.naive.push(method));
        client.onMessage(({ method }) => method && heard.client.push(method));
    }""")
    zombie = server.evaluate("""() => (
        { id: server.station.id, epoch: server.epoch, sessionId: server.sessionId, to: server.client })""")
    server.reload()
    tabs.equip(server).evaluate(SERVE, "second")
    assert client.evaluate(WHO) == "second"
    tabs.open().evaluate(
        """({ id, epoch, sessionId, to }) => {
            const channel = new BroadcastChannel("x");
            // It says that it is there, and speaks.
            channel.postMessage({ type: "mcp:here", instanceId: id, to, epoch, sessionId });
            const payload = { jsonrpc: "2.0", method: "notifications/zombie" };
            channel.postMessage({ type: "mcp", instanceId: id, payload });
        }""",
        zombie,
    )
    client.evaluate("() => until(() => heard.naive.length)")
    assert client.evaluate("() => heard") == {"naive": ["notifications/zombie"], "client": []}
    assert client.evaluate(WHO) == "second"
    # And a page that hears that its session has gone on without it is over.
    tabs.open().evaluate(
        """({ sessionId }) => new BroadcastChannel("x").postMessage(
            { type: "mcp:here", instanceId: "later", epoch: 99, sessionId })""",
        zombie,
    )
    server.evaluate("() => until(() => !server.isConnected)")


def copied(tabs: Tabs, script: str = "") -> tuple[Page, Page, Page, str]:
    """A server, its client, the tab that a script opened from the server's, perhaps with another script of the
    transport, and the session in the storage of both.
    """
    server, client = pair(tabs)
    session: str = server.evaluate("() => server.sessionId")
    if script:
        answer = {"body": script, "content_type": "text/javascript"}
        tabs.context.route("**/transports/tab.js", lambda route: route.fulfill(**answer))
    with tabs.context.expect_page() as opened:
        server.evaluate("() => void window.open('/empty.html?copy')")
    copy = tabs.equip(opened.value)
    assert copy.evaluate("() => sessionStorage.getItem('mcp-tab-id-x')") == session
    return server, client, copy, session


def test_m10_without_the_lock_a_copied_tab_takes_the_session(tabs: Tabs) -> None:
    """The control: it goes on under the id of the first one, which takes itself for an older page and ends."""
    script = (files("cloche.web") / "transports" / "tab.js").read_text(encoding="utf-8")
    line = "await hold(this.sessionId, signal, patience)"
    assert script.count(line) == 1
    server, _, copy, session = copied(tabs, script.replace(line, "await Promise.resolve()"))
    assert copy.evaluate(SERVE, "copy") is True
    assert copy.evaluate("() => server.sessionId") == session
    server.evaluate("() => until(() => !server.isConnected)")


def test_m10_a_copied_tab_gets_a_session_of_its_own(tabs: Tabs) -> None:
    """The copy finds in its storage the id of the one that it was copied from, and does not take it."""
    _, client, copy, session = copied(tabs)
    assert copy.evaluate(SERVE, "copy") is False
    assert copy.evaluate("() => server.sessionId") != session
    assert client.evaluate(WHO) == "first"
    # Another client finds the one that is free.
    other = tabs.open()
    other.evaluate(CLIENT)
    assert other.evaluate(WHO) == "copy"
    assert (client.evaluate(WHO), client.evaluate("() => client.violations")) == ("first", 0)


def test_a_copied_tab_is_told_at_once(tabs: Tabs) -> None:
    """It does not wait until the time is up that the page before it would have to let go of the session."""
    server, _client = pair(tabs)
    with tabs.context.expect_page() as opened:
        server.evaluate("() => void window.open('/empty.html?copy')")
    copy = tabs.equip(opened.value)
    took = copy.evaluate(
        f"async () => {{ const begun = performance.now(); await ({SERVE})('copy'); return performance.now() - begun }}"
    )
    assert took < copy.evaluate("() => CLAIM_TIMEOUT") / 2
    assert copy.evaluate("() => server.sessionId") != server.evaluate("() => server.sessionId")


IMPATIENT = """async (options) => {
    globalThis.said = [];
    globalThis.client = new TabClientTransport({
        channelName: "x", awayTimeout: 100, onReconnecting: () => said.push("lost"),
        onReconnected: () => said.push("again"), onReconnectFailed: () => said.push("failed"), ...options,
    });
    client.onClose(() => said.push("end"));
    await greet(client);
}"""


def test_a_client_whose_tab_never_returns_ends_and_says_so(tabs: Tabs) -> None:
    server, client = tabs.open(), tabs.open()
    server.evaluate(SERVE, "first")
    client.evaluate(IMPATIENT, {})
    server.close()
    client.evaluate("() => until(() => said.includes('lost'))")
    waiting = "async () => (await client.request({ method: 'who' }).catch((error) => error)).code"
    assert client.evaluate(waiting) == "TRANSPORT_CLOSED"
    assert client.evaluate("() => [client.isConnected, said]") == [False, ["lost", "failed", "end"]]
    default = "() => [AWAY_TIMEOUT, new TabClientTransport({ channelName: 'y' }).awayTimeout]"
    assert client.evaluate(default) == [30_000, 30_000]


def test_a_client_whose_tab_never_returns_takes_up_another_serving_tab(tabs: Tabs) -> None:
    server, client, other = tabs.open(), tabs.open(), tabs.open()
    server.evaluate(SERVE, "first")
    client.evaluate(IMPATIENT, {})
    other.evaluate(SERVE, "other")
    assert client.evaluate(WHO) == "first"
    server.close()
    client.evaluate("() => until(() => said.includes('again'))")
    assert client.evaluate(WHO) == "other"
    assert client.evaluate("() => [client.isConnected, said]") == [True, ["lost", "again"]]
    # The other one was told what the session is.
    assert other.evaluate("() => log") == ["initialize", "notifications/initialized", "who"]


def test_a_client_of_one_session_takes_up_no_other(tabs: Tabs) -> None:
    server, client, other = tabs.open(), tabs.open(), tabs.open()
    server.evaluate(SERVE, "first")
    client.evaluate(IMPATIENT, {"sessionId": server.evaluate("() => server.sessionId")})
    other.evaluate(SERVE, "other")
    server.close()
    client.evaluate("() => until(() => said.includes('end'))")
    assert client.evaluate("() => said") == ["lost", "failed", "end"]


@pytest.mark.requirement(53)
def test_a_page_that_was_kept_while_it_was_left_serves_again(site: TransportSite, browser: Browser) -> None:
    """The back/forward cache, which is only in the whole browser. What changed meanwhile is made up for."""
    launch = browser.browser_type.launch
    with (
        launch(
            executable_path=whole_chromium(), args=FLAGS, ignore_default_args=["--disable-back-forward-cache"]
        ) as whole,
        tabs_of(whole, site) as tabs,
    ):
        server, client = pair(tabs)
        server.evaluate("() => addEventListener('pageshow', ({ persisted }) => persisted && log.push('kept'))")
        tabs.go(server, "?elsewhere")
        server.evaluate(SERVE, "elsewhere")
        assert client.evaluate(WHO) == "elsewhere"
        client.evaluate("""async () => {
            await client.request({ method: "resources/subscribe", params: { uri: "u:2" } });
            await client.request({ method: "resources/unsubscribe", params: { uri: "u:1" } });
        }""")
        server.go_back(wait_until="commit")
        # A call that meets the page while it is left is answered with an error.
        client.wait_for_function("async () => (await client.request({ method: 'who' })).result?.name === 'first'")
        log: list[str] = server.evaluate("() => log")
        assert "kept" in log
        assert log.count("initialize") == 1
        assert [line for line in log if "u:" in line] == [
            "resources/subscribe u:1",
            "resources/subscribe u:2",
            "resources/unsubscribe u:1",
        ]
        assert server.evaluate("() => server.epoch") == 3
