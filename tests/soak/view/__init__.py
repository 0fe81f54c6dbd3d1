"""Hostile views for minutes beside a person who types and clicks in the product, and a look at what came of it.

`make soak-view` runs it for ten minutes; a few seconds of it are in `make test`.
"""
