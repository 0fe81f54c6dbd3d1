"""A client's end of MCP over standard input and output, and the lines that both ends read."""
