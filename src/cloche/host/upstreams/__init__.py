"""The servers behind a host, however they are reached."""

from cloche.host.upstreams.base import Upstream
from cloche.host.upstreams.pool import Pool, open_upstream
from cloche.host.upstreams.remote import Command, InBrowser, InFrame, Remote

__all__ = ["Command", "InBrowser", "InFrame", "Pool", "Remote", "Upstream", "open_upstream"]
