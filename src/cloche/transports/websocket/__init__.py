"""A client's end of MCP over WebSocket."""
