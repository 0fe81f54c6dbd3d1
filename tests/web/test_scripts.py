"""The one-file script: what is in it, how big it is, and where it goes in a page."""

from __future__ import annotations

import gzip
import json
import os
import re
import subprocess
import sysconfig
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from cloche.views import generate_bridge
from cloche.views.renaming import letters_like
from cloche.views.scripts import ADAPTERS, inject, script
from cloche.views.shrink import shrink
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
} | {name: partial(script, name) for name in ("interact.js", "links.js", "shell.js", "state.js")}


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


GZIPPED = 4_200
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


def letters(code: str) -> str:
    """A script with its one-letter names in the order in which they first stand there: a, b, c and so on."""
    name = re.compile(r"(?<![\w\"#])(#?)[A-Za-z](?![\w\"])")
    new = dict(zip(dict.fromkeys(found[0] for found in name.finditer(code)), "abcdefghijkl", strict=False))
    return name.sub(lambda found: found[1] + new[found[0]], code)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        (
            'function first(one, { two }) {\n  // why\n  return one.one + two + "one  two";\n}\n',
            'function a(b,{two:c}){return b.one+c+"one  two"}',
        ),
        ("const f = (one) => one.map((two) => two.xx);\n", "let a=b=>b.map(b=>b.xx);"),
        ("const f = (one) => one.map((two) => two + one);\n", "let a=b=>b.map(c=>c+b);"),
        ("const x = { key: 1 };\nconst { key: other } = x;\n", "let a={key:1},{key:b}=a;"),
        (
            "class One {\n  later;\n  #in = new Map();\n  get(key) {\n    return this.#in.get(key);\n  }\n}\n",
            "class a{#b=new Map;get(c){return this.#b.get(c)}}",
        ),
        ("for (let one = start; one; one = one.next) {\n  one.go();\n}\n", "for(let a=start;a;a=a.next)a.go();"),
        ("for (const x of [1]) {\n  done(x);\n}\n", "for(let a of[1])done(a);"),
        ("if (y) {\n  if (z) one();\n} else {\n  two();\n}\n", "if(a){if(b)one()}else two();"),
        (
            "const f = (x) => /** @type {any} */ (x.yy).zz + /** @type {any} */ (x ?? 1);\n",
            "let a=b=>b.yy.zz+(b??1);",
        ),
        ("let x = true;\nlet y = undefined;\n", "let a=!0,b=void 0;"),
        ('const f = (one) => `a ${one} "b" ${one ?? 1}`;\n', 'let a=b=>("a "+b+" \\"b\\" "+(b??1));'),
        ("const f = (one) => `${one}`;\nconst g = `x` + `${f}${f}c`;\n", 'let a=b=>(""+b),c=("x")+(""+a+a+"c");'),
        (
            "class One {\n  #x = 1;\n}\nclass Two {\n  #y = 2;\n  #z = 3;\n}\n",
            "class a{#b=1}class c{#b=2;#d=3}",
        ),
        ("let x = 1;\nconst y = x + ++x - --x + x++ + 1;\n", "let a=1,b=a+ ++a- --a+a++ +1;"),
        (
            "export const LIMIT = 30_000;\nconst CODE = -32;\nconst f = () => [LIMIT, CODE, 200, 1_500, this.LIMIT];\n",
            "let a=()=>[3e4,-32,200,1500,this.LIMIT];",
        ),
        ("class One {\n  async #in() {}\n}\n", "class a{async#e(){}}"),
        (
            "if (y) {\n  for (const x of y) {\n    x.go();\n  }\n  done();\n}\n",
            "if(a){for(let b of a)b.go();done()}",
        ),
    ],
    ids=[
        *("properties", "reused", "used", "patterns", "class", "loop", "for", "else", "cast", "values"),
        *("template", "one value", "private", "steps", "numbers", "private function", "block"),
    ],
)
def test_shrinking_keeps_what_is_said(code: str, expected: str) -> None:
    assert letters(shrink(code)) == expected


def test_members_that_nobody_outside_knows_get_short_names() -> None:
    code = (
        "class One {\n  inner = 1;\n  outer = 2;\n  go({ inner, outer }) {\n"
        '    return this.inner + inner + { inner: outer }.inner + "inner";\n  }\n}\n'
    )
    short = shrink(code, letters_like("eee ttt"), inside=["inner"])
    assert short == 'class h{e=1;outer=2;go({e:e,outer:t}){return this.e+e+{e:t}.e+"inner"}}'


def test_shrinking_refuses_what_it_cannot_look_into() -> None:
    with pytest.raises(ValueError, match="templates"):
        shrink("const a = `x ${b(`y ${c}`)}`;\n")


TO_HOST = [(older, now) for now, older in dialects()["toHost"].items()] + list(dialects()["hostReads"].items())


@pytest.mark.parametrize(("older", "now"), TO_HOST)
def test_a_host_reads_the_older_names(older: str, now: str) -> None:
    assert current(older, {"x": 1}) == (now, {"x": 1})
    assert current(now, {"x": 1}) == (now, {"x": 1})


def test_a_host_reads_the_older_parameters() -> None:
    assert current("ui/updateModelContext", {"context": {"a": 1}})[1] == {"structuredContent": {"a": 1}}
    assert current("ui/log", {"level": "info", "message": "hi"})[1] == {"level": "info", "data": "hi"}
    both = {"level": "info", "message": "hi", "data": 2}
    assert current("ui/log", both)[1] == {"level": "info", "data": {"message": "hi", "data": 2}}
