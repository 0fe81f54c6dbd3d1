"""Tasks that outlive the call, the connection and the process that they were started in, and stay with their user."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cloche import Context, McpError, Server
from cloche.client import TaskUpdate
from cloche.errors import InvalidParamsError, LocalProtocolError, RequestTimeoutError, TaskCancelledError
from cloche.host import Call, Host, Remote, UserTask
from tests.support.asked_person import Person
from tests.support.doors import serving
from tests.support.host_page import SECRET, hosting

DEADLINE = 30.0
ERAS = ["2025-11-25", "2026-07-28"]
FORM = {"type": "object", "properties": {"seeds": {"type": "boolean"}}, "required": ["seeds"]}


def bakery() -> Server:
    """`bake` waits for `go_on`, in whichever thread it runs."""
    server = Server("bakery")
    oven = asyncio.Event()
    ended: list[str] = []

    @server.tool(task=True)
    async def bake(loaves: int, ctx: Context, asks: bool = False) -> str:
        """Bake."""
        await ctx.progress(1, 4, "Kneading")
        try:
            await oven.wait()
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise
        if asks:
            answer = await ctx.elicit("With seeds?", FORM)
            return f"{loaves} loaves, {answer.data}"
        return f"{loaves} loaves"

    @server.tool(task=True)
    async def burn() -> str:
        """Fail."""
        raise McpError("Burnt", code=-32050)

    @server.tool
    async def go_on() -> str:
        """Let the baker go on."""
        oven.set()
        return "going on"

    @server.tool
    async def how_it_ended() -> list[str]:
        """What became of the baker."""
        return ended

    return server


@pytest.fixture
def origin() -> Iterator[str]:
    with serving(bakery().asgi(path="/mcp", hosts=["*"])) as origin:
        yield origin


@asynccontextmanager
async def speaking(target: Any, version: str, user: str = "ann") -> AsyncIterator[Host]:
    """A host whose user speaks to the bakery in one version of the protocol."""
    async with hosting({"bakery": target}) as host:
        host.session(user).upstream("bakery").version = version
        yield host


async def begun(host: Host, tool: str = "bake", arguments: Any = None) -> UserTask:
    """The task that a call became."""
    given = {"loaves": 3} if arguments is None else arguments
    call = await host.session("ann").start(f"bakery.{tool}", given, as_task=True)
    async with asyncio.timeout(DEADLINE):
        while call.user_task is None:  # noqa: ASYNC110 (what is waited for has no event of its own)
            await asyncio.sleep(0.01)
    return call.user_task


async def within(work: Any) -> Any:
    return await asyncio.wait_for(work, DEADLINE)


@pytest.mark.parametrize("version", ERAS)
@pytest.mark.parametrize("kind", ["object", "url"])
async def test_a_task_is_followed_by_its_id(kind: str, version: str, origin: str) -> None:
    async with speaking(bakery() if kind == "object" else Remote(f"{origin}/mcp"), version) as host:
        session = host.session("ann")
        began = await begun(host)
        assert session.tasks() == [began]
        task = session.task(began.id)
        assert (task.server, task.tool) == ("bakery", "bake")
        now = await within(task.status())
        assert (now.status, now.progress, now.total, now.message) == ("working", 1, 4, "Kneading")
        with pytest.raises(RequestTimeoutError):
            await task.result(timeout=0.05)
        told: list[TaskUpdate] = []
        await session.run("bakery.go_on")
        async with asyncio.timeout(DEADLINE):
            async for update in task:
                told.append(update)
        assert told[-1].status == "completed"
        assert task.last == told[-1]
        assert (await within(task.result()))["content"][0]["text"] == "3 loaves"
        await task.cancel()  # it has ended: nothing happens


@pytest.mark.parametrize("version", ERAS)
async def test_a_task_survives_a_restart_of_the_product(version: str, origin: str) -> None:
    async with speaking(Remote(f"{origin}/mcp"), version) as host:
        task_id = (await begun(host)).id
    async with speaking(Remote(f"{origin}/mcp"), version) as host:  # the next process, with the same secret
        session = host.session("ann")
        assert session.tasks() == []
        task = session.task(task_id)
        assert (await within(task.status())).status == "working"
        assert session.tasks() == [task]
        await session.run("bakery.go_on")
        assert (await within(task.result()))["content"][0]["text"] == "3 loaves"
        assert (await session.run("bakery.how_it_ended"))["structuredContent"] == {"result": []}


@pytest.mark.parametrize("version", ERAS)
async def test_a_question_of_a_task_that_was_taken_up_is_asked(version: str, origin: str) -> None:
    async with speaking(Remote(f"{origin}/mcp"), version) as host:
        task_id = (await begun(host, arguments={"loaves": 2, "asks": True})).id
    async with speaking(Remote(f"{origin}/mcp"), version) as host:
        session = host.session("ann")
        person = await Person().at(host)
        await session.run("bakery.go_on")
        waiting = asyncio.ensure_future(session.task(task_id).result())
        question = await within(person.says({"action": "accept", "content": {"seeds": True}}))
        assert "With seeds?" in json.dumps(question)
        assert (await within(waiting))["content"][0]["text"] == "2 loaves, {'seeds': True}"


async def test_cancelling_ends_it_and_a_closed_session_ends_its_own(origin: str) -> None:
    async with speaking(Remote(f"{origin}/mcp"), ERAS[1]) as host:
        session = host.session("ann")
        task = await begun(host)
        await within(task.cancel())
        with pytest.raises(TaskCancelledError):
            await within(task.result())
        entries = session.timeline.entries(action="tasks/cancel")
        assert [(one.server, one.tool) for one in entries] == [("bakery", "bake")]
        other = await begun(host)
        await session.close()  # the user signed out, which is not the end of the process
        with pytest.raises(LocalProtocolError, match="This session is closed"):
            await other.status()
        ended: Any = None
        async with asyncio.timeout(DEADLINE):
            while ended != {"result": ["cancelled"] * 2}:
                ended = (await host.session("ann").run("bakery.how_it_ended"))["structuredContent"]


async def test_the_error_of_a_task_is_its_own(origin: str) -> None:
    async with speaking(Remote(f"{origin}/mcp"), ERAS[1]) as host:
        task = await begun(host, "burn", {})
        with pytest.raises(McpError, match="Burnt"):
            await within(task.result())
        assert task.last is not None
        assert task.last.status == "failed"


async def test_only_ids_of_this_user_and_this_host_are_taken(origin: str) -> None:
    async with hosting({"bakery": Remote(f"{origin}/mcp")}) as host:
        task_id = (await begun(host)).id
        eve = host.session("eve")
        body, _, mac = task_id.partition(".")
        said = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
        assert said[1] == "ann"
        said[1] = "eve"
        forged = base64.urlsafe_b64encode(json.dumps(said).encode()).rstrip(b"=").decode()
        wrong = [task_id, f"{forged}.{mac}", body, said[4], "", None, 7, task_id + "x", "é" * 50]
        for one in wrong:
            with pytest.raises(InvalidParamsError, match="not the id of a task of this user"):
                eve.task(one)  # type: ignore[arg-type]
        assert eve.tasks() == []
        with pytest.raises(InvalidParamsError):
            host.session("ann").task(eve.questions_element().split('"')[1])  # signed, for something else
        assert host.session("ann").task(task_id).tool == "bake"
        await host.session("ann").task(task_id).cancel()
        async with hosting({"bakery": Remote(f"{origin}/mcp")}, secret=f"not {SECRET}") as other:
            with pytest.raises(InvalidParamsError, match="not the id"):
                other.session("ann").task(task_id)
        async with hosting({"shop": Remote(f"{origin}/mcp")}, id="one") as without:
            signed = without.signer.sign("task", json.dumps([1, "ann", "bakery", "bake", "x", 1.0]).encode())
            with pytest.raises(InvalidParamsError, match="no server 'bakery' any more"):
                without.session("ann").task(signed)


class Cable:
    """A connection to a server that can be unplugged."""

    def __init__(self, origin: str) -> None:
        self._port = int(origin.rpartition(":")[2])
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None
        self.port = 0

    async def plug_in(self) -> None:
        self._server = await asyncio.start_server(self._carry, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def unplug(self) -> None:
        assert self._server is not None
        self._server.close()
        for writer in tuple(self._writers):
            writer.transport.abort()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        self._writers |= {writer, far_writer}

        async def pipe(source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
            try:
                while data := await source.read(65536):
                    target.write(data)
                    await target.drain()
            except OSError:
                pass
            finally:
                target.transport.abort()

        await asyncio.gather(pipe(reader, far_writer), pipe(far_reader, writer))
        self._writers -= {writer, far_writer}


@pytest.mark.parametrize("version", ERAS)
async def test_a_call_goes_on_when_its_connection_comes_back(version: str, origin: str) -> None:
    cable = Cable(origin)
    await cable.plug_in()
    async with speaking(Remote(f"http://127.0.0.1:{cable.port}/mcp"), version) as host:
        session, told = host.session("ann"), []
        upstream = session.upstream("bakery")

        @host.on_task
        def task(call: Call, update: TaskUpdate) -> None:
            told.append(update.status)

        began = await begun(host)
        call = next(iter(session.calls.values()))
        await cable.unplug()
        async with asyncio.timeout(DEADLINE):
            while upstream.status == "ready":  # noqa: ASYNC110 (what is waited for has no event of its own)
                await asyncio.sleep(0.01)
        assert call.status == "running"
        await cable.plug_in()
        async with asyncio.timeout(DEADLINE):
            while True:
                try:
                    await session.run("bakery.go_on")
                    break
                except Exception:  # until it is there again
                    await asyncio.sleep(0.1)
        assert (await within(call.result()))["content"][0]["text"] == "3 loaves"
        assert call.task is not None
        assert call.task.status == "completed"
        assert began.last == call.task
        assert told[-1] == "completed"
        assert (await session.run("bakery.how_it_ended"))["structuredContent"] == {"result": []}
    await cable.unplug()
