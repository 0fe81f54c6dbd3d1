"""What a person is shown: a question that hides what it is about, a view that does not say whose it is."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote

from cloche.errors import shorten
from cloche.host import Request
from tests.attacks.attack import Attack, Direct
from tests.attacks.python_page import PythonPage
from tests.attacks.scene import Attempt, Scene
from tests.support.controls import Control, Edit, Patch
from tests.support.house import House

KIND = "imitation"


def as_they_are(original: Any, details: Any) -> Any:
    """Details as a server wrote them, cut where a dialog would be too long."""
    text = json.dumps(details)
    return SimpleNamespace(shown=details if len(text) <= 4000 else {"text": shorten(text, 4000)}, complete=True)


AS_WRITTEN = Control(
    "as-written",
    "the care that a question shows everything: details, and names",
    (
        Patch("cloche.host.questions:Details", as_they_are),
        Patch("cloche.host.questions:quoted", lambda original, text: f"“{shorten(str(text), 60)}”"),
        Patch("cloche.host.view_requests:file_name", lambda original, uri: unquote(uri).rpartition("/")[2][-100:]),
    ),
)
UNNAMED = Control(
    "unnamed",
    "the server's name on a view",
    (),
    (Edit("host/surface.js", "this.origin.hidden = !server;", "this.origin.hidden = true;"),),
)
IN_ONE_LINE = Control(
    "in-one-line",
    "a place for the server's name that no title can take",
    (),
    (
        Edit(
            "host/element.css",
            ".whose {\n  flex: 1;\n  min-width: 0;\n}",
            ".whose { flex: 1; overflow: hidden; white-space: nowrap; } .whose > * { display: inline !important; }",
        ),
    ),
)


def running(arguments: Any, shown: str) -> Direct:
    """The person agrees to a tool; it has succeeded when the tool ran and the question did not show this."""

    async def direct(house: House, user: str) -> bool:
        diary, liar = house.diary(user), house.liar("evil", user)
        entry = {"name": "move", "inputSchema": {"type": "object"}, "annotations": {"destructiveHint": True}}
        liar.tools.append(entry)
        house.agrees_to[user] = ("tool",)
        page = await PythonPage.open(house, user)
        await page.ask("tools/call", {"name": "move", "arguments": arguments})
        await page.close()
        (question,) = [value for what, value in diary.entries if what == "asked about tool"]
        assert diary.has("evil.move")
        return shown not in json.dumps(question.details, ensure_ascii=False)

    return direct


async def hides_its_ending(house: House, user: str) -> bool:
    """Whether a person who is asked about a file does not see in the sentence that it is a program."""
    from cloche.host.questions import question_for
    from cloche.host.view_requests import file_name

    name = file_name("file:///x/report.pdf" + "%20" * 70 + ".exe")
    text = question_for(Request("download", user, "evil", "view", "v", {"files": [name]}), 30).text
    return ".exe" not in text


async def name_in_sight(scene: Scene, attempt: Attempt) -> None:
    """Succeeds when the view is shown and its server's name is not."""
    look = """(mode) => {
      const app = document.querySelector("mcp-app"), root = app.shadowRoot;
      app.setDisplayMode(mode);
      const label = root.querySelector(".origin strong"), box = label.getBoundingClientRect();
      const found = box.width > 0 && root.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      return [label.textContent, found === label];
    }"""
    mode = "fullscreen" if attempt.attack.name == "name-out-of-sight" else "inline"
    name, is_seen = await scene.page.evaluate(look, mode)
    if name != "evil" or not is_seen:
        attempt.win(f"{mode}, and nobody sees whose it is")


def attack(name: str, control: Control, meta: dict[str, Any]) -> Attack:
    return Attack(
        name=name, kind=KIND, case="W21", control=control, script="person", driver=name_in_sight, alone=True, meta=meta
    )


TARGET = "~/.ssh/id_ed25519"

ARGUMENTS = {
    "argument-behind-a-long-one": ({"note": "x" * 5000, "target": TARGET}, TARGET),
    "end-of-a-long-argument": ({"target": "./" * 4000 + TARGET}, TARGET),
    "letters-that-run-backwards": ({"target": "a\u202e91552de_di/hss./~"}, "⟨U+202E⟩"),
    "letters-that-do-not-print": ({"target": "\U000e0041\u200b\u3164" + TARGET}, "⟨U+200B⟩"),
    "line-like-another": ({"target": "./tmp\nrecursive: false"}, "./tmp↵recursive: false"),
}

ATTACKS = [
    *(
        Attack(name=name, kind=KIND, case="W21", control=AS_WRITTEN, direct=running(arguments, shown))
        for name, (arguments, shown) in ARGUMENTS.items()
    ),
    Attack(name="hidden-ending", kind=KIND, case="W27", control=AS_WRITTEN, direct=hides_its_ending),
    attack("unnamed", UNNAMED, {"ui": {"prefersBorder": False}}),
    attack("name-out-of-sight", IN_ONE_LINE, {"title": "W" * 300}),
]
