"""Signing in at servers that want it: the page shows where, a click opens it, and the page brings the answer back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloche.errors import InvalidParamsError
from cloche.host.upstreams.oauth import Authorization, MemoryTokens
from cloche.host.upstreams.remote import Remote
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.dev.playground import Playground

PERSON = "dev"


class PersonTokens:
    """The tokens of the one person at a playground, in whichever of its sessions; they are gone when it ends."""

    def __init__(self) -> None:
        self._kept = MemoryTokens()
        self._signed_in: set[str] = set()

    def has(self, url: str) -> bool:
        """Whether somebody has signed in at this server."""
        return url in self._signed_in

    def forget(self, url: str) -> None:
        """Sign out: what this server gave is kept no longer."""
        self._signed_in.discard(url)
        self._kept.drop(PERSON, url, "tokens")

    async def get(self, user: str, url: str, kind: str) -> Json | None:
        """What was put there, for any user."""
        return await self._kept.get(PERSON, url, kind)

    async def put(self, user: str, url: str, kind: str, value: Json) -> None:
        """Keep it."""
        if kind == "tokens":
            self._signed_in.add(url)
        await self._kept.put(PERSON, url, kind, value)


class SignIns:
    """What a person has to do at authorization servers."""

    def __init__(self, playground: Playground) -> None:
        self._playground = playground
        self._wanted: dict[str, Authorization] = {}

        @playground.host.on_sign_in
        def sign_in(_: object, wanted: Authorization) -> bool:
            self._wanted[wanted.server] = wanted
            playground.tell_now("sign-ins", wanted=self.wanted())
            return True

    def wanted(self) -> list[Json]:
        """The servers that wait for the person, with the site and the address to open."""
        return [{"server": one.server, "site": one.site, "url": one.url} for one in self._wanted.values()]

    def over(self, server: str) -> None:
        """A server waits no longer: the person signed in, or it gave up."""
        if self._wanted.pop(server, None) is not None:
            self._playground.tell_now("sign-ins", wanted=self.wanted())

    async def sign_out(self, server: str) -> Json:
        """Forget who the person is at a server, and connect to it again: it may ask them to sign in."""
        known = self._playground.servers.get(server)
        if known is None or not isinstance(known.spec, Remote) or not known.spec.oauth:
            raise InvalidParamsError("Nobody signs in at this server")
        self._playground.tokens.forget(known.spec.url)
        return await self._playground.running.restart(server)

    async def finish(self, query: str) -> Json:
        """Take the answer that an authorization server sent to a page of this browser."""
        for server, one in tuple(self._wanted.items()):
            try:
                self._playground.host.sign_ins.finish(one.user, query)
            except InvalidParamsError:
                continue
            self.over(server)
            return {}
        raise InvalidParamsError("This sign-in is not under way here: start it again")
