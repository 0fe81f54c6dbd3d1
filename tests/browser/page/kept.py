"""A server in the page whose store is kept in the browser."""

import random

from cloche import Server, Store
from cloche.store import Save
from cloche.store.persistence import BrowserStorage

storage = BrowserStorage("kept")
store = Store({"count": 0, "_own": 0}, name="counter", save=Save(storage, debounce=0.01))
server = Server("kept")
server.attach(store)


@store.action
async def add(by: int) -> int:
    """Count on."""
    store.state["count"] += by
    return store.state["count"]


@store.action
async def fill(size: int) -> int:
    """More than the browser keeps."""
    store.state["text"] = random.randbytes(size).hex()  # by chance, because what is kept is compressed
    return size


@server.tool
async def about() -> dict[str, str | int | None]:
    """How it is kept."""
    error = store.saving_error
    saved = storage.read("counter")
    return {"mode": storage.mode, "error": str(error) if error else None, "saved": saved.version if saved else 0}
