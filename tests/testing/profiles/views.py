"""For each emulated host a view that shows something else there than in a host that keeps to the specification."""

from __future__ import annotations

from dataclasses import dataclass

from cloche import Server
from tests.support.counter import MIME_TYPE, RPC


@dataclass(frozen=True)
class Telling:
    """A view that tells hosts apart by what it shows in `#out`."""

    script: str
    strict: str
    emulated: str


HEAR_RESULT = 'handlers["ui/notifications/tool-result"] = '

VIEWS = {
    "claude": Telling(
        """start().then(() => { try { out.textContent = "eval says " + eval("1 + 1"); }
        catch { out.textContent = "eval is forbidden"; } });""",
        strict="eval is forbidden",
        emulated="eval says 2",
    ),
    "claude-desktop": Telling(
        HEAR_RESULT + "({ structuredContent: data, content }) => {"
        " out.textContent = data ? `data ${data.count}` : `only text ${content[0].text}`; }; start();",
        strict="data 7",
        emulated='only text {"count":7}',
    ),
    "chatgpt": Telling(
        "if (window.openai) { const { toolOutput, toolInput } = window.openai;"
        " out.textContent = `openai: ${toolInput.start} and ${toolOutput.count}`; }"
        + HEAR_RESULT
        + "({ structuredContent }) => { out.textContent ||= `message: ${structuredContent.count}`; };"
        " if (!window.openai) start();",
        strict="message: 7",
        emulated="openai: 7 and 7",
    ),
    "vscode": Telling(
        """start({ availableDisplayModes: ["inline", "fullscreen"] }).then(async ({ hostContext }) => {
          const modes = hostContext.availableDisplayModes.join(" or ");
          const { mode } = await request("ui/request-display-mode", { mode: "pip" });
          out.textContent = `${modes}, now ${mode}, for ${hostContext.toolInfo?.tool.name ?? "some tool"}`;
        });""",
        strict="inline or fullscreen, now inline, for vscode",
        emulated="inline, now inline, for some tool",
    ),
    "older": Telling(
        """start().then(async ({ hostInfo }) => {
          const called = await request("tools/call", { name: "add", arguments: { step: 1 } }).catch(({ code }) => code);
          const older = await request("ui/callServerTool", { name: "add", arguments: { step: 1 } })
            .then(() => "understood", ({ code }) => code);
          out.textContent = `today ${called.content ? "understood" : called}, hostInfo ${typeof hostInfo}`;
        });""",
        strict="today understood, hostInfo object",
        emulated="today -32601, hostInfo undefined",
    ),
    "older-guide": Telling(
        'for (const name of ["ui/toolResult", "ui/notifications/tool-result"])'
        " handlers[name] = () => { out.textContent = name; };"
        " start().then(({ hostContext }) => { document.title = typeof hostContext; });",
        strict="ui/notifications/tool-result",
        emulated="ui/toolResult",
    ),
}


def telling_server() -> Server:
    """A server with a tool for each of the views, of the same name."""
    server = Server("telling")

    @server.tool(visibility=["app"])
    def add(step: int) -> dict[str, int]:
        """Count on."""
        return {"count": step}

    for name, view in VIEWS.items():
        _add(server, name, view)
    return server


def _add(server: Server, name: str, view: Telling) -> None:
    uri = f"ui://telling/{name}.html"
    page = f"<!doctype html><title>{name}</title><body><p id=out></p><script>{RPC}{view.script}</script></body>"

    @server.tool(name=name, meta={"ui": {"resourceUri": uri}})
    def count(start: int) -> dict[str, int]:
        """Count from a number on."""
        return {"count": start}

    server.register_resource(uri, lambda: page, name=name, mime_type=MIME_TYPE)
