"""What views of legacy dialects say, in current terms: the host's half of `web/dialects.json`."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any


@cache
def table() -> dict[str, Any]:
    """The table as `view.js` has it: do not change it."""
    text = (resources.files("cloche.web") / "dialects.json").read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def from_view(method: str, params: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A view's method and parameters as of MCP Apps 2026-01-26; current and unknown ones stay as they are."""
    rows = {legacy: now for now, legacy in table()["toHost"].items()} | table()["hostReads"]
    renamed = dict(params)
    for now, legacy in table()["params"].items():
        if method not in rows or legacy not in renamed:
            continue
        value = renamed.pop(legacy)
        # `ui/log` has a message and data; now both are data.
        renamed[now] = {legacy: value, now: renamed[now]} if now in renamed else value
    return rows.get(method, method), renamed
