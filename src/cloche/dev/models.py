"""Which model the chat talks to: what the environment names, or the steps that a person wrote.

Nothing is guessed: without a key, a URL or a name in the environment there is no model, and nothing is sent anywhere.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from cloche.errors import ConfigurationError, MissingExtraError, shorten

# Small models of each provider, from the names that pydantic-ai 2.66.0 knows (`pydantic_ai.models.KnownModelName`, read
# 2026-11-18); a test compares them with those of the version that is installed.
KEYS = {
    "ANTHROPIC_API_KEY": ("anthropic:claude-haiku-5-5", "api.anthropic.com"),
    "OPENAI_API_KEY": ("openai:gpt-5.4-mini", "api.openai.com"),
    "GEMINI_API_KEY": ("google:gemini-flash-latest", "generativelanguage.googleapis.com"),
    "MISTRAL_API_KEY": ("mistral:mistral-small-latest", "api.mistral.ai"),
    "GROQ_API_KEY": ("groq:llama-3.3-70b-versatile", "api.groq.com"),
}
"""Keys of providers: the model that answers when only the key is set, and where the conversation goes then."""

OLLAMA = "http://localhost:11434/v1"


@dataclass(frozen=True)
class ChosenModel:
    """A model, and where what is said goes."""

    name: str
    """As pydantic-ai spells it: `provider:model`."""
    goes_to: str
    """The host that the conversation is sent to."""
    base_url: str | None = None
    """An OpenAI-compatible address; None for a provider that pydantic-ai knows."""
    key: str | None = None

    def as_json(self) -> dict[str, Any]:
        """For the page; the key stays here."""
        return {"name": self.name, "goesTo": self.goes_to}


def chosen_model(environment: Mapping[str, str] = os.environ) -> ChosenModel | None:
    """The model that the environment names.

    `CLOCHE_MODEL_URL` is an OpenAI-compatible address, with `CLOCHE_MODEL` its model's name and `CLOCHE_MODEL_KEY` its
    key if it wants one. Without an address `CLOCHE_MODEL` is a name of pydantic-ai's, such as `openai:gpt-5.4-mini` or
    `ollama:qwen3`. Without either, a provider's own key decides.
    """
    name, url = environment.get("CLOCHE_MODEL", ""), environment.get("CLOCHE_MODEL_URL", "")
    if url:
        return _at(url, name, environment.get("CLOCHE_MODEL_KEY"))
    if name.startswith("ollama:"):
        return _at(environment.get("OLLAMA_BASE_URL") or OLLAMA, name.partition(":")[2], None)
    provider = name.partition(":")[0]
    for key, (usual, host) in KEYS.items():
        if environment.get(key) and (not name or usual.startswith(f"{provider}:")):
            return ChosenModel(name or usual, host)
    if name and ":" not in name:
        raise ConfigurationError(f"CLOCHE_MODEL={shorten(name)!r} names no provider: write openai:{shorten(name)}")
    return ChosenModel(name, provider) if name else None


def _at(url: str, name: str, key: str | None) -> ChosenModel:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigurationError("CLOCHE_MODEL_URL is not an address: it begins with http:// or https://")
    if not name:
        raise ConfigurationError("CLOCHE_MODEL_URL needs the name of a model there: set CLOCHE_MODEL")
    return ChosenModel(name, parts.netloc.rpartition("@")[2], url, key or None)


def model_of(chosen: ChosenModel) -> Any:
    """The model for pydantic-ai. Raises `MissingExtraError` without it, `ConfigurationError` when it refuses."""
    try:
        from pydantic_ai.exceptions import UserError
        from pydantic_ai.models import infer_model
    except ModuleNotFoundError:
        raise MissingExtraError("The chat with a model", "agent") from None
    try:
        if chosen.base_url is None:
            return infer_model(chosen.name)
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider

        # Servers on one's own machine want no key, and the client insists on one.
        return OpenAIChatModel(
            chosen.name, provider=OpenAIProvider(base_url=chosen.base_url, api_key=chosen.key or "none")
        )
    except (ImportError, UserError, ValueError) as error:
        raise _unusable(chosen, error) from None


def _unusable(chosen: ChosenModel, error: Exception) -> ConfigurationError:
    return ConfigurationError(f"the model {shorten(chosen.name)!r} cannot be used: {shorten(str(error), 200)}")
