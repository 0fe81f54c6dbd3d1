"""What every transport promises (`cloche.transports.base`), as cases on both ends of one connection.

A case is `async def case(ends)`, where `ends` are the client's and the server's end. They never speak MCP: the
transport must not care.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from cloche.errors import McpError, RequestTimeoutError, TransportClosedError
from cloche.testing.behaviour.runner import cases_in
from cloche.transports.requests import RequestTransport
from cloche.wire.messages import encode_notification, encode_result, parse

Ends = tuple[RequestTransport, RequestTransport]


class Inbox:
    """What arrives at one end."""

    def __init__(self, end: RequestTransport) -> None:
        self._queue: asyncio.Queue[bytes] = asyncio.Queue()
        self.stop = end.on_message(self._queue.put_nowait)

    async def next(self) -> Any:
        """The next message."""
        return parse(await asyncio.wait_for(self._queue.get(), 10))

    def __len__(self) -> int:
        return self._queue.qsize()


def note(number: int) -> bytes:
    """A message with a number in it."""
    return encode_notification("notifications/number", {"number": number})


async def sends_and_receives_messages(ends: Ends) -> None:
    """In both directions."""
    client, server = ends
    at_client, at_server = Inbox(client), Inbox(server)
    await client.send(note(1))
    assert bytes((await at_server.next()).params) == b'{"number":1}'
    await server.send(note(2))
    assert bytes((await at_client.next()).params) == b'{"number":2}'


async def keeps_the_order(ends: Ends) -> None:
    """Two hundred messages arrive as they were sent."""
    client, server = ends
    inbox = Inbox(server)
    for number in range(200):
        await client.send(note(number))
    for number in range(200):
        assert bytes((await inbox.next()).params) == b'{"number":%d}' % number


async def handles_the_request_and_response_cycle(ends: Ends) -> None:
    """A request made on one end is answered at the other."""
    client, server = ends
    stop = server.on_message(answering(server))
    assert await client.request("double", {"number": 21}) == {"number": 42}
    results = await asyncio.gather(*(client.request("double", {"number": number}) for number in range(20)))
    assert results == [{"number": 2 * number} for number in range(20)]
    stop()


def answering(server: RequestTransport) -> Callable[[bytes], None]:
    """A handler that answers `double`."""
    tasks: set[asyncio.Task[None]] = set()

    def handle(data: bytes) -> None:
        message = parse(data)
        number = int(bytes(message.params).split(b":")[1].rstrip(b"}"))  # type: ignore[arg-type]
        task = asyncio.ensure_future(server.send(encode_result(message.id, {"number": 2 * number})))  # type: ignore[arg-type]
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    return handle


async def unsubscribes_handlers_correctly(ends: Ends) -> None:
    """A handler that is taken out hears nothing, others still do, and taking it out twice does no harm."""
    client, server = ends
    gone, stays = Inbox(server), Inbox(server)
    await client.send(note(1))
    await gone.next()
    await stays.next()
    gone.stop()
    gone.stop()
    await client.send(note(2))
    assert bytes((await stays.next()).params) == b'{"number":2}'
    assert len(gone) == 0


async def a_failing_handler_disturbs_nobody(ends: Ends) -> None:
    """Its error is logged; those after it hear the message, and the next message comes."""
    import logging

    client, server = ends
    logger = logging.getLogger("cloche.transports")
    before, logger.disabled = logger.disabled, True
    try:
        server.on_message(fail)
        inbox = Inbox(server)
        await client.send(note(1))
        await client.send(note(2))
        assert bytes((await inbox.next()).params) == b'{"number":1}'
        assert bytes((await inbox.next()).params) == b'{"number":2}'
    finally:
        logger.disabled = before


def fail(_: bytes) -> None:
    """A handler with a mistake in it."""
    raise ValueError("a handler's own mistake")


async def keeps_what_comes_before_the_first_handler(ends: Ends) -> None:
    """A server may begin to listen a moment after the client spoke."""
    client, server = ends
    await client.send(note(1))
    await asyncio.sleep(0.05)  # so that it has arrived where it has to travel
    assert bytes((await Inbox(server).next()).params) == b'{"number":1}'


async def times_out(ends: Ends) -> None:
    """A request that nobody answers ends at its time, and an answer that comes later is dropped."""
    client, server = ends
    inbox = Inbox(server)
    try:
        await client.request("never", {}, timeout=0.05, request_id="slow")
        raise AssertionError("an answer came")
    except RequestTimeoutError as error:
        assert (str(error), error.code) == ("Request slow timed out", "REQUEST_TIMEOUT")
    await inbox.next()
    inbox.stop()
    server.on_message(answering(server))
    await server.send(encode_result("slow", {}))
    assert await client.request("double", {"number": 1}) == {"number": 2}


async def rejects_pending_requests_on_close(ends: Ends) -> None:
    """What waits for an answer gets `TransportClosedError` when either end closes."""
    client, server = ends
    inbox = Inbox(server)
    waiting = [asyncio.ensure_future(client.request("never", {})) for _ in range(3)]
    for _ in waiting:
        await inbox.next()
    await server.close()
    for outcome in await asyncio.wait_for(asyncio.gather(*waiting, return_exceptions=True), 10):
        assert isinstance(outcome, TransportClosedError), outcome
        assert (str(outcome), outcome.code) == ("Transport is closed", "TRANSPORT_CLOSED")


async def tells_both_ends_that_it_closed(ends: Ends) -> None:
    """Once each, late listeners at once, and closing again does nothing."""
    client, server = ends
    told: list[str] = []
    over = asyncio.Event()
    client.on_close(lambda: told.append("client"))
    server.on_close(lambda: (told.append("server"), over.set()))  # type: ignore[arg-type, func-returns-value]
    unwanted = server.on_close(lambda: told.append("never"))
    unwanted()
    await client.close()
    await asyncio.wait_for(over.wait(), 10)
    await client.close()
    await server.close()
    assert sorted(told) == ["client", "server"]
    client.on_close(lambda: told.append("late"))
    assert told[-1] == "late"
    assert not client.is_connected
    assert not server.is_connected


async def refuses_to_send_when_closed(ends: Ends) -> None:
    """`TransportClosedError`, at both ends."""
    client, server = ends
    over = asyncio.Event()
    server.on_close(over.set)
    await client.close()
    await asyncio.wait_for(over.wait(), 10)
    for end in ends:
        try:
            await end.send(note(1))
            raise AssertionError("a closed transport took a message")
        except TransportClosedError:
            pass


async def carries_a_megabyte(ends: Ends) -> None:
    """Large messages, in both directions."""
    client, server = ends
    text = "ü" * (1024 * 1024)
    for source, target in ((client, server), (server, client)):
        inbox = Inbox(target)
        await source.send(encode_notification("notifications/large", {"text": text}))
        assert len((await inbox.next()).params) == len(text.encode()) + len('{"text":""}')
        inbox.stop()


async def ends_a_request_whose_answer_is_too_large(ends: Ends) -> None:
    """Over the limit the asker gets an error, not silence, and the connection goes on or says that it closed."""
    client, server = ends
    inbox = Inbox(server)
    asked = asyncio.ensure_future(client.request("much", {}))
    message = await inbox.next()
    inbox.stop()
    try:
        await server.send(encode_result(message.id, {"text": "x" * client.limit}))
        await asyncio.wait_for(asked, 10)
        raise AssertionError("an answer over the limit was taken")
    except McpError as error:
        assert "bytes" in str(error)
        server.on_message(answering(server))
        assert await client.request("double", {"number": 1}) == {"number": 2}
    except TransportClosedError:
        await asyncio.wait([asked])
        assert isinstance(asked.exception(), TransportClosedError), asked
        assert not client.is_connected


CONTRACT = cases_in(vars())
"""Every case of the contract."""
