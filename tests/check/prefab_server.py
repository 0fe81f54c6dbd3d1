"""A fastmcp app with Prefab's scripts inside the page, as a file of its own."""

from __future__ import annotations

import os

os.environ["PREFAB_BUNDLED_RENDERER"] = "1"

from fastmcp import FastMCP, FastMCPApp
from prefab_ui.app import PrefabApp
from prefab_ui.components import H3, Card, CardContent

app = FastMCPApp("Greeting")


@app.ui()
def greeting(name: str) -> PrefabApp:
    """A greeting."""
    with Card() as view, CardContent():
        H3(f"Hello, {name}")
    return PrefabApp(view=view)


server = FastMCP("prefab", providers=[app])

if __name__ == "__main__":
    server.run(transport="stdio", show_banner=False)
