"""The views of a published server, found out when it is built: each has a policy of its own, in a page of its own.

The page of the server keeps its strict policy. Views stand in a frame in `stage.html`, whose policy allows what any of
them declares; what one view may load is said once more in front of its own HTML. A static folder cannot ask the server
when a view is opened, so what it declares on that day does not count: only what it declared when it was built.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Any

from cloche.browser.static_hosts import STAGES
from cloche.client import Client
from cloche.errors import McpError
from cloche.web import bundled
from cloche.wire.apps.csp import Sources, connection_allowlist, content_policy
from cloche.wire.apps.metadata import declaration, declares, view_uri_of
from cloche.wire.apps.origins import CSP_LISTS
from cloche.wire.types import Json

STAGE = STAGES[0]
"""The page that views stand in."""

Views = Mapping[str, Mapping[str, list[str]]]
"""The origins that each view declares, by its URI and the four lists of `_meta.ui.csp`."""

_PLACE = re.compile(r"\{\{ (\w+) \}\}|<!-- \{\{(\w+)\}\} -->")


async def views_of(client: Client, tools: Iterable[Json]) -> dict[str, dict[str, list[str]]]:
    """The views that tools lead to, and the origins that they declare."""
    uris = dict.fromkeys(uri for tool in tools if (uri := view_uri_of(tool)))
    listed: dict[str, Json] = {}
    if uris:
        found = await client.request("resources/list", {})
        listed = {one.get("uri"): one.get("_meta") or {} for one in found.get("resources", ())}
    return {uri: await _declared(client, uri, listed.get(uri, {})) for uri in uris}


async def _declared(client: Client, uri: str, listed: Json) -> dict[str, list[str]]:
    """What a view's content declares, else its entry in the list; a view that cannot be read now declares nothing."""
    try:
        answer = await client.request("resources/read", {"uri": uri})
    except McpError:
        answer = {}
    metas = [one.get("_meta") or {} for one in answer.get("contents", ())]
    found = declaration(metas if any(map(declares, metas)) else [listed])
    return {kind: sources for kind, sources in found.csp.items() if sources}


def view_policies(views: Views) -> dict[str, str]:
    """What stands in front of the HTML of each view, and under `""` for one that the build did not know."""
    return {"": _policy({}), **{uri: _policy(lists) for uri, lists in views.items()}}


def stage_policy(views: Views) -> str:
    """What any of the views may do: a frame inherits the policy of the page around it, and adds its own."""
    return _policy(_together(views))


def stage_headers(views: Views, ancestors: str) -> dict[str, str]:
    """What the stage is sent with, in place of the site's own policy. `ancestors` are who may show the site."""
    around = "'self'" if ancestors == "'none'" else ancestors if "*" in ancestors.split() else f"'self' {ancestors}"
    return {
        "Content-Security-Policy": f"{stage_policy(views)}; frame-ancestors {around}",
        "Connection-Allowlist": connection_allowlist(Sources(_together(views))),
    }


def stage_page(views: Views) -> str:
    """`stage.html`: the same page that a host in Python has between itself and a view."""
    page = (resources.files("cloche.web") / "published" / STAGE).read_text(encoding="utf-8")
    texts = {"policy": html.escape(stage_policy(views)), "script": f"<script>{bundled('sandbox-proxy.js')}</script>"}
    return _PLACE.sub(lambda place: texts[place[1] or place[2]], page)


def _together(views: Views) -> dict[str, list[str]]:
    lists = {kind: [source for one in views.values() for source in one.get(kind, ())] for kind in CSP_LISTS}
    return {kind: list(dict.fromkeys(sources)) for kind, sources in lists.items()}


def _policy(lists: Mapping[str, list[str]]) -> str:
    """A policy as a page's own element has it: who may show it, only a header can say."""
    found: dict[str, Any] = dict(lists)
    return content_policy(Sources(found), "'self'").partition("; frame-ancestors")[0]
