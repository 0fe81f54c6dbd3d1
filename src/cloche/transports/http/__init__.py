"""A client's end of MCP over HTTP, both eras."""
