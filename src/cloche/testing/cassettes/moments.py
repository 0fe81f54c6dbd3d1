"""A cassette as steps for people: each exchange, each message of a view and each deed of the person, in their order.

The page of a shared recording reads them; `web/share/moments.js` says what each member is.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import msgspec

from cloche.testing.cassettes.cassette import Cassette
from cloche.testing.cassettes.lines import PASSWORD, Answer, Ask, Got, Said, Start, Tell, User, View
from cloche.wire.apps.mime import SCHEME
from cloche.wire.types import Json

PAGE_TEXT = 2000
"""Characters of a view's page that are shown where a server was asked for it: the page itself is in the file once."""

GESTURE = ("event", "target", "x", "y", "button", "count", "values", "key")
"""Members of a person's deed that the page needs."""


def moments_of(cassette: Cassette) -> list[Json]:
    """The steps of a recording."""
    steps = _Steps(cassette)
    for line in cassette.lines:
        steps.take(line)
    return steps.found


class _Steps:
    """Puts the lines of a cassette together: a request and its answer are one step."""

    def __init__(self, cassette: Cassette) -> None:
        self.found: list[Json] = []
        self._answers = {ask.exchange: answer for ask, answer in cassette.exchanges}
        self._answered: dict[int, set[Any]] = defaultdict(set)
        """The ids of each view's requests that were answered."""
        self._began = {view.opened.number: view.start.time for view in cassette.views if view.start is not None}
        self._now = 0.0
        for line in cassette.lines:
            if isinstance(line, Got) and line.question is not None:
                self._answered[line.view].add(line.message.get("id"))

    def take(self, line: object) -> None:
        """Add the step of a line, if it makes one."""
        if isinstance(line, Ask | Answer | Tell):
            self._now = line.time * 1000
        elif isinstance(line, Start | Got | User):
            self._now = self._began.get(line.view, self._now) + line.at
        if isinstance(line, Ask):
            self._asked(line)
        elif isinstance(line, Tell):
            self._add("told", server=line.server, method=line.method, request=_plain(line.params))
        elif isinstance(line, View):
            self._add("opened", view=line.number, tool=line.tool)
        elif isinstance(line, Got):
            self._got(line)
        elif isinstance(line, Said):
            self._said(line)
        elif isinstance(line, User):
            self._add("user", view=line.view, gesture=_gesture(line))

    def _add(self, kind: str, **facts: Any) -> None:
        self.found.append({"kind": kind, "at": round(self._now), **facts})

    def _asked(self, ask: Ask) -> None:
        facts: Json = {"server": ask.server, "method": ask.method, "request": _plain(ask.params)}
        answer = self._answers.get(ask.exchange)
        if answer is not None:
            facts["milliseconds"] = round((answer.time - ask.time) * 1000)
            if answer.error is not None:
                facts["error"] = answer.error
            else:
                facts["result"] = _without_pages(ask, answer.result or {})
        self._add("server", **facts)

    def _got(self, got: Got) -> None:
        facts: Json = {"view": got.view, "message": got.message}
        if "method" in got.message:
            facts |= {"method": got.message["method"], "request": _plain(got.message.get("params"))}
        elif got.question is not None:
            facts |= {"method": got.question.method, "request": _plain(got.question.params)}
        self._add("got", **facts)

    def _said(self, said: Said) -> None:
        message = said.message
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            return
        number = message.get("id")
        if isinstance(number, str | int) and number in self._answered[said.view]:
            return  # the answer is the step
        facts = {"method": message["method"], "request": _plain(message.get("params"))}
        self._add("said", view=said.view, message={"id": number, **message} if number is not None else message, **facts)


def _plain(params: Any) -> Any:
    """Parameters without what is about the request itself."""
    return {name: value for name, value in params.items() if name != "_meta"} if isinstance(params, dict) else params


def _gesture(line: User) -> Json:
    told: Json = msgspec.to_builtins(line)
    value = PASSWORD if line.secret else line.value
    kept = {name: told[name] for name in GESTURE if name in told}
    return kept if value is None else {**kept, "value": value}


def _without_pages(ask: Ask, result: Json) -> Json:
    """The answer to a request for the page of a view, with the beginning of the page only."""
    contents = result.get("contents")
    if ask.method != "resources/read" or not isinstance(contents, list):
        return result
    return {**result, "contents": [_shortened(one) for one in contents]}


def _shortened(content: Any) -> Any:
    text = content.get("text") if isinstance(content, dict) else None
    if not isinstance(text, str) or len(text) <= PAGE_TEXT or not str(content.get("uri", "")).startswith(SCHEME):
        return content
    return {**content, "text": f"{text[:PAGE_TEXT]} …"}
