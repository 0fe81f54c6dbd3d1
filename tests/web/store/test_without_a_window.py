"""The modules of pages import, and render, where there is no window: on a server."""

from __future__ import annotations

import json
import re
import subprocess
from html import unescape
from pathlib import Path

import pytest

from tests.support.framework_pages import bundled_page

REACT = """
import { renderToString } from "react-dom/server";
import { ErrorBoundary, Provider, useApp, useMcp, useResource, useStore, useTool, useTransportStatus, useUIResource }
  from "./cloche/react.js";
let made = 0;
function Page() {
  const { client } = useMcp();
  const seen = [client, useStore("shopping.title"), useResource("x://y").isLoading, useTool("add").isCalling];
  seen.push(useTransportStatus(), useUIResource("ui://x").isLoading, useApp().isConnected);
  return <p>{JSON.stringify(seen)}</p>;
}
const html = renderToString(<ErrorBoundary><Provider client={() => made++}><Page /></Provider></ErrorBoundary>);
const say = (html) => console.log(JSON.stringify([html, made, typeof window, typeof document]));
say(html);
"""

VUE = """
import { createSSRApp, h } from "vue";
import { renderToString } from "vue/server-renderer";
import { ErrorBoundary, Provider, useApp, useMcp, useResource, useStore, useTool, useTransportStatus, useUIResource }
  from "./cloche/vue.js";
let made = 0;
const Page = { setup() {
  const seen = [useMcp(), useStore("shopping.title"), useResource("x://y"), useTool("add"), useTransportStatus()];
  const [mcp, title, resource, tool, status] = seen;
  const ui = useUIResource("ui://x"), app = useApp();
  return () => h("p", JSON.stringify([mcp.value.client, title.value, resource.value.isLoading, tool.value.isCalling,
    status.value, ui.value.isLoading, app.value.isConnected]));
} };
const client = () => made++;
const app = createSSRApp({ render: () => h(ErrorBoundary, () => h(Provider, { client }, () => h(Page))) });
renderToString(app).then((html) =>
  console.log(JSON.stringify([html, made, typeof window, typeof document])));
"""

PLAIN = """
import { McpClient } from "./cloche/client.js";
import { openStore } from "./cloche/store.js";
import { createLinkedPair } from "./cloche/transports/event.js";
import { WebSocketTransport } from "./cloche/transports/websocket.js";
const store = openStore(new McpClient(createLinkedPair()[0]), "shopping");
const [html, made] = [`<p>${JSON.stringify([null, store.get("title") ?? null])}</p>`, 0];
console.log(JSON.stringify([html, made, typeof window, typeof document]));
"""

RENDERED = [None, None, True, False, {"status": "connecting"}, True, False]


@pytest.mark.requirement(193)
@pytest.mark.parametrize(
    ("script", "expected"),
    [(PLAIN, RENDERED[:2]), (REACT, RENDERED), (VUE, RENDERED)],
    ids=["plain", "react", "vue"],
)
def test_a_page_is_rendered_without_a_window_and_connects_to_nothing(
    script: str, expected: list[object], tmp_path: Path
) -> None:
    bundle = tmp_path / "page.cjs"
    bundle.write_bytes(bundled_page(tmp_path, script, "--platform=node", "--format=cjs"))
    done = subprocess.run(["node", bundle], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    html, made, *surroundings = json.loads(done.stdout)
    shown = re.search("<p>(.*)</p>", html)
    assert shown is not None, html
    assert json.loads(unescape(shown[1])) == expected
    assert made == 0
    assert surroundings == ["undefined", "undefined"]
