"""docs/types.md: every row of the table is the schema of that parameter."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from cloche import Server
from tests.docs.asgi_peer import call, client
from tests.support.snippets import ROOT, all_snippets, blocks_of, run

PAGE = "docs/types.md"
ROWS = re.findall(r"^\| `(.+?)`[^|]* \| `(.*)` \|$", (ROOT / PAGE).read_text(encoding="utf-8"), re.MULTILINE)


def block_with(text: str, folder: Path) -> dict[str, Any]:
    (snippet,) = [one for one in all_snippets() if one.document == PAGE and text in one.code]
    return run(snippet, folder)


def test_the_table_is_what_the_tool_above_it_gets(tmp_path: Path) -> None:
    namespace = block_with("def everything", tmp_path)
    server = namespace["server"]
    assert isinstance(server, Server)
    entry = server.tools.get("everything")
    assert entry is not None
    schemas = list(entry.arguments.schema["properties"].values())
    assert [json.loads(schema) for _, schema in ROWS] == schemas


def test_a_mutable_default_is_made_anew(tmp_path: Path) -> None:
    server = Server("x")

    @server.tool
    async def collect(item: str, into: list[str] = []) -> str:  # noqa: B006  # what the page says about it
        into.append(item)
        return " ".join(into)

    with client(server.asgi()) as http:
        said = [http.post("/", **call("collect", {"item": item})).json() for item in ("a", "b")]
    assert [answer["result"]["content"][0]["text"] for answer in said] == ["a", "b"]


def test_a_header_that_disagrees_is_refused_as_shown(tmp_path: Path) -> None:
    server = block_with("# file: routed.py", tmp_path)["server"]
    (shown,) = [json.loads(text) for text in blocks_of(PAGE, "json") if "-32020" in text]
    arguments = {"region": "eu", "sql": "select 1"}
    with client(server.asgi()) as http:
        agreed = http.post("/", **call("query", arguments, mcp_param_region="eu"))
        assert agreed.json()["result"]["content"] == [{"type": "text", "text": "asked eu"}]
        for headers in ({"mcp_param_region": "us"}, {}):
            refused = http.post("/", **call("query", arguments, **headers))
            assert refused.status_code == 400
            assert refused.json()["error"] == shown


def test_the_meta_of_a_whole_result_is_sent(tmp_path: Path) -> None:
    server = block_with("def whole", tmp_path)["server"]
    with client(server.asgi()) as http:
        result = http.post("/", **call("whole")).json()["result"]
    assert result["_meta"]["example.com/source"] == "station 7"
