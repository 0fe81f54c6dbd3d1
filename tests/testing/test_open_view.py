"""A view in a real browser: what a person does with it, what it does, and what the test reads of it."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from cloche import Context, McpError, Server, View
from cloche.errors import ConfigurationError, LocalProtocolError
from cloche.testing import Call, Log, OpenView, Size, ViewError, ViewOpener
from tests.support.counter import COUNTER, RPC, server_with, view_of


@pytest.fixture
def counter(open_view: ViewOpener) -> OpenView:
    return open_view(server_with(COUNTER), "counter", {"start": 5})


@pytest.fixture
def bare(open_view: ViewOpener) -> OpenView:
    """A view that does nothing but connect, to be driven from the test."""
    return open_view(view_of("start({tools: {}})"), "counter")


def test_input_and_result_of_the_real_tool_are_shown(counter: OpenView) -> None:
    counter.expect("#value").to_have_text("5")
    counter.expect("#state").to_have_text("from 5")
    assert "Counter" in counter.text
    assert counter.wait_for("size") == counter.size == Size(400, 250)
    counter.check()


def test_a_person_types_and_clicks_and_the_server_answers(counter: OpenView) -> None:
    counter.type("#step", "3")
    counter.click(text="Add")
    call = counter.wait_for("answered")
    assert (call.name, call.arguments, call.result["structuredContent"]) == ("add", {"step": 3}, {"count": 8})
    counter.wait_for_text("8")
    assert counter.calls == [call]


def test_an_answer_can_be_replaced_failed_and_restored(counter: OpenView) -> None:
    counter.answer("add", {"count": 77})
    counter.click("#add")
    counter.expect("#value").to_have_text("77")
    counter.answer("add", lambda arguments: f"{arguments['step']} more")
    counter.click("#add")
    counter.expect("#value").to_have_text("1 more")
    counter.fail("add", "out of numbers")
    counter.click("#add")
    counter.expect("#value").to_have_text("out of numbers")
    counter.fail("add", McpError("no connection", code=-32000))
    counter.click("#add")
    counter.expect("#state").to_have_text("failed: no connection")
    counter.restore("add")
    counter.click("#add")
    counter.expect("#value").to_have_text("6")
    assert [call.error and call.error["code"] for call in counter.calls] == [None, None, None, -32000, None]


def test_an_answer_can_be_held_back(counter: OpenView) -> None:
    with counter.hold("add"):
        counter.click("#add")
        assert counter.wait_for("call") == Call("add", {"step": 1})
        assert counter.locator("#add").get_attribute("aria-busy") == "true"
    counter.expect("#value").to_have_text("6")
    assert counter.locator("#add").get_attribute("aria-busy") is None


def test_the_theme_changes_for_the_view_and_for_its_styles(open_view: ViewOpener) -> None:
    view = open_view(server_with(COUNTER), "counter", theme="dark")
    assert view.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    assert view.host_context["theme"] == "dark"
    view.set_theme("light")
    view.expect("#state").to_have_text("theme light")
    assert not view.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")


def test_a_screenshot_shows_the_view(counter: OpenView, tmp_path: Path) -> None:
    counter.wait_for("size")
    picture = counter.screenshot(tmp_path / "view.png")
    assert (tmp_path / "view.png").read_bytes() == picture
    assert struct.unpack(">II", picture[16:24]) == (800, 250)


def test_partial_input_comes_before_the_input(open_view: ViewOpener) -> None:
    view = open_view(server_with(COUNTER), "counter", {"start": 12}, stream=True)
    view.send_partial({"start": 1})
    view.expect("#value").to_have_text("≈ 1")
    view.send_input()
    view.expect("#state").to_have_text("from 12")
    with pytest.raises(LocalProtocolError, match="partial input comes before it"):
        view.send_partial({"start": 2})
    view.send_result()
    view.expect("#value").to_have_text("12")


def test_a_tool_can_be_cancelled_instead(open_view: ViewOpener) -> None:
    view = open_view(server_with(COUNTER), "counter", {"start": 12}, stream=True)
    view.send_input()
    view.cancel("changed my mind")
    view.expect("#value").to_have_text("cancelled: changed my mind")
    with pytest.raises(LocalProtocolError, match="comes once"):
        view.send_result()


def test_teardown_waits_for_the_view(counter: OpenView) -> None:
    counter.teardown()
    assert counter.logs == [Log("info", "bye")]
    with pytest.raises(LocalProtocolError, match="closed"):
        counter.set_theme("dark")


def test_a_view_that_does_not_handle_teardown_is_done_at_once(bare: OpenView) -> None:
    bare.teardown()
    assert bare.problems == []


def test_a_view_that_never_ends_is_reported(open_view: ViewOpener) -> None:
    view = open_view(view_of("handlers['ui/resource-teardown'] = () => new Promise(() => {}); start()"), "counter")
    with pytest.raises(ViewError, match=r"did not answer ui/resource-teardown within 0\.2 s"):
        view.teardown(timeout=0.2)


def test_reload_starts_a_new_life(counter: OpenView) -> None:
    counter.click("#add")
    counter.expect("#value").to_have_text("6")
    counter.reload()
    counter.expect("#value").to_have_text("5")
    assert len(counter.calls) == 1
    counter.check()


def test_what_a_view_says_to_the_host_is_kept(bare: OpenView) -> None:
    text = [{"type": "text", "text": "hello"}]
    bare.evaluate("content => request('ui/message', {role: 'user', content})", text)
    bare.evaluate("content => request('ui/update-model-context', {content})", text)
    bare.evaluate("() => request('ui/update-model-context', {structuredContent: {a: 1}})")
    bare.evaluate("() => request('ui/open-link', {url: 'https://example.com/a'})")
    file = {"type": "resource", "resource": {"uri": "file:///a.txt", "text": "A"}}
    bare.evaluate("file => request('ui/download-file', {contents: [file]})", file)
    bare.evaluate("() => notify('notifications/message', {level: 'warning', data: {a: 1}, logger: 'me'})")
    assert bare.wait_for("log") == Log("warning", {"a": 1}, "me")
    assert [message.text for message in bare.messages] == ["hello"]
    assert bare.context is not None
    assert (bare.context.text, bare.context.structured_content) == ("", {"a": 1})
    assert bare.links == ["https://example.com/a"]
    assert bare.downloads == [file]
    bare.check()


def test_requests_of_the_host_can_fail_too(bare: OpenView) -> None:
    bare.fail("ui/open-link", McpError("the user said no", code=-32000))
    told = bare.evaluate("() => request('ui/open-link', {url: 'https://example.com/'}).catch(e => e.message)")
    assert told == "the user said no"


def test_display_modes(bare: OpenView) -> None:
    assert bare.evaluate("() => request('ui/request-display-mode', {mode: 'fullscreen'})") == {"mode": "fullscreen"}
    assert bare.evaluate("() => request('ui/request-display-mode', {mode: 'pip'})") == {"mode": "fullscreen"}
    assert bare.host_context["displayMode"] == "fullscreen"


def test_resources_are_the_servers(bare: OpenView) -> None:
    read = bare.evaluate("() => request('resources/read', {uri: 'ui://counter/view.html'})")
    assert RPC in read["contents"][0]["text"]
    listed = bare.evaluate("() => request('resources/list', {})")
    assert [resource["uri"] for resource in listed["resources"]] == ["ui://counter/view.html"]


def test_progress_reaches_the_view(open_view: ViewOpener) -> None:
    script = "let last; handlers['notifications/progress'] = (told) => { last = told; }; start()"
    server = view_of(script)

    @server.tool
    async def slow(ctx: Context) -> str:
        await ctx.progress(1, 2, "half")
        return "done"

    view = open_view(server, "counter")
    view.evaluate("() => request('tools/call', {name: 'slow', _meta: {progressToken: 'p'}})")
    assert view.evaluate("last") == {"progressToken": "p", "progress": 1, "total": 2, "message": "half"}


def test_tools_of_the_view_can_be_called(open_view: ViewOpener) -> None:
    tools = "[{name: 'zoom', inputSchema: {type: 'object'}}]"
    view = open_view(view_of(f"handlers['tools/list'] = () => ({{tools: {tools}}}); start({{tools: {{}}}})"), "counter")
    assert view.request("tools/list")["tools"][0]["name"] == "zoom"
    with pytest.raises(McpError, match="no such method"):
        view.request("tools/call", {"name": "zoom"})


def test_the_host_is_what_the_test_says(open_view: ViewOpener) -> None:
    view = open_view(
        view_of("start().then((answer) => { out.textContent = JSON.stringify(answer); })"),
        "counter",
        width=360,
        height=500,
        locale="de-DE",
        time_zone="Europe/Berlin",
        without=("openLinks",),
        styles={"--font-sans": "serif"},
        context={"platform": "mobile"},
    )
    given = view.host_context
    assert given["containerDimensions"] == {"width": 360, "maxHeight": 500}
    assert (given["platform"], given["styles"]) == ("mobile", {"variables": {"--font-sans": "serif"}})
    assert view.evaluate("innerWidth") == 360
    assert view.evaluate("[navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone]") == [
        "de-DE",
        "Europe/Berlin",
    ]
    told = view.evaluate("JSON.parse(out.textContent)")
    assert sorted(told) == ["hostCapabilities", "hostContext", "hostInfo", "protocolVersion"]
    assert "openLinks" not in told["hostCapabilities"]
    assert view.evaluate("() => request('ui/open-link', {url: 'https://a.example'}).catch(e => e.code)") == -32601


def test_addresses_can_be_answered_by_the_test(open_view: ViewOpener) -> None:
    meta = {"ui": {"csp": {"connectDomains": ["https://api.example.com"]}}}
    view = open_view(view_of("start()", meta=meta), "counter", responses={"https://api.example.com/a": {"x": 1}})
    assert view.evaluate("() => fetch('https://api.example.com/a').then((answer) => answer.json())") == {"x": 1}
    assert view.requests == ["https://api.example.com/a"]


def test_a_view_of_cloche_opens(open_view: ViewOpener) -> None:
    server = Server("clock")
    html = "<p id=now></p><script>cloche.on('tool:result', (r) => { now.textContent = r.content[0].text; })</script>"

    @server.tool(view=View(html))
    def clock() -> str:
        """The time."""
        return "12:00"

    view = open_view(server, "clock")
    view.expect("#now").to_have_text("12:00")
    view.check()


def test_a_wait_in_vain_says_what_happened_instead(counter: OpenView) -> None:
    with pytest.raises(ViewError, match=r"No 'message' came from the view within 0\.1 s\.\nMessages it sent:"):
        counter.wait_for("message", timeout=0.1)
    with pytest.raises(ViewError, match=r"click failed: .*#nowhere"):
        counter._run_on(counter._target("#nowhere", None), "click", timeout=0.1)


def test_mistakes_in_the_test_are_told(counter: OpenView, open_view: ViewOpener) -> None:
    with pytest.raises(ConfigurationError, match="There is no event 'clal': wait for one of initialized, input"):
        counter.wait_for("clal")  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="by selector or by text"):
        counter.click()
    with pytest.raises(ConfigurationError, match="open_view has no option 'them'; it has theme, width"):
        open_view(server_with(COUNTER), "counter", them="dark")
    with pytest.raises(ConfigurationError, match="There is no theme 'blue': it is 'light' or 'dark'"):
        open_view(server_with(COUNTER), "counter", theme="blue")
    with pytest.raises(ConfigurationError, match="The host has no 'links' to go without; it has serverTools"):
        open_view(server_with(COUNTER), "counter", without=("links",))


@pytest.mark.requirement(81)
def test_the_frame_may_run_scripts_and_use_forms_and_nothing_else(bare: OpenView) -> None:
    assert bare.evaluate("self.origin") == "null"
    reach = "() => { try { return String(parent.document) } catch (error) { return error.name } }"
    assert bare.evaluate(reach) == "SecurityError"
    assert bare.evaluate("() => { try { return localStorage.length } catch (error) { return error.name } }") == (
        "SecurityError"
    )
    assert bare.evaluate("() => window.open('about:blank') === null") is True


FORM = """<!doctype html><form><input name="title" required><button>Add</button></form><output></output><script>
document.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  document.querySelector("output").textContent = `added ${new FormData(event.target).get("title")}`;
});</script>"""


@pytest.mark.requirement(81)
def test_a_form_is_filled_in_checked_and_submitted_and_is_not_where_frames_may_not(open_view: ViewOpener) -> None:
    server = Server("forms")

    @server.tool(view=FORM)
    def add() -> str:
        """A form."""
        return ""

    view = open_view(server, "add")
    view.click("button")
    view.expect("output").to_have_text("")  # a required field is empty
    view.fill("input", "Milk")
    view.press("input", "Enter")
    view.expect("output").to_have_text("added Milk")
    without = view.evaluate(
        """(html) => new Promise((done) => {
          const frame = document.createElement("iframe");
          frame.sandbox = "allow-scripts";
          addEventListener("message", ({ data }) => done(data), { once: true });
          frame.srcdoc = html.replace("required", "") + `<script>
            document.querySelector("button").click();
            parent.postMessage("said: " + document.querySelector("output").textContent, "*");
          </scr` + `ipt>`;
          document.body.append(frame);
        })""",
        FORM,
    )
    assert without == "said: ", "the browser lets a form of a frame without allow-forms do nothing"


def test_a_view_that_fails_on_its_result_is_found_without_waiting_for_anything_else(open_view: ViewOpener) -> None:
    server = Server("late")

    @server.tool(view="<script>cloche.on('tool:result', () => document.getElementById('nowhere').append('!'))</script>")
    async def late() -> str:
        """A result that its view cannot show."""
        return "here"

    view = open_view(server, "late")
    with pytest.raises(ViewError, match="Cannot read properties of null"):
        view.check()
