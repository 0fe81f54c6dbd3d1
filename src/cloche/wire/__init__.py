"""The Model Context Protocol itself, without I/O.

Nothing here reads a socket, a clock or a random source: bytes and values come in, bytes and values go out. Look in

- `json`: strict JSON with limits,
- `messages`: JSON-RPC messages,
- `types`: MCP's own types,
- `versions`: the protocol's revisions and where they differ,
- `lifecycle`: which message is allowed when,
- `headers`: the HTTP headers that mirror a message,
- `uri_template`: RFC 6570 as far as resources use it,
- `signing`: values that leave and must come back unchanged.
"""
