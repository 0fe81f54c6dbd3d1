"""The soak: our client and server under a seeded schedule of faults, and a checker of what came of it.

`python -m tests.soak.transports --faults 1000 --seed 7` runs it; `make soak` does.
"""
