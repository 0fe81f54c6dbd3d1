"""What a view asks of the host: links, other servers' tools, tools that are not for it, methods that are not for it."""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from cloche.errors import ClocheError
from tests.attacks.attack import Attack, Direct
from tests.attacks.python_page import PythonPage, Refused
from tests.support.controls import Control, Patch
from tests.support.house import House

Ask = Callable[[PythonPage], Awaitable[Any]]


def asking(ask: Ask, sign: Callable[[House, str], bool] | None = None, agrees: tuple[str, ...] = ()) -> Direct:
    """An attack that asks the host something. It has succeeded when the host answers, or, with `sign`, when the sign is
    there afterwards.
    """

    async def direct(house: House, user: str) -> bool:
        house.agrees_to[user] = agrees
        page = await PythonPage.open(house, user)
        await page.ask(
            "tools/call", {"name": "touch"}
        )  # what is allowed works, so it is not just everything that fails
        try:
            answer = await ask(page)
        except Refused:
            answer = None
        finally:
            await page.close()
        return sign(house, user) if sign is not None else answer is not None

    return direct


def wrote(what: str) -> Callable[[House, str], bool]:
    """Whether the diary has this."""
    return lambda house, user: house.diary(user).has(what)


def calling(name: str, **arguments: Any) -> Ask:
    return lambda page: page.ask("tools/call", {"name": name, "arguments": arguments})


# Links

ANY_LINK = Control(
    "any-link",
    "the check of links",
    (Patch("cloche.host.view_requests:checked_link", lambda original, url: url),),
)
LINKS = {
    "javascript": "javascript:alert(document.domain)",
    "javascript-mixed-case": "JaVaScRiPt:alert(1)",
    "javascript-tab": "java\tscript:alert(1)",
    "javascript-leading-control": "\x01javascript:alert(1)",
    "javascript-leading-space": "  javascript:alert(1)",
    "data": "data:text/html,<script>alert(1)</script>",
    "file": "file:///etc/passwd",
    "blob": "blob:https://product.example/0f9c",
    "vbscript": "vbscript:msgbox(1)",
    "intent": "intent://scan/#Intent;scheme=zxing;end",
    "windows-handler": "ms-settings:privacy",
    "search-handler": "search-ms:query=x&crumb=location:\\\\evil.example\\share",
    "no-scheme": "//evil.example/x",
    "unc-path": "\\\\evil.example\\share",
    "backslashes": "https:\\\\evil.example\\x",
    "user-name": "https://accounts.example@evil.example/",
    "line-break": "https://evil.example/\r\nX: y",
    "view-source": "view-source:https://example.com",
    "no-host": "https:///x",
}


def opening(url: str) -> Direct:
    return asking(lambda page: page.ask("ui/open-link", {"url": url}), wrote("link"), ("link",))


UNASKED = Control(
    "unasked",
    "consent: whatever would be asked is allowed",
    (Patch("cloche.host.consent:Consent._decide", lambda original, *_: _allowed()),),
)


async def _allowed() -> tuple[str, str]:
    return "allowed", "policy"


# Who may call what

FOR_ALL = Control(
    "visibility-ignored",
    "the look at a tool's visibility",
    (Patch("cloche.host.view_requests:visibility", lambda original, tool: ("model", "app")),),
)


async def call_anywhere(original: Any, self: Any, params: Any) -> Any:
    """A host that routes a view's call by its name, to whichever server has the tool."""
    server, _, tool = params.name.replace("/", ".").replace("__", ".").partition(".")
    session = self._view.session
    if tool and server in session.host.servers:
        return await session.upstream(server).call_tool(tool, params.arguments)
    for server in session.host.servers:
        for entry in await session.upstream(server).tools():
            if entry["name"] == params.name:
                return await session.upstream(server).call_tool(params.name, params.arguments)
    return await original(self, params)


async def read_anywhere(original: Any, self: Any, params: Any) -> Any:
    for server in self._view.session.host.servers:
        try:
            return await self._view.session.upstream(server).request("resources/read", {"uri": params.uri})
        except ClocheError:
            continue
    return await original(self, params)


async def subscribe_anywhere(original: Any, self: Any, params: Any) -> Any:
    for server in self._view.session.host.servers:
        await self._view.session.upstream(server).follow(params.uri, self._tell)
    return {}


async def list_everywhere(original: Any, self: Any, params: Any) -> Any:
    session = self._view.session
    return {"tools": [tool for server in session.host.servers for tool in await session.upstream(server).tools()]}


ANY_SERVER = Control(
    "any-server",
    "the view's bond to its own server",
    (
        Patch("cloche.host.view_requests:ViewRequests._call", call_anywhere),
        Patch("cloche.host.view_requests:ViewRequests._read", read_anywhere),
        Patch("cloche.host.view_requests:ViewRequests._tools", list_everywhere),
        Patch("cloche.host.view_subscriptions:ViewSubscriptions.subscribe", subscribe_anywhere),
    ),
)


async def pass_on(original: Any, self: Any, method: str, params: Any, *gesture: int) -> Any:
    if method in self.allowed(self._view.capabilities):
        return await original(self, method, params, *gesture)
    return await self._upstream.request(method, params)


ANY_METHOD = Control(
    "any-method",
    "the list of methods that views may use",
    (Patch("cloche.host.view_requests:ViewRequests.answer", pass_on),),
)


MANY = Control(
    "many-subscriptions",
    "the number of subscriptions of one view",
    (Patch("cloche.host.view_subscriptions:check_room", lambda original, held, most: None),),
)


def hidden(visibility: Any) -> Direct:
    """A tool of the view's own server with this visibility, which does not include views."""

    async def direct(house: House, user: str) -> bool:
        meta = {"ui": {"visibility": visibility}}
        entry = {"name": "hidden", "inputSchema": {"type": "object"}, "_meta": meta}
        house.liar("evil", user).tools.append(entry)
        return await asking(calling("hidden"), wrote("evil.hidden"))(house, user)

    return direct


async def sees_hidden_tools(house: House, user: str) -> bool:
    page = await PythonPage.open(house, user)
    listed = await page.ask("tools/list", {})
    await page.close()
    return "transfer" in {tool["name"] for tool in listed["tools"]}


async def sees_other_servers_tools(house: House, user: str) -> bool:
    page = await PythonPage.open(house, user)
    listed = await page.ask("tools/list", {})
    await page.close()
    return len([tool for tool in listed["tools"] if tool["name"] == "touch"]) > 1


async def hears_of_another_server(house: House, user: str) -> bool:
    """A view that subscribes to a resource of another server, by its address, and is told when it changes."""
    uri = "app://victim/private"
    page = await PythonPage.open(house, user)
    await page.ask("resources/subscribe", {"uri": "app://evil/private"})
    await page.ask("resources/subscribe", {"uri": uri})
    house.liar("victim", user).server.resource_updated(uri)
    await house.host.session(user).upstream("victim").request("tools/list", {})  # what was said before has arrived
    house.liar("evil", user).server.resource_updated("app://evil/private")
    told = await page.told_of_changes("app://evil/private")  # what is allowed works
    await page.close()
    return uri in told


async def subscribes_without_end(house: House, user: str) -> bool:
    """A view that subscribes to so many resources that nobody else of this user can subscribe to any."""
    page, other = await PythonPage.open(house, user), await PythonPage.open(house, user)
    with contextlib.suppress(Refused):
        for number in range(house.host.limits.subscriptions + 1):
            await page.ask("resources/subscribe", {"uri": f"app://evil/{number}"})
    try:
        await other.ask("resources/subscribe", {"uri": "app://evil/private"})
    except Refused:
        return True
    finally:
        await page.close()
        await other.close()
    return False


def attacks(kind: str, case: str, control: Control, table: dict[str, Direct]) -> list[Attack]:
    return [Attack(name=name, kind=kind, case=case, control=control, direct=direct) for name, direct in table.items()]


ATTACKS = [
    *attacks("link schemes", "W17", ANY_LINK, {name: opening(url) for name, url in LINKS.items()}),
    *attacks(
        "link schemes",
        "W17",
        UNASKED,
        {
            "link-without-consent": asking(
                lambda page: page.ask("ui/open-link", {"url": "https://evil.example/"}), wrote("link")
            )
        },
    ),
    *attacks(
        "calls that are not the view's",
        "W14",
        FOR_ALL,
        {
            "model-only": asking(calling("transfer", amount=9), wrote("evil.transfer")),
            "visibility-empty": hidden([]),
            "visibility-unknown-word": hidden(["model", "view"]),
            "visibility-a-text": hidden("app"),
            "visibility-an-object": hidden({"app": True}),
            "visibility-upper-case": hidden(["APP"]),
            "list-of-hidden-tools": sees_hidden_tools,
        },
    ),
    *attacks(
        "calls that are not the view's",
        "W15",
        ANY_SERVER,
        {
            "other-server-by-dot": asking(calling("victim.touch"), wrote("victim.touch")),
            "other-server-by-slash": asking(calling("victim/touch"), wrote("victim.touch")),
            "other-server-by-underscores": asking(calling("victim__touch"), wrote("victim.touch")),
            "other-server-model-only": asking(calling("victim.transfer"), wrote("victim.transfer")),
            "other-server-resource": asking(
                lambda page: page.ask("resources/read", {"uri": "app://victim/private"}), wrote("victim private")
            ),
            "other-server-tool-list": sees_other_servers_tools,
            "other-server-subscription": hears_of_another_server,
        },
    ),
    *attacks(
        "calls that are not the view's",
        "W16",
        ANY_METHOD,
        {
            "method-logging-set-level": asking(lambda page: page.ask("logging/setLevel", {"level": "debug"})),
            "method-completion": asking(
                lambda page: page.ask(
                    "completion/complete",
                    {"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"name": "who", "value": "a"}},
                )
            ),
            "method-prompts-get": asking(lambda page: page.ask("prompts/get", {"name": "greet"})),
        },
    ),
    *attacks("floods", "W24", MANY, {"subscriptions-without-end": subscribes_without_end}),
    *attacks(
        "calls that are not the view's",
        "W18",
        UNASKED,
        {"destructive-without-consent": asking(calling("erase"), wrote("evil.erase"))},
    ),
]
