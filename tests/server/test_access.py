"""`scopes=` and `visible_to=` on resources, templates and prompts: lists, reads, subscriptions and completions."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from cloche import Client, McpError, Principal, Server
from cloche.transports.memory import create_memory_pair

ERAS = ["2025-11-25", "2026-07-28"]
NOBODY = Principal("nobody")
WRITER = Principal("writer", scopes=("write",))
ROOT = Principal("root")


def is_root(principal: Principal | None) -> bool:
    return principal is not None and principal.id == "root"


def make_server() -> Server:
    server = Server("guarded")
    for uri, options in (
        ("open://one", {}),
        ("write://one", {"scopes": ["write"]}),
        ("root://one", {"visible_to": is_root}),
    ):
        server.register_resource(uri, lambda: "text", name=uri.partition(":")[0], **options)
    for uri, options in (
        ("open://of/{name}", {}),
        ("write://of/{name}", {"scopes": ["write"]}),
        ("root://of/{name}", {"visible_to": is_root}),
    ):
        server.register_resource(uri, lambda name: f"text of {name}", name=uri.partition(":")[0], **options)
    for name, options in (("open", {}), ("write", {"scopes": ["write"]}), ("root", {"visible_to": is_root})):
        server.register_prompt(lambda name="x": f"say {name}", name=name, **options)
        server.completion(name, "name")(lambda typed, known: ["x", "y"])
    return server


@asynccontextmanager
async def client_of(server: Server, principal: Principal | None, version: str) -> AsyncIterator[Client]:
    theirs, ours = create_memory_pair()
    await server.connect(ours, principal=principal)
    async with Client(theirs, version=version) as client:
        yield client
    await server.close()


async def failure(asked: Any) -> tuple[int, str]:
    with pytest.raises(McpError) as caught:
        await asked
    return caught.value.code, str(caught.value)


@pytest.mark.parametrize("version", ERAS)
@pytest.mark.parametrize(
    ("principal", "seen"),
    [
        (None, {"open"}),
        (NOBODY, {"open"}),
        (WRITER, {"open", "write"}),
        (ROOT, {"open", "root"}),
    ],
)
async def test_lists_show_what_the_caller_may_use(version: str, principal: Principal | None, seen: set[str]) -> None:
    server = make_server()
    for _ in range(2):  # the second time from the cache
        async with client_of(server, principal, version) as client:
            assert {one.name for one in await client.list_resources()} == seen
            assert {one.name for one in await client.list_resource_templates()} == seen
            assert {one.name for one in await client.list_prompts()} == seen


async def test_pages_kept_for_one_set_of_callers_are_not_shown_to_another() -> None:
    server = make_server()
    shown: list[set[str]] = []
    for principal in (WRITER, NOBODY, ROOT, WRITER):
        async with client_of(server, principal, "2025-11-25") as client:
            shown.append({one.name for one in await client.list_resources()})
    assert shown == [{"open", "write"}, {"open"}, {"open", "root"}, {"open", "write"}]
    async with client_of(server, NOBODY, "2026-07-28") as client:
        answers = [await client.request(f"{kind}/list") for kind in ("resources", "prompts", "tools")]
    assert [answer["cacheScope"] for answer in answers] == ["private", "private", "public"]


@pytest.mark.parametrize("version", ERAS)
async def test_reading_and_getting_is_refused_as_calling_a_tool_is(version: str) -> None:
    server = make_server()
    missing = (-32602, "Resource not found") if version >= "2026" else (-32002, "Resource not found")
    async with client_of(server, NOBODY, version) as client:
        for uri in ("open://one", "open://of/me"):
            assert (await client.read_resource(uri)).text.startswith("text")
        for uri in ("write://one", "write://of/me"):
            code, text = await failure(client.read_resource(uri))
            assert (code, text) == (-32003, "This needs the scope 'write'")
        for uri in ("root://one", "root://of/me", "nothing://one"):
            code, text = await failure(client.read_resource(uri))
            assert (code, text[: len(missing[1])]) == missing
        assert (await failure(client.get_prompt("write")))[0] == -32003
        assert await failure(client.get_prompt("root")) == (-32602, "Unknown prompt: root")
    async with client_of(server, WRITER, version) as client:
        assert (await client.read_resource("write://of/me")).text == "text of me"
        assert (await client.get_prompt("write")).messages
    async with client_of(server, ROOT, version) as client:
        assert (await client.read_resource("root://one")).text == "text"


@pytest.mark.parametrize("version", ERAS)
async def test_nobody_subscribes_to_what_they_may_not_read(version: str) -> None:
    server = make_server()
    heard: list[str] = []
    async with client_of(server, NOBODY, version) as client:
        client.on_notification("notifications/resources/updated", lambda params: heard.append(params["uri"]))
        await client.subscribe_resource("open://one")
        assert (await failure(client.subscribe_resource("write://of/me")))[0] == -32003
        assert "not found" in (await failure(client.subscribe_resource("root://one")))[1]
        for uri in ("write://of/me", "root://one", "open://one"):
            server.resource_updated(uri)
        await client.read_resource("open://one")
        assert heard == ["open://one"]
    async with client_of(server, ROOT, version) as client:
        client.on_notification("notifications/resources/updated", lambda params: heard.append(params["uri"]))
        await client.subscribe_resource("root://one")
        server.resource_updated("root://one")
        await client.read_resource("open://one")
        assert heard == ["open://one", "root://one"]


async def test_completions_are_only_for_those_who_may_use_what_is_completed() -> None:
    server = make_server()

    def asked(client: Client, kind: str, target: str) -> Any:
        reference = (
            {"type": "ref/prompt", "name": target} if kind == "prompt" else {"type": "ref/resource", "uri": target}
        )
        params = {"ref": reference, "argument": {"name": "name", "value": ""}}
        return client.request("completion/complete", params)

    async with client_of(server, NOBODY, "2025-11-25") as client:
        assert (await asked(client, "prompt", "open"))["completion"]["values"] == ["x", "y"]
        assert (await failure(asked(client, "prompt", "write")))[0] == -32003
        assert (await failure(asked(client, "prompt", "root")))[1] == "Unknown prompt: root"
        assert "Unknown resource template" in (await failure(asked(client, "resource", "root://of/{name}")))[1]
    async with client_of(server, ROOT, "2025-11-25") as client:
        assert (await asked(client, "prompt", "root"))["completion"]["values"] == ["x", "y"]


def test_an_empty_scope_is_refused_at_registration() -> None:
    server = Server("s")
    with pytest.raises(Exception, match="scope"):
        server.register_resource("open://one", lambda: "", name="one", scopes=["two words"])
