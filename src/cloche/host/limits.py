"""How much a host takes from views, servers, users and pages: every bound of it in one place.

`budgets.py` counts by it. The table in docs/limits.md is made of this file: the names, the defaults and the sentences.
"""

from __future__ import annotations

import msgspec

from cloche.errors import ConfigurationError, shorten
from cloche.wire.apps.peer_events import PeerLimits
from cloche.wire.json import MAX_ANSWER_BYTES
from cloche.wire.types import Json


class HostLimits(msgspec.Struct, frozen=True, kw_only=True):
    """Bounds of a host. Pass `Host(limits=HostLimits(pending=…))` to change one."""

    # What a view may ask for

    message_bytes: int = 1024 * 1024
    """The largest message of a view; a larger one is refused."""
    message_depth: int = 64
    """The deepest nesting of a message of a view or a tab; a deeper one is refused."""
    rate: float = 50.0
    """Messages per second that a view or a tab may send for long; more are refused."""
    burst: int = 200
    """Messages that a view or a tab may send at once."""
    refusals: int = 2000
    """Messages over the rate after which the view is removed."""
    pending: int = 64
    """Requests of one view that are under way at the same time; more are refused."""
    view_subscriptions: int = 30
    """Resources that one view is subscribed to at the same time; one more is an error."""
    questions: int = 3
    """Questions to the user that one view may have open; more are refused."""
    height: int = 10_000
    """The tallest a view gets, in pixels."""
    first_height: int = 400
    """How tall a view is until it says how tall it wants to be: one that fills its frame (`100vh`) stays so."""
    text_bytes: int = 64 * 1024
    """The largest message to the conversation and the largest context for the model, not counting images; a larger one
    is refused.
    """
    image_bytes: int = 900 * 1024
    """The images, sounds and files in one message or context together, as base64; more are refused. They must also fit
    into `message_bytes`.
    """
    messages: int = 5
    """Messages to the conversation that a view may send after gestures at once; more are asked about."""
    message_rate: float = 0.05
    """Messages to the conversation that a view may send after gestures, per second for long; more are asked about."""
    state_bytes: int = 64 * 1024
    """The largest state that is kept for a view; a larger one is refused."""
    download_bytes: int = 512 * 1024
    """The largest file that a view hands over itself; larger ones are links to resources."""
    html_bytes: int = 8 * 1024 * 1024
    """The largest page of a view; a larger one is not shown."""
    queued: int = 1000
    """Messages that wait for a view to be initialized; of more, the oldest is dropped, partial input first."""
    call_seconds: float = 300.0
    """What a call of a tool may take; then it fails."""
    task_seconds: float = 3600.0
    """What a call that its server runs as a task may take; then it fails, and the server is told to end the task."""
    initialize_seconds: float = 20.0
    """After this long without `ui/initialize` the caller is told that the view says nothing."""
    grace_seconds: float = 1.0
    """A view of a legacy dialect sends no `initialized`: so long after its greeting it counts as initialized."""
    teardown_seconds: float = 2.0
    """What a view gets to put its things away."""
    hook_seconds: float = 10.0
    """What the product's hooks get to finish after their view is gone."""
    display_seconds: float = 5.0
    """What the page gets to change a display mode."""
    view_tool_seconds: float = 30.0
    """What a tool that a view provides may take."""
    # What is kept for a user, and what happens for one

    ticket_seconds: float = 3600.0
    """How long a ticket opens its view; a page that shows the view gets a new one with it."""
    ticket_life_seconds: float = 24 * 3600.0
    """How long a ticket can be renewed after the product made it; then the page has to be loaded again."""
    calls: int = 500
    """Calls one session remembers; the oldest that are over are forgotten first."""
    kept_bytes: int = 128 * 1024 * 1024
    """Results that one user's calls hold; the oldest that are over are forgotten first, and a result for which that
    makes no room is an error."""
    host_kept_bytes: int = 1024 * 1024 * 1024
    """Results that all calls of the host hold; a result beyond that is an error."""
    visitor_calls: int = 20
    """Calls that are remembered for a visitor without a name (`page_tools`), who has nothing but the page that is
    open; the oldest that are over are forgotten first."""
    views: int = 200
    """Views one session may have open; one more is an error."""
    open_rate: float = 20.0
    """Views per second that one user may open for long; one too many is an error."""
    open_burst: int = 400
    """Views that one user may open at once."""
    tabs: int = 20
    """Pages of one user that may offer the same server; of more, the one that was looked at longest ago is let go."""
    offer_rate: float = 1.0
    """Offers of one server per second that a user's pages may make for long; one too many is refused."""
    offer_burst: int = 50
    """Offers of one server that a user's pages may make at once."""
    sessions: int = 10_000
    """Sessions of users; the ones that lie idle longest are forgotten first."""
    visitors: int = 1000
    """Sessions of visitors without a name (`page_tools`), counted apart: they never take the place of a user."""
    records: int = 1000
    """Records that are kept because they do not fit into a ticket; the oldest are forgotten first."""
    record_bytes: int = 64 * 1024 * 1024
    """Records of one user that are kept so; the user's oldest are forgotten first."""
    host_record_bytes: int = 512 * 1024 * 1024
    """Records of all users that are kept so; the oldest are forgotten first."""
    timeline: int = 10_000
    """Entries of the timeline that are kept, of one user a tenth; the oldest go first."""

    # What pages take and hold

    body_bytes: int = 64 * 1024 * 1024
    """Pages of views and large messages that wait to be fetched by one user's pages; the same page or message counts
    once. A view for which there is no room is closed, with the reason."""
    host_body_bytes: int = 256 * 1024 * 1024
    """What waits for the pages of all users; a view for which there is no room is closed, with the reason."""
    encoded_bytes: int = 64 * 1024 * 1024
    """Results of several hundred kilobytes that are kept as they were sent to a view, for the next one that shows them;
    the ones not used for longest are forgotten first."""
    page_views: int = 200
    """Views on one page; one more is an error."""
    sockets: int = 2000
    """Pages of all users with a view open; one more is told so when it opens its first view."""
    idle_sockets: int = 500
    """Connections of pages without a view; of more, the oldest is closed."""
    address_sockets: int = 100
    """Connections of pages without a view from one address; of more, the oldest from there is closed. Behind a
    proxy that does not say whom it speaks for, all visitors have one address."""
    unopened_seconds: float = 10.0
    """How long a connection may stay that has opened nothing."""
    idle_seconds: float = 60.0
    """How long a connection may stay on which every view was closed."""
    frame_rate: float = 1000.0
    """Frames per second that one page may send for long; more ends its connection."""
    frame_burst: int = 4000
    """Frames that one page may send at once."""
    page_tool_rate: float = 5.0
    """Calls of `page_tools` per second that one page may make for long; one too many is an error."""
    page_tool_burst: int = 50
    """Calls of `page_tools` that one page may make at once."""
    address_tool_rate: float = 10.0
    """Calls of `page_tools` per second from one address, for long; one too many is an error."""
    address_tool_burst: int = 100
    """Calls of `page_tools` that one address may make at once."""
    host_tool_rate: float = 100.0
    """Calls of `page_tools` per second by all visitors, for long; one too many is an error."""
    host_tool_burst: int = 1000
    """Calls of `page_tools` that all visitors may make at once."""

    # What servers send

    answer_bytes: int = MAX_ANSWER_BYTES
    """The longest answer of a server; a longer one is an error."""
    list_bytes: int = 4 * 1024 * 1024
    """All tools of one server together, as JSON; a longer list is an error."""
    tab_list_bytes: int = 1024 * 1024
    """All tools of a server in a visitor's tab together, as JSON; a longer list is an error."""
    list_pages: int = 100
    """Pages of one list that are followed; a longer list is an error."""
    tools: int = 2000
    """Tools of one server; a longer list is an error."""
    notice_rate: float = 500.0
    """Messages per second that a server may send without being asked, for long; more are read later."""
    notice_burst: int = 2000
    """Messages that a server may send without being asked, at once."""
    change_seconds: float = 0.25
    """The shortest time between two reports that a list of one server changed."""
    subscriptions: int = 100
    """Resources of one server that are subscribed to at once; one more is an error."""

    # What servers ask of people

    server_questions: int = 3
    """Questions of one server to one user that may be open or wait; one more is answered with "cancel"."""
    question_rate: float = 0.1
    """Questions per second that one server may ask one user for long; one too many is refused with "cancel"."""
    question_burst: int = 10
    """Questions that one server may ask one user at once."""
    elicit_seconds: float = 300.0
    """How long a user has to answer a server's question after they could see it or last typed; then it is answered with
    "cancel". The time does not count for the call that waits.
    """
    page_seconds: float = 10.0
    """How long a server's question waits for the page that will show the view of its call; without a view, and without
    a page of the user that is connected, it is answered with "cancel" at once."""
    question_pages: int = 50
    """Elements `<mcp-questions>` of one user; one more is an error."""

    # What browser agents call

    agent_pages: int = 50
    """Elements `<mcp-tools>` of one user; one more is an error."""
    agent_calls: int = 20
    """Calls of agents that one page may have under way; one more is an error."""

    # What copilots in frames call

    copilot_pages: int = 50
    """Elements `<mcp-copilot>` of one user; one more is an error."""
    copilot_calls: int = 20
    """Calls of one copilot that are under way; one more is an error."""
    copilot_bytes: int = 1024 * 1024
    """The largest result that a copilot gets; a larger one is an error instead."""

    # What servers ask of the product's model

    sample_bytes: int = 256 * 1024
    """The longest request of a server to the model, as JSON; a longer one is refused."""
    sample_tokens: int = 4096
    """Tokens that a server may ask the model for at once; of more it gets so many."""
    sample_user_tokens: int = 100_000
    """Tokens that all servers may ask the model for within an hour, for one user; more are refused."""
    sample_rate: float = 0.1
    """Requests to the model per second that servers may make for one user, for long; one too many is refused."""
    sample_burst: int = 10
    """Requests to the model that servers may make for one user at once."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if not isinstance(value, int | float) or not value >= 0:
                raise ConfigurationError(f"HostLimits({name}={shorten(repr(value), 40)}): it is a number, 0 or larger")

    def for_page(self) -> Json:
        """What the page and the sandbox hold a view to."""
        return {
            "bytes": self.message_bytes,
            "depth": self.message_depth,
            "rate": self.rate,
            "burst": self.burst,
            "pending": self.pending,
            "maxHeight": self.height,
            "firstHeight": min(self.first_height, self.height),
        }

    def for_peer(self) -> PeerLimits:
        """What the peer of a view holds it to."""
        return msgspec.convert(self, PeerLimits, from_attributes=True)
