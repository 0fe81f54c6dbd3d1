"""`McpClient` need not know that its server goes and another one comes: its subscriptions stay, in both eras."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page

from tests.support.transport_site import TransportSite
from tests.web.transports.tabs import Tabs, tabs_of

CONNECT = """async ([kind, era]) => {
    const { McpClient } = await import("/src/cloche/web/client.js");
    const kinds = { tab: TabClientTransport, broadcast: BroadcastChannelTransport };
    globalThis.resumed = 0;
    globalThis.changed = [];
    const transport = kinds[kind]
        ? new kinds[kind]({ channelName: kind + era })
        : new ReconnectingTransport(() => new PortTransport(globalThis.worker = new Worker(
            "/tests/web/transports/ways/worker.js", { type: "module" })), { baseDelay: 5 });
    transport.onReconnected = () => resumed++;
    globalThis.client = new McpClient(transport, { versions: [era] });
    await client.connect();
    await client.subscribe("behaviour://count", { onChange: ({ uri }) => changed.push(uri) });
}"""
TOUCH = """async () => {
    await until(() => resumed);
    await client.callTool("touch");
    await until(() => changed.length);
    return [changed, client.protocolVersion, (await client.listTools()).length > 4];
}"""
ERAS = ("2025-11-25", "2026-07-28")


def leave(kind: str, tabs: Tabs, server: Page | None, era: str, client: Page) -> None:
    """The server goes, and another one comes."""
    if server is None:
        client.evaluate("() => { worker.terminate(); client.transport.drop(); }")
    elif kind == "tab":
        server.reload()
    else:
        server.close()
        tabs.serving(broadcast=kind + era)


@pytest.mark.requirement(53, 63)
@pytest.mark.parametrize("kind", ["tab", "broadcast", "reconnecting"])
def test_a_subscription_survives(kind: str, browser: Browser, site: TransportSite) -> None:
    for era in ERAS:
        with tabs_of(browser, site) as tabs:
            server = None if kind == "reconnecting" else tabs.serving(**{kind: kind + era})
            client = tabs.open()
            client.evaluate(CONNECT, [kind, era])
            leave(kind, tabs, server, era, client)
            assert client.evaluate(TOUCH) == [["behaviour://count"], era, True]
