"""Tab: commands, files, tools and prompts, and nothing is run for it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.support.command import cloche, environment, write

SERVER = '''
open("it-ran", "w").close()
from cloche import Server
server = Server("kitchen")

@server.tool
def cook(dish: str) -> str:
    """Cook a dish.

    Slowly."""

@server.tool(name="bake-bread", view="x.html")
async def bake() -> str: ...

@server.prompt
def recipe() -> str: ...

def helper(): ...
'''


@pytest.fixture
def kitchen(tmp_path: Path) -> Path:
    write(tmp_path, SERVER)
    return tmp_path


def completed(*words: str, folder: Path) -> list[str]:
    """What Tab offers after the last word."""
    line = " ".join(["cloche", *words])
    done = cloche(folder=folder, _CLOCHE_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(len(words)))
    assert done.returncode == 0, done.stderr
    return [line for line in done.stdout.splitlines() if line]


def test_what_tab_offers(kitchen: Path) -> None:
    assert completed("ca", folder=kitchen) == ["plain,call"]
    assert "plain,run" in completed("", folder=kitchen)
    assert completed("call", "ser", folder=kitchen) == ["file,ser"]
    assert completed("run", "ser", folder=kitchen) == ["file,ser"]
    assert completed("call", "server.py", "", folder=kitchen) == ["plain,cook", "plain,bake-bread"]
    assert completed("call", "server.py:server", "c", folder=kitchen) == ["plain,cook"]
    assert completed("open", "server.py", "b", folder=kitchen) == ["plain,bake-bread"]
    assert completed("prompt", "server.py", "", folder=kitchen) == ["plain,recipe"]
    assert completed("call", "server.py", "cook", "", folder=kitchen) == []
    assert completed("call", "missing.py", "", folder=kitchen) == []
    assert completed("call", "server.py", "--verb", folder=kitchen) == ["plain,--verbose"]
    assert not (kitchen / "it-ran").exists()


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_lines_of_the_page_print_a_script(shell: str, kitchen: Path) -> None:
    done = cloche(folder=kitchen, _CLOCHE_COMPLETE=f"{shell}_source")
    assert done.returncode == 0, done.stderr
    assert "_CLOCHE_COMPLETE" in done.stdout
    program = shutil.which(shell)
    if program is not None and shell == "bash":
        subprocess.run([program, "-n"], input=done.stdout, text=True, env=environment(), check=True, timeout=30)
