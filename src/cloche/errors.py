"""Every error Cloche raises, in one tree.

::

    ClocheError
    ├── LocalError                    your code or configuration; fix it here
    │   ├── RegistrationError         a tool, resource, prompt or method that cannot work
    │   ├── ConfigurationError        options that contradict each other or are unsafe
    │   ├── LoadError                 a file or object that `cloche run` cannot serve
    │   ├── StoryError                a file of stories that cannot be read; has the file and the line
    │   ├── StateFileError            a kept state that cannot be read or written; it is left as it is
    │   ├── StoreValueError           a value that a store cannot keep, or that does not fit its type
    │   ├── MissingExtraError         an optional dependency that is not installed
    │   └── LocalProtocolError        a call that the connection's state does not allow
    ├── TransportError                no answer came; has a code such as "TRANSPORT_CLOSED"
    │   ├── ConnectError              CONNECT_FAILED, no connection came about: refused, or nobody there
    │   ├── ConnectionBrokenError     CONNECTION_BROKEN, an HTTP connection broke, or stalled, before the answer
    │   ├── UpstreamError             UPSTREAM_FAILED, a server behind the host cannot be started or reached
    │   ├── TransportClosedError      TRANSPORT_CLOSED, "Transport is closed"
    │   │   ├── ServerExitedError     TRANSPORT_CLOSED, the server's process ended before it said anything
    │   │   └── SessionGoneError      TRANSPORT_CLOSED, the server forgot the session and did not look at the request
    │   ├── RequestTimeoutError       REQUEST_TIMEOUT, "Request <id> timed out"
    │   ├── RequestCancelledError     REQUEST_CANCELLED, "Request <id> was cancelled"
    │   ├── PageGoneError             PAGE_NAVIGATED, PAGE_RELOADED or PAGE_CLOSED: the page with the tool is gone
    │   └── HeartbeatTimeoutError     HEARTBEAT_TIMEOUT, "Heartbeat timeout"
    ├── ToolError                     raised by a tool: the model sees the text (`isError`)
    │   └── SetupRequiredError        the server has to be set up, or set up again, before the tool can work
    ├── SetupError                    raised by a setup function: the person sees the text beside the field
    └── McpError                      has a JSON-RPC code; goes to the peer as an error
        ├── ParseError                -32700
        ├── InvalidRequestError       -32600
        │   └── RemoteProtocolError   the peer broke the connection's rules
        ├── MethodNotFoundError       -32601
        ├── InvalidParamsError        -32602
        │   ├── UnknownNameError      no such tool, prompt or completion
        │   └── TaskNotFoundError     no such task, or another caller's
        ├── InternalError             -32603
        ├── ResourceNotFoundError     -32002 (from 2026-07-28 on: -32602)
        ├── DeadlineError             -32001, the server did not finish in time
        ├── NoBackChannelError        -32000, the client cannot be asked on this connection
        ├── TooManySessionsError      -32000, the session table is full
        ├── TooManyConnectionsError   -32000, as many WebSocket connections are open as may be
        ├── TooManyTasksError         -32000, as many tasks run as may
        ├── TaskCancelledError        -32000, the task whose result is wanted was cancelled
        ├── RateLimitError            -32000, too many messages in a short time
        ├── BudgetError               -32000, more than a limit of the host allows
        ├── ForbiddenError            -32003, the principal lacks a scope
        ├── UnauthorizedMutationError  -32003, a guard of a store does not allow a change
        │   └── SecurityError         the change names an object's prototype
        ├── VersionConflictError      -32000, a writer to a store has not seen what it would overwrite
        ├── PolicyDeniedError         -32000, the host's policy does not allow what a view asked for
        ├── UserDeclinedError         -32000, the user did not allow it, or did not answer
        ├── ViewUnavailableError      -32000, there is no page to show, or not one that may be shown
        ├── HeaderMismatchError       -32020
        ├── MissingCapabilityError    -32021
        ├── UnsupportedVersionError   -32022
        ├── UrlElicitationRequiredError  -32042
        └── ExtAppsError              -32603, a widget's request that the message handler refused
            ├── ExtAppsMethodNotFoundError  -32601
            ├── ExtAppsInvalidParamsError   -32602
            ├── ExtAppsNotSupportedError    -32003
            └── ExtAppsToolNotFoundError    -32001

`LocalError` is misuse on this side and is never sent anywhere. `McpError` is what a handler raises to answer a
request with an error, and what a client raises when it got such an answer. `TransportError` means that there is no
answer: the connection is gone, the time is up, or the caller gave up.
"""

from __future__ import annotations

import math
from typing import Any

MCP_ERROR_CODES: dict[str, int] = {
    "PARSE_ERROR": -32700,
    "INVALID_REQUEST": -32600,
    "METHOD_NOT_FOUND": -32601,
    "INVALID_PARAMS": -32602,
    "INTERNAL_ERROR": -32603,
    "CONNECTION_CLOSED": -32000,
    "REQUEST_TIMEOUT": -32001,
    "RESOURCE_NOT_FOUND": -32002,
    "FORBIDDEN": -32003,
    "HEADER_MISMATCH": -32020,
    "MISSING_CAPABILITY": -32021,
    "UNSUPPORTED_VERSION": -32022,
    "URL_ELICITATION_REQUIRED": -32042,
}
"""The codes that go over the wire, by name."""

EXT_APPS_ERROR_CODES: dict[str, int] = {
    **{name: code for name, code in MCP_ERROR_CODES.items() if code <= -32600},
    "TOOL_NOT_FOUND": -32001,
    "TOOL_EXECUTION_FAILED": -32002,
    "NOT_SUPPORTED": -32003,
    "CANCELLED": -32004,
}
"""The codes that widgets of the legacy `ui/*` dialect read."""

SETUP_REQUIRED_KEY = "cloche/setupRequired"
"""What stands in the `_meta` of a result when a tool asks for a setup."""

ERROR_TEXT_LIMIT = 700
"""No error text is longer: an answer must not carry a peer's input back at length."""


def shorten(text: str, limit: int = 100) -> str:
    """Cut `text` to `limit` characters, for quoting a peer's value in an error."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


class ClocheError(Exception):
    """Base of every error of this package."""


class LocalError(ClocheError):
    """Misuse on this side; the message says the fix."""


class RegistrationError(LocalError):
    """A tool, resource, prompt or method that cannot work as written."""


class ConfigurationError(LocalError):
    """Options that contradict each other or would be unsafe."""


class LoadError(LocalError):
    """A file or object that cannot be served."""


class StoryError(LocalError):
    """A file of stories that cannot be read or written, or a story that is not in it."""

    def __init__(self, what: str, file: str, line: int | None = None) -> None:
        super().__init__(f"{file}{f' line {line}' if line is not None else ''}: {what}")
        self.what = what
        self.file = file
        self.line = line
        """Counted from 1; None when it is about the whole file."""


class StateFileError(LocalError):
    """A state that was kept cannot be read, or one cannot be kept: the file is locked, damaged, full or too new. The
    sentence says which, and the file is left as it is.
    """


class StoreValueError(LocalError):
    """A value that a store cannot keep, or that does not fit the type of its place."""


class MissingExtraError(LocalError, ImportError):
    """An optional dependency is missing."""

    def __init__(self, feature: str, extra: str) -> None:
        super().__init__(f"{feature} needs the extra {extra!r}: pip install 'cloche[{extra}]'")
        self.extra = extra


class LocalProtocolError(LocalError):
    """A call that the connection's present state does not allow."""


class TransportError(ClocheError):
    """A request got no answer; `code` says why."""

    code = "TRANSPORT_FAILED"
    json_rpc_code = MCP_ERROR_CODES["CONNECTION_CLOSED"]

    def __init_subclass__(cls, *, code: str = "") -> None:
        cls.code = code or cls.code

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(shorten(message, ERROR_TEXT_LIMIT))
        self.message: str = self.args[0]
        self.code = code or self.code

    def to_json_rpc_error(self) -> dict[str, Any]:
        """The `error` member that tells somebody further along."""
        return {"code": self.json_rpc_code, "message": self.message, "data": {"code": self.code}}


class TransportClosedError(TransportError, code="TRANSPORT_CLOSED"):
    """The connection is closed, or closed before the answer came."""

    def __init__(self) -> None:
        super().__init__("Transport is closed")


class ServerExitedError(TransportClosedError):
    """The server's process ended before it said anything; `returncode` is negative when a signal ended it."""

    def __init__(self, returncode: int | None, last_lines: str) -> None:
        if returncode is None:
            how = "The server closed its output"
        elif returncode < 0:
            how = f"The server was ended by signal {-returncode}"
        else:
            how = f"The server exited with code {returncode}"
        why = f"; it said: {last_lines}" if last_lines else "; look at what it wrote to stderr"
        TransportError.__init__(self, f"{how} before it answered anything{why}")
        self.returncode = returncode


class ConnectError(TransportError, code="CONNECT_FAILED"):
    """No connection came about; `status` is what the server answered, where it spoke HTTP at all."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class ConnectionBrokenError(TransportError, code="CONNECTION_BROKEN"):
    """An HTTP connection broke, or stalled, before the answer. The server may have done what was asked."""


class UpstreamError(TransportError, code="UPSTREAM_FAILED"):
    """A server behind the host cannot be started or reached; the text says why, for people."""


class SessionGoneError(TransportClosedError):
    """The server no longer knows the session. It did not look at the request, which may be made again on a new one."""

    def __init__(self) -> None:
        TransportError.__init__(self, "The server no longer knows the session")


class RequestTimeoutError(TransportError, code="REQUEST_TIMEOUT"):
    """No answer came in time."""

    json_rpc_code = MCP_ERROR_CODES["REQUEST_TIMEOUT"]

    def __init__(self, request_id: object) -> None:
        super().__init__(f"Request {shorten(str(request_id))} timed out")
        self.request_id = request_id


class RequestCancelledError(TransportError, code="REQUEST_CANCELLED"):
    """The caller cancelled the request through its token."""

    def __init__(self, request_id: object) -> None:
        super().__init__(f"Request {shorten(str(request_id))} was cancelled")
        self.request_id = request_id


class PageGoneError(TransportError, code="PAGE_NAVIGATED"):
    """The web page whose tool was to be called is not there any more: it navigated (`code` is PAGE_NAVIGATED), was
    reloaded (PAGE_RELOADED) or was closed (PAGE_CLOSED). A call that was under way may have done its work.
    """


class HeartbeatTimeoutError(TransportError, code="HEARTBEAT_TIMEOUT"):
    """The other side did not answer a heartbeat: the connection is taken for dead."""

    json_rpc_code = MCP_ERROR_CODES["REQUEST_TIMEOUT"]

    def __init__(self) -> None:
        super().__init__("Heartbeat timeout")


class ToolError(ClocheError):
    """Raise it in a tool to tell the model what went wrong: its text becomes an `isError` result."""

    meta: dict[str, Any] | None = None
    """What stands in the result's `_meta`."""


class SetupRequiredError(ToolError):
    """The server has to be set up, or set up again, before the tool can work; `cloche.setup_required` raises it."""

    def __init__(self, message: str, reason: str = "CONFIG_CHANGED", can_continue: bool = False) -> None:
        super().__init__(message)
        self.meta = {SETUP_REQUIRED_KEY: {"reason": reason, "message": message, "canContinue": can_continue}}


class SetupError(ClocheError):
    """Raise it in a setup function to tell the person what is wrong with what was entered, and in which field."""

    def __init__(self, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.field = field


class McpError(ClocheError):
    """An error with a JSON-RPC code, sent to the peer as the answer to its request."""

    code = MCP_ERROR_CODES["INTERNAL_ERROR"]

    def __init_subclass__(cls, *, code: int | None = None) -> None:
        cls.code = cls.code if code is None else code

    def __init__(self, message: str, *, code: int | None = None, data: Any = None) -> None:
        super().__init__(shorten(message, ERROR_TEXT_LIMIT))
        self.message: str = self.args[0]
        if code is not None:
            self.code = code
        self.data = data

    def to_json_rpc_error(self) -> dict[str, Any]:
        """The `error` member of a JSON-RPC response."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return error


class ParseError(McpError, code=MCP_ERROR_CODES["PARSE_ERROR"]):
    """The bytes are not JSON as RFC 8259 defines it, or exceed a limit."""


class InvalidRequestError(McpError, code=MCP_ERROR_CODES["INVALID_REQUEST"]):
    """JSON, but not a JSON-RPC message that may be sent here and now."""


ID_IN_USE = "This id is in use by a request that is not answered yet"
TOO_MANY_REQUESTS = "Invalid Request: more than {limit} requests are under way"
"""What a peer that sends such a request is told."""


class RemoteProtocolError(InvalidRequestError):
    """The peer sent a message that the connection's state does not allow."""


class MethodNotFoundError(McpError, code=MCP_ERROR_CODES["METHOD_NOT_FOUND"]):
    """No handler for this method in this protocol version."""

    def __init__(self, method: str) -> None:
        super().__init__(f"Method not found: {shorten(method)}")


class InvalidParamsError(McpError, code=MCP_ERROR_CODES["INVALID_PARAMS"]):
    """The parameters do not fit the method."""


class UnknownNameError(InvalidParamsError):
    """No tool, prompt or completion of that name is registered."""

    def __init__(self, kind: str, name: str, hint: str = "") -> None:
        super().__init__(f"Unknown {kind}: {shorten(name)}{f' ({hint})' if hint else ''}")


class TaskNotFoundError(InvalidParamsError):
    """No task has this id, or it belongs to somebody else: a caller is not told which."""

    def __init__(self) -> None:
        super().__init__("Unknown task: its time is over, or it is not yours")


class InternalError(McpError):
    """Something failed on this side; details are in the log, not in the answer."""


class ResourceNotFoundError(McpError, code=MCP_ERROR_CODES["RESOURCE_NOT_FOUND"]):
    """No resource and no template answers this URI."""

    def __init__(self, uri: str) -> None:
        super().__init__("Resource not found", data={"uri": shorten(uri, 500)})


class DeadlineError(McpError, code=MCP_ERROR_CODES["REQUEST_TIMEOUT"]):
    """A request ran past the server's deadline."""

    def __init__(self, request_id: object) -> None:
        super().__init__(f"Request {shorten(str(request_id))} timed out")


class NoBackChannelError(McpError, code=MCP_ERROR_CODES["CONNECTION_CLOSED"]):
    """The tool wants to ask the client something, and this connection has no way back."""

    def __init__(self, method: str) -> None:
        super().__init__(
            f"{method} needs a way back to the client, and this connection has none: "
            "use a stateful connection or protocol version 2026-07-28"
        )


class TooManySessionsError(McpError, code=MCP_ERROR_CODES["CONNECTION_CLOSED"]):
    """The session table is full."""

    def __init__(self) -> None:
        super().__init__("Too many sessions are open: close one with DELETE or try again later")


class TooManyConnectionsError(McpError, code=MCP_ERROR_CODES["CONNECTION_CLOSED"]):
    """As many WebSocket connections are open as the server's limits allow."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"{limit} connections are open, and that is the limit: try again later")


class TooManyTasksError(McpError, code=MCP_ERROR_CODES["CONNECTION_CLOSED"]):
    """As many tasks run as the server's limits allow, of all callers or of this one."""

    def __init__(self, limit: int, *, of_caller: bool = False) -> None:
        whose = "of yours " if of_caller else ""
        super().__init__(f"{limit} tasks {whose}run already, and that is the limit: wait for one, or cancel one")


class TaskCancelledError(McpError, code=MCP_ERROR_CODES["CONNECTION_CLOSED"]):
    """The task was cancelled, so it has no result."""

    def __init__(self) -> None:
        super().__init__("The task was cancelled")


class RateLimitError(McpError, code=MCP_ERROR_CODES["CONNECTION_CLOSED"]):
    """The peer sends too much; `retry_after` says in how many seconds it may go on."""

    def __init__(self, retry_after: float) -> None:
        seconds = math.ceil(retry_after * 1000) / 1000  # rounded up: whoever waits so long is let in
        super().__init__(f"Too many messages: try again in {seconds:g} s", data={"retryAfter": seconds})
        self.retry_after = seconds


class BudgetError(McpError, code=MCP_ERROR_CODES["CONNECTION_CLOSED"]):
    """More than a limit of the host allows: `limit` is its name in `HostLimits`, `most` what it is set to."""

    def __init__(self, text: str, limit: str, most: float) -> None:
        super().__init__(f"{text}: HostLimits({limit}={most:_})", data={"limit": limit, "most": most})
        self.limit = limit
        self.most = most


class ForbiddenError(McpError, code=MCP_ERROR_CODES["FORBIDDEN"]):
    """The principal is known but lacks a scope."""

    def __init__(self, scopes: tuple[str, ...]) -> None:
        super().__init__(f"This needs the scope {' '.join(scopes)!r}", data={"requiredScopes": list(scopes)})
        self.scopes = scopes


class UnauthorizedMutationError(McpError, code=MCP_ERROR_CODES["FORBIDDEN"]):
    """A guard of a store does not allow this change from outside."""


class SecurityError(UnauthorizedMutationError):
    """A change from outside names `__proto__`, `constructor` or `prototype`, which reach an object's prototype."""


class VersionConflictError(McpError, code=MCP_ERROR_CODES["CONNECTION_CLOSED"]):
    """Somebody who writes to a store has not seen a change that it would overwrite. `version` is the store's."""

    def __init__(self, version: int) -> None:
        super().__init__(
            f"This changed meanwhile: read it again, and write with version {version}", data={"version": version}
        )
        self.version = version


class PolicyDeniedError(McpError, code=MCP_ERROR_CODES["CONNECTION_CLOSED"]):
    """The host's policy does not allow what a view asked for."""

    def __init__(self, kind: str, reason: str = "The host does not allow this") -> None:
        super().__init__(f"{reason} ({kind})", data={"kind": kind, "by": "policy"})


class UserDeclinedError(McpError, code=MCP_ERROR_CODES["CONNECTION_CLOSED"]):
    """The user was asked and said no, or said nothing in time."""

    def __init__(self, kind: str, *, timed_out: bool = False) -> None:
        said = "did not answer in time" if timed_out else "declined"
        super().__init__(f"The user {said} ({kind})", data={"kind": kind, "by": "timeout" if timed_out else "user"})
        self.timed_out = timed_out


class ViewUnavailableError(McpError, code=MCP_ERROR_CODES["CONNECTION_CLOSED"]):
    """A tool's view cannot be shown; the sentence says why."""


class HeaderMismatchError(McpError, code=MCP_ERROR_CODES["HEADER_MISMATCH"]):
    """An HTTP header disagrees with the body it describes."""


class MissingCapabilityError(McpError, code=MCP_ERROR_CODES["MISSING_CAPABILITY"]):
    """The client did not declare a capability that the request needs."""

    def __init__(self, capability: str, method: str | None = None, *, extension: str | None = None) -> None:
        needed = f"capability {capability!r}" if extension is None else f"extension {extension!r}"
        super().__init__(
            f"{method or 'This request'} needs the client {needed}, which the client did not declare",
            data={"requiredCapabilities": {capability: {} if extension is None else {extension: {}}}},
        )
        self.capability = capability


class UnsupportedVersionError(McpError, code=MCP_ERROR_CODES["UNSUPPORTED_VERSION"]):
    """The peer asked for a protocol version that is not spoken here."""

    def __init__(self, requested: str, supported: list[str]) -> None:
        super().__init__(
            f"Unsupported protocol version: {shorten(requested)}",
            data={"supported": supported, "requested": shorten(requested)},
        )


class UrlElicitationRequiredError(McpError, code=MCP_ERROR_CODES["URL_ELICITATION_REQUIRED"]):
    """The client must have its user visit a URL before it repeats the request."""

    def __init__(self, elicitations: list[dict[str, Any]]) -> None:
        super().__init__("The user must complete a step in the browser first", data={"elicitations": elicitations})


class ExtAppsError(McpError):
    """A widget's request that the message handler refused, or that failed there."""


class ExtAppsMethodNotFoundError(ExtAppsError, code=EXT_APPS_ERROR_CODES["METHOD_NOT_FOUND"]):
    """No such method, as in "Unknown method: ui/foo"."""


class ExtAppsInvalidParamsError(ExtAppsError, code=EXT_APPS_ERROR_CODES["INVALID_PARAMS"]):
    """Parameters that do not fit the method, as in "Tool name is required"."""


class ExtAppsNotSupportedError(ExtAppsError, code=EXT_APPS_ERROR_CODES["NOT_SUPPORTED"]):
    """This host does not do that, as in "Widget tools not supported"."""


class ExtAppsToolNotFoundError(ExtAppsError, code=EXT_APPS_ERROR_CODES["TOOL_NOT_FOUND"]):
    """The server has no such tool, as in "Tool not found: weather_api"."""


_BY_CODE: dict[int, type[McpError]] = {
    kind.code: kind
    for kind in (
        ParseError,
        InvalidRequestError,
        MethodNotFoundError,
        InvalidParamsError,
        InternalError,
        ResourceNotFoundError,
        DeadlineError,
        HeaderMismatchError,
        UnsupportedVersionError,
        UrlElicitationRequiredError,
    )
}


def error_of(code: int, message: str, data: Any = None) -> McpError:
    """The exception for an error that a peer answered with: of the class that its code stands for, else `McpError`."""
    kind = _BY_CODE.get(code, McpError)
    error = kind.__new__(kind)
    McpError.__init__(error, message, code=code, data=data)  # the class's own text is for errors that we find
    return error
