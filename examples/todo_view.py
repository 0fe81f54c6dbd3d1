"""A to-do list that a person clicks, without a line of JavaScript.

`show` makes HTML of the list. Buttons and the form name the tool they call, and what it returns replaces the list.

Over stdio:             cloche run examples/todo_view.py
Over HTTP, at /mcp:     cloche run examples/todo_view.py --http 127.0.0.1:8000
"""

from dataclasses import dataclass
from itertools import count
from typing import Annotated

from msgspec import Meta

from cloche import Server, ToolError
from cloche.views import Html, h, raw

server = Server("todo-view", version="1.0")

STYLE = raw("""
  #todos form, #todos li { display: flex; gap: 8px; align-items: center }
  #todos ul { list-style: none; padding: 0; margin: 12px 0 0 }
  #todos li { padding: 4px 0; border-top: 1px solid var(--color-border-primary) }
  #todos input[name=title], #todos label { flex: 1; min-width: 0; overflow-wrap: anywhere }
  #todos .done label { text-decoration: line-through; color: var(--color-text-secondary) }
  #todos li { flex-wrap: wrap }
  #todos li [role=alert] { order: 1; width: 100% }
  #todos .none { margin-top: 12px; color: var(--color-text-secondary) }
""")


@dataclass
class Todo:
    """One thing to do."""

    id: int
    title: str
    done: bool = False


todos: dict[int, Todo] = {}
next_id = count(1)


def show(todos: list[Todo]) -> Html:
    """The list as a page."""
    left = sum(not todo.done for todo in todos)
    return h.section(
        h.style(STYLE),
        h.h2("To do", f", {left} left" if left else ""),
        h.form(
            h.input(
                name="title", required=True, maxlength=200, placeholder="Something new", aria_label="Something new"
            ),
            h.button("Add"),
            data_tool="add",
            data_target="#todos",
            data_swap="outer",
        ),
        h.ul(show_one(todo) for todo in todos)
        if todos
        else h.p("Nothing to do. Add the first thing above.", class_="none"),
        id="todos",
    )


def show_one(todo: Todo) -> Html:
    """One line of the list."""
    call = {"data-args": {"id": todo.id}, "data-target": "#todos", "data-swap": "outer"}
    box = f"done-{todo.id}"
    return h.li(
        h.input(call, type="checkbox", id=box, checked=todo.done, data_tool="toggle"),
        h.label(todo.title, for_=box),
        h.button("Remove", call, data_tool="remove", aria_label=f"Remove {todo.title}"),
        class_="done" if todo.done else None,
    )


@server.tool(name="todos", title="To do", view=show)
async def show_todos() -> list[Todo]:
    """Show the user's to-do list."""
    return list(todos.values())


@server.tool(visibility=["app"])
async def add(title: Annotated[str, Meta(min_length=1, max_length=200)]) -> Html:
    """Add a to-do."""
    todo = Todo(next(next_id), title)
    todos[todo.id] = todo
    return show(list(todos.values()))


@server.tool(visibility=["app"])
async def toggle(id: int) -> Html:
    """Mark a to-do as done, or as not done after all."""
    if id not in todos:
        raise ToolError("This to-do is gone.")
    todos[id].done = not todos[id].done
    return show(list(todos.values()))


@server.tool(visibility=["app"])
async def remove(id: int) -> Html:
    """Take a to-do off the list."""
    todos.pop(id, None)
    return show(list(todos.values()))


if __name__ == "__main__":
    server.run()
