"""A canvas that draws while the model is still writing: partial input, one file.

Over stdio:             cloche run examples/canvas.py
Over HTTP, at /mcp:     cloche run examples/canvas.py --http 127.0.0.1:8000
"""

from dataclasses import dataclass, field
from typing import Annotated

from msgspec import Meta

from cloche import Server, View

server = Server("canvas", version="1.0")

Coordinate = Annotated[float, Meta(ge=0, le=100)]


@dataclass
class Line:
    """A line through some points, in percent of the canvas, from the left and from the top."""

    points: Annotated[list[tuple[Coordinate, Coordinate]], Meta(max_length=1000)]
    colour: Annotated[str, Meta(pattern="^#[0-9a-f]{6}$")] = "#336699"


@dataclass
class Drawing:
    """What was drawn."""

    title: str
    lines: list[Line] = field(default_factory=list)


PAPER = """<!doctype html>
<title>Canvas</title>
<style>
  body { margin: 0; font: 14px var(--font-sans, system-ui); color: var(--color-text-primary, CanvasText) }
  canvas { display: block; width: 100%; aspect-ratio: 2; touch-action: none; background: #fff }
  p { margin: 4px 8px; min-height: 1.3em }
</style>
<canvas width="1000" height="500"></canvas>
<p aria-live="polite"></p>
<script>
  const canvas = document.querySelector("canvas"), pen = canvas.getContext("2d"), own = [];
  let lines = [];

  function draw() {
    pen.clearRect(0, 0, 1000, 500);
    pen.lineWidth = 6;
    pen.lineCap = pen.lineJoin = "round";
    for (const { points = [], colour = "#336699" } of [...lines, ...own]) {
      pen.strokeStyle = colour;
      pen.beginPath();
      // The last point of the last line may be half written.
      for (const [x, y] of points) if (y !== undefined) pen.lineTo(x * 10, y * 5);
      pen.stroke();
    }
  }

  function show(input, state) {
    lines = input.lines ?? [];
    document.querySelector("p").textContent = (input.title ?? "") + state;
    draw();
  }

  cloche.on("tool:input-partial", (input) => show(input, " …"));
  cloche.on("tool:input", (input) => show(input, ""));
  cloche.on("tool:cancelled", () => show({}, "Cancelled"));

  // The user draws too, and the model is told.
  const percent = (part, whole) => Math.round(part / whole * 100);
  const place = (at) => [percent(at.offsetX, canvas.clientWidth), percent(at.offsetY, canvas.clientHeight)];
  canvas.onpointerdown = (event) => own.push({ points: [place(event)], colour: "#cc3333" });
  canvas.onpointermove = (event) => event.buttons && own.length && (own.at(-1).points.push(place(event)), draw());
  canvas.onpointerup = () => cloche.updateModelContext({ drawnByUser: own });
</script>
"""


BELL = [
    {"points": [[20, 78], [80, 78]], "colour": "#336699"},
    {"points": [[26, 78], [27, 62], [32, 47], [40, 37], [50, 33], [60, 37], [68, 47], [73, 62], [74, 78]]},
    {"points": [[50, 33], [50, 27], [47, 23], [50, 19], [53, 23], [50, 27]], "colour": "#cc3333"},
]


@server.tool(view=View(PAPER, partial_input=True), annotations={"readOnlyHint": True})
async def draw(
    title: Annotated[str, Meta(examples=["A glass bell"])], lines: Annotated[list[Line], Meta(examples=[BELL])]
) -> Drawing:
    """Draw lines on a canvas that the user sees. Say what it shows in the title."""
    return Drawing(title, lines)


if __name__ == "__main__":
    server.run()
