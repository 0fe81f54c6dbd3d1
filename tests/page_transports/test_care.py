"""The care of connections in the page: heartbeat, reconnection, cancellation."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.page_transports.site import TransportSite
from tests.page_transports.tabs import tabs_of


@pytest.fixture(scope="module")
def tab(browser: Browser, site: TransportSite) -> Iterator[Page]:
    """One tab for all: each test has ends of its own."""
    with tabs_of(browser, site) as tabs:
        yield tabs.open()


@pytest.mark.requirement(62, 63, 64)
def test_the_defaults(tab: Page) -> None:
    told = tab.evaluate("""() => {
        const [transport] = createLinkedPair();
        const { interval, timeout } = new Heartbeat(transport);
        const reconnecting = new ReconnectingTransport(() => transport);
        const { maxAttempts, baseDelay, maxDelay, backoffMultiplier, attempts } = reconnecting;
        const delays = [1, 2, 3, 4, 5, 6, 2000].map((attempt) => reconnecting.delay(attempt));
        reconnecting.close();
        return { interval, timeout, maxAttempts, baseDelay, maxDelay, backoffMultiplier, attempts, delays };
    }""")
    assert told == {
        "interval": 30_000,
        "timeout": 5000,
        "maxAttempts": 5,
        "baseDelay": 1000,
        "maxDelay": 30_000,
        "backoffMultiplier": 2,
        "attempts": 0,
        "delays": [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000],
    }


RECONNECTING = """
    const told = [];
    const servers = [];
    let failing = 0;
    const transport = new ReconnectingTransport(() => {
        if (failing-- > 0) throw new Error("not now");
        const [client, server] = createLinkedPair();
        servers.push(server);
        answer(server, "server " + servers.length);
        return client;
    }, {
        baseDelay: 1, maxDelay: 3, maxAttempts: 3,
        onReconnecting: (attempt) => told.push(attempt),
        onReconnected: () => told.push("again"),
        onReconnectFailed: () => told.push("failed"),
    });
"""


@pytest.mark.requirement(62, 63)
def test_a_lost_connection_is_opened_anew_and_the_session_goes_on(tab: Page) -> None:
    told = tab.evaluate(f"""async () => {{
        {RECONNECTING}
        log.length = 0;
        await greet(transport);
        await transport.request({{ method: "resources/subscribe", params: {{ uri: "u:1" }} }});
        const hanging = transport.request({{ method: "hang" }});
        await until(() => log.includes("hang"));
        failing = 2;
        servers[0].close();
        log.length = 0;
        const who = await transport.request({{ method: "who" }});
        const heard = [...log];
        failing = 3;
        servers[1].close();
        const late = await transport.request({{ method: "who" }}).catch((error) => error.code);
        return {{ told, heard, hanging: (await hanging).error.code, who: who.result.name, late,
            attempts: transport.attempts }};
    }}""")
    assert told["hanging"] == -32000
    assert told["who"] == "server 2"
    assert [line for line in told["heard"] if line != "end"] == [
        "initialize",
        "notifications/initialized",
        "resources/subscribe u:1",
        "who",
    ]
    assert told["told"] == [1, 2, 3, "again", 1, 2, 3, "failed"]
    assert told["late"] == "TRANSPORT_CLOSED"


@pytest.mark.requirement(64)
def test_a_heartbeat_notices_who_does_not_answer(tab: Page) -> None:
    told = tab.evaluate("""async () => {
        const [client, server] = createLinkedPair();
        let beats = 0, silent = false;
        server.onMessage(({ id, method }) => {
            if (method !== "ping") return;
            beats++;
            // An error proves life too.
            if (!silent) server.send({ jsonrpc: "2.0", id, error: { code: -32601, message: "no" } });
        });
        const missed = [];
        const heartbeat = new Heartbeat(client, { interval: 5, timeout: 20, onTimeout: (error) => missed.push(error) });
        heartbeat.start();
        heartbeat.start();
        await until(() => beats > 2);
        const alive = [missed.length, heartbeat.isRunning];
        silent = true;
        await until(() => missed.length);
        const dead = [missed[0].message, missed[0].code, heartbeat.isRunning];
        silent = false;
        heartbeat.start();
        client.close();
        const over = [heartbeat.isRunning, missed.length];
        return { alive, dead, over };
    }""")
    assert told == {
        "alive": [0, True],
        "dead": ["Heartbeat timeout", "HEARTBEAT_TIMEOUT", False],
        "over": [False, 1],
    }


@pytest.mark.requirement(65)
def test_a_request_can_be_given_up(tab: Page) -> None:
    """With what the page has for it, an `AbortSignal`; the tokens of the source are in Python."""
    told = tab.evaluate("""async () => {
        const [client, server] = createLinkedPair();
        const heard = [];
        server.onMessage(({ id, method, params }) => heard.push([method, params?.requestId ?? id]));
        const controller = new AbortController();
        const asking = client.request({ method: "tools/call" }, { signal: controller.signal });
        controller.abort();
        const error = await asking.catch((error) => [error.constructor.name, error.message, error.code]);
        return { error, heard };
    }""")
    assert told["error"] == ["RequestCancelledError", "Request 1 was cancelled", "REQUEST_CANCELLED"]
    assert told["heard"] == [["tools/call", 1], ["notifications/cancelled", 1]]
