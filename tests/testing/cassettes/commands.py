"""Commands about cassettes, run in this process."""

from __future__ import annotations

import pytest

from cloche.cli import main


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What the command says when it is not as it is meant to be used."""
    with pytest.raises(SystemExit) as ended:
        main(words)
    said = capsys.readouterr().err
    assert (ended.value.code, said.startswith("Error: "), said.count("\n")) == (2, True, 1), said
    return said.removeprefix("Error: ").strip()
