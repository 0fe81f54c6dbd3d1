"""The client's role: asking a server, and answering what it asks back."""

from cloche.client.client import Client
from cloche.client.results import CallToolResult, GetPromptResult, ReadResourceResult, ResourceContents
from cloche.client.server_requests import ElicitRequest, SampleRequest
from cloche.client.tasks import ClientTask, TaskUpdate

__all__ = [
    "CallToolResult",
    "Client",
    "ClientTask",
    "ElicitRequest",
    "GetPromptResult",
    "ReadResourceResult",
    "ResourceContents",
    "SampleRequest",
    "TaskUpdate",
]
