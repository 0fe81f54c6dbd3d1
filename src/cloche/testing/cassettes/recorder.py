"""Recording a host: everything that is said between it and its servers and views, and what people do in the views."""

from __future__ import annotations

import hashlib
import secrets
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from cloche.testing.cassettes import script_reports
from cloche.testing.cassettes.lines import (
    Answer,
    Ask,
    Clock,
    Dom,
    Got,
    PageLine,
    Question,
    Report,
    Said,
    Start,
    Tell,
    User,
    View,
)
from cloche.testing.cassettes.scripts import METHOD, recorded_page
from cloche.testing.cassettes.writer import Tape
from cloche.wire.types import Json

if TYPE_CHECKING:
    from cloche.host.bridge import MountedView
    from cloche.host.traffic import Message, Traffic

MAX_REMEMBERED = 1000
"""Requests and messages of one view that are remembered until the view has got the answer."""


class _ViewTape:
    """What is known of one view while it is recorded."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.asked: dict[str | int, Question] = {}
        self.sent: deque[Json] = deque(maxlen=MAX_REMEMBERED)
        """Messages to it, of which it is not known yet when it got them."""

    def remember(self, message: Any) -> None:
        """The view said something: keep it when it wants an answer."""
        if not isinstance(message, dict) or not isinstance(message.get("method"), str):
            return
        number = message.get("id")
        if isinstance(number, str | int) and len(self.asked) < MAX_REMEMBERED:
            self.asked[number] = Question(message["method"], message.get("params"))

    def whole(self, entry: script_reports.GotEntry) -> Json | None:
        """The message that the view got."""
        for message in self.sent:
            if message.get("id") == entry.id and message.get("method") == entry.method:
                self.sent.remove(message)
                return entry.message or message
        return entry.message


class CassetteRecorder:
    """Records one host into one file: `host.recorder = recorder` and `recorder.listen(host.traffic)`."""

    def __init__(self, path: str | Path, servers: Sequence[str]) -> None:
        self.tape = Tape(path, servers)
        self._views: dict[str, _ViewTape] = {}
        self._pages: set[str] = set()
        self._stop: Callable[[], None] | None = None

    def listen(self, traffic: Traffic) -> None:
        """Hear everything from now on."""
        self._stop = traffic.listen(self._heard)

    def close(self) -> None:
        """Stop, and end the file. May be called twice."""
        if self._stop is not None:
            self._stop()
            self._stop = None
        self.tape.close()

    # What the host says

    def _heard(self, message: Message) -> None:
        if message.lane == "server":
            self._heard_server(message)
            return
        view = self._views.get(message.view or "")
        if view is None:
            return
        if message.lane == "page":
            if message.direction == "in":
                value = message.body if isinstance(message.body, dict) else {}
                self.tape.write(Report(view=view.number, event=message.what, value=value))
        elif message.direction == "out":
            if isinstance(message.body, dict):
                view.sent.append(message.body)
        else:
            view.remember(message.body)
            self.tape.write(Said(view=view.number, message=message.body))

    def _heard_server(self, message: Message) -> None:
        body: Json = message.body if isinstance(message.body, dict) else {}
        exchange = message.exchange if isinstance(message.exchange, int) else None
        about: Json = {"time": round(message.time, 3), "server": message.server}
        if message.direction == "out" and exchange is not None:
            self.tape.write(Ask(**about, exchange=exchange, method=message.what, params=body))
        elif message.milliseconds is None or exchange is None:
            self.tape.write(Tell(**about, method=message.what, params=body))
        elif message.failed:
            self.tape.write(Answer(**about, exchange=exchange, error=str(body.get("error"))))
        else:
            self.tape.write(Answer(**about, exchange=exchange, result=body))

    # What the views' own script says (`ViewRecorder` of the host)

    def prepare(self, view: MountedView, html: str) -> str:
        """A view is opened: its page with the recorder in front."""
        if not self.tape.is_open:
            return html
        source, call = view.source, view.call
        seed = secrets.randbits(32)
        recording = self._views[view.id] = _ViewTape(len(self._views))
        more = {name: list(sources) for name, sources in view.profile.csp.items()}
        digest = _digest(html, view.csp, more, view.granted)
        if digest not in self._pages:
            self._pages.add(digest)
            self.tape.write(PageLine(hash=digest, html=html, csp=view.csp, more=more, permissions=list(view.granted)))
        self.tape.write(
            View(
                number=recording.number,
                server=view.server,
                tool=view.tool,
                uri=source.uri,
                page=digest,
                arguments=call.arguments,
                seed=seed,
            )
        )
        return recorded_page(html, seed)

    def heard(self, view: MountedView, message: Any) -> bool:
        """Whether this is a message of the recorder's script; then it is taken, and nobody else need see it."""
        if not isinstance(message, dict) or message.get("method") != METHOD:
            return False
        recording = self._views.get(view.id)
        if recording is not None:
            try:
                batch = msgspec.convert(message.get("params"), script_reports.Batch)
            except msgspec.ValidationError:
                return True
            for entry in batch.entries:
                self._entered(recording, entry)
        return True

    def _entered(self, view: _ViewTape, entry: script_reports.Entry) -> None:
        about: Json = {"view": view.number, "at": entry.at}
        if isinstance(entry, script_reports.DomEntry):
            self.tape.write(Dom(**about, text=entry.text))
        elif isinstance(entry, script_reports.GotEntry):
            message = view.whole(entry)
            if message is not None:
                asked = view.asked.pop(entry.id, None) if entry.method is None and entry.id is not None else None
                self.tape.write(Got(**about, message=message, question=asked))
        elif isinstance(entry, script_reports.UserEntry):
            self._did(view, entry, about)
        elif isinstance(entry, script_reports.ClockEntry):
            self.tape.write(Clock(view=view.number, times=entry.times))
        elif isinstance(entry, script_reports.StartEntry):
            facts = msgspec.structs.asdict(entry)
            self.tape.write(Start(view=view.number, **facts))

    def _did(self, view: _ViewTape, entry: script_reports.UserEntry, about: Json) -> None:
        if entry.secret is not None:
            self.tape.masking.learn(view.number, entry.target or "", entry.secret)
        facts = msgspec.structs.asdict(entry)
        facts.update(secret=entry.secret is not None, **about)
        self.tape.write(User(**facts))


def _digest(html: str, *declared: Any) -> str:
    """A name for a page and what it declares."""
    told = msgspec.json.encode(declared)
    return hashlib.sha256(html.encode("utf-8", "surrogatepass") + told).hexdigest()[:16]
