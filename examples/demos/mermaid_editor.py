"""Diagrams that a model draws and a person edits: the npm package `mermaid` in a view, and what it shows in a store.

As a web page:   make demo, which puts mermaid.min.js beside this file; then
                 cloche build examples/demos/mermaid_editor.py -o site --include mermaid.min.js
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from msgspec import Meta

from cloche import Server, Store, ToolError, View

server = Server(
    "mermaid-editor",
    version="1.0",
    title="Mermaid editor",
    description="Draws diagrams from a few lines of text, which you and the model change in turns.",
)

SCRIPT = Path(__file__).with_name("mermaid.min.js")
KINDS = (
    *("flowchart", "graph", "sequenceDiagram", "classDiagram", "stateDiagram", "erDiagram", "gantt", "pie", "mindmap"),
    *("timeline", "journey", "gitGraph", "quadrantChart", "xychart", "sankey", "block", "packet", "architecture"),
    *("requirementDiagram", "kanban", "radar", "treemap", "C4"),
)
"""How the first line of a diagram begins."""

FIRST = """flowchart LR
  person[You] -->|edits| diagram
  model[The model] -->|draws| diagram
  diagram{{Diagram}} --> both[Both see it]"""
EXAMPLE = """sequenceDiagram
  You->>Client: Draw how tea is made
  Client->>Server by URL: draw(...)
  Server by URL-->>You: a diagram, in this tab"""


@dataclass
class Diagram:
    """What is drawn, and what mermaid says is wrong with it."""

    text: str = FIRST
    problem: str = ""


@dataclass
class Settings:
    """A setup that asks nothing: it says that the diagram is always seen."""

    first: Annotated[str, Meta(title="The first diagram")] = FIRST


store = Store(Diagram(), name="diagram", settable=False)

PAGE = "mermaid_editor.html"


def editor() -> str:
    """The view, with mermaid in it."""
    page = Path(__file__).with_name(PAGE).read_text(encoding="utf-8")
    try:
        script = SCRIPT.read_text(encoding="utf-8")
    except FileNotFoundError:
        # What only lists the tools needs no mermaid.
        script = "document.body.textContent = 'mermaid.min.js is not beside mermaid_editor.py: run make demo'"
    # What would end the element that the script stands in.
    return page.replace("MERMAID", re.sub(r"<(?=!--|/?script)", r"\\x3c", script, flags=re.IGNORECASE))


@server.setup(fields=Settings, visible=False, visibility="required", description="The diagram, which you can edit")
def setup(settings: Settings) -> str:
    """Nothing is asked."""
    return "Mermaid editor"


@server.tool(title="Draw", view=View(editor(), height=400))
async def draw(diagram: Annotated[str, Meta(examples=[EXAMPLE], min_length=1, max_length=50_000)]) -> str:
    """Show a diagram to the user, who can edit it.

    Args:
        diagram: Mermaid source, such as a flowchart or a sequence diagram.
    """
    first = next((line.strip() for line in diagram.splitlines() if line.strip()), "")
    if not first.startswith((*KINDS, "---", "%%")):
        raise ToolError(
            f"A diagram begins with its kind, such as {KINDS[0]} LR or {KINDS[2]}, and not with {first[:40]!r}."
        )
    with store.batch() as state:
        state.text, state.problem = diagram, ""
    return "The diagram is shown."


@server.tool(title="Read", annotations={"readOnlyHint": True})
async def read() -> Diagram:
    """The diagram as it is now, with what the user changed, and what mermaid says is wrong with it."""
    return Diagram(store.state.text, store.state.problem)


@server.tool(visibility=["app"])
async def edit(
    text: Annotated[str, Meta(max_length=50_000)], problem: Annotated[str, Meta(max_length=2_000)] = ""
) -> None:
    """Take what the user wrote, and what mermaid says of it."""
    with store.batch() as state:
        state.text, state.problem = text, problem


server.attach(store)

if __name__ == "__main__":
    server.run()
