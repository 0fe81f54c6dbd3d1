"""MCP over WebSocket: the server's side as an ASGI app, and the client's."""
