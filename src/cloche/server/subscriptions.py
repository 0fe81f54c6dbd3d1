"""Who is told when a resource or a list changes.

Handshake era: a session subscribes to URIs, and every session hears of changed lists. Stateless era: a client opens a
stream (`subscriptions/listen`) and says in a filter what it wants to hear. Both hang on the bus; what the bus carries
is the notification itself, so that it is encoded once.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.errors import InvalidParamsError, McpError, MissingCapabilityError, ResourceNotFoundError
from cloche.server.registry import match_resource
from cloche.wire import types
from cloche.wire.messages import encode_notification
from cloche.wire.tasks import TASKS_EXTENSION, has_extension
from cloche.wire.uri_template import MAX_URI

if TYPE_CHECKING:
    from cloche.server.capability import Capability
    from cloche.server.engine import Engine
    from cloche.server.exchange import Exchange

logger = logging.getLogger("cloche.server")

RESOURCE_TOPIC = "resource:"
LISTS_TOPIC = "lists"
NOTIFICATIONS_TOPIC = "notifications"
TASK_TOPIC = "task:"
"""A task changed; what is published is its `notifications/tasks`."""

LIST_CHANGED = {
    "tool": "notifications/tools/list_changed",
    "resource": "notifications/resources/list_changed",
    "template": "notifications/resources/list_changed",
    "prompt": "notifications/prompts/list_changed",
}


class Stream:
    """An open `subscriptions/listen` stream, as the transport provides it."""

    __slots__ = ("__weakref__",)

    def push(self, data: bytes) -> None:
        """Send a notification soon; a reader that is too slow is cut off."""
        raise NotImplementedError

    async def run(self, first: bytes) -> None:
        """Send `first`, then what is pushed, until the server closes the stream; a client that goes away cancels."""
        raise NotImplementedError

    def finish(self) -> None:
        """Let `run` return."""
        raise NotImplementedError


class Subscriptions:
    """Subscriptions of sessions, and streams."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._streams: set[Stream] = set()

    def __len__(self) -> int:
        return len(self._streams)

    # Telling

    def resource_updated(self, uri: str, audience: str | None = None) -> None:
        """A resource changed, for everybody or for one audience."""
        data = encode_notification("notifications/resources/updated", {"uri": uri})
        self._engine.bus.publish(_topic(uri, audience), data)

    def list_changed(self, kind: str) -> None:
        """A list changed."""
        self._engine.bus.publish(LISTS_TOPIC, encode_notification(LIST_CHANGED[kind], {}))

    def notify(self, method: str, params: dict[str, Any]) -> None:
        """Any notification, to every session of the handshake era and every stream that asked for this method."""
        data = encode_notification(method, params)
        self._engine.bus.publish(NOTIFICATIONS_TOPIC, data)
        self._engine.bus.publish(NOTIFICATIONS_TOPIC + method, data)

    # Sessions of the handshake era

    def attach(self, session: Any) -> None:
        """A session is ready: it hears of changed lists and of the server's own notifications."""
        bus = self._engine.bus
        for topic in (LISTS_TOPIC, NOTIFICATIONS_TOPIC):
            if topic not in session.subscriptions:
                session.subscriptions[topic] = bus.subscribe(topic, session.push)

    def detach(self, session: Any) -> None:
        """A session ended."""
        for unsubscribe in session.subscriptions.values():
            unsubscribe()
        session.subscriptions = {}

    def subscribe(self, exchange: Exchange, uri: str) -> None:
        """`resources/subscribe`"""
        session: Any = exchange.peer
        held: dict[str, Callable[[], None]] | None = getattr(session, "subscriptions", None)
        if held is None:
            raise McpError(
                "resources/subscribe needs a session, and this server has none: use protocol version 2026-07-28"
            )
        _check_length(uri)
        topic = RESOURCE_TOPIC + uri
        if topic in held:
            return
        if len(held) >= self._engine.limits.subscriptions:
            raise InvalidParamsError(f"A session subscribes to at most {self._engine.limits.subscriptions} resources")
        left, audience = self._enter(uri, exchange)
        stop = self._engine.bus.subscribe(_topic(uri, audience), session.push)

        def end() -> None:
            stop()
            left()

        held[topic] = end

    def _enter(self, uri: str, exchange: Exchange) -> tuple[Callable[[], None], str | None]:
        """Let a principal subscribe to what it may read, and tell the capabilities; returns what tells them its end,
        and whose version of the resource it is.
        """
        server, principal = self._engine.server, exchange.principal
        found = match_resource(server, uri)
        if found is not None and found[0].guarded and not found[0].exists_for(principal):
            raise ResourceNotFoundError(uri)
        told: list[Capability] = []

        def leave() -> None:
            for capability in told:
                try:
                    capability.on_unsubscribe(uri, principal)
                except Exception:
                    logger.exception("on_unsubscribe of the capability %s failed", capability.name)

        audience: str | None = None
        try:
            for capability in server.capabilities.values():
                audience = audience or capability.audience(uri, principal, exchange.session)
                capability.on_subscribe(uri, principal)
                told.append(capability)
        except BaseException:
            leave()
            raise
        return leave, audience

    def unsubscribe(self, session: Any, uri: str) -> None:
        """`resources/unsubscribe`"""
        unsubscribe = getattr(session, "subscriptions", {}).pop(RESOURCE_TOPIC + uri, None)
        if unsubscribe is not None:
            unsubscribe()

    # Streams of the stateless era

    async def listen(self, exchange: Exchange, wanted: types.SubscriptionFilter) -> Any:
        """`subscriptions/listen`: acknowledge, then tell what the filter lets through until either side ends it."""
        limits = self._engine.limits
        uris = list(dict.fromkeys(wanted.resource_subscriptions or ()))
        if len(uris) > limits.subscriptions:
            raise InvalidParamsError(f"A stream subscribes to at most {limits.subscriptions} resources")
        own = list(dict.fromkeys(wanted.own_notifications or ()))
        if len(own) > limits.subscriptions:
            raise InvalidParamsError(f"A stream subscribes to at most {limits.subscriptions} methods")
        tasks = list(dict.fromkeys(wanted.task_ids or ()))
        if len(tasks) > limits.subscriptions:
            raise InvalidParamsError(f"A stream subscribes to at most {limits.subscriptions} tasks")
        for text in (*uris, *own, *tasks):
            _check_length(text)
        if tasks:
            tasks = await self._own_tasks(exchange, tasks)
        if len(self._streams) >= limits.listeners:
            raise McpError("Too many streams are open: try again later")
        granted = types.SubscriptionFilter(
            wanted.tools_list_changed or None,
            wanted.prompts_list_changed or None,
            wanted.resources_list_changed or None,
            uris or None,
            own or None,
            tasks or None,
        )
        ends: list[Callable[[], None]] = []
        topics: list[str] = []
        stream: Stream | None = None
        try:
            for uri in uris:
                left, audience = self._enter(uri, exchange)
                ends.append(left)
                topics.append(_topic(uri, audience))
            self._engine.inflight.remove(exchange)
            exchange.seconds = exchange.deadline = None
            stream = exchange.open_stream()
            self._streams.add(stream)
            tail = b'"_meta":' + msgspec.json.encode({types.SUBSCRIPTION_ID_KEY: exchange.id}) + b"}}"
            ends += self._hang_on(stream, granted, topics, tail)
            acknowledged = encode_notification("notifications/subscriptions/acknowledged", {"notifications": granted})
            await stream.run(_with_meta(acknowledged, tail))
        finally:
            if stream is not None:
                self._streams.discard(stream)
            for end in ends:
                end()
        return {
            "resultType": "complete",
            "_meta": {types.SUBSCRIPTION_ID_KEY: exchange.id, **self._engine.server_meta_dict},
        }

    async def _own_tasks(self, exchange: Exchange, tasks: list[str]) -> list[str]:
        """Those of the tasks that the caller may see."""
        if not has_extension(exchange.peer.client_capabilities):
            raise MissingCapabilityError("extensions", "taskIds", extension=TASKS_EXTENSION)
        return await self._engine.tasks.visible(tasks, exchange.principal)

    def _hang_on(
        self, stream: Stream, granted: types.SubscriptionFilter, resources: list[str], tail: bytes
    ) -> list[Callable[[], None]]:
        """Let the stream hear what its filter names, resources by their topics; returns what ends that."""
        bus = self._engine.bus
        push = stream.push

        def deliver(data: bytes) -> None:
            push(_with_meta(data, tail))

        topics = [
            *resources,
            *(NOTIFICATIONS_TOPIC + method for method in granted.own_notifications or ()),
            *(TASK_TOPIC + task_id for task_id in granted.task_ids or ()),
        ]
        ends = [bus.subscribe(topic, deliver) for topic in topics]
        prefixes = tuple(
            b'{"jsonrpc":"2.0","method":"notifications/' + name + b"/list_changed"
            for name, flag in (
                (b"tools", granted.tools_list_changed),
                (b"prompts", granted.prompts_list_changed),
                (b"resources", granted.resources_list_changed),
            )
            if flag
        )
        if prefixes:
            ends.append(bus.subscribe(LISTS_TOPIC, lambda data: deliver(data) if data.startswith(prefixes) else None))
        return ends

    def close(self) -> None:
        """End every stream in good order."""
        for stream in list(self._streams):
            stream.finish()


def _topic(uri: str, audience: str | None) -> str:
    """Where on the bus the changes of a resource are published."""
    return RESOURCE_TOPIC + uri if audience is None else f"{RESOURCE_TOPIC}{uri}\n{audience}"


def _check_length(uri: str) -> None:
    """What is subscribed to is kept, so it must not be a way to fill the memory."""
    if len(uri) > MAX_URI:
        raise InvalidParamsError(f"A URI has at most {MAX_URI} characters")


def _with_meta(data: bytes, tail: bytes) -> bytes:
    """A notification (whose `params` come last) with the subscription's `_meta` added."""
    return data[:-2] + (tail if data[-3] == ord("{") else b"," + tail)
