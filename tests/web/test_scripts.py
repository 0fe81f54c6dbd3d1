"""The one-file script: what is in it, how big it is, and where it goes in a page."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sysconfig
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cloche.views import generate_bridge
from cloche.views.scripts import ADAPTERS, inject, script
from cloche.wire.apps.methods import current, dialects

ROOT = Path(__file__).parent.parent.parent
DENO = Path(sysconfig.get_path("scripts")) / "deno"


def deno(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run deno without network, with its cache beside the environment."""
    given = os.environ | {"DENO_DIR": str(ROOT / ".venv" / "deno"), "NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1"} | env
    return subprocess.run(
        [DENO, *arguments], cwd=ROOT, env=given, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.requirement(6, 7, 8, 9, 11, 12, 14, 15, 16, 18, 19, 20, 24)
@pytest.mark.requirement(28, 29, 36, 37, 66, 68, 100, 101, 102, 104, 105, 106, 143, 144, 145)
def test_the_unit_tests_of_the_scripts_pass_as_modules_and_as_one_file(tmp_path: Path) -> None:
    one_file = tmp_path / "bridge.js"
    one_file.write_text(generate_bridge(), encoding="utf-8")
    done = deno("test", "-q", "--no-remote", "--allow-read", "--allow-env", "tests/web/", CLOCHE_BRIDGE=str(one_file))
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 failed" in done.stdout


STATUS = """
const { createLinkedPair, MESSAGE_TYPES } = await import("./src/cloche/web/transports/index.js");
for (const module of ["client", "server"]) await import(`./src/cloche/web/${module}.js`);
const [client, server] = createLinkedPair();
const told = [];
client.onClose(() => told.push(client.isConnected));
server.close();
console.log(JSON.stringify([typeof window, typeof document, told, MESSAGE_TYPES]));
"""


@pytest.mark.requirement(188, 193)
def test_client_server_and_transports_need_no_window_and_say_when_they_are_over(tmp_path: Path) -> None:
    script = tmp_path / "no_window.mjs"
    script.write_text(STATUS.replace("./src", ROOT.as_uri() + "/src"), encoding="utf-8")
    done = deno("run", "-q", "--no-remote", "--allow-read", str(script))
    assert done.returncode == 0, done.stderr
    types = {"MESSAGE": "mcp", "CONNECT": "mcp:connect", "CONNECTED": "mcp:connected", "CLOSE": "mcp:close"}
    assert json.loads(done.stdout) == ["undefined"] * 2 + [[False], types]


SCRIPTS = {
    str(chosen): partial(generate_bridge, chosen) for chosen in [[*ADAPTERS], *([name] for name in ADAPTERS)]
} | {
    name: partial(script, name)
    for name in ("bind.js", "interact.js", "links.js", "shell.js", "state.js", "view-tools.js")
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_every_name_in_the_script_is_declared(name: str, tmp_path: Path) -> None:
    """A global that was renamed, or code that was left out and is needed, is a name that nobody declares."""
    made = tmp_path / "bridge.js"
    made.write_text(SCRIPTS[name](), encoding="utf-8")
    checked = deno("check", "-q", "--no-remote", "--config", "deno.json", str(made))
    assert "TS7006" in checked.stderr, "deno checked nothing: parameters have no types here"
    assert "TS2304" not in checked.stderr, checked.stderr
    assert "TS2552" not in checked.stderr, checked.stderr


@pytest.mark.requirement(99)
def test_the_script_is_small_and_stands_between_script_tags() -> None:
    bridge = generate_bridge()
    assert len(bridge.encode()) <= 12_000
    assert len(gzip.compress(bridge.encode(), 9)) <= GZIPPED
    assert "</script" not in bridge.lower()
    assert "<!--" not in bridge
    assert "eval(" not in bridge
    assert "Function(" not in bridge


GZIPPED = 4_400
"""Bytes of all three adapters, compressed."""


@pytest.mark.parametrize(("adapter", "own"), [("openai", "sendFollowUpMessage"), ("ext-apps", "postMessage")])
def test_the_code_of_adapters_that_were_not_chosen_is_left_out(adapter: str, own: str) -> None:
    assert own in generate_bridge([adapter])
    assert own not in generate_bridge([name for name in ADAPTERS if name != adapter])


@pytest.mark.parametrize("adapters", [[], ["claude"], "ext"], ids=str)
def test_adapters_that_do_not_exist_are_named(adapters: Any) -> None:
    with pytest.raises(ValueError, match="'ext-apps'"):
        generate_bridge(adapters)


@pytest.mark.requirement(103)
def test_trusted_origins_are_written_as_browsers_write_them() -> None:
    made = generate_bridge(trusted_origins=["https://Claude.ai:443/", "http://localhost:8000", "http://[::1]:80"])
    assert '["https://claude.ai","http://localhost:8000","http://[::1]"]' in made.replace('", "', '","')


@pytest.mark.parametrize(
    "origin",
    [
        "*",
        "null",
        "claude.ai",
        "https://",
        "https://a.example/path",
        "https://*.example",
        "https://u@a.example",
        "</script>",
    ],
)
def test_what_is_no_origin_is_refused(origin: str) -> None:
    with pytest.raises(ValueError, match="trusted origin"):
        generate_bridge(trusted_origins=[origin])


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("<p>x", "<script>S</script><p>x"),
        ("<!doctype html><p>x", "<!doctype html><script>S</script><p>x"),
        ("<html><head><title>x", "<html><head><script>S</script><title>x"),
        ("\n<!-- hi --><!DOCTYPE html>\n<html lang='de'>\n<HEAD class=a>x", None),
        ("<html><header>x", "<html><script>S</script><header>x"),
        ("<!-- <head> --><p>x", "<!-- <head> --><script>S</script><p>x"),
        ("", "<script>S</script>"),
    ],
)
def test_the_script_comes_first_in_the_head(page: str, expected: str | None) -> None:
    injected = inject(page, bridge="S")
    assert injected == (expected or page.replace("<HEAD class=a>", "<HEAD class=a><script>S</script>"))


TO_HOST = [(older, now) for now, older in dialects()["toHost"].items()] + list(dialects()["hostReads"].items())


@pytest.mark.parametrize(("legacy", "now"), TO_HOST)
def test_a_host_reads_the_older_names(legacy: str, now: str) -> None:
    assert current(legacy, {"x": 1}) == (now, {"x": 1})
    assert current(now, {"x": 1}) == (now, {"x": 1})


def test_a_host_reads_the_older_parameters() -> None:
    assert current("ui/updateModelContext", {"context": {"a": 1}})[1] == {"structuredContent": {"a": 1}}
    assert current("ui/log", {"level": "info", "message": "hi"})[1] == {"level": "info", "data": "hi"}
    both = {"level": "info", "message": "hi", "data": 2}
    assert current("ui/log", both)[1] == {"level": "info", "data": {"message": "hi", "data": 2}}
