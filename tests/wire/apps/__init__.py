"""MCP Apps without I/O."""
