"""A server in a SharedWorker, for two tabs at once."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.support.page_cases import run_cases
from tests.support.transport_site import TransportSite
from tests.web.transports.tabs import tabs_of

OPEN = """async () => {
    const { sharedWorker } = await import("/tests/web/transports/ways/tabs.js");
    const { McpClient } = await import("/src/cloche/web/client.js");
    globalThis.client = new McpClient(sharedWorker().transport);
    await client.connect();
}"""
GONE = """async () => {
    for (const end = Date.now() + 10_000; (await client.request("pages")).pages > 1;) {
        if (Date.now() > end) throw new Error("the worker never noticed");
    }
}"""
UNLOADED = """async () => {
    const { PortTransport } = await import("/src/cloche/web/transports/port.js");
    const { McpClient } = await import("/src/cloche/web/client.js");
    const worker = new SharedWorker("/no-such-script.js", { type: "module" });
    return await new McpClient(new PortTransport(worker), { timeout: 10_000 }).connect().catch(({ code }) => code);
}"""
PAGES = "async () => (await client.request('pages')).pages"


@pytest.mark.requirement(67)
def test_the_cases_pass_while_another_tab_is_connected(browser: Browser, site: TransportSite) -> None:
    with tabs_of(browser, site) as tabs:
        one, other = tabs.open(), tabs.open()
        one.evaluate(OPEN)
        assert one.evaluate(PAGES) == 1
        other.evaluate(OPEN)
        assert (one.evaluate(PAGES), other.evaluate(PAGES)) == (2, 2)
        run_cases(other, "tabs", "sharedWorker")
        other.close()
        # The worker learns that a page is gone, and the others go on.
        one.evaluate(GONE)


@pytest.mark.requirement(67)
def test_a_worker_whose_script_cannot_be_loaded_is_an_end_and_not_a_silence(
    browser: Browser, site: TransportSite
) -> None:
    with tabs_of(browser, site) as tabs:
        assert tabs.open().evaluate(UNLOADED) == "TRANSPORT_CLOSED"
