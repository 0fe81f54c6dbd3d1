"""The product: a page with views on it, made from records that it keeps, and calls of its model.

Run as a process of its own, so that it can be killed: `python -m tests.soak.host.product FOLDER PORT ORIGIN`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import uvicorn

from cloche.errors import McpError, TransportError
from cloche.host import Host

SECRET = "the same before and after a restart"
VIEWS = 2
USER = "ann"


class Product:
    """An ASGI app: `/` is the page, `/model?id=…` a call of the model."""

    def __init__(self, folder: Path, origin: str) -> None:
        command = [sys.executable, "-m", "tests.soak.host.worker", str(folder)]
        self.host = Host({"worker": command}, secret=SECRET, origins=[origin])
        self._kept = folder / "records.json"
        self._log = (folder / "timeline.jsonl").open("a", encoding="utf-8", buffering=1)
        self.host.timeline.log_to(self._log)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        if scope["path"] == "/":
            await answer(send, await self._page(), b"text/html; charset=utf-8")
        elif scope["path"] == "/model":
            (call_id,) = parse_qs(scope["query_string"].decode())["id"]
            await answer(send, await self._call(call_id), b"text/plain")
        else:
            await answer(send, "no such page", b"text/plain", 404)

    async def _page(self) -> str:
        chat = self.host.session(USER)
        if not self._kept.exists():
            records = []
            for number in range(VIEWS):
                call = await chat.start("worker.show", {"number": number})
                await call.result()
                records.append(call.record())
            self._kept.write_text(json.dumps(records))
        elements = "".join(str(chat.embed(record)) for record in json.loads(self._kept.read_text()))
        script = '<script type="module" src="/cloche/mcp-app.js"></script>'
        return f"<!doctype html><title>soak</title>{script}<main>{elements}</main><aside></aside>"

    async def _call(self, call_id: str) -> str:
        try:
            result = await self.host.session(USER).run("worker.work", {"id": call_id, "ms": 100})
        except (McpError, TransportError) as error:
            return f"error: {error}"
        text = result["content"][0]["text"]
        return "result" if text == call_id else f"the result of {text}"


async def answer(send: Any, text: str, kind: bytes, status: int = 200) -> None:
    await send({"type": "http.response.start", "status": status, "headers": [(b"content-type", kind)]})
    await send({"type": "http.response.body", "body": text.encode()})


def main() -> None:
    folder, port = Path(sys.argv[1]), int(sys.argv[2])
    product = Product(folder, sys.argv[3])
    app = product.host.wrap(product)
    uvicorn.run(
        app, host="127.0.0.1", port=port, log_level="warning", ws="websockets-sansio", timeout_graceful_shutdown=3
    )


if __name__ == "__main__":
    main()
