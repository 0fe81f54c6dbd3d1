"""Other people's MCP Apps in your own product, under glass: sessions, bridge, policy, sandbox, upstreams."""

from __future__ import annotations

from cloche.errors import EXT_APPS_ERROR_CODES
from cloche.host.app_tools import ViewTool
from cloche.host.bridge import MountedView
from cloche.host.call import Call
from cloche.host.copilots import Copilot
from cloche.host.hooks import Elicitation, ModelContext, Progress, Sampling, ServerLog, ViewLog, ViewMessage
from cloche.host.host import Host
from cloche.host.limits import HostLimits
from cloche.host.message_context import HandlerContext, HostCapabilities, WidgetCapabilities
from cloche.host.message_handler import MessageHandler, create_message_handler
from cloche.host.policy import Policy, Question, Request
from cloche.host.profile import HostProfile
from cloche.host.session import HostSession
from cloche.host.timeline import Entry, Timeline
from cloche.host.upstreams.remote import Command, InBrowser, InFrame, Remote
from cloche.host.user_tasks import UserTask
from cloche.lazy import lazy_names
from cloche.wire.apps.methods import Dialect

__all__ = [
    "EXT_APPS_ERROR_CODES",
    "Call",
    "Command",
    "Copilot",
    "Dialect",
    "Elicitation",
    "Entry",
    "HandlerContext",
    "Host",
    "HostCapabilities",
    "HostLimits",
    "HostProfile",
    "HostSession",
    "InBrowser",
    "InFrame",
    "MessageHandler",
    "ModelContext",
    "MountedView",
    "Policy",
    "Progress",
    "Question",
    "Remote",
    "Request",
    "Sampling",
    "ServerLog",
    "Timeline",
    "UserTask",
    "ViewLog",
    "ViewMessage",
    "ViewTool",
    "WidgetCapabilities",
    "create_message_handler",
]


__getattr__, __dir__ = lazy_names(__name__, {"HostProfile": "host.profile"}, {"Manner": "HostProfile"})
