"""Other people's MCP Apps in your own product, under glass: sessions, bridge, policy, sandbox, upstreams."""

from __future__ import annotations

from cloche.host.app_tools import ViewTool
from cloche.host.bridge import MountedView
from cloche.host.call import Call
from cloche.host.hooks import ModelContext, ViewLog, ViewMessage
from cloche.host.host import Host
from cloche.host.limits import HostLimits
from cloche.host.policy import Policy, Question, Request
from cloche.host.session import HostSession
from cloche.host.timeline import Entry, Timeline

__all__ = [
    "Call",
    "Entry",
    "Host",
    "HostLimits",
    "HostSession",
    "ModelContext",
    "MountedView",
    "Policy",
    "Question",
    "Request",
    "Timeline",
    "ViewLog",
    "ViewMessage",
    "ViewTool",
]
