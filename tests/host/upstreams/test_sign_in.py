"""Signing users in at a server that wants OAuth: whose tokens are whose, and what must not be opened."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import httpx2
import pytest
from mcp.server.auth.provider import AuthorizationParams
from mcp.shared.auth import OAuthClientInformationFull

from cloche import Server
from cloche.errors import InvalidParamsError, UpstreamError
from cloche.host import Host, HostSession
from cloche.host.upstreams import Pool, Remote, oauth
from cloche.host.upstreams.oauth import Authorization, MemoryTokens, SignIns, check_authorization_url
from tests.host.upstreams.watching import Watched, call
from tests.support.authorization_server import DEADLINE, AuthorizationServer, protected_server, serving

HERE = "http://127.0.0.1:1"
CALLBACK = f"{HERE}/cloche/oauth/callback"


class Office(AuthorizationServer):
    """An authorization server that knows several people: whoever's browser it is."""

    def __init__(self) -> None:
        super().__init__()
        self.person = "nobody"

    async def authorize(self, client: OAuthClientInformationFull, params: AuthorizationParams) -> str:
        address = await super().authorize(client, params)
        for code in self.codes.values():
            if code.subject == "alice":
                code.subject = self.person
        return address


class World:
    """A protected server, its authorization server, and a host with users."""

    def __init__(self, office: Office, url: str) -> None:
        self.office = office
        self.url = url
        self.tokens = MemoryTokens()
        self.asked: list[Authorization] = []
        self.agree: Callable[[Authorization], object] = self.sign_in
        self.sign_ins = SignIns(self._authorize, tokens=self.tokens, callback_url=CALLBACK)
        self.pool = self.new_pool()
        self._beside: set[asyncio.Task[object]] = set()

    def new_pool(self) -> Pool:
        return Pool({"notes": Remote(self.url, oauth=True)}, sign_ins=self.sign_ins)

    async def _authorize(self, wanted: Authorization) -> bool:
        self.asked.append(wanted)
        answer = self.agree(wanted)
        if asyncio.iscoroutine(answer):
            task = asyncio.create_task(answer)
            self._beside.add(task)
            task.add_done_callback(self._beside.discard)
            return True
        return bool(answer)

    async def visit(self, person: str, url: str) -> str:
        """`person` opens the address in their browser and agrees; the query that the callback page gets."""
        self.office.person = person
        async with httpx2.AsyncClient() as http:
            while not url.startswith(CALLBACK):
                response = await http.get(url)
                assert response.is_redirect, response.text
                url = str(response.headers["location"])
        return "?" + urlsplit(url).query

    async def sign_in(self, wanted: Authorization) -> None:
        """The honest way: the user's own browser, and the user's own page."""
        query = await self.visit(wanted.user, wanted.url)
        self.sign_ins.finish(wanted.user, query)

    async def who(self, user: str) -> str:
        return (await call(self.pool.get("notes", user), "whoami")).partition(" ")[0]


@asynccontextmanager
async def world() -> AsyncIterator[World]:
    with socket.create_server(("127.0.0.1", 0)) as door, socket.create_server(("127.0.0.1", 0)) as desk:
        issuer = f"http://127.0.0.1:{desk.getsockname()[1]}"
        url = f"http://127.0.0.1:{door.getsockname()[1]}/mcp"
        office = Office()
        async with (
            asyncio.timeout(DEADLINE),
            serving(office.app(issuer), desk, "off"),
            serving(protected_server(issuer, office, url), door, "auto"),
        ):
            found = World(office, url)
            try:
                yield found
            finally:
                await found.pool.close()


async def test_each_user_signs_in_once_and_has_tokens_of_their_own() -> None:
    async with world() as w:
        assert await w.who("ann") == "ann"
        assert await w.who("bob") == "bob"
        assert await w.who("ann") == "ann"
        assert [(wanted.user, wanted.server) for wanted in w.asked] == [("ann", "notes"), ("bob", "notes")]
        assert all(wanted.site.startswith("127.0.0.1:") for wanted in w.asked)
        ann, bob = [await w.tokens.get(user, w.url, "tokens") for user in ("ann", "bob")]
        assert ann is not None
        assert bob is not None
        assert ann["access_token"] != bob["access_token"]
        assert await w.tokens.get("ann", "https://other.example/mcp", "tokens") is None
        await w.pool.close()
        w.pool = w.new_pool()
        assert await w.who("ann") == "ann"
        assert len(w.asked) == 2


async def test_at_the_same_time_nobody_gets_the_others() -> None:
    async with world() as w:
        lock = asyncio.Lock()

        async def one_at_a_time(wanted: Authorization) -> None:
            async with lock:  # the office has one desk
                await w.sign_in(wanted)

        w.agree = one_at_a_time
        users = ["ann", "bob", "cleo"]
        assert await asyncio.gather(*(w.who(user) for user in users)) == users


async def attack_with_a_link(w: World) -> str | None:
    """Mallory starts a sign-in and sends the link to Ann, who trusts it. Whose notes does Mallory's host read then?"""
    refused = asyncio.Event()

    async def ann_follows_the_link(wanted: Authorization) -> None:
        assert wanted.user == "mallory"
        query = await w.visit("ann", wanted.url)
        try:
            w.sign_ins.finish("ann", query)  # what arrives in Ann's browser is sent by Ann's page
        except InvalidParamsError:
            refused.set()

    w.agree = ann_follows_the_link
    reading, refusal = asyncio.create_task(w.who("mallory")), asyncio.create_task(refused.wait())
    await asyncio.wait({reading, refusal}, return_when=asyncio.FIRST_COMPLETED)
    refusal.cancel()
    if reading.done():
        return reading.result()
    reading.cancel()
    return None


async def test_a_link_that_mallory_sends_does_not_give_her_anns_account(monkeypatch: pytest.MonkeyPatch) -> None:
    async with world() as w:
        with monkeypatch.context() as control:
            real = SignIns.finish
            control.setattr(SignIns, "finish", lambda self, _, query: real(self, "mallory", query))
            assert await attack_with_a_link(w) == "ann"
    async with world() as w:
        assert await attack_with_a_link(w) is None


async def test_an_answer_counts_once_and_only_for_what_is_under_way() -> None:
    async with world() as w:
        queries: list[str] = []

        async def keep(wanted: Authorization) -> None:
            queries.append(await w.visit(wanted.user, wanted.url))
            for query in ("", "?state=", "?code=x", "?state=made-up&code=x", queries[0] + "&state=twice"):
                with pytest.raises(InvalidParamsError, match="not under way"):
                    w.sign_ins.finish("ann", query)
            for query in ("?state=" + "x" * 10_000, "?" + "a=b&" * 200):
                with pytest.raises(InvalidParamsError, match=r"too (long|many)"):
                    w.sign_ins.finish("ann", query)
            w.sign_ins.finish("ann", queries[0])

        w.agree = keep
        assert await w.who("ann") == "ann"
        with pytest.raises(InvalidParamsError, match="not under way"):
            w.sign_ins.finish("ann", queries[0])


async def test_who_does_not_agree_gets_an_error_and_is_asked_again_only_by_a_new_request() -> None:
    async with world() as w:
        w.agree = lambda _: False
        with pytest.raises(UpstreamError, match="needs you to sign in"):
            await w.who("ann")
        assert w.pool.get("notes", "ann").status == "failed"
        assert len(w.asked) == 1
        w.agree = w.sign_in
        assert await w.who("ann") == "ann"
        assert len(w.asked) == 2


async def test_an_authorization_server_that_refuses() -> None:
    async with world() as w:

        async def refused(wanted: Authorization) -> None:
            state = httpx2.URL(wanted.url).params["state"]
            w.sign_ins.finish(wanted.user, f"?error=access_denied&state={state}")

        w.agree = refused
        with pytest.raises(UpstreamError, match="was refused: 'access_denied'"):
            await w.who("ann")


async def test_a_list_of_all_tools_does_not_wait_for_somebody_to_sign_in() -> None:
    async with world() as w:
        other = Server("other")

        @other.tool
        async def hello() -> str:
            return "hello"

        host = Host({"other": other, "notes": Remote(w.url, oauth=True)}, secret="sixteen bytes or more", url=HERE)
        host.wrap(None)
        wanted: asyncio.Future[Authorization] = asyncio.get_running_loop().create_future()

        @host.on_sign_in
        def show_a_link(_: HostSession, authorization: Authorization) -> bool:
            wanted.set_result(authorization)
            return True

        chat = host.session("ann")
        assert [tool["name"] for tool in await chat.tools()] == ["other_hello"]
        assert chat.problems == {"notes": "The server 'notes' waits for you to sign in"}
        signed_in = Watched(chat.upstream("notes"))
        host.sign_ins.finish("ann", await w.visit("ann", (await wanted).url))
        await signed_in.until("ready")
        assert [tool["name"] for tool in await chat.tools()] == ["other_hello", "notes_whoami"]
        assert chat.problems == {}
        await host.close()


async def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(oauth, "SIGN_IN_SECONDS", 0.05)
    async with world() as w:
        w.agree = lambda _: True
        with pytest.raises(UpstreamError, match="Nobody signed in"):
            await w.who("ann")


async def test_the_host_has_to_know_its_address() -> None:
    async with world() as w:
        w.sign_ins.callback_url = None
        with pytest.raises(UpstreamError, match="needs the address of the host"):
            await w.who("ann")


UNSAFE = {
    "script": "javascript:alert(document.cookie)//?state=s",
    "data": "data:text/html,<script>alert(1)</script>?state=s",
    "file": "file:///etc/passwd?state=s",
    "plain": "http://attacker.example/authorize?state=s",
    "user": "https://accounts.example@attacker.example/?state=s",
    "backslash": "https://accounts.example\\@attacker.example/?state=s",
    "newline": "https://accounts.example/\n?state=s",
    "space": "https://accounts.example/ $(reboot)?state=s",
    "lookalike": "https://аccounts.example/?state=s",
    "relative": "/authorize?state=s",
    "app": "ms-settings:privacy?state=s",
}


@pytest.mark.parametrize("url", UNSAFE.values(), ids=UNSAFE)
async def test_an_unsafe_address_is_never_opened(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    async def open_it(wanted: Authorization) -> bool:
        opened.append(wanted.url)
        return False

    sign_ins = SignIns(open_it, callback_url=CALLBACK)
    with pytest.raises(UpstreamError, match="not safe to open"):
        await sign_ins.ask("ann", "notes", url)
    assert opened == []
    monkeypatch.setattr(oauth, "check_authorization_url", lambda _: None)
    with pytest.raises(UpstreamError, match="not agreed to"):
        await sign_ins.ask("ann", "notes", url)
    assert opened == [url]


@pytest.mark.parametrize(
    "url", ["https://accounts.example/authorize?state=s", "http://localhost:9/a?state=s", "http://[::1]:9/a?state=s"]
)
def test_a_safe_address(url: str) -> None:
    check_authorization_url(url)


def test_what_is_no_address_at_all() -> None:
    with pytest.raises(UpstreamError, match="not safe to open"):
        check_authorization_url("https://[/?state=s")
