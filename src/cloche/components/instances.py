"""Instances: what was rendered, with its props and events, for the caller who rendered it and nobody else."""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict, deque
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.components.component import MAX_PROPS
from cloche.errors import ToolError
from cloche.server.content import ToolResult
from cloche.server.context import Context
from cloche.store.owners import owner_of as owner_with_session

if TYPE_CHECKING:
    from cloche.auth import Principal

MAX_EVENT = 16 * 1024
"""Bytes of the data of one event, as JSON."""

Owner = str
"""Who an instance belongs to: a principal, or where a server knows none a session, a connection, or one request."""


REQUEST = "request:"
"""What the owner begins with where nobody knows who the caller is, not even from one request to the next."""


class InstanceLimits(msgspec.Struct, frozen=True, kw_only=True):
    """How much is kept of what was rendered. Pass `Components(limits=InstanceLimits(instances=…))` to change it."""

    instances: int = 100
    """Instances of one caller; when there are more, the one that was used least recently is dropped."""
    bytes: int = 32 * 1024 * 1024
    """Bytes of the props of one caller's instances; when there are more, the least recently used are dropped."""
    total_bytes: int = 512 * 1024 * 1024
    """Bytes of the props of all instances of all callers; then the least recently active callers lose theirs."""
    owners: int = 10_000
    """Callers whose instances are kept; when there are more, the least recently active one loses its instances."""
    events: int = 20
    """Events that are kept of one instance, the newest."""


class Instance:
    """A component that was rendered, and what happened to it."""

    def __init__(self, component: str, props: Mapping[str, Any], size: int, *, events: int) -> None:
        self.id = secrets.token_urlsafe(12)
        self.component = component
        self.props = dict(props)
        self.size = size
        """Bytes of its props as JSON."""
        self.renderer = "default"
        self.version = 1
        self.created = time.time()
        self.events: deque[dict[str, Any]] = deque(maxlen=events)
        self.places: set[tuple[Owner, str]] = set()
        """Where in pages it was put, and whose places these are."""

    def facts(self) -> dict[str, Any]:
        """What `instance://id` says."""
        return {
            **self.short_facts(),
            "props": self.props,
            "events": list(self.events),
        }

    def short_facts(self) -> dict[str, Any]:
        """What `instances://list` says of it."""
        return {
            "id": self.id,
            "component": self.component,
            "uri": f"instance://{self.id}",
            "version": self.version,
            "created": round(self.created, 3),
        }


class Instances:
    """The instances of every caller, each behind its owner: an id of somebody else's finds nothing.

    Callers without a principal list what their own session rendered. By its id, which nobody can guess, they find an
    instance from another session of theirs too: the page that showed it may be shown again later.
    """

    def __init__(self, limits: InstanceLimits | None = None) -> None:
        self.limits = limits or InstanceLimits()
        self._owners: OrderedDict[Owner, OrderedDict[str, Instance]] = OrderedDict()
        self._nameless: dict[str, Owner] = {}
        """Whose the instances of callers without a principal are, by id."""
        self._total = 0

    def add(self, owner: Owner, component: str, props: Mapping[str, Any]) -> Instance:
        """Keep what was rendered; what is over the limits goes, the least recently used first."""
        instance = Instance(component, props, _size(props), events=self.limits.events)
        self._room(owner)[instance.id] = instance
        if not is_user(owner):
            self._nameless[instance.id] = owner
        self._total += instance.size
        self._tidy(owner)
        return instance

    def get(self, owner: Owner, id: str) -> Instance:
        """An instance of this owner; raises `ToolError` for one that is gone or somebody else's."""
        found = self.find(owner, id)
        if found is None:
            raise ToolError("There is no such instance: it was destroyed, or dropped for newer ones; render it again")
        return found

    def find(self, owner: Owner, id: str) -> Instance | None:
        """An instance of this owner, which counts as used now, or None."""
        owner = self._holder(owner, id)
        room = self._owners.get(owner)
        found = room.get(id) if room is not None else None
        if room is not None and found is not None:
            room.move_to_end(id)
            self._owners.move_to_end(owner)
        return found

    def list(self, owner: Owner, component: str | None = None) -> Sequence[Instance]:
        """The instances of this owner, or those of one component, oldest first."""
        room = self._owners.get(owner) or OrderedDict[str, Instance]()
        return sorted(
            (one for one in room.values() if component is None or one.component == component),
            key=lambda one: one.created,
        )

    def set_props(self, owner: Owner, instance: Instance, props: Mapping[str, Any]) -> None:
        """Give an instance other props."""
        size = _size(props)
        self._total += size - instance.size
        instance.props, instance.size = dict(props), size
        instance.version += 1
        self._tidy(self._holder(owner, instance.id))

    def remove(self, owner: Owner, id: str) -> Instance:
        """Take an instance out."""
        instance = self.get(owner, id)
        owner = self._holder(owner, id)
        room = self._owners[owner]
        self._drop(room.pop(id))
        if not room:
            del self._owners[owner]
        return instance

    def note(self, instance: Instance, event: str, data: Any) -> None:
        """Keep an event of an instance."""
        if len(msgspec.json.encode(data)) > MAX_EVENT:
            raise ToolError(f"An event has at most {MAX_EVENT:,} bytes of data")
        instance.events.append({"event": event, "data": data, "time": round(time.time(), 3)})
        instance.version += 1

    def __len__(self) -> int:
        return sum(len(room) for room in self._owners.values())

    def _holder(self, owner: Owner, id: str) -> Owner:
        """Whose instance of this id the caller may use."""
        return owner if is_user(owner) else self._nameless.get(id, owner)

    def _drop(self, instance: Instance) -> None:
        self._total -= instance.size
        self._nameless.pop(instance.id, None)

    def _room(self, owner: Owner) -> OrderedDict[str, Instance]:
        room = self._owners.setdefault(owner, OrderedDict())
        self._owners.move_to_end(owner)
        return room

    def _tidy(self, owner: Owner) -> None:
        room = self._owners[owner]
        while len(room) > self.limits.instances or (
            len(room) > 1 and sum(one.size for one in room.values()) > self.limits.bytes
        ):
            self._drop(room.popitem(last=False)[1])
        while len(self._owners) > 1 and (
            len(self._owners) > self.limits.owners or self._total > self.limits.total_bytes
        ):
            for gone in self._owners.popitem(last=False)[1].values():
                self._drop(gone)


def _size(props: Mapping[str, Any]) -> int:
    try:
        size = len(msgspec.json.encode(props))
    except (TypeError, ValueError, RecursionError):
        raise ToolError("The props are not JSON") from None
    if size > MAX_PROPS:
        raise ToolError(f"The props have more than {MAX_PROPS:,} bytes: show a part of the data")
    return size


def shown(instance: Instance, summary: str, target: str | None = None) -> ToolResult:
    """What a tool answers that showed an instance."""
    facts: dict[str, Any] = {"instance": instance.id, "component": instance.component, "version": instance.version}
    if target is not None:
        facts["target"] = target
    return ToolResult(f"{summary}\nInstance: {instance.id}", structured=facts)


def owner_of(ctx: Context[Any]) -> Owner:
    """Whose instances a request may see."""
    return owner_with(ctx.principal, ctx._exchange.session)


def owner_with(principal: Principal | None, session: Any) -> Owner:
    """The same for a principal and a session, either of which may be None; with neither, each request is its own."""
    if principal is None and session is None:
        return REQUEST + secrets.token_urlsafe(12)
    return owner_with_session(principal, session)


def is_user(owner: Owner) -> bool:
    """Whether an owner is a principal."""
    return owner.startswith("user:")
