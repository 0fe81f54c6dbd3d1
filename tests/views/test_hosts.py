"""What is known of hosts: the data is read, the document shows it, and what it says of us is so."""

from __future__ import annotations

import datetime
import hashlib

import pytest

from cloche import Server
from cloche.errors import RegistrationError
from cloche.views.hosts import known_hosts, sandbox_domain
from tools import host_table

URL = "https://example.com/mcp"


def test_every_host_is_there_once_and_every_quirk_says_where_it_is_from() -> None:
    hosts = known_hosts().hosts
    assert len({host.id for host in hosts}) == len(hosts) > 5
    for quirk in (quirk for host in hosts for quirk in host.quirks):
        assert all((quirk.topic, quirk.what, quirk.answer, quirk.source))
    assert datetime.date.fromisoformat(known_hosts().as_of)


def test_the_document_shows_the_data() -> None:
    text = host_table.DOCUMENT.read_text(encoding="utf-8")
    assert host_table.with_tables(text) == text, "run: python -m tools.host_table"


def test_a_document_with_other_tables_is_seen() -> None:
    text = host_table.DOCUMENT.read_text(encoding="utf-8").replace("claude-ai-mcp#61", "hearsay")
    assert host_table.with_tables(text) != text


def test_a_document_without_its_marks_is_named() -> None:
    with pytest.raises(SystemExit, match="has lost one of its marks"):
        host_table.with_tables("# Hosts")


def test_the_domain_of_a_servers_views_in_claude() -> None:
    assert sandbox_domain("claude", URL) == f"{hashlib.sha256(URL.encode()).hexdigest()[:32]}.claudemcpcontent.com"
    assert sandbox_domain("claude", URL) != sandbox_domain("claude", f"{URL}/")


def test_where_the_domain_is_not_known_there_is_none() -> None:
    assert sandbox_domain("vscode", URL) is None


def test_a_host_that_is_not_known_is_named_beside_those_that_are() -> None:
    with pytest.raises(LookupError, match=r"known as 'clade'; known are claude, claude-desktop, chatgpt"):
        sandbox_domain("clade", URL)


def test_a_visibility_that_a_host_misread_is_refused() -> None:
    server = Server("hosts")
    with pytest.raises(RegistrationError, match="visibility"):
        server.tool(visibility=[])(test_a_visibility_that_a_host_misread_is_refused)
