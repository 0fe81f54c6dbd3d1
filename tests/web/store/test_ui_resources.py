"""`showUIResource` and `UIResourceRenderer`: UI resources in frames of a page, with what each preset lets them do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Frame, Page, expect

from cloche import EmbeddedResource, Server
from cloche.components import form_resource
from cloche.views import create_ui_resource, generate_bridge
from tests.support.framework_pages import PageSite, bundled_page

VIEW = f"""<!doctype html><html lang="en"><head><title>View</title><script>{generate_bridge()}</script></head>
<body><h1>View</h1><p id="state"></p><form action="https://example.com/steal"><input name="q"></form>
<script>
  cloche.ready.then(() => {{
    document.querySelector("#state").textContent = JSON.stringify(cloche.getState() ?? null);
    document.querySelector("h1").textContent = "ready";
  }});
</script></body></html>"""

PAGE = """
import { McpClient } from "./cloche/client.js";
import { SANDBOX_PRESETS, showUIResource } from "./cloche/ui-resource.js";
import { WebSocketTransport } from "./cloche/transports/websocket.js";

const client = new McpClient(await WebSocketTransport.open("/mcp"));
const app = document.querySelector("#app");
Object.assign(window, { client, SANDBOX_PRESETS, loaded: 0, errors: [], messages: [] });
window.show = (of, options) => window.shown = showUIResource(app, of, {
  client,
  onLoad: () => loaded++,
  onError: (error) => errors.push(error.message),
  onMessage: (message) => messages.push(message),
  ...options,
});
window.called = (name) => client.callTool(name, {});
document.title = "ready";
"""

REACT = """
import { createRoot } from "react-dom/client";
import { Provider, UIResourceRenderer, useTool } from "./cloche/react.js";
import { McpClient } from "./cloche/client.js";
import { WebSocketTransport } from "./cloche/transports/websocket.js";
const connect = async () => new McpClient(await WebSocketTransport.open("/mcp"));

function Page() {
  const contact = useTool("contact");
  return <>
    <button onClick={() => contact.call()}>Contact</button>
    {contact.result && <UIResourceRenderer resource={contact.result} sandbox="full" autoResize title="Contact"
      onLoad={() => { window.loaded = (window.loaded ?? 0) + 1 }} />}
  </>;
}
createRoot(document.querySelector("#app")).render(<Provider client={connect}><Page /></Provider>);
"""


VUE = """
import { createApp } from "vue";
import { Provider, UIResourceRenderer, useTool } from "./cloche/vue.js";
import { McpClient } from "./cloche/client.js";
import { WebSocketTransport } from "./cloche/transports/websocket.js";
const connect = async () => new McpClient(await WebSocketTransport.open("/mcp"));

const Page = {
  components: { UIResourceRenderer },
  setup: () => ({ contact: useTool("contact"), count: () => { window.loaded = (window.loaded ?? 0) + 1 } }),
  template: `<button @click="contact.call()">Contact</button>
    <UIResourceRenderer v-if="contact.result" :resource="contact.result" sandbox="full" auto-resize title="Contact"
      @load="count" />`,
};
createApp({
  components: { Page, Provider },
  setup: () => ({ connect }),
  template: '<Provider :client="connect"><Page /></Provider>',
}).mount("#app");
"""


@pytest.fixture
def site() -> Iterator[PageSite]:
    server = Server("forms")

    @server.tool
    async def view() -> EmbeddedResource:
        """A view."""
        return create_ui_resource(VIEW, "View", uri="ui://view/one")

    @server.tool
    async def contact() -> EmbeddedResource:
        """A form."""
        schema = {"type": "object", "properties": {"name": {"type": "string"}}}
        return form_resource(schema, tool="send", title="Contact Form")

    @server.tool
    async def send(name: str) -> str:
        """Send what was filled in."""
        return f"Sent for {name}"

    @server.resource("ui://kept/page", mime_type="text/html;profile=mcp-app")
    async def kept() -> str:
        """A page that the server has."""
        return VIEW

    with PageSite(server) as made:
        yield made


@pytest.fixture
def page(site: PageSite, tabs: BrowserContext) -> Page:
    made = tabs.new_page()
    made.goto(site.show("resources", PAGE.encode()))
    made.wait_for_function("document.title == 'ready'")
    return made


def shown(page: Page, of: str, **options: Any) -> Frame:
    """The frame of a view that is ready."""
    page.evaluate(f"async (options) => void show({of}, options)", options)
    page.frame_locator("iframe").locator("h1", has_text="ready").wait_for()
    return page.frames[-1]


@pytest.mark.requirement(185)
@pytest.mark.parametrize("preset", ["display", "form", "stateful", "full"])
def test_a_preset_says_what_the_frame_may_do_and_none_makes_it_the_page(preset: str, page: Page) -> None:
    view = shown(page, "await called('view')", sandbox=preset)
    assert page.evaluate("loaded") == 1
    assert view.evaluate("origin") == "null"
    for reach in ("parent.document.title", "localStorage.length", "top.client"):
        assert "Error" in view.evaluate(
            f"(() => {{ try {{ return {reach} }} catch (error) {{ return error.name }} }})()"
        )
    assert view.evaluate("fetch('https://example.com/').then(() => 'sent', () => 'refused')") == "refused"
    can_submit = view.evaluate("document.querySelector('form').requestSubmit(), location.href")
    assert can_submit == "about:srcdoc"
    told = view.evaluate("cloche.setState({ page: 2 })")
    assert told is (preset in ("stateful", "full"))
    answer = view.evaluate("cloche.callTool('send', { name: 'Ada' }).then((it) => it.content[0].text, (it) => it.code)")
    assert answer == ("Sent for Ada" if preset == "full" else answer)
    assert (answer == "Sent for Ada") is (preset == "full")
    assert "allow-same-origin" not in page.evaluate("JSON.stringify(SANDBOX_PRESETS)")
    assert any(message.get("method") == "ui/initialize" for message in page.evaluate("messages"))


def test_the_state_of_a_stateful_view_is_there_after_a_reload_and_for_its_own_resource_only(page: Page) -> None:
    view = shown(page, "await called('view')", sandbox="stateful")
    expect(page.frame_locator("iframe").locator("#state")).to_have_text("null")
    view.evaluate("cloche.setState({ page: 2 })")
    page.reload()
    page.wait_for_function("document.title == 'ready'")
    shown(page, "await called('view')", sandbox="stateful")
    expect(page.frame_locator("iframe").locator("#state")).to_have_text('{"page":2}')
    shown(page, "'ui://kept/page'", sandbox="stateful")
    expect(page.frame_locator("iframe").locator("#state")).to_have_text("null")
    shown(page, "await called('view')", sandbox="form")
    expect(page.frame_locator("iframe").locator("#state")).to_have_text("null")


def test_what_is_no_ui_resource_and_what_is_no_preset_is_said(page: Page) -> None:
    page.evaluate("show({ content: [{ type: 'text', text: 'no' }] })")
    page.evaluate("show('ui://gone')")
    page.wait_for_function("errors.length >= 2")
    first, second = page.evaluate("errors")[:2]
    assert "no UI resource" in first
    assert "not found" in second
    assert "it is one of display,form,stateful,full" in page.evaluate(
        "(() => { try { show('ui://x', { sandbox: 'all' }) } catch (error) { return error.message } })()"
    )
    page.evaluate("shown.close()")
    expect(page.locator("iframe")).to_have_count(0)


@pytest.mark.requirement(185)
@pytest.mark.parametrize("framework", ["react", "vue"])
def test_a_component_shows_a_form_as_high_as_it_is_and_its_tool_is_called(
    framework: str, site: PageSite, tabs: BrowserContext, tmp_path: Path
) -> None:
    page = tabs.new_page()
    page.goto(site.show(framework, bundled_page(tmp_path, REACT) if framework == "react" else VUE.encode()))
    page.get_by_role("button", name="Contact").click()
    view = page.frame_locator("iframe[title=Contact]")
    view.get_by_role("textbox").fill("Ada")
    view.get_by_role("button", name="Send").click()
    expect(view.locator("body")).to_contain_text("Sent for Ada")
    page.wait_for_function("parseInt(document.querySelector('iframe').style.height) > 0")
    assert page.evaluate("loaded") == 1
