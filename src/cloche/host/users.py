"""Who a session belongs to: a user whom the product names, or a visitor who has no name.

A page that opens a tool by itself (`Host(page_tools=[…])`) shows no ticket, so nobody knows whose page it is. Every
such page is a visitor of its own, under a name with a prefix that the product cannot use: no visitor shares a session
with another one, and none has the session of a user.
"""

from __future__ import annotations

import secrets

from cloche.errors import LocalProtocolError

ANONYMOUS = "anonymous:"
"""How the names of visitors begin, and those of users never do."""


def new_visitor() -> str:
    """A name for a visitor who has none."""
    return f"{ANONYMOUS}{secrets.token_urlsafe(12)}"


def is_anonymous(user: str) -> bool:
    """Whether this is a visitor whom the product has not named."""
    return user.startswith(ANONYMOUS)


def checked_user(user: object) -> str:
    """The name that a product gives to a user; raises `LocalProtocolError` when it cannot be one."""
    if not user or type(user) is not str:
        raise LocalProtocolError("A user is named by a text: host.session(str(user.id))")
    if is_anonymous(user):
        raise LocalProtocolError(
            f"A user's name cannot begin with {ANONYMOUS!r}, which is kept for visitors without a name: "
            "use the id of your own login, as in host.session(str(user.id))"
        )
    return user
