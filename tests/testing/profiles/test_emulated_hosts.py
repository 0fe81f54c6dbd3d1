"""Views in the test plugin's host, which emulates known hosts when it is told to."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cloche import Csp, Server, View
from cloche.errors import ConfigurationError
from cloche.testing import ViewError, ViewOpener
from cloche.testing.profiles import PROFILES
from tests.support.counter import MIME_TYPE, view_of
from tests.support.snippets import Snippet, all_snippets, run
from tests.testing.profiles.views import VIEWS, telling_server

WAIT = 20.0
"""Seconds for a view to say hello: the machine may be busy."""

ELSEWHERE = "https://elsewhere.example"

GREET = "start().then((said) => { out.textContent = JSON.stringify(said); })"


@pytest.fixture(scope="module")
def server() -> Server:
    return telling_server()


@pytest.mark.parametrize("name", VIEWS)
def test_a_view_that_looks_different_there(name: str, server: Server, open_view: ViewOpener) -> None:
    strict = open_view(server, name, {"start": 7}, timeout=WAIT)
    strict.expect("#out").to_have_text(VIEWS[name].strict)
    emulated = open_view(server, name, {"start": 7}, timeout=WAIT, profile=name)
    emulated.expect("#out").to_have_text(VIEWS[name].emulated)


OWN_PAGE = """<p id=out></p><button id=more>More</button><script>
const show = (result) => { out.textContent = result.structuredContent?.left ?? result.content[0].text; };
cloche.on("tool:result", show);
more.onclick = async () => show(await cloche.callTool("more", {}));
</script>"""


def shop() -> Server:
    server = Server("shop")

    @server.tool(view=View(OWN_PAGE))
    def look() -> dict[str, int]:
        """What is left."""
        return {"left": 3}

    @server.tool(visibility=["app"])
    def more() -> dict[str, int]:
        """One more."""
        return {"left": 4}

    return server


@pytest.mark.parametrize("name", PROFILES)
def test_a_view_of_ours_works_in_all_of_them(name: str, open_view: ViewOpener) -> None:
    view = open_view(shop(), "look", timeout=WAIT, profile=name)
    view.expect("#out").to_contain_text("3")
    view.click("#more")
    view.expect("#out").to_contain_text("4")
    view.check()


def test_a_view_that_is_a_python_function_is_rendered_where_the_result_arrives_without_its_page(
    open_view: ViewOpener,
) -> None:
    server = Server("shop")

    def page(result: Any) -> str:
        return f"<p id=out>{result['left']} left</p>"

    @server.tool(view=page)
    def look() -> dict[str, int]:
        """What is left."""
        return {"left": 3}

    view = open_view(server, "look", timeout=WAIT, profile="claude-desktop")
    view.expect("#out").to_have_text("3 left")
    assert len(view.calls) == 1


def test_claude_looks_at_no_frame_domains(open_view: ViewOpener) -> None:
    frame = f"<iframe src='{ELSEWHERE}/'></iframe>"
    server = Server("frames")

    @server.tool(view=View(frame, csp=Csp(frames=[ELSEWHERE])))
    def look() -> str:
        """Shows another page."""
        return "ok"

    view = open_view(server, "look", responses={f"{ELSEWHERE}/": "hello"}, timeout=WAIT, profile="claude")
    assert view.wait_for("violation", WAIT).directive == "frame-src"
    strict = open_view(server, "look", responses={f"{ELSEWHERE}/": "hello"}, timeout=WAIT)
    assert strict.wait_for("request", WAIT) == f"{ELSEWHERE}/"
    assert strict.violations == []


SCRIPT = {f"{ELSEWHERE}/a.js": "out.textContent = 'loaded'"}


@pytest.mark.parametrize(
    ("meta", "loads"),
    [
        ({"ui": {"csp": {"resourceDomains": [ELSEWHERE]}}}, False),
        ({"openai/widgetCSP": {"resource_domains": [ELSEWHERE]}}, True),
    ],
    ids=["theirs", "own"],
)
def test_chatgpt_reads_the_origins_in_its_own_spelling_only(
    meta: dict[str, Any], loads: bool, open_view: ViewOpener
) -> None:
    script = f"const tag = document.createElement('script'); tag.src = '{ELSEWHERE}/a.js'; document.body.append(tag);"
    server = view_of(f"start().then(() => {{ {script} }})", meta=meta)
    view = open_view(server, "counter", responses=SCRIPT, timeout=WAIT, profile="chatgpt")
    if loads:
        view.expect("#out").to_have_text("loaded")
    else:
        assert view.wait_for("violation", WAIT).directive == "script-src-elem"


def test_chatgpt_opens_a_widget_that_is_named_for_it_only(open_view: ViewOpener) -> None:
    server = Server("widgets")
    uri = "ui://widgets/a.html"

    @server.tool(meta={"openai/outputTemplate": uri})
    def look() -> dict[str, int]:
        """Shows a widget."""
        return {"left": 3}

    page = "<p id=out></p><script>out.textContent = `${window.openai.toolOutput.left} left`</script>"
    server.register_resource(uri, lambda: page, name="widget", mime_type="text/html+skybridge")
    open_view(server, "look", timeout=WAIT, profile="chatgpt").expect("#out").to_have_text("3 left")
    with pytest.raises(ViewError, match="has no view"):
        open_view(server, "look", timeout=WAIT)


WIDGET = """<p id=out></p><script>
addEventListener("openai:set_globals", ({ detail }) => { out.textContent = JSON.stringify(detail.globals); });
window.ready = window.openai.theme;
</script>"""


def test_window_openai_does_what_its_reference_says(open_view: ViewOpener) -> None:
    server = Server("widgets")

    @server.tool(meta={"ui": {"resourceUri": "ui://widgets/a.html"}})
    def look(item: str) -> dict[str, str]:
        """Shows a widget."""
        return {"item": item}

    server.register_resource("ui://widgets/a.html", lambda: WIDGET, name="widget", mime_type=MIME_TYPE)
    view = open_view(server, "look", {"item": "bread"}, timeout=WAIT, theme="dark", profile="chatgpt")
    assert view.evaluate("[ready, openai.toolInput, openai.toolOutput, openai.locale]") == [
        "dark",
        {"item": "bread"},
        {"item": "bread"},
        "en-US",
    ]
    answer = view.evaluate("() => openai.callTool('look', { item: 'salt' })")
    assert answer["structuredContent"] == {"item": "salt"}
    assert "not for views" not in str(view.evaluate("() => openai.callTool('none', {}).catch(String)"))
    view.evaluate("() => openai.sendFollowUpMessage({ prompt: 'more salt' })")
    view.evaluate("() => openai.openExternal({ href: 'https://example.com/' })")
    view.evaluate("() => openai.setWidgetState({ modelContent: { tab: 2 }, privateContent: { x: 1 } })")
    assert view.evaluate("() => openai.requestDisplayMode({ mode: 'pip' })") == {"mode": "pip"}
    view.evaluate("() => openai.notifyIntrinsicHeight(240)")
    view.evaluate("() => openai.requestClose()")
    assert [message.text for message in view.messages] == ["more salt"]
    assert view.links == ["https://example.com/"]
    assert view.context is not None
    assert view.context.structured_content == {"tab": 2}
    assert view.evaluate("openai.widgetState.privateContent") == {"x": 1}
    assert view.wait_for("size", WAIT).height == 240
    view.wait_for("teardown_request", WAIT)
    view.set_theme("light")
    view.expect("#out").to_have_text('{"theme":"light"}')
    assert view.evaluate("Object.keys(window).filter((name) => name.startsWith('install'))") == []


@pytest.mark.parametrize(
    ("profile", "capabilities", "missing"),
    [
        ("strict", {"message", "downloadFile"}, set()),
        ("chatgpt", {"message"}, {"styles"}),
        ("vscode", {"downloadFile"}, {"toolInfo", "timeZone", "userAgent"}),
        ("older", set(), set()),
    ],
    ids=["strict", "chatgpt", "vscode", "older"],
)
def test_what_each_says_of_itself(
    profile: str, capabilities: set[str], missing: set[str], open_view: ViewOpener
) -> None:
    view = open_view(view_of(GREET), "counter", timeout=WAIT, profile=profile)
    said = view.evaluate("JSON.parse(out.textContent)")
    assert {"message", "downloadFile"} & set(said["hostCapabilities"]) == capabilities
    context = {"toolInfo", "styles", "timeZone", "userAgent", "theme", "displayMode"}
    assert context - set(said["hostContext"]) == missing
    assert "emulated" in said.get("hostInfo", {}).get("title", "emulated") or profile == "strict"


def test_vscode_answers_what_it_does_not_announce(open_view: ViewOpener) -> None:
    say = "request('ui/message', { role: 'user', content: [{ type: 'text', text: 'hi' }] })"
    view = open_view(view_of(f"start().then(() => {say})"), "counter", timeout=WAIT, profile="vscode")
    assert view.wait_for("message", WAIT).text == "hi"


def test_the_older_words_are_understood_where_they_are_spoken(open_view: ViewOpener) -> None:
    script = """start().then(async () => {
      await request("ui/openLink", { url: "https://example.com/" });
      await request("ui/log", { level: "info", message: "hello" });
      await request("ui/updateModelContext", { context: { tab: 2 } });
      await request("ui/registerTool", { name: "zoom" });
      const result = await request("ui/callServerTool", { name: "add", arguments: { step: 2 } });
      await request("ui/close", {});
      out.textContent = result.structuredContent.count;
    })"""
    view = open_view(view_of(script), "counter", {"start": 1}, timeout=WAIT, profile="older")
    view.expect("#out").to_have_text("3")
    assert view.links == ["https://example.com/"]
    assert view.logs[0].data == "hello"
    assert view.context is not None
    assert view.context.structured_content == {"tab": 2}
    view.wait_for("teardown_request", WAIT)
    view.wait_for("tools_changed", WAIT)
    assert view.problems == []


def test_an_older_host_says_that_a_call_was_cancelled_in_its_own_words(open_view: ViewOpener) -> None:
    hear = 'handlers["ui/notifications/cancelled"] = ({ reason }) => { out.textContent = reason; }; start()'
    view = open_view(view_of(hear), "counter", timeout=WAIT, profile="older", stream=True)
    view.send_input({"start": 1})
    view.cancel("stopped")
    view.expect("#out").to_have_text("stopped")


def test_a_profile_that_is_not_known_is_named_beside_those_that_are(open_view: ViewOpener) -> None:
    with pytest.raises(ConfigurationError, match=r"no profile 'cloud'; there are strict, claude, .*, older-guide"):
        open_view(shop(), "look", profile="cloud")


@pytest.mark.parametrize("name", ["strict", "claude"])
def test_a_failure_says_in_which_host(name: str, open_view: ViewOpener) -> None:
    with pytest.raises(ViewError) as failed:
        open_view(shop(), "more", profile=name)
    assert ("an emulation by Cloche of" in str(failed.value)) == (name != "strict")


def test_a_blank_view_says_in_which_host(open_view: ViewOpener) -> None:
    with pytest.raises(ViewError, match=r"(?s)was not initialized.*VS Code-like \(emulated\): an emulation"):
        open_view(view_of("void 0"), "counter", timeout=1, profile="vscode")


def snippet(file: str) -> Snippet:
    """A block of the document."""
    (found,) = [one for one in all_snippets() if one.document == "docs/emulated-hosts.md" and one.file == file]
    return found


@pytest.mark.parametrize("name", ["strict", "claude-desktop"])
def test_the_test_of_the_document_passes(name: str, open_view: ViewOpener, tmp_path: Path) -> None:
    patient = partial(open_view, timeout=WAIT)
    run(snippet("test_shelf.py"), tmp_path)["test_everywhere"](patient, name)  # type: ignore[operator]


@pytest.mark.parametrize(("name", "fails"), [("claude", False), ("claude-desktop", True)], ids=str)
def test_it_fails_where_the_document_says_so(name: str, fails: bool, open_view: ViewOpener, tmp_path: Path) -> None:
    shelf = snippet("shelf.py")
    without = replace(shelf, code=shelf.code.replace(" ?? JSON.parse(content[0].text)", ""))
    view = open_view(run(without, tmp_path)["server"], "look", timeout=WAIT, profile=name)
    if not fails:
        view.expect("#stock").to_have_text("3 left")
        return
    with pytest.raises(AssertionError) as failed:
        view.expect("#stock").to_have_text("3 left", timeout=500)
    assert PROFILES[name].about in failed.value.__notes__[0]
    assert view.errors
