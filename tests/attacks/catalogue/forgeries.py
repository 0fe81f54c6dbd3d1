"""What a page or a program invents, changes or shows again: tickets, addresses, keys, numbered frames, origins."""

from __future__ import annotations

import asyncio
import base64
import json
import time
import zlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.request import Request, urlopen

import msgspec
import websockets
from websockets.asyncio.client import ClientConnection
from websockets.typing import Origin, Subprotocol

from cloche.errors import ClocheError
from cloche.host.tickets import Ticket
from cloche.host.web.mounts import Mounts
from tests.attacks.attack import Attack, Direct
from tests.attacks.python_page import PythonPage, ticket_in
from tests.support.controls import Control, Patch
from tests.support.house import House

FORGED, OTHERS = "forged and replayed messages", "other users"


# Controls


def unsigned(original: Any, self: Any, purpose: str, token: str) -> bytes:
    """The payload, whoever wrote it."""
    body = token.partition(".")[0]
    return base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))


def never_expired(original: Any, self: Any, text: str) -> Any:
    return msgspec.json.decode(zlib.decompress(self._signer.open("ticket", text)), type=Ticket)


def for_any_name(original: Any, self: Any, token: str, host: str) -> Any:
    from cloche.host.web.sandbox_urls import PURPOSE, Claim

    try:
        claim = msgspec.json.decode(self.signer.open(PURPOSE, token), type=Claim)
    except (ClocheError, msgspec.DecodeError):
        return None
    return claim


def for_any_key(original: Any, self: Mounts, mount_id: str, key: str, page: str) -> Any:
    return self.by_id[mount_id] if mount_id in self.by_id else original(self, mount_id, key, page)


def again(original: Any, self: Any, number: int) -> bool:
    self.received = max(self.received, number)
    return True


def for_everybody(original: Any, self: Any, name: str, user: str) -> Any:
    return original(self, name, "everybody")


UNSIGNED = Control("unsigned", "the check of signatures", (Patch("cloche.wire.signing:Signer.open", unsigned),))
NO_EXPIRY = Control("no-expiry", "the expiry of tickets", (Patch("cloche.host.tickets:Tickets.open", never_expired),))
ANY_NAME = Control(
    "any-sandbox-name",
    "the bond of a sandbox's address to its name, and its expiry",
    (Patch("cloche.host.web.sandbox_urls:SandboxUrls.read", for_any_name),),
)
ANY_KEY = Control(
    "any-resume-key",
    "the key and origin that a view is asked back with",
    (Patch("cloche.host.web.mounts:Mounts.find", for_any_key),),
)
REPLAYS = Control(
    "replays", "the look at a frame's number", (Patch("cloche.host.web.channel:ResumableChannel.take", again),)
)
ANY_ORIGIN = Control(
    "any-origin",
    "the check of Host, Origin and Sec-Fetch-Site",
    (Patch("cloche.serve.guard:Admission.check", lambda original, *args: None),),
)
SHARED_USER = Control(
    "shared-upstreams",
    "an upstream of each user's own",
    (Patch("cloche.host.upstreams.pool:Pool.get", for_everybody),),
)


# A page's socket, by hand


@asynccontextmanager
async def socket_of(house: House, origin: str | None = None) -> AsyncIterator[ClientConnection]:
    """A connection as a page has it."""
    address = f"ws://localhost:{house.port}/cloche/socket"
    connecting = websockets.connect(
        address, origin=Origin(origin or house.url), subprotocols=[Subprotocol("cloche.1")], open_timeout=20
    )
    async with connecting as connection:
        await connection.send('{"hello": 1}')
        yield connection


async def heard(connection: ClientConnection) -> dict[str, Any]:
    """The next frame."""
    found: dict[str, Any] = json.loads(await asyncio.wait_for(connection.recv(), 20))
    return found


async def ticket_for(house: House, user: str, tool: str = "evil.view") -> str:
    """A genuine ticket."""
    server, _, name = tool.partition(".")
    liar = house.liar(server, user)
    if name not in {entry["name"] for entry in liar.tools}:
        liar.add_view(name, "<p>view</p>", {})
    call = await house.host.session(user).start(tool, {})
    return ticket_in(call.embed())


async def opens(house: House, ticket: str) -> bool:
    """Whether the host opens a view for this."""
    async with socket_of(house) as connection:
        await connection.send(json.dumps({"open": 1, "ticket": ticket, "context": {}}))
        return "mount" in await heard(connection)


def changed(token: str, **claims: Any) -> str:
    """Something signed that says something else, with the signature it had."""
    body, _, mac = token.partition(".")
    payload = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
    packed = not payload.startswith(b"{")
    said = json.loads(zlib.decompress(payload) if packed else payload)
    text = json.dumps({**said, **claims}).encode()
    forged = zlib.compress(text) if packed else text
    return f"{base64.urlsafe_b64encode(forged).rstrip(b'=').decode()}.{mac}"


# Attacks


async def ticket_for_another_user(house: House, user: str) -> bool:
    session = house.host.session(f"{user}-victim")
    mine = await ticket_for(house, user)
    house.liar("victim", f"{user}-victim").add_view("view", "<p>private</p>", {})
    shown = await session.start("victim.view", {})
    assert await opens(house, mine), "a genuine ticket opens its view"
    forged = changed(mine, u=session.user, s=session.id, n="victim", t="view", c=shown.id)
    return await opens(house, forged)


async def invented_record(house: House, user: str) -> bool:
    """A record that nobody made, in a ticket that nobody signed."""
    mine = await ticket_for(house, user)
    record = {
        "cloche": "call/1",
        "id": "invented",
        "server": "victim",
        "tool": "view",
        "status": "done",
        "time": "2026-01-01T00:00:00Z",
        "view": {"uri": "ui://victim/view.html"},
    }
    house.liar("victim", user).add_view("view", "<p>private</p>", {})
    return await opens(house, changed(mine, k="record", n="victim", t="view", c="invented", d=record))


async def expired_ticket(house: House, user: str) -> bool:
    said = house.host.tickets.open(await ticket_for(house, user))
    stale = house.host.tickets.make(msgspec.structs.replace(said, expires=int(time.time()) - 10))
    return await opens(house, stale)


async def ticket_of_other_purpose(house: House, user: str) -> bool:
    """Something else that this host signed, shown as a ticket."""
    said = await ticket_for(house, user)
    body = said.partition(".")[0]
    payload = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4))
    return await opens(house, house.host.signer.sign("body", payload))


async def fetched(address: str, **headers: str) -> int:
    """The status of a GET."""

    def get() -> int:
        try:
            with urlopen(Request(address, headers=headers), timeout=20) as answer:
                return int(answer.status)
        except OSError as error:
            return int(getattr(error, "code", 0))

    return await asyncio.to_thread(get)


async def packet_of(house: House, user: str, ticket: str | None = None) -> dict[str, Any]:
    """What a page is told about a view."""
    async with socket_of(house) as connection:
        given = ticket or await ticket_for(house, user)
        await connection.send(json.dumps({"open": 1, "ticket": given, "context": {}}))
        packet: dict[str, Any] = (await heard(connection))["mount"]
        return packet


async def body_by_guess(house: House, user: str) -> bool:
    """An address for what another page is to fetch, made without the host's secret."""
    async with socket_of(house) as connection:
        await connection.send(json.dumps({"open": 1, "ticket": await ticket_for(house, user), "context": {}}))
        genuine: str = (await heard(connection))["mount"]["html"]
        assert await fetched(f"{house.url}/cloche/{genuine}") == 200
        forged = changed(genuine.removeprefix("body/"), e=int(time.time()) + 10**6)
        return await fetched(f"{house.url}/cloche/body/{forged}") == 200


async def sandbox_of_another_server(house: House, user: str) -> bool:
    """The address with one server's policy, opened under another server's name."""
    packet = await packet_of(house, user)
    url = packet["sandbox"]["url"]
    name = url.partition("://")[2].partition(":")[0]
    local = url.replace(name, "localhost", 1)
    good = {"Sec-Fetch-Dest": "iframe", "Host": f"{name}:{house.port}"}
    assert await fetched(local, **good) == 200, "the genuine address is served"
    return await fetched(local, **{**good, "Host": f"victim-0123456789ab.localhost:{house.port}"}) == 200


async def sandbox_with_own_policy(house: House, user: str) -> bool:
    """An address of a sandbox with a policy of the attacker's."""
    packet = await packet_of(house, user)
    head, _, token = packet["sandbox"]["url"].partition("?p=")
    name = head.partition("://")[2].partition(":")[0]
    forged = changed(token, csp={"connectDomains": ["http://evil.localhost"]}, host="http://evil.localhost")
    good = {"Sec-Fetch-Dest": "iframe", "Host": f"{name}:{house.port}"}
    return await fetched(f"{head.replace(name, 'localhost', 1)}?p={forged}", **good) == 200


async def resumed(house: House, user: str, key: str | None, origin: str | None = None) -> bool:
    """Take over a view that somebody else has open, knowing its id."""
    async with socket_of(house) as theirs:
        await theirs.send(json.dumps({"open": 1, "ticket": await ticket_for(house, user), "context": {}}))
        packet = (await heard(theirs))["mount"]
        async with socket_of(house, origin) as mine:
            ask = {"open": 1, "resume": packet["id"], "key": packet["key"] if key is None else key, "got": 0}
            await mine.send(json.dumps(ask))
            return "resumed" in await heard(mine)


async def resume_with_wrong_key(house: House, user: str) -> bool:
    return await resumed(house, user, "guess")


async def resume_with_empty_key(house: House, user: str) -> bool:
    return await resumed(house, user, "")


async def replayed_call(house: House, user: str) -> bool:
    """The same numbered frame twice: the tool must run once."""
    async with socket_of(house) as connection:
        await connection.send(json.dumps({"open": 1, "ticket": await ticket_for(house, user), "context": {}}))
        await heard(connection)
        for event in ("initialize", "initialized"):
            number = 1 if event == "initialize" else 2
            await connection.send(json.dumps({"view": 1, "n": number, "event": event, "params": {}}))
        call = {"jsonrpc": "2.0", "method": "tools/call", "params": {"name": "touch", "arguments": {"mark": "once"}}}
        for identity in (1, 2):
            await connection.send(json.dumps({"view": 1, "n": 3, "message": {**call, "id": identity}}))
        ping = {"jsonrpc": "2.0", "id": "end", "method": "ping"}
        await connection.send(json.dumps({"view": 1, "n": 4, "message": ping}))
        while (await heard(connection)).get("message", {}).get("id") != "end":
            pass
        return len([1 for entry, _ in house.diary(user).entries if entry == "evil.touch"]) > 1


async def socket_from_elsewhere(house: House, user: str) -> bool:
    """Another site's page connects in a visitor's browser."""
    ticket = await ticket_for(house, user)
    try:
        async with socket_of(house, "http://evil.localhost") as connection:
            await connection.send(json.dumps({"open": 1, "ticket": ticket, "context": {}}))
            return "mount" in await heard(connection)
    except (OSError, websockets.WebSocketException):
        return False


async def socket_from_a_view(house: House, user: str) -> bool:
    """A sandboxed frame connects: its origin is "null"."""
    try:
        async with socket_of(house, "null") as connection:
            await connection.send(json.dumps({"open": 1, "ticket": await ticket_for(house, user), "context": {}}))
            return "view" in await heard(connection)
    except (OSError, websockets.WebSocketException):
        return False


async def page_by_rebound_name(house: House, user: str) -> bool:
    """A name of the attacker's that leads to this machine (DNS rebinding)."""
    assert await fetched(f"{house.url}/cloche/mcp-app.js") == 200
    return await fetched(f"{house.url}/cloche/mcp-app.js", Host=f"evil.example:{house.port}") == 200


async def other_users_server(house: House, user: str) -> bool:
    """Two users with a server of their own each: a call of one must not arrive at the other's."""
    one, other = f"{user}-one", f"{user}-other"
    house.liar("evil", "everybody").add_view("view", "<p>", {})
    for name in (one, other):
        page = await PythonPage.open(house, name, "evil.view")
        await page.ask("tools/call", {"name": "touch", "arguments": {"mark": name}})
        await page.close()
    return not (house.diary(one).has("evil.touch") and house.diary(other).has("evil.touch"))


async def other_users_resource(house: House, user: str) -> bool:
    one, other = f"{user}-one", f"{user}-other"
    house.liar("evil", "everybody").add_view("view", "<p>", {})
    for name in (one, other):
        page = await PythonPage.open(house, name, "evil.view")
        await page.ask("resources/read", {"uri": "app://evil/private"})
        await page.close()
    return not (house.diary(one).has("evil private") and house.diary(other).has("evil private"))


def session_of_everybody(original: Any, self: Any, user: str) -> Any:
    return original(self, "everybody")


SHARED_SESSION = Control(
    "shared-session",
    "a session of each user's own",
    (Patch("cloche.host.host:Host.session", session_of_everybody),),
)


def attacks(kind: str, case: str, control: Control, *directs: Direct) -> list[Attack]:
    return [
        Attack(name=direct.__name__.replace("_", "-"), kind=kind, case=case, control=control, direct=direct)
        for direct in directs
    ]


async def other_users_model_context(house: House, user: str) -> bool:
    house.liar("evil", "everybody").add_view("view", "<p>", {})
    page = await PythonPage.open(house, f"{user}-one")
    await page.ask("ui/update-model-context", {"content": [{"type": "text", "text": "private"}]})
    await page.close()
    return bool(house.host.session(f"{user}-other").model_context())


ATTACKS = [
    *attacks(FORGED, "W11", UNSIGNED, invented_record, ticket_of_other_purpose, body_by_guess, sandbox_with_own_policy),
    *attacks(FORGED, "W11", NO_EXPIRY, expired_ticket),
    *attacks(FORGED, "W20", ANY_NAME, sandbox_of_another_server),
    *attacks(FORGED, "W08", ANY_KEY, resume_with_wrong_key, resume_with_empty_key),
    *attacks(FORGED, "W11", REPLAYS, replayed_call),
    *attacks(FORGED, "W08", ANY_ORIGIN, socket_from_elsewhere, socket_from_a_view, page_by_rebound_name),
    *attacks(OTHERS, "W15", UNSIGNED, ticket_for_another_user),
    *attacks(OTHERS, "W15", SHARED_USER, other_users_server, other_users_resource),
    *attacks(OTHERS, "W15", SHARED_SESSION, other_users_model_context),
]
