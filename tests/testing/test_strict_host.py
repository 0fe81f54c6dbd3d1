"""The host holds views to the specification, and a view that is hostile gets nothing more than an honest one."""

from __future__ import annotations

import pytest

from cloche import Context, Server
from cloche.testing import OpenView, ViewOpener
from cloche.wire.apps.csp import Sources, allow_attribute, content_policy
from cloche.wire.apps.metadata import checked_permissions
from cloche.wire.apps.origins import checked_csp
from tests.support.counter import RPC, server_with, view_of

ASK = "(given) => request(...given).then((result) => ({result}), ({code, message}) => ({code, message}))"


@pytest.fixture
def bare(open_view: ViewOpener) -> OpenView:
    return open_view(view_of("start()"), "counter")


@pytest.mark.parametrize(
    ("method", "params", "code", "words"),
    [
        ("ui/callServerTool", {}, -32601, "Method not found"),
        ("tools/list", {}, -32601, "Method not found"),
        ("sampling/createMessage", {}, -32601, "Method not found"),
        ("ui/message", {"role": "user", "content": {"type": "text", "text": "a"}}, -32602, "Expected `array`"),
        ("ui/message", {"role": "assistant", "content": []}, -32602, "Invalid enum value"),
        ("ui/open-link", {"url": "javascript:alert(1)"}, -32602, "http and https only"),
        ("ui/download-file", {"contents": [{"type": "text"}]}, -32602, "'resource' or 'resource_link'"),
        ("ui/request-display-mode", {"mode": "huge"}, -32602, "Invalid enum value"),
        ("ui/initialize", {}, -32600, "a view says it once"),
        ("tools/call", {"name": "reset"}, -32602, "its visibility lacks 'app'"),
        ("tools/call", {"name": "nothing"}, -32602, "Unknown tool"),
        ("tools/call", {}, -32602, "missing required field `name`"),
    ],
)
def test_what_a_view_may_not_ask_is_refused(bare: OpenView, method: str, params: object, code: int, words: str) -> None:
    answer = bare.evaluate(ASK, [method, params])
    assert answer["code"] == code
    assert words in answer["message"]
    assert any(method in problem and words in problem for problem in bare.problems)
    assert (bare.links, bare.messages, bare.downloads) == ([], [], [])


def test_a_tool_that_is_for_the_model_only_does_not_run(open_view: ViewOpener) -> None:
    ran = []
    server = view_of("start()")

    @server.tool(meta={"ui": {"visibility": ["model"]}})
    def secret() -> str:
        ran.append("secret")
        return "secret"

    @server.tool(meta={"ui": {"visibility": ["model", "app"]}})
    def shared() -> str:
        ran.append("shared")
        return "shared"

    view = open_view(server, "counter")
    for name in ("secret", "shared"):
        view.evaluate(ASK, ["tools/call", {"name": name}])
    assert ran == ["shared"]


def test_nothing_is_sent_before_initialized_and_requests_are_refused(open_view: ViewOpener) -> None:
    script = """
      const heard = []; addEventListener("message", ({data}) => heard.push(data.method ?? "answer"));
      (async () => {
        await request("ui/initialize",
          {appInfo: {name: "a", version: "1"}, appCapabilities: {}, protocolVersion: "2026-01-26"});
        const early = await request("tools/call", {name: "add", arguments: {step: 1}}).catch((error) => error.message);
        out.textContent = JSON.stringify([early, heard]);
        notify("ui/notifications/initialized");
      })();
    """
    view = open_view(view_of(script), "counter")
    early, heard = view.evaluate("JSON.parse(out.textContent)")
    assert early == "tools/call came before ui/notifications/initialized"
    assert set(heard) == {"answer"}
    assert view.calls == []
    view.wait_for("result")
    assert view.evaluate("heard.filter((method) => method !== 'answer')") == [
        "ui/notifications/tool-input",
        "ui/notifications/tool-result",
    ]


def test_the_policy_is_what_the_resource_declares_and_nothing_more(open_view: ViewOpener) -> None:
    meta = {"ui": {"csp": {"connectDomains": ["https://good.example"]}}}
    responses = {"https://good.example/": "good", "https://evil.example/": "evil"}
    view = open_view(view_of("start()", meta=meta), "counter", responses=responses)
    get = "(url) => fetch(url).then((answer) => answer.text(), () => 'blocked')"
    assert [view.evaluate(get, f"https://{name}.example/") for name in ("good", "evil")] == ["good", "blocked"]
    violation = view.wait_for("violation")
    assert (violation.directive, violation.blocked) == ("connect-src", "https://evil.example/")
    assert view.requests == ["https://good.example/"]
    # the same request is let through where it is declared: it was the policy that stopped it
    meta = {"ui": {"csp": {"connectDomains": ["https://evil.example"]}}}
    declared = open_view(view_of("start()", meta=meta), "counter", responses=responses)
    assert declared.evaluate(get, "https://evil.example/") == "evil"


def test_a_declaration_cannot_smuggle_directives_into_the_header() -> None:
    hostile = [
        "https://a.example; script-src *",
        "'unsafe-eval'",
        "*",
        "https://b.example\nX: y",
        3,
        "https://c.example",
    ]
    problems: list[str] = []
    declared = checked_csp({"connectDomains": hostile, "frameDomains": "https://d.example"}, problems)
    policy = content_policy(Sources(declared), "https://h.test")
    assert "connect-src https://c.example;" in policy
    assert "frame-src 'none';" in policy
    assert len(problems) == 6
    assert policy.count("script-src") == 1


def test_permissions_are_known_words_only() -> None:
    declared = {"camera": {}, "clipboardWrite": {}, "usb": {}, "microphone": None}
    assert allow_attribute(checked_permissions(declared, [])) == "camera; clipboard-write"
    assert allow_attribute(checked_permissions("camera", [])) == ""


def test_the_frame_is_opaque_and_knows_nothing_of_the_host(bare: OpenView) -> None:
    assert bare.evaluate("origin") == "null"
    assert bare.evaluate("Object.keys(window).filter((name) => /cloche|host/i.test(name))") == []
    assert bare.evaluate("() => { try { return localStorage.length } catch (error) { return error.name } }") == (
        "SecurityError"
    )
    assert bare.evaluate("() => { try { return parent.document.title } catch (error) { return error.name } }") == (
        "SecurityError"
    )


def test_forms_work_and_popups_do_not(open_view: ViewOpener) -> None:
    html = (
        "<!doctype html><body><form><input id=a></form><p id=out></p>"
        f"<script>{RPC} start();"
        "document.forms[0].onsubmit = (event) => { event.preventDefault(); out.textContent = 'sent'; }</script></body>"
    )
    view = open_view(server_with(html), "counter")
    view.press("#a", "Enter")
    view.expect("#out").to_have_text("sent")
    assert view.evaluate("open('https://example.com/') === null")


def test_a_view_is_known_by_its_window_and_not_by_what_it_says(open_view: ViewOpener) -> None:
    script = """
      const child = document.createElement("iframe");
      child.srcdoc = `<script>
        const say = (target) => target.postMessage(
          {jsonrpc: "2.0", id: 9, method: "ui/open-link", params: {url: "https://evil.example/"}}, "*");
        say(parent.parent); say(top); parent.postMessage("sent", "*");
      <` + `/script>`;
      start().then(() => document.body.append(child));
      addEventListener("message", ({data}) => {
        if (data === "sent") request("ui/open-link", {url: "https://me.example/"});
      });
    """
    view = open_view(view_of(script), "counter")
    view.wait_for("link")
    assert view.links == ["https://me.example/"]


def test_sandbox_messages_of_a_view_stay_in_the_sandbox(bare: OpenView) -> None:
    bare.evaluate("() => notify('ui/notifications/sandbox-view-loaded', {loads: 7})")
    bare.evaluate("() => request('ping')")
    assert bare.problems == []


def test_answers_that_nobody_asked_for_are_noted(bare: OpenView) -> None:
    bare.evaluate("() => post({id: 0, result: {}})")
    assert bare.wait_for("problem") == "the view answered something that was not asked"


def test_absurd_sizes_are_not_believed(bare: OpenView) -> None:
    bare.evaluate("() => notify('ui/notifications/size-changed', {height: 1e9})")
    assert "not a size in pixels" in bare.wait_for("problem")
    assert bare.size is None


def test_a_cancelled_call_is_cancelled_in_the_server(open_view: ViewOpener) -> None:
    server = Server("slow")
    ended: list[str] = []

    @server.tool(meta={"ui": {"resourceUri": "ui://slow/view.html"}})
    async def slow(ctx: Context, wait: bool = False) -> str:
        """Waits for ever when it is told to."""
        if wait:
            try:
                import asyncio

                await asyncio.Event().wait()
            finally:
                ended.append("slow")
        return "done"

    html = f"<body><script>{RPC} start()</script></body>"
    server.register_resource("ui://slow/view.html", lambda: html, name="view", mime_type="text/html;profile=mcp-app")
    view = open_view(server, "slow")
    view.evaluate("() => { request('tools/call', {name: 'slow', arguments: {wait: true}}); }")
    view.wait_for("call")
    view.evaluate("() => notify('notifications/cancelled', {requestId: next - 1})")
    view.wait_for("answered")
    view.close()
    assert ended == ["slow"]
