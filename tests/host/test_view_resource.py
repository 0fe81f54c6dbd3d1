"""What a server gives as a view: found, read and checked; what cannot be shown is told to the caller."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from cloche.errors import TransportClosedError, ViewUnavailableError
from cloche.host.upstreams.base import ProgressHandler, Upstream
from cloche.host.view_resource import ViewSource, read_view
from cloche.wire.apps.metadata import checked_permissions, embedded_view, view_uri
from cloche.wire.apps.origins import checked_csp
from cloche.wire.types import Json
from tests.host.servers import Weather
from tests.support.host_page import Page, hosting, ticket_in

URI = "ui://own/view.html"
PROFILE = "text/html;profile=mcp-app"
TOOL: Json = {"name": "show", "_meta": {"ui": {"resourceUri": URI}}}
LIMIT = 1000


class Canned(Upstream):
    """A server that gives what the test says."""

    def __init__(self, read: Any, listed: Any = None) -> None:
        super().__init__("own")
        self.asked: list[str] = []
        self._answers = {"resources/read": read, "resources/list": {"resources": listed or []}}

    async def _ask(
        self, method: str, params: Json, timeout: float, on_progress: ProgressHandler | None, by: object
    ) -> Json:
        self.asked.append(method)
        answer: Json = self._answers[method]
        if isinstance(answer, Exception):
            raise answer
        return answer

    async def _disconnect(self) -> None:
        """There is nothing to end."""

    async def _subscribe(self, uri: str) -> None:
        """Nothing changes here."""

    async def _unsubscribe(self, uri: str) -> None:
        """Nothing changes here."""

    async def _set_log_level(self, level: str) -> None:
        """Nothing is logged here."""


async def read(upstream: Canned) -> ViewSource:
    return await read_view(upstream.name, upstream.request, URI, LIMIT)


def content(**changes: Any) -> Json:
    return {"contents": [{"uri": URI, "mimeType": PROFILE, "text": "<p>hi</p>", **changes}]}


@pytest.mark.requirement(110, 152)
async def test_a_page_and_what_it_declares() -> None:
    meta = {
        "ui": {
            "csp": {"connectDomains": ["https://API.example.com:443"], "resourceDomains": ["cdn.example.com"]},
            "permissions": {"camera": {}, "clipboardWrite": {}},
            "prefersBorder": False,
        },
        "cloche/size": {"width": 300, "height": -1},
    }
    source = await read(Canned(content(_meta=meta)))
    assert (source.uri, source.html, source.border, source.size) == (URI, "<p>hi</p>", False, {"width": 300})
    assert source.csp == {
        "connectDomains": ["https://api.example.com"],
        "resourceDomains": ["https://cdn.example.com"],
        "frameDomains": [],
        "baseUriDomains": [],
    }
    assert source.permissions == ("camera", "clipboardWrite")
    assert source.left_out == ()


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ({"contents": []}, "has 0 contents"),
        ({"contents": [*content()["contents"], *content()["contents"]]}, "has 2 contents"),
        ({"contents": "text"}, "has 0 contents"),
        ({}, "has 0 contents"),
        (content(mimeType="text/html"), "hosts show a view only as mime_type"),
        (content(mimeType=None), "hosts show a view only as mime_type"),
        (content(mimeType="text/html;profile=mcp-apps"), "hosts show a view only as mime_type"),
        (content(text=None, blob="%%%"), "neither text nor a blob"),
        (content(text=None, blob=base64.b64encode(b"\xff\xfe").decode()), "neither text nor a blob"),
        (content(text=None), "neither text nor a blob"),
        (content(text="x" * 2000), "has 2000 characters"),
        (TransportClosedError(), "does not give"),
    ],
    ids=["none", "two", "no list", "nothing", "html", "no type", "another profile", "no base64", "no text", "empty",
         "too long", "no answer"],
)  # fmt: skip
async def test_what_cannot_be_shown_says_why(answer: Any, why: str) -> None:
    with pytest.raises(ViewUnavailableError, match=why):
        await read(Canned(answer))


@pytest.mark.parametrize(
    "mime", [PROFILE, "text/html; profile=mcp-app", 'TEXT/HTML;Profile="mcp-app"', "text/html+mcp"]
)
async def test_mime_types_that_are_views(mime: str) -> None:
    assert (await read(Canned(content(mimeType=mime)))).html == "<p>hi</p>"


async def test_a_blob_is_text() -> None:
    blob = base64.b64encode("<p>ü</p>".encode()).decode()
    assert (await read(Canned(content(text=None, blob=blob)))).html == "<p>ü</p>"


@pytest.mark.parametrize("place", ["content", "content, as the Python SDK writes it", "answer", "list"])
async def test_what_is_declared_is_found_in_every_place(place: str) -> None:
    meta = {"ui": {"prefersBorder": True}}
    given = content(_meta=meta) if place == "content" else content(meta=meta) if "SDK" in place else content()
    if place == "answer":
        given["_meta"] = meta
    upstream = Canned(given, [{"uri": "ui://other"}, {"uri": URI, "_meta": meta}] if place == "list" else None)
    assert (await read(upstream)).border is True
    assert ("resources/list" in upstream.asked) is (place == "list")


async def test_the_content_s_own_declaration_wins() -> None:
    upstream = Canned(content(_meta={"ui": {}}), [{"uri": URI, "_meta": {"ui": {"prefersBorder": True}}}])
    assert (await read(upstream)).border is None


@pytest.mark.parametrize(
    "entry",
    ["*", "https:", "https://*", "https://*.com", "data:", "blob:", "'self'", "'unsafe-eval'", "https://a.example; *",
     "https://a.example\thttps://b.example", "https://a.example,https://b.example", "https://a.example\n",
     "//a.example", "javascript:1", "http://a.example", "https://user@a.example", "https://a.example/path", "", 7, None,
     ["x"], "https://a.example\x0chttps://evil.example", "https://ä.example"],
    ids=lambda value: repr(value)[:40],
)  # fmt: skip
def test_an_origin_that_is_none_is_left_out_and_said(entry: Any) -> None:
    left_out: list[str] = []
    found = checked_csp({"connectDomains": [entry, "https://good.example"]}, left_out)
    assert found["connectDomains"] == ["https://good.example"]
    assert len(left_out) == 1


@pytest.mark.parametrize(
    "declared",
    [
        None, 7, "https://x.example", [], {"connectDomains": "https://x.example"}, {"connectDomains": {"a": 1}},
        {"connectDomains": [f"https://h{number}.example" for number in range(10_000)]}, {"x": ["https://x.example"]},
    ],
    ids=lambda value: str(value)[:40],
)  # fmt: skip
def test_a_policy_that_is_none_allows_nothing(declared: Any) -> None:
    assert all(not entries for entries in checked_csp(declared, []).values())


def test_a_policy_is_not_longer_than_a_header() -> None:
    left_out: list[str] = []
    names = [f"https://{'a' * 60}.{'b' * 60}.{number}x.example" for number in range(50)]
    found = checked_csp({"connectDomains": names}, left_out)
    assert sum(map(len, found["connectDomains"])) <= 4096
    assert left_out == ["csp has more than 4096 characters"]


@pytest.mark.parametrize(
    ("declared", "taken"),
    [
        ({"camera": {}, "geolocation": {}}, ("camera", "geolocation")),
        ({"camera": True}, ("camera",)),
        ({"camera": False, "microphone": None}, ()),
        ({"camera; microphone *": {}}, ()),
        ({"usb": {}, "fullscreen": {}, "__proto__": {}}, ()),
        (["camera"], ()),
        ("camera", ()),
        (None, ()),
    ],
    ids=str,
)
def test_only_known_permissions_count(declared: Any, taken: tuple[str, ...]) -> None:
    assert checked_permissions(declared, []) == taken


def test_where_a_tool_or_a_result_leads() -> None:
    page = {"type": "resource", "resource": {"uri": "ui://r/x", "mimeType": PROFILE, "text": "<p>"}}
    assert view_uri(TOOL, None) == URI
    assert view_uri({"name": "x"}, None) is None
    assert view_uri({"name": "x", "_meta": {"ui": {"resourceUri": "https://evil.example"}}}, None) is None
    assert view_uri(TOOL, {"content": [page]}) == "ui://r/x"
    assert view_uri(TOOL, {"_meta": {"ui": {"resourceUri": "ui://late"}}}) == "ui://late"
    for wrong in (
        {"type": "resource", "resource": {"uri": "https://x.example", "mimeType": PROFILE, "text": "<p>"}},
        {"type": "resource", "resource": {"uri": "ui://x", "mimeType": "text/plain", "text": "<p>"}},
        {"type": "text", "resource": {"uri": "ui://x", "mimeType": PROFILE, "text": "<p>"}},
        {"type": "resource"},
        "text",
        None,
    ):
        assert embedded_view({"content": [wrong]}) is None


async def test_a_view_that_cannot_be_shown_is_told_to_the_caller() -> None:
    weather = Weather()
    weather.server.register_tool(lambda: "x", name="broken", meta={"ui": {"resourceUri": "ui://weather/nowhere.html"}})
    told: list[tuple[str, str]] = []
    async with hosting({"weather": weather.server}) as host:
        host.on_error(lambda call, problem: told.append((call.id, problem)))
        call = await host.session("ann").start("weather.broken", {})
        text = ticket_in(call.embed())
        with pytest.raises(ViewUnavailableError, match=r"does not give ui://weather/nowhere\.html"):
            await Page().open(host, text)
        assert "does not give ui://weather/nowhere.html" in str(call.problem)
        (entry,) = host.timeline.entries(action="view-failed")
        assert entry.call == call.id
        assert (await call.result())["content"][0]["text"] == "x"  # the model has its result all the same
    assert told == [(call.id, call.problem)]
