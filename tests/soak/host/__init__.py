"""Faults put between a page, a host and its servers, and a look at what became of every call.

`make soak-host` runs 200 of them; a short part of it is in `make test`.
"""
