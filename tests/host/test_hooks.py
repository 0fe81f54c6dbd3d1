"""What a product is told, and what it can refuse."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from cloche.host import HostLimits, ModelContext, Policy, Question, ViewLog, ViewMessage
from tests.host.servers import Weather
from tests.support.host_page import hosting, opened

HELLO = [{"type": "text", "text": "Book it"}]


@pytest.mark.requirement(107)
@pytest.mark.parametrize("kind", ["async", "plain"])
async def test_a_message_goes_to_the_product(kind: str) -> None:
    said: list[tuple[str, str]] = []

    async def later(view: Any, message: ViewMessage) -> None:
        said.append((view.user, message.text))

    def at_once(view: Any, message: ViewMessage) -> None:
        said.append((view.user, message.text))

    async with hosting({"weather": Weather().server}) as host:
        host.on_message(later if kind == "async" else at_once)
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        assert await page.result("ui/message", {"role": "user", "content": HELLO}) == {}
        assert said == [("ann", "Book it")]


@pytest.mark.parametrize(
    "params",
    [
        {"role": "system", "content": HELLO},
        {"role": "assistant", "content": HELLO},
        {"role": "user", "content": HELLO[0]},
        {"role": "user", "content": ["text"]},
        {"content": HELLO},
        {"role": "user", "content": [{"type": "text", "text": "x" * 70_000}]},
    ],
    ids=["system", "assistant", "object", "strings", "no role", "too long"],
)
async def test_a_message_that_is_none_does_not(params: dict[str, Any]) -> None:
    said: list[Any] = []
    async with hosting({"weather": Weather().server}) as host:
        host.on_message(lambda view, message: said.append(message))
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        assert (await page.error("ui/message", params))[0] == -32602
        assert said == []


async def test_the_session_s_hook_comes_before_the_host_s_and_false_refuses() -> None:
    heard: list[str] = []
    async with hosting({"weather": Weather().server}) as host:

        @host.on_message
        def everybody(view: Any, message: ViewMessage) -> None:
            heard.append("host")

        @host.session("ann").on_message
        def mine(view: Any, message: ViewMessage) -> bool:
            heard.append("ann")
            return False

        ann = await opened(host, "weather.forecast", {"city": "Paris"})
        bob = await opened(host, "weather.forecast", {"city": "Paris"}, user="bob")
        assert await ann.result("ui/message", {"role": "user", "content": HELLO}) == {"isError": True}
        assert await bob.result("ui/message", {"role": "user", "content": HELLO}) == {}
        assert heard == ["ann", "host"]


async def test_a_hook_that_fails_is_an_error_without_details() -> None:
    async with hosting({"weather": Weather().server}) as host:

        @host.on_message
        def broken(view: Any, message: ViewMessage) -> None:
            raise RuntimeError("the password is 1234")

        page = await opened(host, "weather.forecast", {"city": "Paris"})
        code, text = await page.error("ui/message", {"role": "user", "content": HELLO})
        assert (code, text) == (-32603, "RuntimeError in the host")


async def test_the_model_takes_the_last_context_of_each_view_once() -> None:
    told: list[ModelContext] = []
    async with hosting({"weather": Weather().server}) as host:
        chat = host.session("ann")
        host.on_model_context(lambda view, context: told.append(context))
        one = await opened(host, "weather.forecast", {"city": "Paris"})
        two = await opened(host, "weather.forecast", {"city": "Rome"})
        await one.result("ui/update-model-context", {"structuredContent": {"step": 1}})
        await one.result("ui/update-model-context", {"content": HELLO, "structuredContent": {"step": 2}})
        await two.result("ui/update-model-context", {"content": HELLO})
        found = {context.view: context for context in chat.model_context()}
        assert found[one.view.id].structured_content == {"step": 2}
        assert found[two.view.id].content == HELLO
        assert chat.model_context() == []
        assert len(told) == 3
        assert (await one.error("ui/update-model-context", {"structuredContent": [1]}))[0] == -32602
        await two.result("cloche/set-state", {"value": 7, "model": True})
        (context,) = chat.model_context()
        assert context.structured_content == {"state": 7}


@pytest.mark.requirement(107)
async def test_a_link_opens_in_the_page_or_by_the_product() -> None:
    opened_links: list[str] = []
    async with hosting({"weather": Weather().server}, policy=Policy(link="allow")) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        assert await page.result("ui/open-link", {"url": "https://example.com/a"}) == {}
        assert page.frames[-2] == {"do": "open-link", "url": "https://example.com/a"}
        host.on_open_link(lambda view, url: opened_links.append(url))
        assert await page.result("ui/open-link", {"url": "https://example.com/b"}) == {}
        assert opened_links == ["https://example.com/b"]
        assert len([frame for frame in page.frames if frame.get("do") == "open-link"]) == 1
        host.on_open_link(lambda view, url: False)
        assert await page.result("ui/open-link", {"url": "https://example.com/c"}) == {"isError": True}
        assert (await page.error("ui/open-link", {"url": "javascript:alert(1)"}))[0] == -32602


def resource(uri: str, **content: Any) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, **content}}


async def test_files_are_saved_under_names_that_are_only_names() -> None:
    async with hosting({"weather": Weather().server}, policy=Policy(download="allow", link="allow")) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        contents = [
            resource("file:///a/report.csv", mimeType="text/csv", text="a,b"),
            resource("file:///x/..%2F..%2Fetc%2Fpasswd", text="x"),
            resource("file:///x/.bashrc", blob="eA==", mimeType="bad mime\r\nX: 1"),
            resource("file:///", text="x"),
            {"type": "resource_link", "uri": "https://example.com/big.zip", "name": "big"},
        ]
        assert await page.result("ui/download-file", {"contents": contents}) == {}
        (frame,) = [frame for frame in page.frames if frame.get("do") == "download"]
        assert frame["files"] == [
            {"name": "report.csv", "mimeType": "text/csv", "text": "a,b"},
            {"name": "_.._etc_passwd", "mimeType": "application/octet-stream", "text": "x"},
            {"name": "bashrc", "mimeType": "application/octet-stream", "blob": "eA=="},
            {"name": "download", "mimeType": "application/octet-stream", "text": "x"},
        ]
        assert [frame["url"] for frame in page.frames if frame.get("do") == "open-link"] == [
            "https://example.com/big.zip"
        ]


@pytest.mark.parametrize(("rule", "opens"), [("allow", True), ("ask", False), ("deny", False)])
async def test_a_file_behind_a_link_is_a_link(rule: Any, opens: bool) -> None:
    """Whatever the policy says of files: the browser goes to an address, which the person must have seen."""
    asked: list[Question] = []
    saved: list[Any] = []

    async def ask(question: Question) -> bool:
        asked.append(question)
        return question.kind != "link"

    policy = Policy(download="allow", link=rule, ask=ask)
    async with hosting({"weather": Weather().server}, policy=policy) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        url = "https://evil.example/login?next=report.pdf"
        contents = [{"type": "resource_link", "uri": url, "name": "report.pdf"}]
        expected = {} if opens else {"isError": True}
        assert await page.result("ui/download-file", {"contents": contents}) == expected
        both = [resource("file:///a.txt", text="x"), *contents]
        assert await page.result("ui/download-file", {"contents": both}) == expected
        links = [frame["url"] for frame in page.frames if frame.get("do") == "open-link"]
        assert links == ([url, url] if opens else [])
        files = [file["name"] for frame in page.frames if frame.get("do") == "download" for file in frame["files"]]
        assert files == (["a.txt"] if opens else [])
        assert [(question.kind, question.details) for question in asked] == (
            [("link", {"url": url})] * 2 if rule == "ask" else []
        )
        host.on_download(lambda view, files: saved.extend(files))
        await page.result("ui/download-file", {"contents": contents})
        assert [file["uri"] for file in saved] == ([url] if opens else [])


async def test_a_link_to_the_product_itself_is_asked_about_with_a_warning() -> None:
    asked: list[Question] = []

    async def ask(question: Question) -> bool:
        asked.append(question)
        return False

    async with hosting({"weather": Weather().server}, policy=Policy(link="allow", ask=ask)) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        assert await page.result("ui/open-link", {"url": "https://example.com/"}) == {}
        assert asked == []
        logout = "http://localhost:8000/logout?now=1"
        assert await page.result("ui/open-link", {"url": logout}) == {"isError": True}
        (question,) = asked
        assert question.title == "Open a page of this site?"
        assert question.text == (
            "The view of “weather” wants to open a page of this site, which may act in your name. "
            "Open it only if you expected this."
        )
        assert question.details == {"url": logout}
        file = {"type": "resource_link", "uri": logout}
        assert await page.result("ui/download-file", {"contents": [file]}) == {"isError": True}
        assert len(asked) == 2


PICTURE = {"type": "image", "mimeType": "image/png", "data": "iVBO" * 100_000}


@pytest.mark.requirement(107)
async def test_images_have_a_limit_of_their_own() -> None:
    said: list[ViewMessage] = []
    async with hosting({"weather": Weather().server}) as host:
        host.on_message(lambda view, message: said.append(message))
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        assert await page.result("ui/message", {"role": "user", "content": [*HELLO, PICTURE]}) == {}
        assert said[0].content[1] == PICTURE
        assert await page.result("ui/update-model-context", {"content": [PICTURE]}) == {}
        sound = {"type": "resource", "resource": {"uri": "file:///a.wav", "blob": "UklG" * 131_000}}
        code, text = await page.error("ui/message", {"role": "user", "content": [PICTURE, sound]})
        said_so = "images, sounds and files of 924000 bytes as base64 are more than the 921600 that are taken together"
        assert (code, text) == (-32602, f"ui/message: {said_so}: send smaller ones")
        assert (await page.error("ui/update-model-context", {"content": [PICTURE, sound]}))[0] == -32602
        for text in ({"type": "text", "text": "x" * 70_000}, {**PICTURE, "_meta": {"note": "x" * 70_000}}):
            code, said_so = await page.error("ui/message", {"role": "user", "content": [text]})
            assert (code, said_so.endswith("bytes are more than the 65536 that are taken")) == (-32602, True)
            assert (await page.error("ui/update-model-context", {"content": [text]}))[0] == -32602
        assert (await page.error("ui/update-model-context", {"structuredContent": {"a": "x" * 70_000}}))[0] == -32602
        assert len(said) == 1


@pytest.mark.requirement(107)
@pytest.mark.parametrize("on", ["host", "session"])
async def test_a_product_hears_that_a_view_is_initialized(on: str) -> None:
    heard: list[tuple[str, Any]] = []
    async with hosting({"weather": Weather().server}) as host:
        hooks = host if on == "host" else host.session("ann")
        hooks.on_initialized(lambda view, app: heard.append((view.tool, app["appInfo"]["name"])))
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        await page.result("ping")
        page.view.event("initialized", {})
        await page.result("ping")
        assert heard == [("forecast", "probe")]


@pytest.mark.requirement(107)
async def test_a_product_hears_how_large_a_view_is() -> None:
    heard: list[Any] = []
    go_on, begun = asyncio.Event(), asyncio.Event()

    async def slow(view: Any, size: Any) -> None:
        heard.append(size)
        begun.set()
        await go_on.wait()

    async with hosting({"weather": Weather().server}) as host:
        host.on_size_change(slow)
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        page.view.event("size", {"width": 300, "height": 200})
        await begun.wait()
        for height in range(201, 300):
            page.view.event("size", {"width": 300, "height": height})
        assert heard == [{"width": 300, "height": 200}]
        go_on.set()
        await page.result("ping")
        page.notify("ui/notifications/size-changed", {"height": 10**9})
        await page.result("ping")
        page.view.event("size", {"height": 10_000})  # as it is
        await page.result("ping")
        assert heard[1:] == [{"width": 300, "height": 299}, {"height": 10_000}]
        assert page.view.size == {"height": 10_000}


@pytest.mark.parametrize(
    "contents",
    [
        [],
        [{"type": "text", "text": "x"}],
        [{"type": "resource"}],
        [resource("file:///a")],
        [resource("file:///a", text="x" * 200)],
        [{"type": "resource_link", "uri": "javascript:alert(1)"}],
        [{"type": "resource_link", "uri": "file:///etc/passwd"}],
        [resource("file:///a", text="x")] * 21,
        "text",
    ],
    ids=["none", "text", "no resource", "no data", "too large", "script link", "file link", "too many", "no list"],
)
async def test_what_is_no_file_is_not_saved(contents: Any) -> None:
    limits = HostLimits(download_bytes=100)
    async with hosting({"weather": Weather().server}, policy=Policy(download="allow"), limits=limits) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        assert (await page.error("ui/download-file", {"contents": contents}))[0] == -32602
        assert not [frame for frame in page.frames if "do" in frame]


async def test_a_product_can_take_the_files_itself() -> None:
    taken: list[Any] = []
    async with hosting({"weather": Weather().server}, policy=Policy(download="allow")) as host:
        host.on_download(lambda view, files: taken.extend(files))
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        await page.result("ui/download-file", {"contents": [resource("file:///a.txt", text="x")]})
        assert [file["name"] for file in taken] == ["a.txt"]
        assert not [frame for frame in page.frames if "do" in frame]


@pytest.mark.requirement(107)
async def test_logs_go_to_the_product_or_to_logging(caplog: pytest.LogCaptureFixture) -> None:
    lines: list[ViewLog] = []
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        caplog.set_level("INFO", "cloche.host.view")
        page.notify("notifications/message", {"level": "info", "data": "first\nline"})
        await page.result("ping")
        assert "weather.forecast: info 'first\\nline'" in caplog.text
        host.on_log(lambda view, line: lines.append(line))
        page.notify("notifications/message", {"level": "error", "logger": "x", "data": {"a": 1}})
        await page.result("ping")
        assert lines == [ViewLog("error", {"a": 1}, "x")]


async def test_sampling_needs_the_hook_and_the_policy() -> None:
    asked: list[Any] = []
    answer = {"role": "assistant", "content": {"type": "text", "text": "hi"}, "model": "m"}

    async def sample(view: Any, params: Any) -> Any:
        asked.append(params)
        return answer

    request = {"messages": [{"role": "user", "content": {"type": "text", "text": "hello"}}], "maxTokens": 5}
    async with hosting({"weather": Weather().server}, policy=Policy(sampling="ask")) as host:
        host.on_sampling(sample)
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        assert page.view.packet()["initialize"]["hostCapabilities"]["sampling"] == {}
        number = page.post("sampling/createMessage", request)
        page.view.answered((await page.asked())["ask"], True)
        assert (await page.answer_to(number))["result"] == answer
        assert asked == [request]
        page.frames.clear()
        number = page.post("sampling/createMessage", request)
        page.view.answered((await page.asked())["ask"], False)
        assert (await page.answer_to(number))["error"]["code"] == -32000
        assert len(asked) == 1


@pytest.mark.parametrize(
    ("app", "asked_for", "becomes"),
    [
        ({}, "fullscreen", "fullscreen"),
        ({"availableDisplayModes": ["inline", "fullscreen"]}, "fullscreen", "fullscreen"),
        ({"availableDisplayModes": ["inline"]}, "fullscreen", "inline"),
        ({"availableDisplayModes": []}, "fullscreen", "inline"),
        ({}, "pip", "inline"),
        ({}, "inline", "inline"),
    ],
    ids=["says nothing", "can", "cannot", "can nothing", "not ours", "as it is"],
)
async def test_display_modes_that_both_sides_have(app: Any, asked_for: str, becomes: str) -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"}, appCapabilities=app)
        number = page.post("ui/request-display-mode", {"mode": asked_for})
        if becomes == "fullscreen":
            frame = await page.until(lambda frame: frame.get("do") == "display-mode")
            page.view.event("display-mode", {"mode": frame["mode"]})
        assert (await page.answer_to(number))["result"] == {"mode": becomes}
        told = [
            frame for frame in page.frames if frame.get("message", {}).get("method", "").endswith("context-changed")
        ]
        assert len(told) == (1 if becomes == "fullscreen" else 0)
        assert page.view.packet()["initialize"]["hostContext"]["displayMode"] == becomes


async def test_a_display_mode_can_be_refused_by_the_product_the_policy_and_the_page() -> None:
    async with hosting({"weather": Weather().server}, limits=HostLimits(display_seconds=0.02)) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        assert await page.result("ui/request-display-mode", {"mode": "fullscreen"}) == {"mode": "inline"}  # no answer
        host.on_display_mode(lambda view, mode: False)
        before = len(page.frames)
        assert await page.result("ui/request-display-mode", {"mode": "fullscreen"}) == {"mode": "inline"}
        host.policy.rules["display-mode"] = "deny"
        assert await page.result("ui/request-display-mode", {"mode": "fullscreen"}) == {"mode": "inline"}
        assert len(page.frames) == before + 2
        assert (await page.error("ui/request-display-mode", {"mode": "huge"}))[0] == -32602


async def test_the_user_leaves_fullscreen() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        page.view.event("display-mode", {"mode": "fullscreen"})
        page.view.event("display-mode", {"mode": "sideways"})
        page.view.event("display-mode", {"mode": "inline"})
        changes = [frame["message"]["params"] for frame in page.frames[2:]]
        assert changes == [{"displayMode": "fullscreen"}, {"displayMode": "inline"}]


async def test_a_hook_that_was_begun_is_finished_though_the_view_goes_away() -> None:
    begun, go_on, finished = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def save(view: Any, message: ViewMessage) -> None:
        begun.set()
        await go_on.wait()
        finished.set()

    async with hosting({"weather": Weather().server}) as host:
        host.on_message(save)
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        page.post("ui/message", {"role": "user", "content": HELLO})
        await begun.wait()
        closing = asyncio.create_task(page.view.close("enough", gone=True))
        await page.until(lambda frame: frame.get("do") == "remove")
        go_on.set()
        await closing
        assert finished.is_set()


async def test_a_hook_that_never_ends_does_not_keep_the_view() -> None:
    cancelled = asyncio.Event()

    async def stuck(view: Any, message: ViewMessage) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    async with hosting({"weather": Weather().server}, limits=HostLimits(hook_seconds=0.02)) as host:
        host.on_message(stuck)
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        page.post("ui/message", {"role": "user", "content": HELLO})
        await page.result("ping")
        await page.view.close("enough")
        await cancelled.wait()


async def test_a_view_that_flickers_is_held_still() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        changes = 0
        for _ in range(20):
            mode = "inline" if page.view.display_mode == "fullscreen" else "fullscreen"
            number = page.post("ui/request-display-mode", {"mode": mode})
            page.view.event("display-mode", {"mode": page.view.display_mode})
            await page.result("ping")
            asked = [frame for frame in page.frames if frame.get("do") == "display-mode"]
            if len(asked) > changes:
                changes = len(asked)
                page.view.event("display-mode", {"mode": mode})
            await page.answer_to(number)
        assert changes == 5
