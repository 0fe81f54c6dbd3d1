"""Every behaviour case between a page and a frame: of another origin, without one, and the other way round."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, Route

from tests.support.page_cases import run_cases
from tests.support.transport_site import TransportSite
from tests.web.transports.scene import APP, Scene, transports

FRAMED = "/tests/web/transports/ways/framed.html"


def for_everybody(route: Route) -> None:
    """Modules for frames without an origin, who may only load what is meant for everybody."""
    answer = route.fetch()
    route.fulfill(response=answer, headers={**answer.headers, "access-control-allow-origin": "*"})


@pytest.mark.requirement(43, 49)
@pytest.mark.parametrize("kind", ["another origin", "no origin"])
def test_the_cases_pass_over_a_frame_that_serves(kind: str, page: Page, site: TransportSite) -> None:
    url = f"{site.other_url}{FRAMED}?parent={site.url}"
    if kind == "no origin":
        page.context.route("**/*.js", for_everybody)
        run_cases(page, "frames", "parent", url=url, origin="null", sandbox="allow-scripts")
    else:
        run_cases(page, "frames", "parent", url=url, origin=site.other_url)


@pytest.mark.requirement(51)
def test_the_cases_pass_over_a_frame_that_asks(page: Page, site: TransportSite) -> None:
    options = {"url": f"{site.other_url}/empty.html", "origin": site.other_url}
    page.evaluate("async (options) => (await import('/tests/web/transports/ways/frames.js')).serve(options)", options)
    run_cases(page.frames[1], "frames", "child", origin=site.url)


CHILD = """() => {
  window.child = new T.IframeChildTransport({
    parentOrigin: "https://host.example",
    capabilities: { tools: {} },
    version: "7",
    onConnected: (peer) => heard.push(peer.version),
  });
}"""


@pytest.mark.requirement(48, 49, 51)
def test_options_defaults_and_the_handshake(browser: Browser) -> None:
    with Scene(browser, transports()) as scene:
        app = scene.frame("app")
        app.evaluate(CHILD)
        facts = scene.do("""async () => {
          const targetOrigin = "https://app.example";
          const seen = window.seen = [];
          const post = app.contentWindow.postMessage;
          const short = new T.IframeParentTransport(app, { targetOrigin });
          short.close();
          const onOriginViolation = () => 0;
          const given = { iframe: app, targetOrigin, capabilities: { sampling: {} }, version: "3", onOriginViolation };
          const transport = window.transport = new T.IframeParentTransport(given);
          const before = transport.isConnected;
          const peer = await transport.connect();
          return {
            type: [short.messageType, transport.messageType],
            timeout: [short.connectionTimeout, transport.connectionTimeout],
            origin: [short.targetOrigin, transport.targetOrigin],
            same: transport.iframe === app && transport.onOriginViolation === onOriginViolation,
            again: await transport.connect() === peer,
            connected: [before, transport.isConnected],
            peer,
          };
        }""")
        assert facts == {
            "type": ["mcp", "mcp"],
            "timeout": [10_000, 10_000],
            "origin": [APP, APP],
            "same": True,
            "again": True,
            "connected": [False, True],
            "peer": {"capabilities": {"tools": {}}, "version": "7"},
        }
        inside = app.evaluate("""async () => ({
          peer: await child.waitForConnection(),
          type: child.messageType,
          origin: child.parentOrigin,
          heard,
        })""")
        assert inside == {
            "peer": {"capabilities": {"sampling": {}}, "version": "3"},
            "type": "mcp",
            "origin": "https://host.example",
            "heard": ["3"],
        }


@pytest.mark.requirement(48)
def test_a_frame_that_does_not_answer_is_given_up_after_the_time_that_was_given(browser: Browser) -> None:
    with Scene(browser, transports()) as scene:
        scene.frame("app")
        error = scene.do("""async () => {
          const options = { targetOrigin: "https://app.example", connectionTimeout: 100 };
          const transport = new T.IframeParentTransport(app, options);
          const { code, message } = await transport.connect().catch((error) => error);
          return { code, message, now: transport.isConnected };
        }""")
        assert error == {
            "code": "CONNECTION_TIMEOUT",
            "message": "No frame answers at https://app.example",
            "now": False,
        }


@pytest.mark.requirement(49, 50)
def test_peers_that_use_the_words_of_the_diagrams_are_understood_and_answered_in_them(browser: Browser) -> None:
    """A frame of somebody else's: `mcp:connected`, then `mcp:request` and `mcp:response`, all by window."""
    with Scene(browser, transports()) as scene:
        app = scene.frame("app")
        app.evaluate("""() => addEventListener("message", ({ data, source, origin }) => {
          heard.push([data.type, data.method ?? data.result?.value]);
          if (data.type === "mcp:connect") {
            source.postMessage({ type: "mcp:connected", capabilities: {}, version: "0" }, origin);
            source.postMessage({ type: "mcp:request", id: "a", method: "ask", params: {} }, origin);
          }
          if (data.type === "mcp:request") {
            source.postMessage({ type: "mcp:response", id: data.id, result: { value: 3 } }, origin);
          }
        })""")
        value = scene.do("""async () => {
          const transport = new T.IframeParentTransport(app, { targetOrigin: "https://app.example" });
          const asked = new Promise((done) => transport.serve((method) => () => (done(method), { value: 4 })));
          await transport.connect();
          await asked;
          return (await transport.request({ method: "tell" })).result.value;
        }""")
        assert value == 3
        app.wait_for_function("() => heard.length >= 3")
        said = app.evaluate("() => heard.filter(([type]) => type !== 'mcp:connect')")
        assert sorted(said) == [["mcp:request", "tell"], ["mcp:response", 4]]


@pytest.mark.requirement(49, 50)
def test_peers_that_know_no_ports_are_spoken_to_by_window(browser: Browser) -> None:
    """A frame of somebody else's: `mcp:connected`, then messages in the envelope that all transports have."""
    with Scene(browser, transports()) as scene:
        app = scene.frame("app")
        app.evaluate("""() => addEventListener("message", ({ data, source, origin }) => {
          heard.push(data.type + (data.payload ? data.payload.method ? " request" : " response" : ""));
          if (data.type === "mcp:connect") {
            source.postMessage({ type: "mcp:connected", capabilities: {}, version: "0" }, origin);
            const payload = { jsonrpc: "2.0", id: "a", method: "ask", params: {} };
            source.postMessage({ type: "mcp", payload }, origin);
          }
          if (data.payload?.method) {
            const payload = { jsonrpc: "2.0", id: data.payload.id, result: { value: 3 } };
            source.postMessage({ type: "mcp", payload }, origin);
          }
        })""")
        value = scene.do("""async () => {
          const transport = new T.IframeParentTransport(app, { targetOrigin: "https://app.example" });
          const asked = new Promise((done) => transport.serve((method) => () => (done(method), { value: 4 })));
          await transport.connect();
          await asked;
          return (await transport.request({ method: "tell" })).result.value;
        }""")
        assert value == 3
        app.wait_for_function("() => heard.length >= 3")
        assert sorted(app.evaluate("() => heard")) == ["mcp request", "mcp response", "mcp:connect"]


@pytest.mark.requirement(52, 150, 153)
def test_a_child_refuses_other_origins_then_other_structures(browser: Browser) -> None:
    with Scene(browser, transports()) as scene:
        app = scene.frame("app")
        app.evaluate("""() => {
          window.child = new T.IframeChildTransport({
            parentOrigin: "https://host.example",
            onOriginViolation: (origin) => heard.push(origin),
          });
          window.values = noted(child);
        }""")
        spy = scene.frame("spy")
        spy.evaluate("() => parent.frames[0].postMessage({ type: 'mcp:connect' }, '*')")
        app.wait_for_function("() => heard.length == 1")
        assert app.evaluate("() => [heard, child.violations, child.isConnected]") == [[APP], 1, False]
        scene.do("""() => {
          const post = (data) => app.contentWindow.postMessage(data, "https://app.example");
          post({ type: "mcp:connect", capabilities: {}, version: "1" });
          for (const payload of [undefined, 3, {}, { jsonrpc: "1.0", method: "x" }]) post({ type: "mcp", payload });
          post({ type: "mcp", payload: note("right") });
        }""")
        app.wait_for_function("() => values.length == 1")
        assert app.evaluate("() => [values, child.dropped, child.violations]") == [["right"], 4, 1]
