"""One channel, several tabs: who answers, who takes over, and who may speak."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.support.page_cases import run_cases
from tests.support.transport_site import TransportSite
from tests.web.transports.tabs import Tabs, tabs_of

LISTEN = """([name, secret]) => {
    globalThis.listener = new BroadcastListener({ channelName: "x", seal: secret && withSecret(secret) });
    listener.onConnection((transport) => answer(transport, name));
}"""
CLIENT = """async (secret) => {
    globalThis.said = [];
    globalThis.client = new BroadcastChannelTransport({
        channelName: "x", seal: secret && withSecret(secret),
        onReconnecting: () => said.push("lost"), onReconnected: () => said.push("again"),
    });
    await greet(client);
}"""
WHO = "async () => (await client.request({ method: 'who' })).result.name"


@pytest.fixture
def tabs(browser: Browser, site: TransportSite) -> Iterator[Tabs]:
    with tabs_of(browser, site) as made:
        yield made


def listening(tabs: Tabs, name: str, secret: str | None = None) -> Page:
    page = tabs.open()
    page.evaluate(LISTEN, [name, secret])
    return page


def client_of(tabs: Tabs, secret: str | None = None) -> Page:
    page = tabs.open()
    page.evaluate(CLIENT, secret)
    return page


@pytest.mark.requirement(45, 46, 47)
@pytest.mark.parametrize("secret", [None, "known to both"])
def test_the_cases_pass_between_two_tabs(secret: str | None, tabs: Tabs) -> None:
    given = {} if secret is None else {"secret": secret}
    tabs.serving(broadcast="cases", **given)
    run_cases(tabs.open(), "tabs", "broadcast", channelName="cases", **given)


@pytest.mark.requirement(6, 28, 47)
def test_two_clients_without_a_listener_get_their_own_answers(tabs: Tabs) -> None:
    """Seed 004's own example: one end answers, and everybody on the channel hears every answer."""
    told = tabs.open().evaluate("""async () => {
        const ends = [1, 2, 3].map(() => new BroadcastChannelTransport({ channelName: "mcp-channel" }));
        const [server, ...clients] = ends;
        const waiting = [];
        server.onMessage((message) => {
            if (!message.method) return;
            waiting.push(message);
            // Last come, first served.
            if (waiting.length === 4) for (const { id, params } of waiting.reverse()) {
                server.send({ jsonrpc: "2.0", id, result: params });
            }
        });
        const asked = [0, 1, 2, 3].map((n) => clients[n % 2].request({ method: "tools/list", params: { n } }));
        const got = (await Promise.all(asked)).map(({ result }) => result.n);
        for (const end of ends) end.close();
        return got;
    }""")
    assert told == [0, 1, 2, 3]


@pytest.mark.requirement(45, 46, 47)
def test_envelopes_are_those_of_the_source(tabs: Tabs) -> None:
    told = tabs.open().evaluate("""async () => {
        const heard = [];
        const channel = new BroadcastChannel("plain");
        channel.onmessage = ({ data }) => heard.push(data);
        const one = new BroadcastChannelTransport({ channelName: "plain" });
        const other = new BroadcastChannelTransport({ channelName: "plain", instanceId: "mine" });
        answer(other, "plain");
        const { result } = await one.request({ method: "who" });
        // As somebody says it who knows only the source's envelope; and an echo, which is ignored.
        const got = [];
        one.onMessage((message) => got.push(message.method));
        const payload = { jsonrpc: "2.0", method: "plain" };
        channel.postMessage({ type: "mcp", instanceId: one.instanceId, payload: { ...payload, method: "echo" } });
        channel.postMessage({ type: "other", instanceId: "x", payload: { ...payload, method: "other" } });
        channel.postMessage({ type: "mcp", instanceId: "x", payload });
        await until(() => got.length);
        for (const open of [one, other, channel]) open.close();
        const messages = heard.filter(({ type }) => type === "mcp");
        return { result, messages, got, ids: [one.instanceId, other.instanceId], names: one.channelName };
    }""")
    request, response = told["messages"]
    own, given = told["ids"]
    assert given == "mine"
    assert len(own) == 36
    assert own.count("-") == 4
    assert told["names"] == "plain"
    assert told["result"] == {"name": "plain"}
    assert request == {
        "type": "mcp",
        "instanceId": own,
        "payload": {"jsonrpc": "2.0", "id": request["payload"]["id"], "method": "who", "params": {}},
    }
    assert response == {
        "type": "mcp",
        "instanceId": "mine",
        "payload": {"jsonrpc": "2.0", "id": request["payload"]["id"], "result": {"name": "plain"}},
    }
    assert told["got"] == ["plain"]


@pytest.mark.requirement(47)
def test_one_answers_and_the_next_takes_over_when_its_tab_is_gone(tabs: Tabs) -> None:
    first, second = listening(tabs, "first"), listening(tabs, "second")
    first.evaluate("() => until(() => listener.isLeader)")
    client = client_of(tabs)
    client.evaluate("() => client.request({ method: 'resources/subscribe', params: { uri: 'u:1' } })")
    assert client.evaluate(WHO) == "first"
    assert second.evaluate("() => [listener.isLeader, log.length]") == [False, 0]
    client.evaluate("() => void (globalThis.hanging = client.request({ method: 'hang' }))")
    first.evaluate("() => until(() => log.includes('hang'))")
    epoch = client.evaluate("() => client.epoch")

    first.close()
    hanging = client.evaluate("() => hanging")
    assert hanging["error"]["code"] == client.evaluate("() => SERVER_GONE") == -32000
    assert client.evaluate(WHO) == "second"
    assert client.evaluate("() => [said, client.epoch > " + str(epoch) + "]") == [["lost", "again"], True]
    # The new one was told what the session is, before anything else, and knows nothing of what hung.
    assert second.evaluate("() => log") == [
        "initialize",
        "notifications/initialized",
        "resources/subscribe u:1",
        "who",
    ]

    # Without a next one, what is sent waits for whoever comes.
    second.close()
    client.evaluate("() => until(() => said.length == 3)")
    client.evaluate("() => void (globalThis.waiting = client.request({ method: 'who' }))")
    third = listening(tabs, "third")
    assert client.evaluate("() => waiting")["result"] == {"name": "third"}

    # A client that goes, however, is gone for the listener too.
    client.close()
    third.evaluate("() => until(() => log.at(-1) === 'end' && !listener.connections.size)")


def test_what_was_asked_before_anybody_listened_is_done_once(tabs: Tabs) -> None:
    client = tabs.open()
    client.evaluate("""async () => {
        const heard = [];
        new BroadcastChannel("x").onmessage = ({ data }) => heard.push(data.type);
        globalThis.client = new BroadcastChannelTransport({ channelName: "x" });
        globalThis.asking = client.request({ method: "who" });
        await until(() => heard.includes("mcp"));
    }""")
    server = listening(tabs, "late")
    assert client.evaluate("() => asking")["result"] == {"name": "late"}
    assert client.evaluate(WHO) == "late"
    assert server.evaluate("() => log") == ["who", "who"]


FORGE = """() => {
    globalThis.heard = [];
    globalThis.channel = new BroadcastChannel("x");
    channel.onmessage = ({ data }) => {
        heard.push(data);
        if (data.payload?.method !== "hang") return;
        // In the server's name, to whoever asked: its own answer never comes.
        const payload = { jsonrpc: "2.0", id: data.payload.id, result: { name: "forged" } };
        channel.postMessage({ ...data, instanceId: data.to, to: data.instanceId, payload });
    };
}"""
SPEAK = """async () => {
    // In the client's name, to its server.
    const { instanceId, to } = heard.find((one) => one.payload?.method === "initialize");
    const payload = { jsonrpc: "2.0", id: "x", method: "resources/subscribe", params: { uri: "forged:1" } };
    channel.postMessage({ type: "mcp", instanceId, to, payload });
    // And once more what the client has said, as it said it.
    channel.postMessage(heard.find((one) => one.payload?.method === "who"));
}"""


def attacked(tabs: Tabs, secret: str | None) -> tuple[str, list[str], int, int]:
    """What a client was answered while another tab forges, what its server did, and what each of them turned away."""
    attacker = tabs.open()
    attacker.evaluate(FORGE)
    server = listening(tabs, "server", secret)
    client = client_of(tabs, secret)
    assert client.evaluate(WHO) == "server"
    answered = client.evaluate("""() => client.request({ method: "hang" }, { timeout: 400 }).then(
        ({ result }) => result.name, (error) => error.code)""")
    attacker.evaluate(SPEAK)
    assert client.evaluate(WHO) == "server"
    refused = client.evaluate("() => client.violations"), server.evaluate("() => listener.violations")
    log = server.evaluate("() => log")
    for page in (attacker, server, client):
        page.close()
    return answered, log, *refused


def test_m04_another_tab_forges_replies_and_requests(tabs: Tabs) -> None:
    """Without a secret every script of the origin is believed; with one it is not."""
    answered, log, *refused = attacked(tabs, None)
    assert answered == "forged"
    assert "resources/subscribe forged:1" in log
    assert log.count("who") == 3, "what the client said once was heard twice"
    assert refused == [0, 0]

    answered, log, *refused = attacked(tabs, "known to both")
    assert answered == "REQUEST_TIMEOUT"
    assert "resources/subscribe forged:1" not in log
    assert log.count("who") == 2
    assert refused == [1, 2]


CARRIED = """async ([channelNames, seal]) => {
    // A script of the origin that does not know the secret hears what is said on one channel, and says it on another.
    const [from, to] = channelNames;
    const make = withSecret("known to both ends of both channels");
    const options = (name) => ({ channelName: name, seal: seal === "of any channel" ? () => make("any") : make });
    const speaker = new BroadcastChannelTransport(options(from));
    const victim = new BroadcastChannelTransport(options(to));
    const got = [];
    victim.onMessage(({ method }) => got.push(method));
    const listening = new BroadcastChannel(from), carrying = new BroadcastChannel(to);
    const carried = new Promise((done) => listening.onmessage = ({ data }) => {
        if (data.type === "mcp") carrying.postMessage(data), done();
    });
    await speaker.send({ jsonrpc: "2.0", method: "transfer" });
    await carried;
    await until(() => got.length || victim.violations);
    for (const open of [speaker, victim, listening, carrying]) open.close();
    return { got, violations: victim.violations };
}"""


def test_what_was_sealed_for_one_channel_is_nothing_on_another(tabs: Tabs) -> None:
    page = tabs.open()
    found = page.evaluate(CARRIED, [["of the notes", "of the bank"], "of its channel"])
    assert found == {"got": [], "violations": 1}
    control = page.evaluate(CARRIED, [["of the notes", "of the bank"], "of any channel"])
    assert control["got"] == ["transfer"]
