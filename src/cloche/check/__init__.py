"""What is wrong with a server, before a host says nothing and shows nothing: the rules behind `cloche check`."""

from __future__ import annotations

from cloche.check.checking import check_server
from cloche.check.findings import RULES, Finding, Rule, Severity

__all__ = ["RULES", "Finding", "Rule", "Severity", "check_server"]
