"""The official conformance suite against our server: every required scenario of both eras runs, and every check holds.

The suite fixes per protocol version which scenarios are required. It runs others beside them and does not score them;
of these we hold ourselves to the ones in `UNSCORED`, and the rest test extensions that this server does not have.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.npm_tools import node_modules

HERE = Path(__file__).parent
DEADLINE = 120
"""Seconds until a run of the suite counts as stuck; one takes about 8."""

UNSCORED = {
    "2025-11-25": {"server-session-lifecycle"},
    "2026-07-28": {
        "http-header-validation",
        "http-custom-header-server-validation",
        "tasks-lifecycle",
        "tasks-capability-negotiation",
        "tasks-wire-fields",
        "tasks-request-state-removal",
        "tasks-mrtr-input",
        "tasks-request-headers",
        "tasks-dispatch-and-envelope",
        "tasks-required-task-error",
        "tasks-mrtr-composition",
    },
}
"""Of those about tasks `tasks-status-notifications` is missing, which checks nothing yet; 2025-11-25 has none."""
HOLDS = {"SUCCESS", "INFO"}
"""What a check may say. A WARNING is a "should" that was missed, a SKIPPED one proves nothing: neither may be."""

_FOLDER = re.compile(r"server-(?P<scenario>.+)-\d{4}-\d\d-\d\dT[\d-]+Z")


@pytest.fixture(scope="session")
def url() -> Iterator[str]:
    """The server, in a process of its own until the last test is done."""
    process = subprocess.Popen(
        [sys.executable, str(HERE / "server.py")], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    try:
        port = process.stdout.readline().strip()
        assert port.isdigit(), f"the server did not start; it ended with {process.wait(timeout=10)}"
        yield f"http://127.0.0.1:{port}/mcp"
    finally:
        process.terminate()
        process.wait(timeout=10)
        process.stdout.close()


def conformance(*arguments: str) -> str:
    """What the suite prints. It says by its exit code whether all passed, which we find out ourselves."""
    modules = node_modules(HERE / "node")
    suite = modules / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
    command = [str(modules / ".bin" / "node"), str(suite), *arguments]
    done = subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=DEADLINE,
        check=False,
    )
    return done.stdout


def required(version: str) -> set[str]:
    """The server scenarios that the suite requires for this version."""
    listed = conformance("list", "--requirements", version)
    _, _, servers = listed.partition("Server scenarios")
    return set(re.findall(r"^  - (\S+)$", servers.partition("\n\n")[0], re.MULTILINE))


def checks(folder: Path) -> dict[str, list[dict[str, str]]]:
    """The checks of every scenario that ran."""
    found = {}
    for file in folder.glob("*/checks.json"):
        name = _FOLDER.fullmatch(file.parent.name)
        assert name is not None, f"the suite names its results differently now: {file.parent.name}"
        found[name["scenario"]] = json.loads(file.read_text(encoding="utf-8"))
    return found


def problems(scenario: str, found: list[dict[str, str]]) -> list[str]:
    """What does not hold in a scenario, a line each."""
    if not any(check["status"] == "SUCCESS" for check in found):
        return [f"{scenario}: nothing was checked"]
    return [
        f"{scenario}: {check['status']} {check['id']}: {check.get('errorMessage', check['description'])}"
        for check in found
        if check["status"] not in HOLDS
    ]


@pytest.mark.parametrize(("version", "count"), [("2025-11-25", 30), ("2026-07-28", 37)])
def test_every_required_scenario_passes(version: str, count: int, url: str, tmp_path: Path) -> None:
    wanted = required(version)
    assert len(wanted) == count

    printed = conformance("server", "--url", url, "--requirements", version, "-o", str(tmp_path))
    results = checks(tmp_path)

    missing = sorted((wanted | UNSCORED[version]) - results.keys())
    assert missing == [], f"these did not run:\n{printed[-2000:]}"
    failed = [line for name in sorted(wanted | UNSCORED[version]) for line in problems(name, results[name])]
    assert not failed, "\n".join([f"{len(failed)} checks of {version} do not hold:", *failed])


def test_a_client_whose_version_is_refused_tries_one_that_the_server_speaks(tmp_path: Path) -> None:
    command = f"{sys.executable} {HERE / 'client.py'}"
    printed = conformance("client", "--command", command, "--scenario", "request-metadata", "-o", str(tmp_path))
    (file,) = tmp_path.glob("**/checks.json")
    found = json.loads(file.read_text(encoding="utf-8"))
    assert "sep-2575-client-retry-supported-version" in {check["id"] for check in found}, printed
    assert problems("request-metadata", found) == []


def test_a_check_that_does_not_hold_is_told() -> None:
    good = {"id": "a", "status": "SUCCESS", "description": "It works"}
    bad = {"id": "b", "status": "WARNING", "description": "It should", "errorMessage": "it does not"}
    assert problems("ping", [good, {**good, "status": "INFO"}]) == []
    assert problems("ping", [good, bad]) == ["ping: WARNING b: it does not"]
    assert problems("ping", [{**good, "status": "SKIPPED"}]) == ["ping: nothing was checked"]
