"""The care of connections in the page: heartbeat, reconnection, cancellation, shared subscriptions."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.transport_site import TransportSite
from tests.web.transports.tabs import tabs_of


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
        // A notification instead, which the other side sends back.
        const [one, other] = createLinkedPair();
        let notices = 0;
        other.onMessage((message) => ++notices < 4 && other.send(message));
        const quiet = new Heartbeat(one, { interval: 5, timeout: 20, ping: notificationPing(one, "notifications/beat"),
            onTimeout: () => missed.push("silence") });
        quiet.start();
        await until(() => missed.at(-1) === "silence");
        return { alive, dead, over, notices };
    }""")
    assert told == {
        "alive": [0, True],
        "dead": ["Heartbeat timeout", "HEARTBEAT_TIMEOUT", False],
        "over": [False, 1],
        "notices": 4,
    }


@pytest.mark.requirement(65)
def test_a_request_can_be_given_up(tab: Page) -> None:
    told = tab.evaluate("""async () => {
        const [client, server] = createLinkedPair();
        const heard = [];
        server.onMessage(({ id, method, params }) => heard.push([method, params?.requestId ?? id]));
        const { promise, cancel } = cancellableRequest(client, { method: "tools/call", params: { name: "slow" } });
        cancel();
        const by = await promise.catch((error) => [error.constructor.name, error.message, error.code]);
        const source = new CancellationTokenSource();
        const calls = [];
        source.token.onCancel(() => calls.push("kept"));
        source.token.onCancel(() => calls.push("left"))();
        const before = source.token.isCancelled;
        const second = cancellableRequest(client, { method: "tools/call" }, { token: source.token });
        source.cancel();
        source.cancel();
        source.token.onCancel(() => calls.push("late"));
        const token = await second.promise.catch((error) => error.code);
        // In the order in which they were first seen: the ids themselves are random.
        const ids = [...new Set(heard.map(([, id]) => id))];
        by[1] = by[1].replace(ids[0], "ID");
        const given = heard.map(([method, id]) => [method, ids.indexOf(id) + 1]);
        return { by, token, calls, before, after: source.token.isCancelled, heard: given };
    }""")
    assert told["by"] == ["RequestCancelledError", "Request ID was cancelled", "REQUEST_CANCELLED"]
    assert told["token"] == "REQUEST_CANCELLED"
    assert told["calls"] == ["kept", "late"]
    assert (told["before"], told["after"]) == (False, True)
    assert told["heard"] == [
        ["tools/call", 1],
        ["notifications/cancelled", 1],
        ["tools/call", 2],
        ["notifications/cancelled", 2],
    ]


@pytest.mark.requirement(66)
def test_many_listeners_share_one_subscription(tab: Page) -> None:
    told = tab.evaluate(f"""async () => {{
        {RECONNECTING}
        log.length = 0;
        await greet(transport);
        const manager = new ResourceSubscriptionManager(transport);
        const changes = [];
        const errors = [];
        const listen = (name) => manager.subscribe("u:1", {{
            onChange: (uri, contents) => changes.push([name, uri, contents[0].text]),
            onError: (error) => errors.push([name, error.code]),
        }});
        const [one, other] = await Promise.all([listen("one"), listen("other")]);
        const params = {{ uri: "u:1" }};
        const changed = {{ jsonrpc: "2.0", method: "notifications/resources/updated", params }};
        const update = () => servers.at(-1).send(changed);
        update();
        await until(() => changes.length == 2);
        await one.unsubscribe();
        await one.unsubscribe();
        update();
        await until(() => changes.length == 3);
        // A new connection: subscribed and read again.
        servers[0].close();
        await until(() => changes.length == 4);
        const subscribed = log.filter((one) => one.startsWith("resources/"));
        // What cannot be read, and what cannot be subscribed to.
        const refuse = servers[1];
        refuse.serve((method) => method.startsWith("resources/") && (() => {{
            throw Object.assign(new Error("no"), {{ code: -32002 }});
        }}));
        update();
        await until(() => errors.length == 1);
        const refused = await manager.subscribe("u:2", {{ onChange() {{}} }}).catch((error) => error.code);
        transport.close();
        return {{ uri: one.uri, changes, errors, subscribed, refused }};
    }}""")
    assert told["uri"] == "u:1"
    assert told["changes"] == [
        ["one", "u:1", "1"],
        ["other", "u:1", "1"],
        ["other", "u:1", "2"],
        ["other", "u:1", "1"],
    ]
    assert told["subscribed"] == [
        "resources/subscribe u:1",
        "resources/read u:1",
        "resources/read u:1",
        "resources/subscribe u:1",
        "resources/read u:1",
    ]
    assert told["errors"] == [["other", -32002], ["other", "TRANSPORT_CLOSED"]]
    assert told["refused"] == -32002
