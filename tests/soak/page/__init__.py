"""Faults put between a page and servers in workers, frames, tabs and an extension, and what became of every call.

`make soak-page` runs 500 of them; a short part of it is in `make test`.
"""
