"""What a published server's files say of its views: a policy for each, and who may show the page that they stand in."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from cloche import Client, Csp, Server
from cloche.browser import take_picture
from cloche.browser.published_views import stage_headers, stage_policy, view_policies, views_of
from cloche.browser.static_hosts import headers_at, host_files, written_headers
from cloche.errors import ConfigurationError
from cloche.views import View

MAPS = {"connectDomains": ["https://api.example"], "resourceDomains": ["https://cdn.example"]}
FRAMES = {"frameDomains": ["https://video.example"]}
VIEWS = {"ui://maps/page": MAPS, "ui://video/page": FRAMES}


async def test_views_and_what_they_declare_are_found_by_the_tools_that_lead_to_them() -> None:
    server = Server("maps")

    @server.tool(view=View("<p>map", csp=Csp(connect=["https://api.example"], resources=["https://cdn.example"])))
    def show() -> str:
        return "shown"

    @server.tool(view="<p>plain", visibility=["app"])
    def plain() -> str:
        return "plain"

    @server.tool(meta={"ui": {"resourceUri": "ui://nowhere/page"}})
    def nowhere() -> str:
        return "a view that the server does not have"

    async with Client(server) as client:
        tools = [msgspec.to_builtins(tool) for tool in await client.list_tools()]
        found = await views_of(client, tools)
    assert list(found.values()) == [MAPS, {}, {}]
    assert list(found)[2] == "ui://nowhere/page"


def test_each_view_has_its_own_policy_and_the_stage_what_any_of_them_declares() -> None:
    policies = view_policies(VIEWS)
    assert "connect-src https://api.example" in policies["ui://maps/page"]
    assert "frame-src 'none'" in policies["ui://maps/page"]
    assert "connect-src 'none'" in policies["ui://video/page"]
    # A view that nobody knew of when the site was built loads nothing.
    assert "https:" not in policies[""]
    both = stage_policy(VIEWS)
    assert "connect-src https://api.example" in both
    assert "frame-src https://video.example" in both
    for policy in (*policies.values(), both):
        assert policy.startswith("default-src 'none'; ")
        assert "'self'" not in policy
        # Only a header can say it, and browsers complain of it elsewhere.
        assert "frame-ancestors" not in policy


@pytest.mark.parametrize(
    ("ancestors", "around"),
    [
        ("'none'", "'self'"),
        ("https://app.example", "'self' https://app.example"),
        ("*", "*"),
    ],
)
def test_the_stage_is_shown_by_its_own_page_and_by_whom_that_may_be_shown(ancestors: str, around: str) -> None:
    sent = stage_headers(VIEWS, ancestors)
    assert sent["Content-Security-Policy"].endswith(f"; frame-ancestors {around}")
    allowed = sent["Connection-Allowlist"]
    assert all(f'"{origin}"' in allowed for origin in ("https://api.example", "https://cdn.example"))


def test_hosts_send_the_stage_with_its_policy_alone(tmp_path: Path) -> None:
    sent = {"Content-Security-Policy": "strict", "X-Content-Type-Options": "nosniff"}
    stage = {"Content-Security-Policy": "wide", "Connection-Allowlist": "()"}
    files = host_files(sent, stage)
    (tmp_path / "_headers").write_text(files["_headers"])
    rules = written_headers(tmp_path)
    assert headers_at("/stage.html", rules) == headers_at("/stage", rules) == {**sent, **stage}
    assert headers_at("/", rules) == headers_at("/python/worker.js", rules) == sent
    assert "Content-Security-Policy" not in headers_at("/stage.html.js", rules)
    # Of two rules with one header, Vercel takes the later one.
    first, *rest = json.loads(files["vercel.json"])["headers"]
    assert (first["source"], [one["source"] for one in rest]) == ("/(.*)", ["/stage.html", "/stage"])
    assert files[".htaccess"].index('"strict"') < files[".htaccess"].index('<Files "stage.html">')
    without = host_files(sent)
    assert without["_headers"] == "/*\n  Content-Security-Policy: strict\n  X-Content-Type-Options: nosniff\n"
    assert "routes" not in json.loads(without["staticwebapp.config.json"])


async def test_a_picture_is_taken_in_a_web_page_only() -> None:
    with pytest.raises(ConfigurationError, match="is for a server in a web page: write one with `cloche build`"):
        await take_picture()
    with pytest.raises(ConfigurationError, match="facing is 'user' or 'environment', and width 1 to 4096"):
        await take_picture(width=0)
