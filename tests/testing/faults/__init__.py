"""Connections that misbehave on purpose."""
