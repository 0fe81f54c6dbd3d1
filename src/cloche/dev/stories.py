"""The stories of the playground's servers: listed, opened, saved and removed, in the files beside the servers."""

from __future__ import annotations

import asyncio
import secrets
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.errors import InvalidParamsError, StoryError, shorten
from cloche.host import records
from cloche.testing.stories import Story, StoryFile
from cloche.wire.apps.metadata import view_uri
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.dev.playground import Playground

MAX_RESULT = 1 << 20
"""Bytes of a result that is recorded in a story."""


class Stories:
    """What the page can do with stories."""

    def __init__(self, playground: Playground) -> None:
        self._playground = playground

    async def listing(self) -> Json:
        """The stories of every server that has a file, and what is wrong with the files that cannot be read."""
        found = []
        for name, server in self._playground.servers.items():
            if server.file is not None:
                found.append({"server": name, **await asyncio.to_thread(_read, server.file)})
        return {"servers": found}

    async def open(self, server: str, name: str, anew: bool = False) -> Json:
        """Show a story: the result that it recorded, else, or with `anew`, what the tool answers now."""
        story = await asyncio.to_thread(self._file(server).get, name)
        session = self._playground.session_as(story.profile)
        if story.result is None or anew:
            shown = await self._playground.calls.start(server, story.tool, story.arguments, session)
        else:
            shown = await self._playground.calls.show(await self._record(server, story, story.result), session)
        return {"story": _plain(story), **shown}

    async def record(self, server: str, name: str) -> records.Record:
        """A story as a call that is over: with the result that it recorded, else of a call that is made now."""
        story = await asyncio.to_thread(self._file(server).get, name)
        if story.result is not None:
            return await self._record(server, story, story.result)
        call = await self._playground.session.start(f"{server}.{story.tool}", story.arguments)
        await call.result()
        return records.from_json(call.record())

    async def _record(self, server: str, story: Story, result: Json) -> records.Record:
        uri = view_uri(await self._playground.calls.tool_entry(server, story.tool), result)
        return records.Record(
            cloche="call/1",
            id=secrets.token_urlsafe(9),
            server=server,
            tool=story.tool,
            status="done",
            time=datetime.now(UTC).isoformat(timespec="seconds"),
            arguments=story.arguments,
            result=result,
            view=None if uri is None else records.RecordedView(uri=uri),
        )

    async def save(self, server: str, story: Json, call: str) -> Json:
        """Keep an input as a story; with `call` also the result of that call."""
        await self._playground.calls.tool_entry(server, str(story.get("tool")))
        if call:
            story = {**story, "result": self._result(call)}
        try:
            made = msgspec.convert(story, Story)
        except msgspec.ValidationError as error:
            raise InvalidParamsError(f"This is not a story: {shorten(str(error), 200)}") from None
        await asyncio.to_thread(self._file(server).save, made)
        self._playground.tell("stories-changed", server=server)
        return {"name": made.name}

    def _result(self, call: str) -> Json:
        outcome = self._playground.calls.outcome(call)
        result = outcome.get("result")
        if not isinstance(result, dict):
            raise InvalidParamsError("There is no result to record: call the tool first")
        if len(msgspec.json.encode(result)) > MAX_RESULT:
            raise InvalidParamsError("The result is larger than 1 MB: save the story without it")
        return result

    async def remove(self, server: str, name: str) -> Json:
        """Remove a story from its file."""
        await asyncio.to_thread(self._file(server).remove, name)
        self._playground.tell("stories-changed", server=server)
        return {}

    def _file(self, server: str) -> StoryFile:
        known = self._playground.servers.get(server)
        if known is None or known.file is None:
            raise InvalidParamsError("Stories are kept beside a server's own file: start the playground with that file")
        return StoryFile(known.file)


def _read(file: Path) -> Json:
    stories = StoryFile(file)
    found: dict[str, Any] = {"file": stories.path.name, "stories": []}
    try:
        found["stories"] = [_plain(one) for one in stories.read()]
    except StoryError as error:
        found["problem"] = str(error)
    return found


def _plain(story: Story) -> Json:
    """A story for the page, without the recorded result, which may be large."""
    found: Json = msgspec.to_builtins(msgspec.structs.replace(story, result=None))
    return {**found, "hasResult": story.result is not None}
