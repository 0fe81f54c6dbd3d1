"""The rules by their codes, and what a rule found."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

from cloche.errors import shorten

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
        Rule("V05", "error", "a CSP entry is no origin"),
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
        Rule("S01", "error", "the server does not answer"),
    )
}
"""Every rule, by its code."""


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
    fix: str

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
