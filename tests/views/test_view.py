"""`View`: where its HTML comes from, what hosts are told of it, and the mistakes that are told where they are made."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from cloche import Csp, Server, ToolResult, View
from cloche.errors import RegistrationError
from cloche.views import generate_bridge, resources, source
from cloche.views.scripts import script
from cloche.wire.versions import SUPPORTED_VERSIONS
from tests.support.server_peer import Peer

PAGE = "<!doctype html><title>Clock</title><p>12:00</p>"
BOTH = ["2025-11-25", "2026-07-28"]


def now() -> str:
    """The time."""
    return "12:00"


def shout(result: str) -> str:
    return f"<b>{result}</b>"


def server_with(view: Any, **options: Any) -> Server:
    server = Server("Clock & Co.")
    server.register_tool(now, view=view, **options)
    return server


async def shown(server: Server, version: str = "2025-11-25") -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """The tool, its resource's entry in the list, and the content, as a host gets them."""
    async with Peer(server, version=version) as peer:
        (tool,) = (await peer.result("tools/list"))["tools"]
        uri = tool["_meta"]["ui"]["resourceUri"]
        entries = (await peer.result("resources/list"))["resources"]
        (entry,) = [one for one in entries if one["uri"] == uri]
        (content,) = (await peer.result("resources/read", uri=uri))["contents"]
        return tool, entry, content


# On the wire


@pytest.mark.requirement(82, 83, 84, 87)
@pytest.mark.parametrize("version", BOTH)
async def test_a_host_finds_the_view_in_every_spelling_and_reads_it(version: str) -> None:
    server = server_with(PAGE)
    tool, entry, content = await shown(server, version)
    assert tool["_meta"] == {
        "ui": {"resourceUri": "ui://clock-co/now.html"},
        "ui/resourceUri": "ui://clock-co/now.html",
        "ui/capabilities": {"toolListChanged": False, "supportsPartialInput": False},
        "openai/outputTemplate": "ui://clock-co/now.skybridge.html",
        "openai/widgetAccessible": True,
    }
    assert entry["mimeType"] == content["mimeType"] == "text/html;profile=mcp-app"
    assert content["uri"] == "ui://clock-co/now.html"
    assert PAGE.removeprefix("<!doctype html>") in content["text"]


@pytest.mark.parametrize("version", BOTH)
async def test_chatgpt_reads_the_same_page_under_its_own_type(version: str) -> None:
    csp = Csp(connect=["api.example.com"], resources=["cdn.example.com"])
    server = server_with(View(PAGE, csp=csp, domain="https://clock.example.com", prefers_border=True))
    _, _, content = await shown(server, version)
    async with Peer(server, version=version) as peer:
        (tool,) = (await peer.result("tools/list"))["tools"]
        (twin,) = (await peer.result("resources/read", uri=tool["_meta"]["openai/outputTemplate"]))["contents"]
    assert twin["mimeType"] == "text/html+skybridge"
    assert twin["text"] == content["text"]
    assert twin["_meta"] == {
        "ui": content["_meta"]["ui"],
        "openai/widgetCSP": {
            "connect_domains": ["https://api.example.com"],
            "resource_domains": ["https://cdn.example.com"],
        },
        "openai/widgetDomain": "https://clock.example.com",
        "openai/widgetPrefersBorder": True,
        "openai/widgetDescription": "The time.",
    }


@pytest.mark.requirement(86, 88)
@pytest.mark.parametrize("version", BOTH)
async def test_what_the_view_needs_stands_on_the_list_entry_and_on_the_content(version: str) -> None:
    view = View(
        PAGE,
        uri="ui://clock/face.html",
        title="A clock",
        csp=Csp(connect=["wss://time.example.com"], frames=["https://*.example.com"]),
        permissions=["camera", "clipboard-write"],
        domain="clock.example.com",
        prefers_border=False,
        width=320,
        height=200,
        partial_input=True,
        tool_list_changed=True,
        invoking="Looking at the clock",
        invoked="It is noon",
    )
    tool, entry, content = await shown(server_with(view), version)
    assert (
        entry["_meta"]
        == content["_meta"]
        == {
            "ui": {
                "csp": {"connectDomains": ["wss://time.example.com"], "frameDomains": ["https://*.example.com"]},
                "permissions": {"camera": {}, "clipboardWrite": {}},
                "domain": "clock.example.com",
                "prefersBorder": False,
            },
            "openai/widgetCSP": {
                "connect_domains": ["wss://time.example.com"],
                "resource_domains": [],
                "frame_domains": ["https://*.example.com"],
            },
            "cloche/size": {"width": 320, "height": 200},
        }
    )
    assert entry["title"] == "A clock"
    assert tool["_meta"]["ui"]["resourceUri"] == "ui://clock/face.html"
    assert tool["_meta"]["ui/capabilities"] == {"toolListChanged": True, "supportsPartialInput": True}
    assert tool["_meta"]["openai/toolInvocation/invoking"] == "Looking at the clock"
    assert tool["_meta"]["openai/toolInvocation/invoked"] == "It is noon"


@pytest.mark.parametrize("version", SUPPORTED_VERSIONS)
async def test_a_version_without_meta_gets_none_and_the_view_is_there_all_the_same(version: str) -> None:
    server = server_with(View(PAGE, prefers_border=True))
    has_meta = version >= "2025-06-18"
    async with Peer(server, version=version) as peer:
        (tool,) = (await peer.result("tools/list"))["tools"]
        listed = (await peer.result("resources/list"))["resources"]
        (content,) = (await peer.result("resources/read", uri="ui://clock-co/now.html"))["contents"]
        result = await peer.call("now")
    assert len(listed) == 2
    assert ["_meta" in one for one in (tool, *listed, content)] == [has_meta] * 4
    assert "12:00" in content["text"]
    assert result["content"] == [{"type": "text", "text": "12:00"}]


@pytest.mark.parametrize("version", BOTH)
@pytest.mark.parametrize("declared", [True, False])
async def test_metadata_is_never_hidden_because_hosts_forget_to_declare_themselves(
    version: str, declared: bool
) -> None:
    capability = {"extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}}
    async with Peer(server_with(PAGE), version=version, capabilities=capability if declared else {}) as peer:
        (tool,) = (await peer.result("tools/list"))["tools"]
        assert tool["_meta"]["ui"]["resourceUri"] == "ui://clock-co/now.html"


async def test_a_server_with_views_says_that_it_has_the_extension() -> None:
    announced = {"io.modelcontextprotocol/ui": {"mimeTypes": ["text/html;profile=mcp-app"]}}
    async with Peer(server_with(PAGE)) as peer:
        assert peer.initialized["result"]["capabilities"]["experimental"] == announced
    async with Peer(server_with(PAGE), version="2026-07-28") as peer:
        assert (await peer.result("server/discover"))["capabilities"]["extensions"].items() >= announced.items()
    async with Peer(Server("plain"), version="2026-07-28") as peer:
        assert announced.keys().isdisjoint((await peer.result("server/discover"))["capabilities"]["extensions"])


@pytest.mark.parametrize(
    ("visibility", "accessible", "openai"),
    [(["model", "app"], True, "public"), (["app"], True, "private"), (("model",), False, "public")],
    ids=["both", "app", "model"],
)
async def test_visibility_says_who_calls(visibility: Any, accessible: bool, openai: str) -> None:
    server = Server("s")
    server.register_tool(now, visibility=visibility)
    async with Peer(server) as peer:
        (tool,) = (await peer.result("tools/list"))["tools"]
        assert (await peer.call("now"))["content"][0]["text"] == "12:00"
    assert tool["_meta"] == {
        "ui": {"visibility": list(visibility)},
        "openai/widgetAccessible": accessible,
        "openai/visibility": openai,
    }


async def test_meta_of_the_tool_itself_is_kept_and_merged() -> None:
    tool, _, _ = await shown(server_with(PAGE, visibility=["app"], meta={"own/key": 1, "ui": {"extra": 2}}))
    assert tool["_meta"]["own/key"] == 1
    assert tool["_meta"]["ui"] == {
        "resourceUri": "ui://clock-co/now.html",
        "extra": 2,
        "visibility": ["app"],
    }


async def test_one_view_serves_two_tools_from_one_resource() -> None:
    server, view = Server("s"), View(PAGE)
    server.register_tool(now, name="first", view=view)
    server.register_tool(now, name="second", view=view)
    async with Peer(server) as peer:
        tools = (await peer.result("tools/list"))["tools"]
        assert [tool["_meta"]["ui/resourceUri"] for tool in tools] == ["ui://s/first.html"] * 2
        assert len((await peer.result("resources/list"))["resources"]) == 2
    other = Server("t")
    other.register_tool(now, view=view)
    assert "ui://t/now.html" in other.resources.entries


@pytest.mark.parametrize(
    ("server_name", "tool", "uri"),
    [
        ("Weather (beta)", "get.it", "ui://weather-beta/get.it.html"),
        ("時計", "a/b", "ui://server/a/b.html"),
        ("s", "//a//", "ui://s/a.html"),
        ("s", "../a", "ui://s/_/a.html"),
        ("s", "/", "ui://s/view.html"),
        ("x" * 200, "a", f"ui://{'x' * 64}/a.html"),
    ],
)
async def test_every_name_gives_a_uri_that_can_be_read(server_name: str, tool: str, uri: str) -> None:
    server = Server(server_name)
    server.register_tool(now, name=tool, view=PAGE)
    _, entry, _ = await shown(server)
    assert entry["uri"] == uri


async def test_a_view_goes_with_the_last_tool_that_shows_it() -> None:
    server, view = Server("s"), View(PAGE)
    server.register_tool(now, name="first", view=view)
    server.register_tool(now, name="second", view=view)
    server.remove_tool("first")
    assert len(server.resources) == 2
    server.remove_tool("second")
    assert len(server.resources) == 0
    server.register_tool(now, name="first", view=view)
    assert len(server.resources) == 2


async def test_a_tool_that_is_registered_later_brings_its_view() -> None:
    server = Server("s")
    async with Peer(server) as peer:
        assert (await peer.result("resources/list"))["resources"] == []
        server.register_tool(now, view=PAGE)
        assert len((await peer.result("resources/list"))["resources"]) == 2
        assert "12:00" in (await peer.result("resources/read", uri="ui://s/now.html"))["contents"][0]["text"]


@pytest.mark.requirement(99)
async def test_the_runtime_is_the_first_thing_that_runs_and_can_be_left_out() -> None:
    page = "<!doctype html><html><head><script>mine()</script></head></html>"
    _, _, content = await shown(server_with(page))
    bridge = f"<script>{generate_bridge()}</script>"
    assert content["text"] == page.replace("<head>", f"<head>{bridge}")
    _, _, content = await shown(server_with(View(page, script=False)))
    assert content["text"] == page


async def test_the_interaction_script_is_there_only_where_it_is_used() -> None:
    interaction = f"<script>{script('interact.js')}</script>"
    _, _, content = await shown(server_with("<p>plain</p>"))
    assert interaction not in content["text"]
    _, _, content = await shown(server_with("<button data-tool=now>Now</button>"))
    assert interaction in content["text"]


async def test_a_page_is_put_together_once(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []
    original = resources.inject
    monkeypatch.setattr(resources, "inject", lambda html, **how: made.append(1) or original(html, **how))
    server = server_with(PAGE)
    first, second = await shown(server), await shown(server)
    assert first[2]["text"] == second[2]["text"]
    assert made == [1]


# Views that are functions


@pytest.mark.parametrize("version", BOTH)
async def test_a_function_makes_html_that_only_the_view_gets(version: str) -> None:
    server = Server("s")

    def table(rows: list[int]) -> str:
        return "".join(f"<li>{row}</li>" for row in rows)

    @server.tool(view=table)
    def numbers() -> list[int]:
        return [1, 2]

    @server.tool(view=View(table))
    async def slowly() -> list[int]:
        return [3]

    @server.tool(view=table)
    def broken() -> ToolResult:
        return ToolResult("no", is_error=True)

    async with Peer(server, version=version) as peer:
        result = await peer.call("numbers")
        assert result["content"] == [{"type": "text", "text": "[1,2]"}]
        assert result["structuredContent"] == ([1, 2] if version >= "2026" else {"result": [1, 2]})
        assert result["_meta"]["cloche/html"] == "<li>1</li><li>2</li>"
        assert (await peer.call("slowly"))["_meta"]["cloche/html"] == "<li>3</li>"
        assert "cloche/html" not in (await peer.call("broken")).get("_meta", {})
        page = (await peer.result("resources/read", uri="ui://s/numbers.html"))["contents"][0]["text"]
        assert "cloche-root" in page


# Files


async def test_a_file_is_found_beside_the_code_that_names_it(tmp_path: Path) -> None:
    (tmp_path / "face.html").write_text(PAGE, "utf-8")
    (tmp_path / "app.py").write_text(
        "from cloche import Server, View\n"
        "server = Server('s')\n"
        "@server.tool(view='face.html')\n"
        "def decorated() -> int: return 1\n"
        "server.register_tool(decorated, name='called', view=View(file='face.html'))\n"
    )
    server = runpy.run_path(str(tmp_path / "app.py"))["server"]
    async with Peer(server) as peer:
        for tool in ("decorated", "called"):
            content = (await peer.result("resources/read", uri=f"ui://s/{tool}.html"))["contents"][0]
            assert "12:00" in content["text"]


def test_in_a_program_that_is_no_file_a_path_starts_where_the_program_was_started(tmp_path: Path) -> None:
    (tmp_path / "face.html").write_text(PAGE, "utf-8")
    code = "from cloche import View; print(View('face.html').source.text())"
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=True
    )
    assert PAGE in ran.stdout


def test_in_a_notebook_and_in_generated_code_a_path_starts_where_it_should(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "face.html").write_text(PAGE, "utf-8")
    cell = compile("from cloche import View\ndef make(): return View('face.html')\nmake()", "/gone/123.py", "exec")
    with pytest.raises(RegistrationError, match="does not exist"):
        exec(cell, {})
    monkeypatch.chdir(tmp_path)
    exec(cell, {})
    made: dict[str, Any] = {}
    exec(compile("def make(View): return View('face.html')", "<generated>", "exec"), made)
    with pytest.raises(RegistrationError, match=r"tests.views.face\.html does not exist"):
        made["make"](View)


async def test_a_changed_file_is_read_again_and_an_unchanged_one_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "face.html"
    file.write_text("<p>old</p>", "utf-8")
    view = View(file)
    server, reads = server_with(view), []
    original = source.FileSource._read
    monkeypatch.setattr(source.FileSource, "_read", lambda self: reads.append(1) or original(self))
    async with Peer(server) as peer:

        async def text() -> str:
            return str((await peer.result("resources/read", uri="ui://clock-co/now.html"))["contents"][0]["text"])

        assert "<p>old</p>" in await text()
        assert "<p>old</p>" in await text()
        assert reads == []
        file.write_text("<p>new</p>", "utf-8")
        os.utime(file, ns=(1, 1))  # the clock of the file system may be coarse
        assert "<p>new</p>" in await text()
        assert reads == [1]


@pytest.mark.parametrize("damage", ["too large", "gone", "empty"])
async def test_a_file_that_goes_bad_later_is_an_answer_without_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    file = tmp_path / "face.html"
    file.write_text(PAGE, "utf-8")
    server = server_with(View(file))
    monkeypatch.setattr(source, "MAX_HTML", 1000)
    async with Peer(server) as peer:
        if damage == "gone":
            file.unlink()
        else:
            file.write_text("" if damage == "empty" else "<p>" * 1000, "utf-8")
        error = (await peer.request("resources/read", uri="ui://clock-co/now.html"))["error"]
        assert error["code"] == -32603
        assert error["message"].startswith("This view's file cannot be read at the moment")
        assert str(tmp_path) not in str(error)
        assert "a view cannot be read" in caplog.text
        file.write_text("<p>mended</p>", "utf-8")
        mended = (await peer.result("resources/read", uri="ui://clock-co/now.html"))["contents"][0]["text"]
        assert "<p>mended</p>" in mended


def test_the_limit_is_on_bytes_and_what_is_just_below_is_taken(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(source, "MAX_HTML", 1000)
    View("<" + "a" * 999)
    file = tmp_path / "a.html"
    file.write_text("<" + "a" * 999, "utf-8")
    View(file)
    for over in ("<" + "a" * 1000, "<" + "ä" * 500):
        with pytest.raises(RegistrationError, match=r"more than 1,000 bytes: load large parts with"):
            View(over)
        file.write_text(over, "utf-8")
        with pytest.raises(RegistrationError, match=r"The view a\.html has more than 1,000 bytes"):
            View(file)


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    file = tmp_path / "a.html"
    file.write_bytes(b"\xef\xbb\xbf<p>x</p>")
    found = View(file).source
    assert found is not None
    assert found.text() == "<p>x</p>"


# Mistakes

MISTAKES: dict[str, tuple[dict[str, Any], str]] = {
    "missing file": ({"view": "fase.html"}, r"fase\.html does not exist.*relative to the Python file that names it"),
    "text that is not HTML": ({"view": "Hello world"}, r"Hello world does not exist.*HTML begins with '<'"),
    "folder": ({"view": "."}, "is a folder: name the HTML file in it"),
    "empty": ({"view": View, "html": "  "}, "is empty, so nothing would be seen"),
    "half a character": ({"view": "<p>\ud800"}, "has half of a surrogate pair"),
    "number": ({"view": 5}, "a text that is HTML or a function, and not a int"),
    "class": ({"view": dict}, "a text that is HTML or a function, and not a type"),
    "nothing": ({"view": View}, "A view is one thing"),
    "two things": ({"view": View, "source": "a.html", "html": PAGE}, "A view is one thing"),
    "html is a file": ({"view": View, "html": 5}, "is a int: give a text"),
    "https": (
        {"view": View, "html": PAGE, "uri": "https://x.example/a.html"},
        r"hosts load views from ui:// only; write 'ui://x\.example/a\.html'",
    ),
    "no scheme": ({"view": View, "html": PAGE, "uri": "a.html"}, r"write 'ui://a\.html'"),
    "uri alone": ({"view": View, "html": PAGE, "uri": "ui://"}, "has a character that needs %-escaping"),
    "uri with space": ({"view": View, "html": PAGE, "uri": "ui://a b"}, "has a character that needs %-escaping"),
    "uri template": ({"view": View, "html": PAGE, "uri": "ui://a/{b}"}, "has a character that needs %-escaping"),
    "csp": ({"view": View, "html": PAGE, "csp": {"connect": ["*"]}}, r"'\*' is not taken: it would allow every host"),
    "csp of another kind": ({"view": View, "html": PAGE, "csp": ["a.example"]}, r"write csp=Csp\(connect="),
    "permission": ({"view": View, "html": PAGE, "permissions": ["usb"]}, "no permission 'usb': .* ask for camera"),
    "permission list in one": (
        {"view": View, "html": PAGE, "permissions": ["camera; microphone *"]},
        r"no permission 'camera; microphone \*'",
    ),
    "permission text": ({"view": View, "html": PAGE, "permissions": "camera"}, r"give a list, such as \['camera'\]"),
    "domain": ({"view": View, "html": PAGE, "domain": "a b"}, "'a b' is not taken"),
    "domain with star": ({"view": View, "html": PAGE, "domain": "*.example.com"}, "a view lives at one origin"),
    "width": ({"view": View, "html": PAGE, "width": "100%"}, "width is a whole number of pixels"),
    "height": ({"view": View, "html": PAGE, "height": 10**9}, "height is a whole number of pixels, 1 to 10000"),
    "invoking": ({"view": View, "html": PAGE, "invoking": "x" * 65}, "invoking is a text of 1 to 64 characters"),
    "visibility nobody": ({"view": PAGE, "visibility": []}, "says nobody or somebody unknown"),
    "visibility unknown": ({"view": PAGE, "visibility": ["model", "x"]}, r"use \['model', 'app'\]"),
    "visibility text": ({"view": PAGE, "visibility": "app"}, r"visibility is one text: give a list, such as \['app'\]"),
    "visibility number": ({"view": PAGE, "visibility": 3}, "says nobody or somebody unknown"),
}


def make(server: Server, view: Any, options: dict[str, Any]) -> None:
    """Register as the mistaken person would: with options for the view, or for the tool."""
    if view is View:
        server.register_tool(now, view=View(**options))
    else:
        server.register_tool(now, view=view, **options)


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_told_at_registration_and_leaves_nothing_behind(name: str) -> None:
    given, sentence = MISTAKES[name]
    options = {key: value for key, value in given.items() if key != "view"}
    server = Server("s")
    with pytest.raises(RegistrationError, match=sentence):
        make(server, given["view"], options)
    assert len(server.tools) == len(server.resources) == 0


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    file = tmp_path / "picture.html"
    file.write_bytes(b"\x89PNG\xff\xfe")
    with pytest.raises(RegistrationError, match=r"picture\.html is not UTF-8: save it as UTF-8"):
        View(file)


def test_a_name_or_uri_that_is_taken_leaves_nothing_half_registered() -> None:
    server = server_with(PAGE)
    with pytest.raises(RegistrationError, match="tool 'now' is registered already"):
        server.register_tool(now, view=View(PAGE, uri="ui://other/a.html"))
    with pytest.raises(
        RegistrationError, match=r"There is a resource 'ui://clock-co/now\.html' already: give this view"
    ):
        server.register_tool(now, name="later", view=View(PAGE, uri="ui://clock-co/now.html"))
    server.register_resource("ui://taken/a.skybridge.html", now)
    with pytest.raises(RegistrationError, match=r"There is a resource 'ui://taken/a\.skybridge\.html' already"):
        server.register_tool(now, name="later", view=View(PAGE, uri="ui://taken/a.html"))
    with pytest.raises(RegistrationError, match=r"There is a resource 'ui://clock-co/now\.html' already"):
        server.register_tool(now, name="later", view=View(shout, uri="ui://clock-co/now.html"))
    assert list(server.tools.entries) == ["now"]
    assert "ui://taken/a.html" not in server.resources.entries


def test_what_a_function_view_registered_goes_with_its_tool() -> None:
    server = Server("s")
    server.register_tool(now, view=shout)
    assert len(server.tools) == 2
    server.remove_tool("now")
    assert len(server.tools) == len(server.resources) == 0
    server.register_tool(now, view=shout)
