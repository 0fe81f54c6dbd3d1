"""A server for the tests, run in the browser: tools that are stuck, slow, loud or curious.

On a port that a page hands to the worker it serves the reference server of the behaviour cases, a new one each time: so
one Python, which takes its time to start, does for every case.
"""

import asyncio
import pathlib
import random
import secrets
import sys
import time
import uuid
from types import CodeType
from typing import Any

import js
import msgspec
import pyodide_js
from pyodide.ffi import create_proxy

import cloche
from cloche import Context, Server, config
from cloche.testing.behaviour import reference_server
from cloche.transports import PortTransport

monitoring: Any = sys.monitoring  # type: ignore[attr-defined]  # there is one in the browser's Python
server = Server("lab", version="1.0")
state: dict[str, Any] = {"count": 0}
connecting: set[asyncio.Task[None]] = set()


@server.tool
def follow() -> None:
    """Note every function of cloche that is called from now on, as `tests.support.walks.followed` does."""
    package = str(pathlib.Path(cloche.__file__).parent)
    calls: list[str] = []

    def note(code: CodeType, _: int) -> None:
        if code.co_filename.startswith(package):
            module = code.co_filename[len(package) + 1 : -len(".py")].replace("/", ".")
            calls.append(f"{module}.{code.co_qualname}")

    state["calls"] = calls
    # Not `sys.setprofile`: it ends with the callback of JavaScript that this runs in.
    monitoring.use_tool_id(monitoring.PROFILER_ID, "lab")
    monitoring.register_callback(monitoring.PROFILER_ID, monitoring.events.PY_START, note)
    monitoring.set_events(monitoring.PROFILER_ID, monitoring.events.PY_START)


@server.tool
def followed() -> list[str]:
    """What was called since `follow`."""
    monitoring.set_events(monitoring.PROFILER_ID, 0)
    monitoring.free_tool_id(monitoring.PROFILER_ID)
    calls: list[str] = state.pop("calls")
    return calls


@server.tool
def spin() -> str:
    """Never comes back."""
    while True:
        pass


@server.tool
async def spin_on_the_loop() -> str:
    """Never comes back, and is a coroutine."""
    while True:
        pass


@server.tool
def stubborn() -> str:
    """Never comes back, and does not let itself be interrupted."""
    while True:
        try:
            while True:
                pass
        except KeyboardInterrupt:
            continue


@server.tool
async def hang() -> str:
    """Waits for nothing, and leaves the others alone."""
    state["hanging"] = state.get("hanging", 0) + 1
    try:
        await asyncio.Event().wait()
    finally:
        state["hanging"] -= 1
    return "never"


@server.tool
def busy(seconds: float) -> str:
    """Keeps Python busy for a while."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    return "done"


@server.tool
async def count() -> int:
    """One more each time."""
    state["count"] += 1
    server.resource_updated("lab://count")
    return state["count"]


@server.resource("lab://count")
async def counted() -> str:
    """The count."""
    return str(state["count"])


@server.tool
async def hanging() -> int:
    """How many calls of `hang` are under way."""
    return state.get("hanging", 0)


@server.tool
async def say(text: str) -> None:
    """Prints."""
    print(text)
    print(text.upper(), file=sys.stderr)


@server.tool
async def told(ctx: Context) -> dict[str, Any]:
    """What the page told this server."""
    who = ctx.principal
    return {
        "config": dict(config),
        "auth": ctx.auth,
        "id": who and who.id,
        "scopes": sorted(who.scopes) if who else [],
        "python": sys.version_info[:2],
        "platform": sys.platform,
    }


@server.tool(scopes=["write"])
async def guarded() -> str:
    """For callers with a scope."""
    return "let in"


@server.tool
async def chance() -> list[str]:
    """What must not be the same for two visitors."""
    return [str(random.random()), str(uuid.uuid4()), secrets.token_hex(8)]


@server.tool
def progress_from_a_function(ctx: Context) -> str:
    """A plain function that waits for the loop."""
    ctx.wait(ctx.progress(1, 2))
    return "waited"


@server.tool
def snapshot_bytes() -> int:
    """What the loader keeps of the snapshot."""
    kept: int = pyodide_js._api.config._loadSnapshot.byteLength
    return kept


@server.tool
async def asks(ctx: Context) -> str:
    """Asks the person, and does something with the answer."""
    answer = await ctx.elicit("Go on?", {"type": "object", "properties": {"name": {"type": "string"}}})
    await asyncio.sleep(0.8)
    return answer.action


@server.tool
async def crash() -> str:
    """Ends WebAssembly: the recursion is deeper than its stack."""
    return str(msgspec.json.decode(b"[" * 5_000 + b"]" * 5_000))


def connect(event: Any) -> None:
    """A page hands a port over."""
    if getattr(event.data, "type", None) == "lab:port":
        transport = PortTransport(event.ports[0])
        task = asyncio.ensure_future(reference_server().connect(transport))
        connecting.add(task)
        task.add_done_callback(connecting.discard)


js.self.addEventListener("message", create_proxy(connect))
