"""The client's role: asking a server, and answering what it asks back."""

from cloche.client.answering import ElicitRequest, SampleRequest
from cloche.client.client import Client
from cloche.client.results import (
    CallToolResult,
    GetPromptResult,
    ReadResourceResult,
    ResourceContents,
)

__all__ = [
    "CallToolResult",
    "Client",
    "ElicitRequest",
    "GetPromptResult",
    "ReadResourceResult",
    "ResourceContents",
    "SampleRequest",
]
