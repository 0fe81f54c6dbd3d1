"""How MCP behaves over a transport, whichever it is: cases that every transport, era and client must pass.

A case is a plain `async def case(link)`; it fails by raising. Cases only use what a `Client` offers, so that another
client with the same few methods can stand in for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Any

import msgspec

from cloche.errors import McpError, RequestCancelledError, RequestTimeoutError, TransportClosedError
from cloche.testing.behaviour.link import ROOT, Link
from cloche.testing.behaviour.runner import cases_in
from cloche.testing.behaviour.task_cases import TASK_CASES
from cloche.transports.resilience.cancellation import CancellationTokenSource

MEGABYTE = 1024 * 1024
NO_BACK_CHANNEL = "needs a way back to the client"


async def handles_the_full_request_and_response_cycle(link: Link) -> None:
    """Greeted, listed, called, read."""
    client = link.client
    assert client.server_info.name == "behaviour"
    assert client.server_capabilities["tools"] is not None
    assert client.instructions == "For tests."
    result = await client.call_tool("echo", {"text": "hello"})
    assert (result.text, result.is_error) == ("hello", False)
    assert (await client.read_resource("behaviour://greeting/Ada")).text == "Hello, Ada!"


async def lists_every_page(link: Link) -> None:
    """The server's lists come in pages of four; the client follows."""
    names = [tool.name for tool in await link.client.list_tools()]
    assert len(names) == len(set(names)) > 12
    assert {"echo", "add", "hold", "touch"} <= set(names)
    assert [item.uri for item in await link.client.list_resources()] == ["behaviour://count", "behaviour://bytes"]
    templates = await link.client.list_resource_templates()
    assert [item.uri_template for item in templates] == ["behaviour://greeting/{name}"]
    assert [item.name for item in await link.client.list_prompts()] == ["greet"]


async def describes_tools_by_schema(link: Link) -> None:
    """Input schemas arrive as they were made."""
    (tool,) = [tool for tool in await link.client.list_tools() if tool.name == "add"]
    assert tool.description == "The sum."
    assert tool.input_schema["required"] == ["a"]
    assert tool.input_schema["properties"]["b"]["description"] == "The second number."


async def gives_structured_results(link: Link) -> None:
    """A typed result is there as a value, in every era that has it."""
    result = await link.client.call_tool("add", {"a": 2, "b": 40})
    assert result.text == "42"
    assert result.data in (42, "42")  # versions before 2025-06-18 have text alone


async def handles_notifications_to_the_client(link: Link) -> None:
    """A changed list is told to whoever listens, where the server can say something on its own."""
    if not link.has_way_back:
        return
    changed = asyncio.Event()
    link.client.on_notification("notifications/tools/list_changed", lambda _: changed.set())
    for number in range(100):  # in the stateless era a stream has to be open first, and nobody tells when it is
        await link.client.call_tool("grow", {"name": f"grown-{number}"})
        try:
            await asyncio.wait_for(changed.wait(), 0.2)
            return
        except TimeoutError:
            continue
    raise AssertionError("no notifications/tools/list_changed came")


async def hears_notifications_of_the_servers_own(link: Link) -> None:
    """They reach every handler that listens, and none that no longer does."""
    if not link.has_way_back or link.client.is_stateless:
        return
    gone: asyncio.Queue[Any] = asyncio.Queue()
    stays: asyncio.Queue[Any] = asyncio.Queue()
    stop = link.client.on_notification("notifications/behaviour", gone.put_nowait)
    link.client.on_notification("notifications/behaviour", stays.put_nowait)
    await link.client.call_tool("announce", {"text": "one"})
    assert [(await _soon(queue.get()))["text"] for queue in (gone, stays)] == ["one", "one"]
    stop()
    await link.client.call_tool("announce", {"text": "two"})
    assert (await _soon(stays.get()))["text"] == "two"
    assert gone.empty()


async def handles_notifications_to_the_server(link: Link) -> None:
    """A client's notification reaches the server's listener."""
    await link.client.notify("notifications/behaviour", {"text": "ahoy"})
    assert (await link.client.call_tool("noted", {"what": "ahoy"})).text == "1"


async def handles_multiple_concurrent_requests(link: Link) -> None:
    """Fifty at once, and every answer reaches its own caller."""
    calls = [link.client.call_tool("echo", {"text": f"number {number}"}) for number in range(50)]
    texts = [result.text for result in await asyncio.gather(*calls)]
    assert texts == [f"number {number}" for number in range(50)]


async def answers_may_overtake_each_other(link: Link) -> None:
    """A call that waits does not hold up one that came later."""
    first = asyncio.ensure_future(link.client.call_tool("wait_for", {"name": "gate"}))
    try:
        assert (await link.client.call_tool("echo", {"text": "second"})).text == "second"
        assert not first.done()
        await link.client.call_tool("release", {"name": "gate"})
        assert (await first).text == "gate"
    finally:
        first.cancel()


async def recovers_after_an_error(link: Link) -> None:
    """Errors of every kind, and after each the next call works."""
    client = link.client
    failed = await client.call_tool("fail", {"message": "on purpose"})
    assert failed.is_error
    assert "on purpose" in failed.text
    assert (await client.call_tool("echo", {"text": "after a failing tool"})).text == "after a failing tool"
    wrong = await client.call_tool("add", {"a": "one"})
    assert wrong.is_error
    assert "a" in wrong.text
    assert (await client.call_tool("echo", {"text": "after bad arguments"})).text == "after bad arguments"
    await _refused(client.call_tool("no-such-tool"), -32602)
    await _refused(client.get_prompt("no-such-prompt"), -32602)
    await _refused(client.read_resource("behaviour://nothing"), -32602 if client.is_stateless else -32002)
    await _refused(client.request("no/such/method"), -32601)
    assert (await client.call_tool("echo", {"text": "after refusals"})).text == "after refusals"


async def recovers_after_bad_messages(link: Link) -> None:
    """What is not a message is answered or dropped, and the next call works."""
    if link.send_rubbish is None:
        return
    for rubbish in (b"not JSON", b"{}", b"[]", b'{"jsonrpc":"1.0","id":1,"method":"ping"}', b"[" * 3000, b'"text"'):
        await link.send_rubbish(rubbish)
        assert (await link.client.call_tool("echo", {"text": "still here"})).text == "still here"
    await link.send_rubbish(b'{"jsonrpc":"2.0","id":987654,"result":{}}')
    assert (await link.client.call_tool("echo", {"text": "and here"})).text == "and here"


async def reports_progress_in_order(link: Link) -> None:
    """Each step arrives before the result does."""
    heard: list[tuple[float, float | None]] = []

    def note(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total))

    result = await link.client.call_tool("steps", {"count": 5}, progress=note)
    assert result.text == "5"
    assert heard == [(1, 5), (2, 5), (3, 5), (4, 5), (5, 5)]


async def cancels_by_token(link: Link) -> None:
    """The caller gets `RequestCancelledError`, the tool is cancelled, the next call works."""
    source = CancellationTokenSource()
    call = asyncio.ensure_future(link.client.call_tool("hold", {"name": "token"}, token=source.token))
    await link.client.call_tool("noted", {"what": "token began"})
    source.cancel()
    try:
        await _soon(call)
        raise AssertionError("the call was not cancelled")
    except RequestCancelledError as error:
        assert error.code == "REQUEST_CANCELLED"
    await _was_cancelled(link, "token")


async def cancels_with_the_callers_task(link: Link) -> None:
    """A task that is cancelled takes its call along."""
    call = asyncio.ensure_future(link.client.call_tool("hold", {"name": "task"}))
    await link.client.call_tool("noted", {"what": "task began"})
    call.cancel()
    await asyncio.gather(call, return_exceptions=True)
    assert call.cancelled()
    await _was_cancelled(link, "task")


async def times_out_alone(link: Link) -> None:
    """A call past its time gets `RequestTimeoutError`, the tool is cancelled, and others go on."""
    other = asyncio.ensure_future(link.client.call_tool("wait_for", {"name": "other"}))
    try:
        await link.client.call_tool("hold", {"name": "time"}, timeout=0.2)
        raise AssertionError("the call did not time out")
    except RequestTimeoutError as error:
        assert str(error).endswith(" timed out")
        assert error.code == "REQUEST_TIMEOUT"
    await _was_cancelled(link, "time")
    await link.client.call_tool("release", {"name": "other"})
    assert (await _soon(other)).text == "other"


async def rejects_pending_requests_on_close(link: Link) -> None:
    """What waits for an answer when the client closes gets `TransportClosedError`, and so does what comes later."""
    calls = [asyncio.ensure_future(link.client.call_tool("hold", {"name": "pending"})) for _ in range(3)]
    await link.client.call_tool("noted", {"what": "pending began"})
    await link.client.close()
    for outcome in await asyncio.gather(*calls, return_exceptions=True):
        assert isinstance(outcome, TransportClosedError), outcome
        assert (str(outcome), outcome.code) == ("Transport is closed", "TRANSPORT_CLOSED")
    try:
        await link.client.call_tool("echo", {"text": "too late"})
        raise AssertionError("a closed client still calls")
    except TransportClosedError:
        assert not link.client.is_connected


async def carries_a_megabyte_both_ways(link: Link) -> None:
    """Large arguments and large results."""
    text = "ü" * (MEGABYTE // 2)
    assert (await link.client.call_tool("echo", {"text": text})).text == text
    assert len((await link.client.call_tool("big", {"size": 2 * MEGABYTE})).text) == 2 * MEGABYTE


async def refuses_what_is_too_large(link: Link) -> None:
    """A message over the server's limit is refused, not the connection."""
    try:
        await link.client.call_tool("echo", {"text": "x" * 5 * MEGABYTE})
        raise AssertionError("a message over the limit was taken")
    except McpError as error:
        assert "4194304" in str(error) or "too large" in str(error).lower()
    except TransportClosedError:
        return  # a WebSocket says so by closing
    assert (await link.client.call_tool("echo", {"text": "small"})).text == "small"


async def carries_any_json(link: Link) -> None:
    """Unicode, empty things, large numbers and depth survive the way there and back."""
    value = {
        "text": 'a\u0000b\u2028c \U0001f514 \\ " / \n',
        "numbers": [0, -1, 2**53, 1.5, 1e-9],
        "empty": [{}, [], "", None, True, False],
        "deep": msgspec.json.decode(b"[" * 100 + b"]" * 100),
        "__proto__": {"result": {"id": 1, "method": "x"}},
    }
    data = (await link.client.call_tool("mirror", {"value": value})).data
    assert (msgspec.json.decode(data) if isinstance(data, str) else data) == value


async def reads_bytes(link: Link) -> None:
    """A blob is what it was."""
    (part,) = (await link.client.read_resource("behaviour://bytes")).contents
    assert part.data == bytes(range(256))


async def fills_in_prompts_and_completes_arguments(link: Link) -> None:
    """Prompts and completions."""
    prompt = await link.client.get_prompt("greet", {"name": "Ada"})
    assert prompt.messages[0].content.text == "Say hello to Ada."
    assert list(await link.client.complete("name", "a", prompt="greet")) == ["Ada", "Alan"]


async def answers_own_methods(link: Link) -> None:
    """Methods beyond the protocol work."""
    assert (await link.client.request("behaviour/echo", {"a": [1, 2]}))["params"] == {"a": [1, 2]}


async def answers_a_ping(link: Link) -> None:
    """A sign of life."""
    await link.client.ping()


async def tells_of_changed_resources(link: Link) -> None:
    """A subscriber hears of a change, and no longer after unsubscribing."""
    heard: asyncio.Queue[Any] = asyncio.Queue()
    link.client.on_notification("notifications/resources/updated", heard.put_nowait)
    if not link.has_way_back:
        await _refused(link.client.subscribe_resource("behaviour://count"), None, "needs a session")
        return
    await link.client.subscribe_resource("behaviour://count")
    await link.client.call_tool("touch")
    assert (await _soon(heard.get()))["uri"] == "behaviour://count"
    assert (await link.client.read_resource("behaviour://count")).text == "1"
    await link.client.unsubscribe_resource("behaviour://count")
    await link.client.call_tool("touch")
    await link.client.call_tool("echo", {"text": "a round trip later"})
    assert heard.empty()


async def asks_the_user(link: Link) -> None:
    """A tool asks through the client; yes and no both arrive."""
    if not link.has_way_back:
        await _no_way_back(link.client.call_tool("ask", {"question": "Who?"}))
        return
    if link.client.protocol_version < "2025-06":
        return
    assert (await link.client.call_tool("ask", {"question": "Who?"})).text == "accept Ada"
    assert (await link.client.call_tool("ask", {"question": "Say no please"})).text == "decline"


async def asks_the_model(link: Link) -> None:
    """A tool uses the client's model."""
    if not link.has_way_back:
        await _no_way_back(link.client.call_tool("think", {"prompt": "bells"}))
        return
    assert (await link.client.call_tool("think", {"prompt": "bells"})).text == "thought about bells"


async def asks_for_roots(link: Link) -> None:
    """A tool sees the client's roots."""
    if not link.has_way_back:
        await _no_way_back(link.client.call_tool("look_around"))
        return
    assert ROOT in (await link.client.call_tool("look_around")).text


async def writes_to_the_clients_log(link: Link) -> None:
    """Messages at or above the level that was asked for arrive, others do not."""
    if not link.has_way_back:
        return
    await link.client.set_log_level("info")
    await link.client.call_tool("log", {"text": "careful"})
    await link.client.call_tool("echo", {"text": "a round trip later"})
    assert [message["data"] for message in link.logged] == ["careful"]


CASES = [*cases_in(vars()), *TASK_CASES]
"""Every case."""


async def _was_cancelled(link: Link, name: str) -> None:
    """The tool that the client gave up was cancelled, where the server can know which one that is."""
    if link.has_way_back:
        assert (await link.client.call_tool("noted", {"what": f"{name} was cancelled"})).text == "1"
    else:
        assert (await link.client.call_tool("echo", {"text": "it goes on"})).text == "it goes on"


async def _soon(awaitable: Awaitable[Any]) -> Any:
    return await asyncio.wait_for(awaitable, 10)


async def _refused(awaitable: Awaitable[Any], code: int | None, text: str = "") -> None:
    try:
        await awaitable
    except McpError as error:
        assert code is None or error.code == code, (error.code, str(error))
        assert text in str(error), str(error)
    else:
        raise AssertionError("no error came")


async def _no_way_back(awaitable: Awaitable[Any]) -> None:
    """Without a way back to the client a tool that asks fails with a sentence that says so."""
    try:
        result = await awaitable
    except McpError as error:
        assert NO_BACK_CHANNEL in str(error)
    else:
        assert result.is_error
        assert NO_BACK_CHANNEL in result.text
