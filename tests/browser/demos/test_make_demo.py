"""`make demo`: what it prints, and what happens when a port is taken."""

from __future__ import annotations

import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path
from urllib.request import urlopen

import pytest

from tools.demos import DEMOS, HOST, guide, main

ROOT = Path(__file__).parents[3]


def test_a_taken_port_ends_it_before_anything_is_built(tmp_path: Path) -> None:
    with socket.create_server((HOST, 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit, match=rf"^Port {port} cannot be used .* make demo DEMO_PORT=8200\.$"):
            main(["--port", str(port), "--folder", str(tmp_path / "demos")])
    assert not (tmp_path / "demos").exists()


def test_it_says_what_to_click_in_a_few_lines() -> None:
    lines = guide("http://127.0.0.1:8100", "http://localhost:8105/").strip().splitlines()
    assert lines[0].startswith("Open http://127.0.0.1:8100/ ")
    assert len(lines) <= len(DEMOS) + 3
    assert any("http://localhost:8105/" in line for line in lines)
    assert all(demo.title in text for demo, text in zip(DEMOS, lines[1:], strict=False))


def free_ports(count: int) -> int:
    """The first of so many ports in a row that nobody has."""
    for start in range(20_000, 60_000, 100):
        try:
            for port in range(start, start + count):
                socket.create_server((HOST, port)).close()
        except OSError:
            continue
        return start
    raise AssertionError("no ports are free")


@pytest.mark.long
def test_it_builds_serves_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    port = free_ports(len(DEMOS) + 3)
    words = [sys.executable, "-m", "tools.demos", "--port", str(port), "--folder", str(tmp_path)]
    with subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as made:
        watchdog = threading.Timer(300, made.kill)
        watchdog.start()
        assert made.stdout is not None
        said = []
        for line in made.stdout:
            said.append(line)
            if "Ctrl-C" in line:
                break
        found = re.search(r"http://\S+/", "".join(said))
        assert found, said
        with urlopen(found[0] + "servers.json", timeout=30) as answer:
            assert answer.read().count(b'"url"') == len(DEMOS)
        made.send_signal(signal.SIGINT)
        rest = made.stdout.read()
        watchdog.cancel()
    assert made.returncode == 0, rest
    assert "Traceback" not in rest
