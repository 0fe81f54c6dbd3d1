"""A profile is data: the default changes nothing, and what it may say is checked."""

from __future__ import annotations

import dataclasses
import datetime
import json
import re
from typing import Any

import pytest

from cloche.errors import ConfigurationError, MethodNotFoundError
from cloche.host import Dialect, HostProfile
from cloche.host.openai_page import with_openai
from cloche.host.profile import PLAIN
from cloche.testing.profiles import PROFILES
from cloche.views.hosts import known_hosts
from cloche.wire.apps.csp import Sources, connection_allowlist, content_policy
from cloche.wire.apps.metadata import declared_for_chatgpt
from tools import profile_table

EMULATED = [name for name in PROFILES if name != "strict"]

ANSWER = {
    "protocolVersion": "2026-01-26",
    "hostInfo": {"name": "Own", "version": "1"},
    "hostCapabilities": {"logging": {}, "message": {}},
    "hostContext": {"theme": "dark"},
}


def test_the_default_changes_nothing() -> None:
    assert PLAIN.greeting(ANSWER) == ANSWER
    assert PLAIN.offered({"logging": {}}) == {"logging": {}}
    assert PLAIN.seen_context({"theme": "dark"}) == PLAIN.seen_changes({"theme": "dark"}) == {"theme": "dark"}
    assert PLAIN.seen_result({"content": [], "_meta": {}}) == {"content": [], "_meta": {}}
    assert PLAIN.for_page() is None
    page = "https://h.test"
    assert content_policy(Sources({}), page, PLAIN.csp) == content_policy(Sources({}), page)
    message = {"method": "ui/notifications/tool-input", "params": {}}
    assert PLAIN.dialect.worded(message) is message
    assert PLAIN.dialect.understood("anything", {"a": 1}) == ("anything", {"a": 1})
    assert PROFILES["strict"].profile == PLAIN


def test_profiles_are_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        PLAIN.openai = True  # type: ignore[misc]


@pytest.mark.parametrize(
    "csp",
    [
        {"script-src": ["*"]},
        {"script-src": ["https://a.example; object-src *"]},
        {"script-src": ["'unsafe-hashes'"]},
        {"script-src; object-src": ["blob:"]},
        {"script-src": ["https://a.example\r\nset-cookie: a=1"]},
        {"script-src": ["https:"]},
        {"script-src": ["HTTPS://A.example"]},
    ],
    ids=["star", "directive", "keyword", "name", "line", "scheme", "case"],
)
def test_no_policy_can_be_bent_by_what_is_added(csp: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"HostProfile\(csp=…\)"):
        HostProfile(csp=csp)


def test_what_is_added_to_the_policy_stands_there_and_nowhere_else() -> None:
    profile = HostProfile(csp={"script-src": ["'unsafe-eval'", "https://a.example"], "worker-src": ["blob:"]})
    texts = (content_policy(Sources({}), "https://h.test"), content_policy(Sources({}), "https://h.test", profile.csp))
    before, after = ({line.partition(" ")[0]: line for line in text.split("; ")} for text in texts)
    assert after.pop("worker-src") == "worker-src blob:"
    assert after.pop("script-src") == f"{before.pop('script-src')} 'unsafe-eval' https://a.example"
    assert after == before
    assert connection_allowlist(Sources({}), profile.csp) == '("https://a.example")'
    assert connection_allowlist(Sources({})) == "()"


def test_lists_that_a_host_does_not_look_at() -> None:
    declared = {"frameDomains": ["https://a.example"], "resourceDomains": ["https://b.example"]}
    profile = HostProfile(ignores_csp=("frameDomains",))
    honoured = {kind: profile.honoured(kind, given) for kind, given in declared.items()}
    policy = content_policy(Sources(honoured), "https://h.test")
    assert "frame-src 'none'" in policy
    assert "script-src 'unsafe-inline' https://b.example" in policy


@pytest.mark.parametrize(
    ("meta", "found"),
    [
        ({"openai/widgetCSP": {"connect_domains": ["https://a.example"]}}, {"connectDomains": ["https://a.example"]}),
        ({"openai/widgetCSP": ["https://a.example"]}, None),
        ({"ui": {"csp": {"connectDomains": ["https://a.example"]}}}, None),
        ({}, None),
    ],
    ids=["own", "no object", "theirs", "none"],
)
def test_chatgpts_spelling_of_the_origins(meta: Any, found: Any) -> None:
    assert declared_for_chatgpt(meta) == found


def test_an_older_host_understands_its_own_words_only() -> None:
    dialect = Dialect(takes=frozenset(["ui/callServerTool", "ui/registerTool"]))
    given = {"name": "a", "args": {"b": 1}}
    assert dialect.understood("ui/callServerTool", given)[0] == "tools/call"
    assert dialect.understood("ui/callServerTool", given)[1]["arguments"] == {"b": 1}
    assert dialect.understood("ui/registerTool", {"name": "a"}) == ("ui/registerTool", {"name": "a"})
    with pytest.raises(MethodNotFoundError):
        dialect.understood("tools/call", {})


BREAKING = ["</script><script>alert(1)</script>", "<!-- <script>", "\u2028</SCRIPT >"]


@pytest.mark.parametrize("text", BREAKING, ids=["tags", "comment", "line"])
def test_no_result_can_end_the_script_that_carries_it(text: str) -> None:
    made = with_openai("<p>page</p>", {}, {"a": text}, {"structuredContent": {"b": text}})
    script, _, rest = made.removeprefix("<script>").partition("</script>")
    assert rest == "<p>page</p>"
    assert "<!--" not in script
    data = re.search(r"\(window,(\{.*\}),false\)", script)
    assert data is not None
    assert json.loads(data[1])["toolOutput"] == {"b": text}


# The profiles


@pytest.mark.parametrize("name", EMULATED)
def test_each_says_that_it_is_an_emulation_and_where_it_knows_it_from(name: str) -> None:
    one = PROFILES[name]
    assert one.name == name
    assert "(emulated)" in one.title
    assert "an emulation by Cloche of" in one.about
    assert "it is not that host" in one.about
    assert one.dated in one.about
    assert one.dated == max(deviation.dated for deviation in one.deviations)
    for deviation in one.deviations:
        assert deviation.what
        assert deviation.source
        assert datetime.date.fromisoformat(deviation.dated) <= datetime.date.fromisoformat(known_hosts().as_of)
    info = one.profile.host_info or {}
    assert "(emulated)" in info.get("title", "") or "hostInfo" in one.profile.dialect.omits


def test_they_stand_in_their_order_and_the_first_is_strict() -> None:
    order = ["strict", "claude", "claude-desktop", "chatgpt", "vscode", "older", "older-guide"]
    assert list(PROFILES) == order
    assert PROFILES["strict"].deviations == ()


def test_what_is_emulated_has_a_date_and_somebody_emulates_it() -> None:
    emulated = {deviation for one in PROFILES.values() for deviation in one.deviations}
    quirks = [quirk for host in known_hosts().hosts for quirk in host.quirks if quirk.emulated]
    assert {quirk.what for quirk in quirks} == {deviation.what for deviation in emulated}
    assert all(quirk.dated for quirk in quirks)


# The document


def test_the_document_shows_the_data() -> None:
    text = profile_table.DOCUMENT.read_text(encoding="utf-8")
    assert profile_table.with_tables(text) == text, "run: python -m tools.profile_table"
    assert profile_table.with_tables(text.replace("claude-code#59351", "hearsay")) == text
    with pytest.raises(SystemExit, match="has lost one of its marks"):
        profile_table.with_tables("# Emulated hosts")
