"""What is wrong with a server, before a host says nothing and shows nothing: the rules behind `cloche check`."""

from __future__ import annotations

from cloche.check.call_permission import Call, Calls
from cloche.check.checker import check_server, examine
from cloche.check.findings import RULES, Finding, Rule, Severity
from cloche.check.live import LiveOptions, Report
from cloche.check.story_rules import StoryRun
from cloche.check.table import Verdict

__all__ = [
    "RULES",
    "Call",
    "Calls",
    "Finding",
    "LiveOptions",
    "Report",
    "Rule",
    "Severity",
    "StoryRun",
    "Verdict",
    "check_server",
    "examine",
]
