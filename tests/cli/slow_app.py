"""An ASGI app on plain uvicorn, or on ours with short limits: `python slow_app.py plain|ours [h11] [OPTION=VALUE]…`.

POST /wait answers after POST /release or SIGUSR1; GET /stream never ends; everything else echoes the body.
"""

from __future__ import annotations

import asyncio
import logging
import signal
import sys
from typing import Any

released = asyncio.Event()


async def app(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] != "http":
        raise RuntimeError("no lifespan here")
    body = b""
    if scope["path"] == "/early":  # answers before the body is there
        await answer(send, b"early")
        return
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body += message["body"]
        if not message["more_body"]:
            break
    if scope["path"] == "/release":
        released.set()
    elif scope["path"] == "/wait":
        asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, released.set)
        await released.wait()
    elif scope["path"] == "/stream":
        await stream(receive, send)
        return
    await answer(send, body)


async def stream(receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-type", b"text/event-stream")]})
    await send({"type": "http.response.body", "body": b": open\n\n", "more_body": True})
    while (await receive())["type"] != "http.disconnect":
        pass


async def answer(send: Any, body: bytes) -> None:
    length = str(len(body)).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
    await send({"type": "http.response.body", "body": body})


async def say_url(port: int) -> None:
    print(f"http://127.0.0.1:{port}/", file=sys.stderr, flush=True)


def main(which: str, *options: str) -> None:
    if "h11" in options:
        sys.modules["httptools"] = None  # type: ignore[assignment]
    from cloche.serve.uvicorn.hooks import Hooks
    from cloche.serve.uvicorn.listening_sockets import bind, resolve
    from cloche.serve.uvicorn.run import HttpLimits, serve

    limits: dict[str, Any] = {}
    for option in options:
        name, equals, value = option.partition("=")
        if equals:
            limits[name] = type(getattr(HttpLimits(), name))(value)
    sockets = bind("127.0.0.1", resolve("127.0.0.1", 0))
    port = sockets[0].getsockname()[1]
    if which == "plain":
        import uvicorn

        logging.disable()
        server = uvicorn.Server(uvicorn.Config(app, log_config=None, lifespan="off", ws="none"))
        asyncio.run(say_url(port))
        server.run(sockets)
    else:
        serve(app, sockets, limits=HttpLimits(**limits), hooks=Hooks(started=lambda: say_url(port)))


if __name__ == "__main__":
    main(*sys.argv[1:])
