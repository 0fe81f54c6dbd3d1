"""MCP over standard input and output: the server's side and the client's."""
