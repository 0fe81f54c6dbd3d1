"""JSON checked against a JSON Schema: the whole of what 2020-12, and the older words for the same, say of a value.

Words for people or models are left alone, `format` among them. A schema that cannot be checked here is refused when it
is registered (`flaws.py`), so that nothing is ever passed unseen. `web/server/schema.js` does the same in JavaScript,
and both are tested with the official JSON-Schema-Test-Suite.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import msgspec

from cloche.server.schema.keywords import RULES, Check, Place, Problem, accept, kind_of, refuse
from cloche.server.schema.schema_flaws import flaw_of
from cloche.server.schema.value_problems import ArgumentsError, check_finite, check_nesting


class JsonSchema:
    """A schema, ready to check values; raises ValueError when it is not one, or says what cannot be checked here."""

    def __init__(self, schema: Any) -> None:
        try:
            check_finite(schema)
            data = msgspec.json.encode(schema)
            check_nesting(data)
        except (TypeError, ValueError, RecursionError, ArgumentsError) as error:
            raise ValueError(f"it is not JSON: {str(error)[:200]}") from None
        self.schema: Any = msgspec.json.decode(data)
        flaw = flaw_of(self.schema)
        if flaw:
            raise ValueError(flaw)
        self._rules: dict[int, list[tuple[str, Check]]] = {}
        self._unread: list[dict[str, Any]] = []
        self._root = self._check(self.schema)
        for one in self._unread:  # more are found meanwhile
            place = Place(one, self._check, self.schema)
            self._rules[id(one)] += [
                (kind, rule(place, one[word])) for word, (kind, rule) in RULES.items() if word in one
            ]

    def misfit(self, value: Any) -> Problem:
        """What is wrong with a JSON value, with the path to it; None when nothing is."""
        try:
            return self._root(value, "$")
        except RecursionError:
            return ArgumentsError("$", "the JSON is nested too deeply to be checked")

    def _check(self, schema: Any) -> Check:
        if schema is False:
            return refuse
        if schema is True:
            return accept
        if id(schema) not in self._rules:
            self._rules[id(schema)] = []
            self._unread.append(schema)
        return partial(_first_misfit, self._rules[id(schema)])


def _first_misfit(rules: list[tuple[str, Check]], value: Any, path: str) -> Problem:
    kind = kind_of(value)
    for concerned, rule in rules:
        if concerned in (kind, "any"):
            found = rule(value, path)
            if found is not None:
                return found
    return None
