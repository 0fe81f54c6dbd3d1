"""The one-file script: what is in it, how big it is, and where it goes in a page."""

from __future__ import annotations

import gzip
import os
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from cloche.views import generate_bridge
from cloche.views.dialects import from_view, table
from cloche.views.scripts import ADAPTERS, inject
from cloche.views.shrink import shrink

ROOT = Path(__file__).parent.parent.parent
DENO = Path(sysconfig.get_path("scripts")) / "deno"


def deno(*arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run deno without network, with its cache beside the environment."""
    given = os.environ | {"DENO_DIR": str(ROOT / ".venv" / "deno"), "NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1"} | env
    return subprocess.run(
        [DENO, *arguments], cwd=ROOT, env=given, capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.requirement(100, 101, 102, 104, 105, 106)
def test_the_unit_tests_of_the_scripts_pass_as_modules_and_as_one_file(tmp_path: Path) -> None:
    one_file = tmp_path / "bridge.js"
    one_file.write_text(generate_bridge(), encoding="utf-8")
    done = deno("test", "-q", "--no-remote", "--allow-read", "--allow-env", "tests/web/", CLOCHE_BRIDGE=str(one_file))
    assert done.returncode == 0, done.stdout + done.stderr
    assert " 0 failed" in done.stdout


@pytest.mark.parametrize(
    "adapters", [["ext-apps", "openai", "generic"], ["ext-apps"], ["openai"], ["generic"]], ids=str
)
def test_every_name_in_the_script_is_declared(adapters: list[str], tmp_path: Path) -> None:
    """A global that was renamed, or code that was left out and is needed, is a name that nobody declares."""
    script = tmp_path / "bridge.js"
    script.write_text(generate_bridge(adapters), encoding="utf-8")
    checked = deno("check", "-q", "--no-remote", "--config", "deno.json", str(script))
    assert "TS7006" in checked.stderr, "deno checked nothing: parameters have no types here"
    assert "TS2304" not in checked.stderr, checked.stderr
    assert "TS2552" not in checked.stderr, checked.stderr


@pytest.mark.requirement(99)
def test_the_script_is_small_and_stands_between_script_tags() -> None:
    script = generate_bridge(["ext-apps", "openai", "generic"], ["https://claude.ai"])
    assert len(script.encode()) <= 12_000
    assert len(gzip.compress(script.encode(), 9)) <= GZIPPED
    assert "</script" not in script.lower()
    assert "<!--" not in script
    assert "eval(" not in script
    assert "Function(" not in script


GZIPPED = 4_700
"""Bytes of all three adapters, compressed: what they are today, rounded up. The goal is 4,000."""


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
    script = generate_bridge(trusted_origins=["https://Claude.ai:443/", "http://localhost:8000", "http://[::1]:80"])
    assert '["https://claude.ai","http://localhost:8000","http://[::1]"]' in script.replace('", "', '","')


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


def test_shrinking_keeps_properties_and_renames_variables() -> None:
    code = 'function first(one, { two }) {\n  // why\n  return one.one + two + "one  two";\n}\n'
    assert shrink(code) == 'function Z(a,{two:b}){return a.one+b+"one  two"}'


def test_shrinking_refuses_what_it_cannot_look_into() -> None:
    with pytest.raises(ValueError, match="templates"):
        shrink("const a = `${b}`;\n")


TO_HOST = [(older, now) for now, older in table()["toHost"].items()] + list(table()["hostReads"].items())


@pytest.mark.parametrize(("older", "now"), TO_HOST)
def test_a_host_reads_the_older_names(older: str, now: str) -> None:
    assert from_view(older, {"x": 1}) == (now, {"x": 1})
    assert from_view(now, {"x": 1}) == (now, {"x": 1})


def test_a_host_reads_the_older_parameters() -> None:
    assert from_view("ui/updateModelContext", {"context": {"a": 1}})[1] == {"structuredContent": {"a": 1}}
    assert from_view("ui/log", {"level": "info", "message": "hi"})[1] == {"level": "info", "data": "hi"}
    both = {"level": "info", "message": "hi", "data": 2}
    assert from_view("ui/log", both)[1] == {"level": "info", "data": {"message": "hi", "data": 2}}
