"""The rules by their codes, and what a rule found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from cloche.errors import shorten
from cloche.wire.apps.metadata import PERMISSIONS
from cloche.wire.apps.mime import RESOURCE_MIME_TYPE

Severity: TypeAlias = Literal["error", "warning"]
"""An error keeps a view or a tool from working in some host; a warning is about what people notice later."""

EXPLANATIONS = Path(__file__).parent / "rules.md"
"""What each rule is about, a section each; docs/check.md ends with it."""


@dataclass(frozen=True)
class Rule:
    """One thing that goes wrong."""

    code: str
    severity: Severity
    title: str

    @property
    def more(self) -> str:
        """The command that explains it."""
        return f"cloche check --explain {self.code}"


RULES: dict[str, Rule] = {
    rule.code: rule
    for rule in (
        Rule("V01", "error", "a tool's view is not there"),
        Rule("V02", "error", "a view's address is not a ui:// URI"),
        Rule("V03", "error", "a view has the wrong MIME type"),
        Rule("V04", "error", "CSP or permissions stand on the tool, where hosts do not look"),
        Rule("V05", "error", "a CSP entry is not an origin"),
        Rule("V06", "error", "the page loads something that its CSP blocks"),
        Rule("V07", "error", "the page loads a file by a relative address"),
        Rule("V08", "error", "a view has not exactly one page"),
        Rule("V09", "warning", "the page is very large"),
        Rule("V10", "warning", "the page uses storage, which views do not have"),
        Rule("V11", "warning", "the page runs code from text"),
        Rule("V12", "warning", "the page opens windows or dialogs, which its frame may not"),
        Rule("V13", "error", "nothing in the page says ui/initialize"),
        Rule("V14", "warning", "a permission is unknown"),
        Rule("V15", "warning", "the link to the view is spelled in the old way alone"),
        Rule("V16", "error", "the page is empty"),
        Rule("V17", "error", "the view is named for ChatGPT alone"),
        Rule("V18", "warning", "the view asks for a domain that not every host gives"),
        Rule("V19", "warning", "the CSP names an address of one machine"),
        Rule("V20", "error", "the view calls a tool that is not there"),
        Rule("T01", "error", "a tool's name is refused by hosts"),
        Rule("T02", "error", "an input schema is refused by hosts"),
        Rule("T03", "warning", "a tool has no description"),
        Rule("T04", "error", "two tools have one name"),
        Rule("T05", "error", "visibility is not a list of model and app"),
        Rule("T06", "warning", "nobody may call a tool"),
        Rule("T07", "warning", "a tool's description is cut off by hosts"),
        Rule("L01", "error", "the view never completed the ui/initialize handshake"),
        Rule("L02", "error", "a script of the view failed"),
        Rule("L03", "warning", "the view writes errors to the console"),
        Rule("L04", "error", "the policy blocked something when the view ran"),
        Rule("L05", "warning", "the view needs scripts or styles from elsewhere"),
        Rule("L06", "error", "the view used storage, and was refused"),
        Rule("L07", "error", "the view shows nothing"),
        Rule("L08", "warning", "the result says nothing to hosts without views"),
        Rule("L09", "warning", "the result's data is only in structuredContent"),
        Rule("L10", "error", "a tool promises structured results and gives none"),
        Rule("L11", "warning", "the view's size never comes to rest"),
        Rule("L12", "error", "the view says that it has no height"),
        Rule("L13", "error", "the view still waits when everything has arrived"),
        Rule("L14", "error", "the view breaks the protocol"),
        Rule("L15", "error", "a tool raised an exception"),
        Rule("P01", "error", "the published page does not start"),
        Rule("P02", "error", "the published page shows a tool that Python does not list"),
        Rule("P03", "error", "a file of the published page does not arrive"),
        Rule("P04", "error", "the policy of the published page blocked something"),
        Rule("P05", "warning", "a tool fails in the browser"),
        Rule("S01", "error", "the server does not answer"),
        Rule("S02", "error", "a story cannot be run"),
        Rule("S03", "error", "a story does not render in its host"),
    )
}
"""Every rule, by its code."""

STORAGE_FIX = "Keep state with cloche.setState, or on the server with View(…, state=True); else catch the error."

RUNTIME = "use Cloche's runtime (view=…) or the App class of ext-apps, and call connect()"

FIXES = {
    "V01": "Register a resource with exactly this URI, or correct the tool's resourceUri; with Cloche: "
    '@server.tool(view="page.html").',
    "V02": "Name a resource of this server whose URI begins with ui://.",
    "V03": f"Give the resource the mimeType {RESOURCE_MIME_TYPE!r}.",
    "V05": "Write an origin, such as https://api.example.com or https://*.example.com.",
    "V07": "Put it into the page itself, or load it from an https address that csp lists.",
    "V08": "Return one content item: one HTML page.",
    "V09": "Read large data with resources/read, or load it from an origin that csp lists.",
    "V10": STORAGE_FIX,
    "V11": "Write it as a function; a library that only tries it is fine.",
    "V12": "Show it in the page; links go through ui/open-link (cloche.openLink).",
    "V13": "Use a view runtime: Cloche's comes by itself with view=…; in JavaScript, the App class of ext-apps.",
    "V14": f"There are {', '.join(PERMISSIONS)}.",
    "V15": "Write _meta.ui.resourceUri too.",
    "V16": "Put HTML into it.",
    "V17": "Name it in _meta.ui.resourceUri too, and serve it as text/html;profile=mcp-app; view=… does both.",
    "V18": "Leave it out, unless an API must know the view's origin; then give each host the one that it takes.",
    "V19": "Fine while you try it out; before others use it, put the data into the result or serve it under https.",
    "T01": "Rename the tool; a title can hold what people read.",
    "T02": "Make the arguments one object: a function's parameters, or a schema with type 'object' and properties.",
    "T03": "Write a docstring: it becomes the description.",
    "T04": "Rename all but one.",
    "T05": 'It is a list of "model" and "app": visibility=["app"] for a tool that only views call.',
    "T06": 'Leave it out, or say visibility=["model", "app"].',
    "T07": "Put what matters first, and the rest into the descriptions of the arguments.",
    "L01": f"Fix that first; for the handshake, {RUNTIME}.",
    "L02": "Fix it, or catch it in the view.",
    "L03": "Fix what it reports.",
    "L05": "Put it into the page: hosts have been seen to ignore resourceDomains, and people to be offline.",
    "L06": STORAGE_FIX,
    "L07": "Draw something in every case: when there is no data, say so.",
    "L08": "Return a sentence in content.",
    "L09": "Put a text into content too: the data as JSON, or a sentence that says what there is.",
    "L10": "Return structuredContent that fits the schema, or leave the schema out.",
    "L11": "Give html and body height: auto, and size nothing by the frame (100vh, 100%).",
    "L12": "Let its content have a height of its own, not position: absolute or a share (100%, 100vh) of the frame.",
    "L13": "Listen for the result before connecting: set ontoolresult (or cloche.on…) before connect().",
    "L14": "Strict hosts refuse it: do it as MCP Apps says.",
    "L15": 'Correct that line; for a mistake of the caller, raise ToolError("…"): the model reads its text.',
    "P01": "Open it with cloche build … --serve, and read the browser's console.",
    "P02": "Register the same tools everywhere: the build asked the Python of this machine, and the page asks its own.",
    "P03": "Build the site again, and copy all of the folder.",
    "P04": "Name the origins that tools fetch from with --connect; everything else the page has itself.",
    "P05": "Give it examples that suit it; if it works on this machine, do it without threads, processes and sockets.",
    "S01": "Start it by hand and read what it says.",
    "S02": "Correct the story, or remove it.",
    "S03": "Open the story in cloche dev, which shows what this host does differently.",
}
"""What to do about a finding, where that does not depend on what was found."""


def explanation(code: str) -> str:
    """What a rule is about, in a few sentences."""
    _, _, section = EXPLANATIONS.read_text("utf-8").partition(f"\n### {code}\n")
    text = re.split(r"\n##", section, maxsplit=1)[0]
    return re.sub(r"\[([^\[\]]+)\]\([^()]*\)", r"\1", text).strip()


def place_of(tool: object) -> str:
    """How findings name a tool."""
    return f"tool {shorten(str(tool))}"


@dataclass(frozen=True)
class Finding:
    """What a rule found, where, and what to do."""

    code: str
    where: str
    what: str
    fix: str = ""
    """What to do; the one of `FIXES`, unless another is given."""

    def __post_init__(self) -> None:
        if not self.fix:
            object.__setattr__(self, "fix", FIXES[self.code])

    @property
    def rule(self) -> Rule:
        """The rule that found it."""
        return RULES[self.code]

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "code": self.code,
            "severity": self.rule.severity,
            "title": self.rule.title,
            "where": self.where,
            "what": self.what,
            "fix": self.fix,
            "explain": self.rule.more,
        }
