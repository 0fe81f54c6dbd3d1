"""What was typed into fields for passwords is taken out of everything that is written."""

from __future__ import annotations

import json
from html import escape
from typing import Any

from cloche.testing.cassettes.lines import PASSWORD

SHORT = 4
"""A password shorter than this is only recognised where it stands alone: everything contains an "a"."""

LONG = 6
MAX_SECRETS = 200


class Masking:
    """The secrets of one recording."""

    def __init__(self) -> None:
        self._now: dict[tuple[int, str], str] = {}
        self._before: set[str] = set()

    def learn(self, view: int, field: str, value: str) -> None:
        """A field for passwords has this value now. What it had before counts on when it was long enough to be a
        password: the first letter of one must not be taken out of everything.
        """
        before = self._now.pop((view, field), "")
        if len(before) >= LONG and len(self._before) < MAX_SECRETS:
            self._before.add(before)
        if value and len(self._now) < MAX_SECRETS:
            self._now[view, field] = value

    def cleaned(self, value: Any) -> Any:
        """The same without secrets; names of members stay, they are the program's own."""
        secrets = sorted({*self._now.values(), *self._before}, key=len, reverse=True)
        return _clean(value, secrets) if secrets else value


def _clean(value: Any, secrets: list[str]) -> Any:
    if isinstance(value, str):
        return _without(value, secrets)
    if isinstance(value, list):
        return [_clean(item, secrets) for item in value]
    if isinstance(value, dict):
        return {key: _clean(item, secrets) for key, item in value.items()}
    return value


def _without(text: str, secrets: list[str]) -> str:
    for secret in secrets:
        if text == secret:
            return PASSWORD
        if len(secret) >= SHORT:
            for form in (
                secret,
                escape(secret),
                json.dumps(secret)[1:-1],
                json.dumps(secret, ensure_ascii=False)[1:-1],
            ):
                text = text.replace(form, PASSWORD)
    return text
