"""The product under attack: a page, a host around it, a hostile server and an innocent one. The one place that knows
how a host is built and served; every control has a house of its own, on its own port.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Literal

import uvicorn

from cloche import Context, Server
from cloche.host import Host, Policy, Question
from cloche.host.relaxations import SOURCES as RELAXATIONS
from cloche.serve.uvicorn.websocket_protocol import ClosingWebSocket
from cloche.views import RESOURCE_MIME_TYPE
from tests.support.controls import Control, acting_as

SECRET = "a secret of the test's own house"
HOST_SECRET = "the-host-page-keeps-this"
"""Stands in the host page's DOM, storage and cookies: a view that can tell it has broken out."""

VIEWS = Path(__file__).parents[1] / "attacks" / "views"

PAGE = """<!doctype html><meta charset="utf-8"><title>product</title>
<script>
const tell = (name, value) => fetch("/told/{user}/" + name, {{ method: "POST", body: JSON.stringify(value ?? null) }});
for (const name of {told}) window[name] = (value) => void tell(name, value);
addEventListener("error", (event) => failed(event.message));
addEventListener("unhandledrejection", (event) => failed(`${{event.reason}}`));
window.WebSocket = class extends WebSocket {{
  constructor(...given) {{
    super(...given);
    this.addEventListener("close", () => hungUp());
  }}
}};
</script>
<script type="module" src="/cloche/mcp-app.js"></script>
<script>
document.cookie = "session={secret}";
localStorage.setItem("token", "{secret}");
window.secret = "{secret}";
</script>
<p id="secret">{secret}</p>
{embeds}
"""


TOLD = ("owned", "grew", "called", "failed", "hungUp")
"""Functions of the page whose value the test is told: drivers of browsers differ in what they can put into a page."""


class Diary:
    """What the servers and the product of one user were asked to do."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, Any]] = []
        self._readers: list[Callable[[str, Any], None]] = []

    def write(self, what: str, value: Any = None) -> None:
        """Something was done."""
        self.entries.append((what, value))
        for reader in tuple(self._readers):
            reader(what, value)

    def on_entry(self, reader: Callable[[str, Any], None]) -> None:
        """Call `reader` for every entry from now on."""
        self._readers.append(reader)

    async def next(self, what: str, fits: Callable[[Any], bool]) -> Any:
        """The value of the next such entry."""
        found: asyncio.Future[Any] = asyncio.get_running_loop().create_future()

        def read(entry: str, value: Any) -> None:
            if entry == what and not found.done() and fits(value):
                found.set_result(value)

        self._readers.append(read)
        try:
            return await found
        finally:
            self._readers.remove(read)

    def has(self, what: str) -> bool:
        """Whether this was done."""
        return any(entry == what for entry, _ in self.entries)


class House:
    """One host, real or weakened."""

    def __init__(self, control: Control | None) -> None:
        self.control = control
        self.diaries: dict[str, Diary] = {}
        self.pages: dict[str, str] = {}
        self.agrees_to: dict[str, tuple[str, ...]] = {}
        """What a user says yes to when asked; to everything else no."""
        self._servers: dict[tuple[str, str], Liar] = {}
        self._socket = socket.socket()

    async def __aenter__(self) -> House:
        with acting_as(self.control):
            servers = {
                name: lambda user, name=name: self.liar(name, user).server for name in ("evil", "victim", "loose")
            }
            policy = Policy(ask=self._asked, download="allow", relax={"loose": list(RELAXATIONS)})
            self.host = Host(servers, secret=SECRET, policy=policy)
            self.host.on_log(lambda view, line: self.diary(view.user).write("log", (view.tool, line.data)))
            self.host.on_open_link(lambda view, url: self.diary(view.user).write("link", url))
            self.host.on_message(lambda view, said: self.diary(view.user).write(f"message from {view.server}", said))
            self.host.on_model_context(
                lambda view, said: self.diary(view.user).write(f"context from {view.server}", said)
            )
            self.host.on_close(lambda view, reason: self.diary(view.user).write(f"closed {view.server}", reason))
            app = self.host.wrap(self._product, at="/cloche")
        self._socket.bind(("127.0.0.1", 0))
        self._socket.listen(128)
        self.port = self._socket.getsockname()[1]

        async def weakened(scope: Any, receive: Any, send: Any) -> None:
            with acting_as(self.control):
                await app(scope, receive, send)

        config = uvicorn.Config(weakened, log_level="error", access_log=False, lifespan="on", ws=ClosingWebSocket)
        config.ws_max_size = 2**22
        self._uvicorn = uvicorn.Server(config)
        self._uvicorn.config.load()
        self._serving = asyncio.create_task(self._uvicorn.serve(sockets=[self._socket]))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._uvicorn.should_exit = True
        await self._serving

    @property
    def url(self) -> str:
        """Where the product is."""
        return f"http://localhost:{self.port}"

    def acting(self) -> contextlib.AbstractContextManager[None]:
        """What runs inside belongs to this house."""
        return acting_as(self.control)

    def diary(self, user: str) -> Diary:
        """What was done for, or to, this user."""
        return self.diaries.setdefault(user, Diary())

    def liar(self, name: str, user: str) -> Liar:
        """A user's own copy of a server."""
        if (name, user) not in self._servers:
            self._servers[name, user] = Liar(name, self.diary(user))
        return self._servers[name, user]

    def add_view(self, user: str, tool: str, html: str, meta: dict[str, Any], server: str = "evil") -> None:
        """Give a server a tool with this view, declared as the server likes."""
        self.liar(server, user).add_view(tool, html, meta)

    async def embed(self, user: str, *tools: str) -> str:
        """Call these tools and put what they show on the user's page; its address."""
        with acting_as(self.control):
            chat = self.host.session(user)
            calls = [await chat.start(tool, {}) for tool in tools]
            self.pages[user] = "\n".join(call.embed() for call in calls)
        return f"{self.url}/page/{user}"

    async def _asked(self, question: Question) -> bool:
        self.diary(question.user).write(f"asked about {question.kind}", question)
        heeded = "this site" in question.title  # whoever agrees to links still reads a warning
        return question.kind in self.agrees_to.get(question.user, ()) and not heeded

    async def _product(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            for step in ("startup", "shutdown"):
                await receive()
                await send({"type": f"lifespan.{step}.complete"})
            return
        if scope["type"] != "http":
            return
        kind, _, user = scope["path"].removeprefix("/").partition("/")
        body, content_type = b"", b"text/html"
        if kind == "told":
            user, _, name = user.rpartition("/")
            self.diary(user).write(f"told {name}", await _json(receive))
        elif kind == "sw.js":
            body, content_type = b"// a script of the product's", b"text/javascript"
        else:
            told, embeds = json.dumps(TOLD), self.pages.get(user)
            body = PAGE.format(secret=HOST_SECRET, user=user, told=told, embeds=embeds).encode()
        headers = [(b"content-type", content_type), (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})


async def _json(receive: Any) -> Any:
    """The body of a request."""
    body, more = b"", True
    while more:
        message = await receive()
        body, more = body + message.get("body", b""), message.get("more_body", False)
    return json.loads(body)


class Liar:
    """A server that says whatever it likes: tools and resources as written here, past our own server's checks."""

    def __init__(self, name: str, diary: Diary) -> None:
        self.tools: list[dict[str, Any]] = []
        self.contents: dict[str, list[dict[str, Any]]] = {}
        self.server = _honest(name, diary)
        self.server.use(self._lie)
        self._name = name
        self._diary = diary

    def add_view(self, tool: str, html: str, meta: dict[str, Any]) -> None:
        """A tool with a view. `meta` has `_meta.ui` of the resource as "ui" and of the tool as "tool", its "title", the
        "mimeType", and "twice" for two contents.
        """
        uri = f"ui://{self._name}/{tool}.html"
        linked = {"ui": {"resourceUri": uri, **meta.get("tool", {})}}
        title = meta.get("title", tool)
        self.tools.append({"name": tool, "title": title, "inputSchema": {"type": "object"}, "_meta": linked})
        kind = meta.get("mimeType", RESOURCE_MIME_TYPE)
        content = {"uri": uri, "mimeType": kind, "text": html, "_meta": {"ui": meta.get("ui", {})}}
        self.contents[uri] = [content, content] if meta.get("twice") else [content]

    async def _lie(self, message: Any, call_next: Any) -> Any:
        if message.method == "resources/read" and message.params.get("uri") in self.contents:
            return {"contents": self.contents[message.params["uri"]]}
        if message.method == "tools/call" and message.params["name"] in {tool["name"] for tool in self.tools}:
            self._diary.write(f"{self._name}.{message.params['name']}", message.params.get("arguments"))
            return {"content": [{"type": "text", "text": "done"}]}
        result = await call_next(message)
        if message.method == "tools/list":
            result["tools"] += self.tools
        return result


def _honest(name: str, diary: Diary) -> Server:
    server = Server(name)

    @server.tool(visibility=["app"])
    async def touch(ctx: Context, mark: str = "", deep: Any = None, list: Any = None) -> str:
        """What views of this server may call."""
        diary.write(f"{name}.touch", (mark, deep, list, ctx.meta))
        return "touched"

    @server.tool(visibility=["app"])
    async def wait() -> str:
        """Takes until it is cancelled."""
        diary.write(f"{name}.wait")
        await asyncio.Event().wait()
        return ""

    @server.tool(visibility=["model"])
    async def transfer(amount: int = 1) -> str:
        """What only the model may call."""
        diary.write(f"{name}.transfer", amount)
        return "transferred"

    @server.tool(annotations={"destructiveHint": True})
    async def erase() -> str:
        """What a person is asked about first."""
        diary.write(f"{name}.erase")
        return "erased"

    @server.tool
    async def offer(ctx: Context) -> str:
        """What asks the person itself."""
        said = await ctx.elicit("Shall we?", {"type": "object", "properties": {}})
        if said.accepted:
            diary.write(f"{name}.accepted")
        return said.action

    @server.resource(f"app://{name}/private")
    async def private() -> str:
        """What only views of this server may read."""
        diary.write(f"{name} private")
        return f"{name}'s private data"

    @server.resource("date://{year}-{month}-{day}")
    async def date(year: str, month: str, day: str) -> str:
        """What has an address of several values."""
        return f"{day}.{month}.{year}"

    @server.prompt
    def greet(who: Literal["ann", "bob"] = "ann") -> str:
        """What a model may be asked."""
        return f"Hello {who}"

    return server
