"""A clock: the smallest server with a view, in one file.

Over stdio:             cloche run examples/clock.py
Over HTTP, at /mcp:     cloche run examples/clock.py --http 127.0.0.1:8000
"""

from datetime import UTC, datetime

from cloche import Server

server = Server("clock", version="1.0")

FACE = """<!doctype html>
<title>Clock</title>
<style>
  body { margin: 0; padding: 16px; text-align: center; font: 16px var(--font-sans, system-ui) }
  time { display: block; margin-bottom: 8px; font-size: 3rem; font-variant-numeric: tabular-nums }
</style>
<time>…</time>
<button>What time is it now?</button>
<script>
  const show = (result) => document.querySelector("time").textContent = result.content[0].text;
  cloche.on("tool:result", show);
  document.querySelector("button").onclick = async () => show(await cloche.callTool("now"));
</script>
"""


@server.tool(view=FACE)
async def now() -> str:
    """The time of day, in UTC."""
    return datetime.now(UTC).strftime("%H:%M:%S")


if __name__ == "__main__":
    server.run()
