"""Hosts side by side: one call, shown as several emulated hosts show it. The tool is called once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cloche.errors import InvalidParamsError
from cloche.host import records
from cloche.testing.profiles import PROFILES
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.dev.playground import Playground


class Comparison:
    """What the page can do to compare hosts."""

    def __init__(self, playground: Playground) -> None:
        self._playground = playground

    async def of_story(self, server: str, name: str) -> Json:
        """A story in every emulated host, with its recorded result or else with that of one call."""
        return {"hosts": self._shown(await self._playground.stories.record(server, name))}

    async def of_call(self, call: str) -> Json:
        """A call of the playground that is over, in every emulated host."""
        known = self._playground.calls.finished(call)
        if known is None:
            raise InvalidParamsError("There is no finished call to compare: call the tool first")
        return {"hosts": self._shown(records.from_json(known.record())), "server": known.server, "tool": known.tool}

    def _shown(self, record: records.Record) -> list[Json]:
        found = []
        for name, one in PROFILES.items():
            call = self._playground.session_as(name).call_of(record)
            ticket = call.ticket() if call.view_uri is not None else None
            found.append({"name": name, "title": one.title, "about": one.about, "ticket": ticket})
        return found
