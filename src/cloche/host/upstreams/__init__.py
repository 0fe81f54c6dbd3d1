"""The servers behind a host, however they are reached."""

from cloche.host.upstreams.base import Upstream

__all__ = ["Upstream"]
