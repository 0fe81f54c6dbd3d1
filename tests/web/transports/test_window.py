"""Every behaviour case between two windows, and what a window's transport is told."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.support.page_cases import run_cases
from tests.support.transport_site import TransportSite
from tests.web.transports.scene import APP, Scene, transports
from tests.web.transports.test_iframe import FRAMED


@pytest.mark.requirement(39, 43, 44)
def test_the_cases_pass_between_two_windows(page: Page, site: TransportSite) -> None:
    url = f"{site.other_url}{FRAMED}?parent={site.url}&kind=window"
    run_cases(page, "frames", "windows", url=url, origin=site.other_url)


@pytest.mark.requirement(39, 40, 43)
def test_the_transport_follows_from_the_target(browser: Browser) -> None:
    with Scene(browser, transports()) as scene:
        scene.frame("app")
        kinds = scene.do("""() => {
          const worker = new Worker(URL.createObjectURL(new Blob([""])));
          const made = [
            new T.PostMessageTransport(worker),
            new T.PostMessageTransport(new MessageChannel().port1),
            new T.PostMessageTransport(app.contentWindow, { origin: "https://app.example" }),
          ];
          worker.terminate();
          const nameOf = (one) => Object.keys(T).find((name) => T[name] === one.constructor);
          return made.map((one) => nameOf(one) + " " + one.messageType);
        }""")
        assert kinds == ["PortTransport mcp", "PortTransport mcp", "WindowTransport mcp"]


@pytest.mark.requirement(40, 148, 149)
def test_the_origin_has_no_default_and_the_star_warns_once(browser: Browser) -> None:
    """The source's default is `'*'`, never to be used in production; here it must be written out."""
    with Scene(browser, transports()) as scene:
        warnings: list[str] = []
        scene.page.on("console", lambda message: warnings.append(warning(message)))
        facts = scene.do("""() => {
          let refusal;
          try { new T.PostMessageTransport(window) } catch (error) { refusal = error.message }
          const onOriginViolation = () => 0;
          const made = ["*", "*"].map((origin) => new T.PostMessageTransport(window, { origin, onOriginViolation }));
          const same = made.every((one) => one.onOriginViolation === onOriginViolation);
          return [refusal, made.map((one) => one.origin), same];
        }""")
        assert facts == [
            "origin: name the one that the other window has",
            ["*", "*"],
            True,
        ]
        scene.do("() => console.warn('last')")
        assert warnings == ["warning: MCP: the origin * sends to any page", "warning: last"]


def warning(message: ConsoleMessage) -> str:
    """What stands in the console."""
    return f"{message.type}: {message.text}"


@pytest.mark.requirement(41, 42, 44)
def test_the_envelope_other_types_and_other_origins(browser: Browser) -> None:
    with Scene(browser, transports()) as scene:
        app = scene.frame("app")
        app.evaluate("() => addEventListener('message', ({ data, origin }) => heard.push([data, origin]))")
        scene.do("""() => {
          const origin = "https://app.example";
          window.seen = [];
          const onOriginViolation = (one) => seen.push(one);
          window.right = new T.WindowTransport(app.contentWindow, { origin });
          window.own = new T.WindowTransport(app.contentWindow, { origin, messageType: "own" });
          const other = { origin: "https://wrong.example", onOriginViolation };
          window.wrong = new T.WindowTransport(app.contentWindow, other);
          window.told = [right, own, wrong].map(noted);
          right.send(note(1));
          own.send(note(2));
          wrong.send(note(3));
        }""")
        app.wait_for_function("() => heard.length == 2")
        note = {"jsonrpc": "2.0", "method": "notifications/note"}
        assert app.evaluate("async () => { await settled(); return heard.slice(0, 2) }") == [
            [{"type": "mcp", "payload": {**note, "params": {"value": 1}}}, "https://host.example"],
            [{"type": "own", "payload": {**note, "params": {"value": 2}}}, "https://host.example"],
        ], "the browser keeps what is meant for another origin"
        app.evaluate("""() => {
          post(parent, note("a"));
          post(parent, note("b"), { type: "own" });
          post(parent, note("c"), { type: "mcpx" });
        }""")
        scene.page.wait_for_function("() => told[1].length")
        assert scene.do("async () => { await settled(); return told }") == [["a"], ["b"], []]
        assert scene.do("() => [right, own, wrong].map((one) => one.violations)") == [0, 0, 0], "it was the first one's"
        scene.do("() => { right.close(); own.close() }")
        app.evaluate("() => post(parent, note('d'))")
        scene.page.wait_for_function("() => seen.length")
        assert scene.do("() => [told[2], seen, wrong.violations]") == [[], [APP], 1]
