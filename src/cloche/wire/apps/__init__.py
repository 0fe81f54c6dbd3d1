"""MCP Apps, the protocol between a host and the views of MCP servers, without I/O: data, rules and a sans-IO peer.

`methods` has one row per method, `lifecycle` the order of messages as a table, `peer` the host's side of one view,
`state` what has to be stored of it, `metadata` what servers declare in `_meta`, `origins` and `csp` what becomes of
the origins that they declare.
"""
