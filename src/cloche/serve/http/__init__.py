"""MCP over HTTP, both eras: a server as a raw ASGI app."""
