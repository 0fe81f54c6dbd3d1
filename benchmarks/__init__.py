"""Cloche beside its peers and beside the floor below them, in one run: `python -m benchmarks`."""
