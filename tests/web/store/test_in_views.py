"""React inside a view: `useApp` is its host, the tool's input and its result."""

from __future__ import annotations

from pathlib import Path

import pytest

from cloche import Server, View
from cloche.testing import ViewOpener
from tests.support.framework_pages import bundled_page

VIEW = """
import { createRoot } from "react-dom/client";
import { useApp } from "./cloche/react.js";

function Weather() {
  const { app, isConnected, input, result, context } = useApp();
  return <>
    <h1>{isConnected ? input?.city : "…"}</h1>
    <p id="result">{result?.structuredContent?.degrees}</p>
    <p id="theme">{context.theme}</p>
    <button onClick={() => app.callTool("weather", { city: "Rome" })}>Rome</button>
  </>;
}
createRoot(document.querySelector("#app")).render(<Weather />);
"""


@pytest.mark.requirement(105)
def test_a_view_written_with_react_follows_its_host(open_view: ViewOpener, tmp_path: Path) -> None:
    script = bundled_page(tmp_path, VIEW, "--minify").decode().replace("</script", "<\\/script")
    server = Server("weather")

    @server.tool(view=View(f'<main id="app"></main><script type="module">{script}</script>'))
    def weather(city: str) -> dict[str, int]:
        """The weather of a city."""
        return {"degrees": 21 if city == "Oslo" else 30}

    view = open_view(server, "weather", {"city": "Oslo"}, theme="dark")
    view.expect("h1").to_have_text("Oslo")
    view.expect("#result").to_have_text("21")
    view.expect("#theme").to_have_text("dark")
    view.set_theme("light")
    view.expect("#theme").to_have_text("light")
    view.click("button")
    view.wait_for("answered")
    assert view.calls[-1].result is not None
    assert view.calls[-1].result["structuredContent"] == {"degrees": 30}
