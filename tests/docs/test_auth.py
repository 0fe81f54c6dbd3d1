"""docs/auth.md: who sees what, and how the others are refused."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from jwt.algorithms import ECAlgorithm

from cloche.auth import JwtVerifier
from tests.docs.asgi_peer import call, client, text_of
from tests.support.command import serving
from tests.support.memory_peer import MemoryPeer
from tests.support.snippets import ROOT, all_snippets, blocks_of, run, save

PAGE = "docs/auth.md"
TEXT = (ROOT / PAGE).read_text(encoding="utf-8")
ALICE, BOB = "kJ3vT9q-alice-example-token", "Zr8wB1x-bob-example-token"
PUBLIC = "https://shop.example.com"


def module(file: str, folder: Path) -> dict[str, Any]:
    (snippet,) = [one for one in all_snippets() if one.document == PAGE and one.file == file]
    return run(snippet, folder)


def shown(containing: str, language: str = "json") -> str:
    text = "\n".join(line.removeprefix("  ") for line in TEXT.splitlines())
    (found,) = [one for one in re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S) if containing in one]
    return str(found)


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def listing(**headers: str) -> dict[str, Any]:
    asked = call("", **headers)
    asked["json"]["method"] = asked["headers"]["mcp-method"] = "tools/list"
    del asked["headers"]["mcp-name"]
    return asked


def test_the_table_says_what_each_caller_sees(tmp_path: Path) -> None:
    rows = dict(re.findall(r"^\| (alice|bob) \| (.*) \|$", TEXT, re.MULTILINE))
    with client(module("with_tokens.py", tmp_path)["app"]) as http:
        for name, token in (("alice", ALICE), ("bob", BOB)):
            tools = http.post("/mcp", **listing(**bearer(token))).json()["result"]["tools"]
            assert [tool["name"] for tool in tools] == re.findall(r"`(\w+)`", rows[name])
            assert text_of(http.post("/mcp", **call("whoami", **bearer(token))).json()) == name


def test_the_refusals_are_those_shown(tmp_path: Path) -> None:
    with client(module("with_tokens.py", tmp_path)["app"]) as http:
        unknown = http.post("/mcp", **call("whoami"))
        assert (unknown.status_code, unknown.json()) == (401, json.loads(shown("This needs a token")))
        poor = http.post("/mcp", **call("order", {"item": "bread"}, **bearer(BOB)))
        assert (poor.status_code, poor.json()["error"]) == (403, json.loads(shown("-32003")))
        assert 'scope="shop:write"' in poor.headers["www-authenticate"]
        hidden = http.post("/mcp", **call("audit", **bearer(BOB)))
        assert hidden.json()["error"] == json.loads(shown("Unknown tool"))
        assert (
            text_of(http.post("/mcp", **call("order", {"item": "bread"}, **bearer(ALICE))).json()) == "Ordered bread."
        )


@pytest.mark.parametrize("address", ["127.0.0.1:0", "0.0.0.0:0"])
def test_the_token_file_admits_its_holders(address: str, tmp_path: Path) -> None:
    (snippet,) = [one for one in all_snippets() if one.document == PAGE and one.file == "server.py"]
    save(snippet, tmp_path)
    (tmp_path / "tokens.txt").write_text(shown("# file: tokens.txt", "text"), "utf-8")
    options = ("--token-file", "tokens.txt", "--allow-host", "shop.example.com")
    assert " ".join(("--http 0.0.0.0:8000", *options)) in TEXT
    with serving("server.py", "--http", address, *options, folder=tmp_path) as running:
        for headers, expected in ((bearer(ALICE), 200), ({"Authorization": "Bearer nobody-knows-this-one"}, 401)):
            asked = call("whoami", **headers, host="shop.example.com")
            status, _ = running.request(asked["json"], **asked["headers"])
            assert status == expected


def test_your_own_check_decides(tmp_path: Path) -> None:
    with client(module("with_own_check.py", tmp_path)["app"]) as http:
        assert text_of(http.post("/mcp", **call("whoami", **bearer("7f3a-key-of-alice"))).json()) == "alice"
        assert http.post("/mcp", **call("whoami", **bearer("another"))).status_code == 401


def test_a_guarded_resource_is_refused_with_403(tmp_path: Path) -> None:
    with client(module("guarded_resource.py", tmp_path)["app"]) as http:
        asked = call("", **bearer(BOB))
        asked["json"]["method"] = asked["headers"]["mcp-method"] = "resources/read"
        asked["json"]["params"]["uri"] = asked["headers"]["mcp-name"] = "shop://orders"
        answer = http.post("/", **asked)
        assert (answer.status_code, answer.json()["error"]["code"]) == (403, -32003)
        asked["json"]["params"]["uri"] = asked["headers"]["mcp-name"] = "shop://accounts/alice"
        assert http.post("/", **asked).json()["error"] == json.loads(shown("Resource not found"))


async def test_over_stdio_tools_with_scopes_are_not_listed(tmp_path: Path) -> None:
    async with MemoryPeer(module("server.py", tmp_path)["server"]) as peer:
        assert [tool["name"] for tool in (await peer.request("tools/list"))["tools"]] == ["whoami"]
        assert (await peer.call("whoami"))["content"][0]["text"] == "somebody"


@pytest.mark.parametrize("file", ["with_jwt.py", "in_starlette.py"])
def test_clients_are_told_where_to_get_a_token(file: str, tmp_path: Path) -> None:
    with client(module(file, tmp_path)["app"], base=PUBLIC) as http:
        refused = http.post("/mcp", **call("whoami"))
        assert refused.status_code == 401
        header = shown("WWW-Authenticate", "text").strip().removeprefix("WWW-Authenticate: ")
        assert refused.headers["www-authenticate"] == header
        where = re.search(r'resource_metadata="([^"]+)"', header)
        assert where
        assert http.get(where[1]).json() == json.loads(shown("scopes_supported"))


async def test_a_jwt_becomes_a_principal(tmp_path: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    public = {**json.loads(ECAlgorithm.to_jwk(key.public_key())), "kid": "1", "alg": "ES256", "use": "sig"}
    # The options of the page, with the keys at hand instead of their address.
    (code,) = [one.code for one in all_snippets() if one.document == PAGE and one.file == "with_jwt.py"]
    options = dict(re.findall(r'^    (issuer|audience)="([^"]+)",$', code, re.MULTILINE))
    verifier = JwtVerifier(jwks={"keys": [public]}, **options)
    claims = {"sub": "alice", "scope": "shop:write", "iss": options["issuer"], "exp": time.time() + 60}

    def token(audience: str) -> str:
        return jwt.encode({**claims, "aud": audience}, key, "ES256", headers={"kid": "1"})

    principal = await verifier.verify(token(options["audience"]))
    assert principal is not None
    assert (principal.id, principal.scopes, principal.claims["iss"]) == ("alice", {"shop:write"}, options["issuer"])
    assert await verifier.verify(token("https://other.example.com")) is None


def test_the_page_has_the_commands_that_are_tested_here() -> None:
    assert [text.split()[:3] for text in blocks_of(PAGE, "sh")] == [["cloche", "run", "server.py"]] * 2
