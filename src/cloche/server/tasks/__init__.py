"""Tasks: tools whose calls go on after their answer, so that they outlive the request and the connection.

`running` is a call under way, `questions` is what it asks meanwhile, `table` is every task of a server and where they
are kept, `methods` is what clients do with them. `cloche.wire.tasks` says how the two eras write it all.
"""
