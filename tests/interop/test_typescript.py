"""The official TypeScript clients talk to our server, over HTTP and stdio, in every mode they have.

A script per client (`node/*.mjs`) goes through the same steps and prints what the client saw, a line each. It runs
once per combination; then every step is a test of its own, so that a failure names what does not work where.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

HERE = Path(__file__).parent
SERVER = HERE / "interop_server.py"
DEADLINE = 60
"""Seconds until a client counts as stuck; one takes about 2. Its steps have shorter deadlines of their own."""

HANDSHAKE, STATELESS = "2025-11-25", "2026-07-28"


class Case(NamedTuple):
    """A client, how it is told which era to speak, and how it reaches the server."""

    script: str
    mode: str
    transport: str

    @property
    def version(self) -> str:
        return HANDSHAKE if self.mode == "legacy" else STATELESS

    def __str__(self) -> str:
        return f"{self.script}-{self.mode}-{self.transport}"


CASES = [
    Case(script, mode, transport)
    for script, modes in (("client", ("legacy", "auto", STATELESS)), ("sdk", ("legacy",)))
    for mode in modes
    for transport in ("http", "stdio")
]


class Run(NamedTuple):
    """What one client saw, by step."""

    case: Case
    steps: dict[str, dict[str, Any]]

    def value(self, step: str) -> Any:
        assert step in self.steps, f"the client did not get as far as {step!r}, only to {list(self.steps)[-1:]}"
        line = self.steps[step]
        assert "error" not in line, f"{step}: {line['error']}"
        return line["value"]

    def error(self, step: str) -> dict[str, Any]:
        line = self.steps[step]
        assert "error" in line, f"{step} should have failed: {line['value']}"
        error: dict[str, Any] = line["error"]
        return error

    def structured(self, value: Any) -> Any:
        """How a value that is not an object is structured: as it is, or before 2026-07-28 inside one."""
        return value if self.case.version == STATELESS else {"result": value}


@contextmanager
def target(transport: str) -> Iterator[list[str]]:
    """What the script is told about where the server is: a command to start, or a URL."""
    if transport == "stdio":
        yield [sys.executable, str(SERVER)]
        return
    command = [sys.executable, str(SERVER), "http"]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            port = process.stdout.readline().strip()
            assert port.isdigit(), f"the server did not start; it ended with {process.wait(timeout=10)}"
            yield [f"http://127.0.0.1:{port}/mcp"]
        finally:
            process.terminate()


@pytest.fixture(scope="module", params=CASES, ids=str)
def run(request: pytest.FixtureRequest, workshop: Path) -> Run:
    """One client's way through all steps."""
    case: Case = request.param
    with target(case.transport) as where:
        done = subprocess.run(
            ["node", f"{case.script}.mjs", case.mode, *where],
            cwd=workshop,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=DEADLINE,
            check=False,
        )
    assert done.returncode == 0, f"{case} ended with {done.returncode}:\n{done.stdout[-1000:]}\n{done.stderr[-2000:]}"
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return Run(case, {line["step"]: line for line in lines})


# The connection


def test_connect(run: Run) -> None:
    seen = run.value("connect")
    assert seen["version"] == run.case.version
    assert seen["era"] == ("modern" if run.case.version == STATELESS else "legacy")
    assert seen["server"] == {"name": "interop", "title": "Interop", "version": "2.1"}
    assert seen["instructions"] == "Add numbers, then stop."
    assert seen["capabilities"]["tools"] == {"listChanged": True}
    assert seen["capabilities"]["resources"] == {"subscribe": True, "listChanged": True}


def test_close(run: Run) -> None:
    assert run.value("close") is None
    assert list(run.steps)[-1] == "close"


# Lists


def test_list_tools(run: Run) -> None:
    tools = {tool["name"]: tool for tool in run.value("tools")}
    assert set(tools) == {
        *("add", "shout", "fail", "slow", "cancellations"),
        *("count_to", "heard", "ask_name", "touch"),
    }
    add = tools["add"]
    assert add["description"] == "Add two numbers."
    assert add["annotations"] == {"readOnlyHint": True}
    assert add["inputSchema"]["properties"]["a"] == {"type": "integer", "description": "The first."}
    assert add["inputSchema"]["required"] == ["a", "b"]
    output = add["outputSchema"] if run.case.version == STATELESS else add["outputSchema"]["properties"]["result"]
    assert output["type"] == "integer"
    assert "outputSchema" not in tools["shout"]


def test_list_resources(run: Run) -> None:
    (resource,) = run.value("resources")
    assert resource == {
        "uri": "note://a",
        "name": "first_note",
        "description": "The first note.",
        "mimeType": "text/plain",
    }


def test_list_templates(run: Run) -> None:
    (template,) = run.value("templates")
    assert (template["uriTemplate"], template["name"]) == ("note://{name}", "note")


def test_list_prompts(run: Run) -> None:
    (prompt,) = run.value("prompts")
    assert prompt["name"] == "greet"
    assert prompt["arguments"] == [{"name": "name", "description": "Whom.", "required": True}]


# Calls and errors


def test_call(run: Run) -> None:
    assert run.value("call") == {"text": "5", "isError": False, "structured": run.structured(5)}


def test_call_in_a_thread(run: Run) -> None:
    assert run.value("call in a thread") == {"text": "HELLO", "isError": False}


def test_tool_error(run: Run) -> None:
    assert run.value("tool error") == {"text": "The oven is cold", "isError": True}


def test_wrong_arguments_are_told_to_the_model(run: Run) -> None:
    seen = run.value("wrong arguments")
    assert seen["isError"]
    assert "expected a string, got an integer" in seen["text"]


def test_protocol_error(run: Run) -> None:
    error = run.error("unknown tool")
    assert error["code"] == -32602
    assert error["message"].endswith("Unknown tool: nothing")


# Resources, prompts, completions


def test_read(run: Run) -> None:
    assert run.value("read") == [{"uri": "note://a", "mimeType": "text/plain", "text": "Buy bread"}]


def test_read_by_template(run: Run) -> None:
    assert run.value("read by template") == [{"uri": "note://b", "mimeType": "text/plain", "text": "Bake it"}]


def test_read_a_missing_resource(run: Run) -> None:
    error = run.error("read a missing one")
    # The newer client gives the old era's code in the new era's spelling.
    assert error["code"] == (-32002 if run.case.script == "sdk" else -32602)
    assert error["message"].endswith("Resource not found")


def test_get_prompt(run: Run) -> None:
    assert run.value("prompt") == [{"role": "user", "content": {"type": "text", "text": "Say hello to Ada."}}]


def test_complete(run: Run) -> None:
    assert run.value("complete") == {"values": ["Ada", "Alan"], "total": 2, "hasMore": False}


# Subscriptions


def test_subscribe(run: Run) -> None:
    granted = {"resourceSubscriptions": ["note://a"]} if run.case.version == STATELESS else {}
    assert run.value("subscribe") == granted


def test_an_update_reaches_who_subscribed_to_it(run: Run) -> None:
    assert run.value("update") == ["note://a"]


def test_unsubscribe(run: Run) -> None:
    assert run.value("unsubscribe") == ["note://a", "note://b"]


# While a call is under way


def test_progress(run: Run) -> None:
    seen = run.value("progress")
    assert seen["seen"] == [{"progress": n, "total": 3, "message": f"at {n}"} for n in (1, 2, 3)]
    assert seen["result"]["structured"] == run.structured(3)


def test_cancel_reaches_the_tool(run: Run) -> None:
    seen = run.value("cancel")
    assert seen["call"] == "rejected"
    assert seen["recorded"]["structured"] == run.structured([30.5])


def test_the_connection_outlives_a_cancellation(run: Run) -> None:
    assert run.value("call after cancel")["text"] == "42"


# Questions to the user


def test_elicit(run: Run) -> None:
    seen = run.value("elicit")
    assert seen["result"] == {"text": "Ada, 2 plates, vegetarian: False", "isError": False}
    question = seen["question"]
    assert question["message"] == "Who comes to dinner?"
    assert question["requestedSchema"]["required"] == ["name"]
    assert question["requestedSchema"]["properties"]["plates"] == {"type": "integer", "default": 1}


def test_elicit_declined(run: Run) -> None:
    assert run.value("elicit, declined") == {"result": {"text": "Nobody (decline)", "isError": False}, "asked": 2}
