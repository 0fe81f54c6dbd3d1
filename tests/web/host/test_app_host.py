"""`createAppHost`: apps by URL, views and servers alike, answered by the page itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Error as PlaywrightError

from cloche.views.scripts import generate_bridge
from tests.web.host.showing import Showing
from tests.web.host.stub import Stub

POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; frame-src http://app.localhost:*"
VIEW = f"<!doctype html><script>{generate_bridge()}</script><p id=out></p>"
SERVER = """<!doctype html><script type="module">
import { createAppChild } from "/cloche/web/host/app-child.js";
const tools = { initialize: () => ({ serverInfo: { name: "shouter", version: "2" } }),
  "tools/call": ({ name, arguments: args }) => { if (name !== "shout") throw new Error("No such tool");
    return { content: [{ type: "text", text: args.text.toUpperCase() }] } },
  "resources/read": ({ uri }) => ({ contents: [{ uri, text: "read" }] }),
  "prompts/get": ({ name }) => ({ messages: [name] }) };
window.child = createAppChild({ allowedOrigins: [new URLSearchParams(location.search).get("host")],
  onInitialData: (data) => { window.data = data; child.postMessage("render-complete", { ms: 3 }) },
  onRequest: (method, params) => tools[method]?.(params) });
child.ready({ serverInfo: { name: "shouter", version: "1" } });
</script>"""

SEED_APP = """<!doctype html><script type="module">
import { IframeChildTransport } from "/cloche/web/transports/iframe.js";
import { createBrowserMcpServer } from "/cloche/web/server.js";
const transport = new IframeChildTransport({ parentOrigin: new URLSearchParams(location.search).get("host") });
window.server = await createBrowserMcpServer({ transport, info: { name: "drawn", version: "1.0.0" } });
server.registerTool("shout", { handler: ({ text }) => text.toUpperCase() });
server.registerResource("notes://1", { handler: () => "a note" });
addEventListener("message", ({ data }) => { if (data?.type === "config") window.config = data; });
await transport.connect();
parent.postMessage({ type: "render-complete", ms: 3 }, transport.parentOrigin);
</script>"""
SERVED = """<!doctype html><script type="module">
import { createAppChild } from "/cloche/web/host/app-child.js";
import { createServer } from "/cloche/web/server.js";
window.contexts = [];
window.heard = [];
const server = createServer({ name: "served", version: "3" });
server.registerTool("who", { handler: () => child.getAuthContext() });
server.registerTool("page", { handler: async () => (await child.request("tools/call", { name: "add" })).content });
window.server = server;
window.child = createAppChild({ allowedOrigins: [new URLSearchParams(location.search).get("host")],
  onAuthContext: (context) => contexts.push(context) });
for (const type of ["config", "auth:refresh", "app:focus", "app:blur"]) {
  child.onMessage(type, (payload) => heard.push([type, payload]));
}
child.serve(server);
</script><input>"""

Load = Callable[..., Any]


@pytest.fixture
def load(stub: Stub, showing: Showing) -> Load:
    """Makes a host on the page with these options, as JavaScript, and loads an app into it: `host` and `app`."""
    stub.policy = POLICY
    stub.pages |= {
        "/view": VIEW,
        "/server": SERVER,
        "/seed": SEED_APP,
        "/served": SERVED,
        "/silent": "<p>silent",
        "/flood": FLOOD,
    }
    showing.open("<div id=place></div>")
    origin = f"http://app.localhost:{stub.port}"

    def run(path: str = "/view", options: str = "", then: str = "app.state", how: str = "host.loadApp(url)") -> Any:
        script = f"""async ([url, origin]) => {{
          const {{ createAppHost }} = await import("/cloche/mcp-app.js");
          window.calls = [];
          window.host = createAppHost({{ container: "#place", allowedOrigins: [origin], {options} }});
          window.app = await {how};
          return {then};
        }}"""
        return showing.page.evaluate(script, [f"{origin}{path}?host={stub.url}", origin])

    return run


FLOOD = """<script>for (let i = 0; i < 20000; i++) parent.postMessage({ type: "x", payload: i }, "*");</script>"""


@pytest.mark.requirement(116, 117, 118, 171, 172)
def test_a_view_by_url_calls_tools_and_reads_resources_of_the_page(load: Load, showing: Showing) -> None:
    options = """
      onToolCall: (name, args) => ({ content: [], structuredContent: { name, args } }),
      onResourceRequest: (uri) => ({ contents: [{ uri, text: "of the page" }] }), onAppMessage: (m) => calls.push(m)"""
    assert load("/view", options) == "connected"
    result = showing.inner.evaluate("() => cloche.callTool('add', { a: 1 })")
    assert result["structuredContent"] == {"name": "add", "args": {"a": 1}}
    read = showing.inner.evaluate("() => cloche.readResource('notes://1')")
    assert read["contents"][0]["text"] == "of the page"
    showing.inner.evaluate("() => cloche.log('info', 'hello')")
    showing.page.wait_for_function("() => calls.some(({ params }) => params?.data === 'hello')")
    assert showing.inner.evaluate("() => origin") == "null"


@pytest.mark.requirement(117, 171, 172, 173, 174)
def test_a_server_by_url_is_asked_by_the_page(load: Load, showing: Showing) -> None:
    sandbox = "['allow-scripts', 'allow-same-origin']"
    how = f"host.load({{ src: url, name: 'Shouter', initialData: {{ a: 1 }}, sandbox: {sandbox} }})"
    then = "[app.name, app.state, app.serverInfo, await app.callTool('shout', { text: 'hey' }), host.list().length]"
    name, state, info, result, count = load("/server", how=how, then=then)
    assert (name, state, info, count) == ("Shouter", "connected", {"name": "shouter", "version": "2"}, 1)
    assert result["content"][0]["text"] == "HEY"
    assert showing.page.evaluate("async () => (await app.readResource('a://b')).contents[0].text") == "read"
    assert showing.page.evaluate("async () => (await app.getPrompt('trip')).messages") == ["trip"]
    failing = "() => app.callTool('none').catch(({ code, message }) => [code, message])"
    assert showing.page.evaluate(failing) == [-32603, "No such tool"]
    assert showing.inner.evaluate("() => window.data") == {"a": 1}


@pytest.mark.requirement(117, 174)
def test_events_of_an_app_and_messages_to_it(load: Load, showing: Showing) -> None:
    load("/server", then="null")
    showing.page.evaluate("() => { app.on('render-complete', (data) => calls.push(data)) }")
    showing.inner.evaluate(
        "() => child.onMessage('config', (payload) => child.postMessage('render-complete', payload))"
    )
    showing.page.evaluate("() => app.postMessage('config', { theme: 'dark' })")
    showing.page.wait_for_function("() => calls.length === 1")
    assert showing.page.evaluate("() => calls") == [{"theme": "dark"}]


@pytest.mark.requirement(50, 116, 117, 171, 172)
@pytest.mark.parametrize(
    "sandbox", ["['allow-scripts']", "['allow-scripts', 'allow-same-origin']"], ids=["null", "own"]
)
def test_an_app_with_the_page_transport_and_a_server_is_loaded(load: Load, showing: Showing, sandbox: str) -> None:
    """Seed 000's own drawing: `IframeChildTransport` and an MCP server in the app, `createAppHost` around it."""
    options = f"sandbox: {sandbox}, onAppMessage: (message) => calls.push(message)"
    then = "[app.state, app.serverInfo.name, (await app.callTool('shout', { text: 'hey' })).content[0].text]"
    assert load("/seed", options, then=then) == ["connected", "drawn", "HEY"]
    assert showing.page.evaluate("async () => (await app.readResource('notes://1')).contents[0].text") == "a note"
    showing.page.evaluate("() => app.send({ type: 'config', theme: 'dark' })")
    showing.inner.wait_for_function("() => window.config && server.isConnected()")
    assert showing.inner.evaluate("() => config") == {"type": "config", "theme": "dark"}
    showing.page.wait_for_function("() => calls.some(({ type, ms }) => type === 'render-complete' && ms === 3)")
    showing.page.evaluate("() => void (app.on('notifications/tools/list_changed', () => calls.push('changed')))")
    showing.inner.evaluate("() => void server.registerTool('late', { handler: () => '' })")
    showing.page.wait_for_function("() => calls.includes('changed')")
    showing.inner.evaluate("() => server.close()")
    showing.page.wait_for_function("() => app.state === 'error' && host.list().length === 0")


@pytest.mark.requirement(117, 172, 173, 174, 175)
def test_an_app_connects_a_server_and_knows_the_user(load: Load, showing: Showing) -> None:
    options = """authContext: { token: "t1", userId: "ann" },
      onToolCall: (name) => ({ content: [{ type: "text", text: "page's " + name }] })"""
    then = "[app.state, app.serverInfo, (await app.callTool('who')).structuredContent, (await app.callTool('page'))]"
    state, info, who, asked = load("/served", options, then=then)
    assert (state, info, who) == ("connected", {"name": "served", "version": "3"}, {"token": "t1", "userId": "ann"})
    assert "page's add" in str(asked)
    showing.page.evaluate(
        "() => { host.updateAuthContext({ token: 't2' }); app.send({ type: 'config', theme: 'dark' }) }"
    )
    showing.inner.wait_for_function("() => heard.length === 2")
    assert showing.inner.evaluate("() => heard") == [
        ["auth:refresh", {"token": "t2"}],
        ["config", {"type": "config", "theme": "dark"}],
    ]
    assert showing.inner.evaluate("() => contexts") == [{"token": "t1", "userId": "ann"}, {"token": "t2"}]
    assert showing.inner.evaluate("() => child.getAuthContext()") == {"token": "t2"}


@pytest.mark.requirement(174)
def test_an_app_hears_when_it_gets_the_keyboard_and_loses_it(load: Load, showing: Showing) -> None:
    showing.page.evaluate("() => { place.insertAdjacentHTML('beforebegin', '<input id=own>') }")
    load("/served", then="null")
    heard = "(count) => heard.length === count"
    showing.inner.locator("input").click()
    showing.inner.wait_for_function(heard, arg=1)
    showing.page.locator("#own").click()
    showing.inner.wait_for_function(heard, arg=2)
    showing.page.evaluate("() => app.focus()")
    showing.inner.wait_for_function(heard, arg=3)
    assert [type for type, _ in showing.inner.evaluate("() => heard")] == ["app:focus", "app:blur", "app:focus"]


@pytest.mark.requirement(169, 173)
def test_a_permission_is_asked_for_once_and_only_a_yes_is_a_yes(load: Load, showing: Showing) -> None:
    options = """hitl: { confirmationTimeout: 100, onConfirmationRequired: () => false },
      onPermissionRequest: ({ permission, app }) => { calls.push([permission, app]);
        return permission === "silence" ? new Promise(() => {}) : permission === "broken" ? Promise.reject(Error("no"))
          : permission !== "no" }"""
    load("/served", options, then="null")
    asks = """async (names) => { const found = [];
      for (const name of names) found.push(await child.requestPermission(name).catch(({ message }) => message));
      return [found, child.getPermissions()] }"""
    names = ["notes", "notes", "no", "silence", "broken", "camera", "No Name"]
    expected = [True, True, False, False, False, False, "A permission has a short name"]
    assert showing.inner.evaluate(asks, names) == [expected, ["notes"]]
    assert showing.page.evaluate("() => calls.map(([name]) => name)") == ["notes", "no", "silence", "broken", "camera"]
    showing.page.evaluate("() => host.unloadApp()")
    load("/served", then="null")  # a page that asks nobody gives nothing
    assert showing.inner.evaluate("() => child.requestPermission('notes')") is False


THIEF = """<!doctype html><script>
addEventListener("message", ({ data }) => parent.postMessage({ type: "stolen", payload: data }, "*"));
parent.postMessage({ jsonrpc: "2.0", id: 1, method: "ui/initialize", params: {} }, "*");
</script>"""


@pytest.mark.requirement(148, 149, 150, 155, 175)
@pytest.mark.parametrize(
    "sandbox", ["['allow-scripts']", "['allow-scripts', 'allow-same-origin']"], ids=["null", "own"]
)
def test_a_redirect_to_another_origin_gets_neither_token_nor_tools(
    load: Load, showing: Showing, stub: Stub, sandbox: str
) -> None:
    stub.policy = POLICY + f" http://evil.localhost:{stub.port}"  # the page's own policy is no help
    stub.redirects["/away"] = f"http://evil.localhost:{stub.port}/thief"
    stub.pages["/thief"] = THIEF
    showing.open("<div id=place></div>")
    options = f"""sandbox: {sandbox}, authContext: {{ token: "secret" }}, onToolCall: () => calls.push("called"),
      onAppMessage: (message) => calls.push(message)"""
    with pytest.raises(PlaywrightError, match=f"left http://app.localhost:{stub.port}"):
        load("/away", options)
    assert showing.page.evaluate("() => [calls, document.querySelectorAll('#place iframe').length]") == [[], 0]


@pytest.mark.requirement(117, 171)
def test_unloading_takes_the_frame_away_and_nothing_is_heard_any_more(load: Load, showing: Showing) -> None:
    load("/view")
    counts = "() => [document.querySelectorAll('#place iframe').length, host.list().length, app.state]"
    assert showing.page.evaluate(counts) == [1, 1, "connected"]
    showing.page.evaluate("() => host.unloadApp()")
    assert showing.page.evaluate(counts) == [0, 0, "disconnected"]


@pytest.mark.requirement(148, 149, 150, 151, 155)
@pytest.mark.parametrize(
    ("options", "how", "reason"),
    [
        ("allowedOrigins: []", "host.loadApp(url)", "allowedOrigins"),
        ("allowedOrigins: ['*']", "host.loadApp(url)", "allowedOrigins"),
        ("allowedOrigins: ['https://a.example/']", "host.loadApp(url)", "allowedOrigins"),
        ("allowedOrigins: ['https://a.example']", "host.loadApp(url)", "not one of allowedOrigins"),
        ("container: '#none'", "host.loadApp(url)", "container"),
        ("sandbox: ['allow-scripts', 'allow-top-navigation']", "host.loadApp(url)", "sandbox"),
        (
            "allowedOrigins: [location.origin], sandbox: ['allow-scripts', 'allow-same-origin']",
            "host.loadApp('/view')",
            "sandbox",
        ),
        ("connectionTimeout: 200", "host.loadApp(url.replace('/view', '/silent'))", "no answer in 200 ms"),
    ],
    ids=["none", "star", "path", "other", "container", "navigation", "own-origin", "silent"],
)
def test_what_is_wrong_is_refused_with_its_reason(load: Load, options: str, how: str, reason: str) -> None:
    with pytest.raises(PlaywrightError, match=reason):
        load(options=options, how=how)


@pytest.mark.requirement(169, 171)
def test_a_person_is_asked_where_the_page_says_so_and_silence_means_no(load: Load, showing: Showing) -> None:
    options = """onToolCall: (name) => ({ content: [], structuredContent: { name } }), hitl: {
      neverConfirm: ["safe"], confirmationTimeout: 100,
      onConfirmationRequired: ({ name }) => name === "yes" ? true : name === "no" ? false : new Promise(() => {}) }"""
    load("/view", options)
    call = "(name) => cloche.callTool(name).then((r) => r.structuredContent.name, ({ message }) => message)"
    outcomes = [showing.inner.evaluate(call, name) for name in ("safe", "yes", "no", "silence")]
    assert outcomes == ["safe", "yes", "The user declined", "The user declined"]


def test_an_app_that_floods_is_taken_away(load: Load, showing: Showing) -> None:
    load(
        "/flood",
        "onAppError: (error) => calls.push(error.message)",
        how="host.loadApp(url).catch(() => null)",
        then="null",
    )
    assert "app: The app sent too many messages" in showing.page.evaluate("() => calls")
    assert showing.page.evaluate("() => document.querySelectorAll('#place iframe').length") == 0


def test_an_app_that_goes_elsewhere_is_taken_away(load: Load, showing: Showing) -> None:
    load("/view", "onAppError: (error) => calls.push(error.message)")
    showing.inner.evaluate("() => void setTimeout(() => { location.href = '/silent' })")
    showing.page.wait_for_function("() => calls.includes('app: The app went to another page')")


REACHES = "(url) => fetch(url, { mode: 'no-cors' }).then(() => 'out', () => 'stopped')"


@pytest.mark.requirement(116)
def test_an_app_that_accepts_the_policy_of_the_page_is_held_to_it(load: Load, showing: Showing, stub: Stub) -> None:
    stub.app_headers = [(b"allow-csp-from", stub.url.encode())]
    for options, outcome in (("", "out"), ("""csp: "connect-src 'none'" """, "stopped")):  # the control, and with it
        assert load("/view", options) == "connected"
        assert showing.inner.evaluate(REACHES, f"{stub.url}/view") == outcome
        showing.page.evaluate("() => host.unloadApp()")


@pytest.mark.requirement(116)
def test_an_app_that_does_not_accept_the_policy_of_the_page_is_not_shown(load: Load, showing: Showing) -> None:
    assert load("/view") == "connected"  # the control
    showing.page.evaluate("() => host.unloadApp()")
    with pytest.raises(PlaywrightError, match="Allow-CSP-From"):
        load("/view", """connectionTimeout: 1000, csp: "connect-src 'none'" """)
    assert showing.page.evaluate("() => document.querySelectorAll('#place iframe').length") == 0


@pytest.mark.requirement(173)
def test_the_child_reads_its_data_speaks_listens_and_knows_its_permissions(load: Load, showing: Showing) -> None:
    sandbox = "['allow-scripts', 'allow-same-origin']"
    how = f"host.load({{ src: url, initialData: {{ a: 1 }}, sandbox: {sandbox} }})"
    load("/server", how=how)
    child = showing.inner
    assert child.evaluate("() => child.getInitialData()") == {"a": 1}
    child.evaluate("() => { window.stop = child.onMessage('theme', (payload) => (window.theme = payload)) }")
    showing.page.evaluate("() => app.postMessage('theme', { dark: true })")
    child.wait_for_function("() => window.theme?.dark === true")
    waiting = "() => { window.saved = new Promise((done) => app.on('saved', done)) }"
    showing.page.evaluate(waiting)
    child.evaluate("() => child.postMessage('saved', { id: 7 })")
    assert showing.page.evaluate("() => saved") == {"id": 7}
    assert "camera" not in child.evaluate("() => child.getPermissions()")
    assert child.evaluate("() => child.requestPermission('camera')") is False
