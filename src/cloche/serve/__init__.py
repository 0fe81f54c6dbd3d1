"""A server to the outside: HTTP and WebSocket as ASGI apps, stdio, and running them under uvicorn.

`Server.run`, `Server.asgi` and `Server.websocket` load what they need from here (`cloche.server.fronts`).
"""
