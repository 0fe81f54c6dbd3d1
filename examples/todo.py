"""A to-do list as an MCP server: tools, a resource, a resource template and a prompt in one file.

Over stdio:             cloche run examples/todo.py
Over HTTP, at /mcp:     cloche run examples/todo.py --http 127.0.0.1:8000
"""

from dataclasses import dataclass
from itertools import count
from typing import Annotated

from msgspec import Meta

from cloche import Server, ToolError
from cloche.errors import ResourceNotFoundError

server = Server("todo", version="1.0", instructions="Keeps the user's to-do list. Call list before changing it.")


@dataclass
class Todo:
    """One thing to do."""

    id: int
    title: str
    done: bool = False

    def __str__(self) -> str:
        return f"[{'x' if self.done else ' '}] {self.id}. {self.title}"


todos: dict[int, Todo] = {}
next_id = count(1)


def find(id: int) -> Todo:
    if id not in todos:
        raise ToolError(f"There is no to-do {id}: call list to see which there are.")
    return todos[id]


def changed(id: int) -> None:
    """Tell everyone who subscribed to the list or to this to-do."""
    server.resource_updated("todo://all")
    server.resource_updated(f"todo://{id}")


# All handlers are `async def`: they run on the event loop one at a time, so the dictionary needs no lock.


@server.tool
async def add(title: Annotated[str, Meta(min_length=1, max_length=200)]) -> Todo:
    """Add a to-do.

    Args:
        title: What is to be done.
    """
    todo = Todo(next(next_id), title)
    todos[todo.id] = todo
    changed(todo.id)
    return todo


@server.tool(annotations={"idempotentHint": True})
async def complete(id: int) -> Todo:
    """Mark a to-do as done."""
    todo = find(id)
    todo.done = True
    changed(id)
    return todo


@server.tool(annotations={"destructiveHint": True})
async def remove(id: int) -> str:
    """Delete a to-do for good."""
    todo = find(id)
    del todos[id]
    changed(id)
    return f"Removed: {todo.title}"


@server.tool(name="list", annotations={"readOnlyHint": True})
async def list_todos(include_done: bool = True) -> list[Todo]:
    """Every to-do, oldest first."""
    return [todo for todo in todos.values() if include_done or not todo.done]


@server.resource("todo://all", mime_type="text/plain")
async def everything() -> str:
    """The whole list as text."""
    return "\n".join(map(str, todos.values())) or "Nothing to do."


@server.resource("todo://{id}")
async def one(id: int) -> Todo:
    """A single to-do."""
    if id not in todos:
        raise ResourceNotFoundError(f"todo://{id}")
    return todos[id]


@server.prompt
async def plan_day(hours: int = 8) -> str:
    """Ask for a plan of the day made from what is still open."""
    still_open = [str(todo) for todo in todos.values() if not todo.done]
    return f"Plan my next {hours} hours. These are open:\n" + ("\n".join(still_open) or "(nothing)")


if __name__ == "__main__":
    server.run()
