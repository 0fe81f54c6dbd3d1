"""What the page's JavaScript knows of the protocol is what Python knows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cloche.errors import MCP_ERROR_CODES
from tools.protocol_facts import SENTENCES, WEB, protocol, sentences, written


@pytest.mark.parametrize("path", written(), ids=lambda path: path.name)
def test_the_module_is_fresh(path: Path) -> None:
    assert path.read_text(encoding="utf-8") == written()[path], "make web"


def test_codes_and_sentences_come_from_the_errors() -> None:
    text = protocol()
    for name, code in MCP_ERROR_CODES.items():
        assert f"export const {name} = {code};" in text
    assert 'timedOut = (id) => "Request " + id + " timed out";' in sentences()
    assert all("{" not in line for line in sentences().splitlines() if line.startswith("export"))
    assert len(SENTENCES) == sentences().count("export const")


def test_the_server_retypes_none_of_them() -> None:
    """Codes and versions stand in the modules of the server, the client and the peer by their names."""
    modules = [WEB / name for name in ("rpc.js", "client.js", "server.js")]
    modules += [*(WEB / "server").glob("*.js"), *(WEB / "transports").glob("*.js")]
    for module in modules:
        code = module.read_text(encoding="utf-8")
        assert "-32" not in code, module.name
        assert not re.search(r'"20\d\d-\d\d-\d\d"', code), module.name
