"""The client and every transport as one file: it does what the modules do, and it is small."""

from __future__ import annotations

import gzip
import re
import subprocess
from pathlib import Path

import pytest
from playwright.sync_api import Page

from cloche.views.page_client import page_client
from tests.support.deno import DENO, ENVIRONMENT, ROOT
from tests.support.page_cases import CASES
from tests.support.transport_site import TransportSite


@pytest.fixture(scope="module")
def one_file(site: TransportSite) -> str:
    """The path at which the site has it."""
    site.add("/page-client.js", page_client().encode())
    return "/page-client.js"


def test_the_cases_pass_over_a_channel(page: Page, one_file: str) -> None:
    outcomes = page.evaluate(
        """async (oneFile) => {
            const { McpClient, PortTransport } = await import(oneFile);
            const { runCases } = await import("/tests/web/transports/runner.js");
            const { referenceServer } = await import("/tests/web/transports/reference_server.js");
            const modules = await import("/src/cloche/web/transports/port.js");
            return await runCases(() => {
                const { port1, port2 } = new MessageChannel();
                referenceServer().connect(new modules.PortTransport(port2));
                const rubbish = (payload) => port1.postMessage({ type: "mcp", payload });
                return { transport: new PortTransport(port1), rubbish };
            }, { Client: McpClient });
        }""",
        one_file,
    )
    assert [outcome for outcome in outcomes if outcome["failure"] is not None] == []
    assert len(outcomes) == CASES


def test_it_exports_everything_that_the_client_and_the_transports_do(page: Page, one_file: str) -> None:
    modules = ["/src/cloche/web/client.js", "/src/cloche/web/transports/index.js"]
    apart, together = page.evaluate(
        """async ([modules, oneFile]) => {
            const names = (module) => Object.keys(module);
            const apart = (await Promise.all(modules.map((path) => import(path)))).flatMap(names);
            return [[...new Set(apart)].sort(), names(await import(oneFile)).sort()];
        }""",
        [modules, one_file],
    )
    assert together == apart


def test_every_name_in_it_is_declared(tmp_path: Path) -> None:
    """A global that was renamed, or code that was taken for something else, is a name that nobody declares."""
    made = tmp_path / "page-client.js"
    made.write_text(page_client(), encoding="utf-8")
    checked = subprocess.run(
        [DENO, "check", "-q", "--no-remote", "--config", ROOT / "deno.json", made],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "TS7006" in checked.stderr, "deno checked nothing: parameters have no types here"
    assert not re.findall(r"TS(?:2304|2552)[^\n]*", checked.stderr)


def test_it_is_small(record_property: pytest.RecordProperty) -> None:
    script = page_client()
    size = len(gzip.compress(script.encode(), 9))
    record_property("gzip", size)
    print(f"client and all transports: {len(script)} bytes, {size} gzip")
    assert size <= GZIPPED
    assert not re.search(r"eval\(|Function\(|</script|<!--", script)


GZIPPED = 11_000
"""Bytes of the client and all transports, compressed."""
