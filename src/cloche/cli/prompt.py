"""`cloche prompt SERVER NAME ARGUMENT=TEXT…`: a prompt, filled in."""

from __future__ import annotations

from collections.abc import Sequence

import click

from cloche.cli.access import Access, access_options
from cloche.cli.command_words import TakesCommand, words_argument
from cloche.cli.conversation import conversation_options, server_and_rest, talk, wants_json
from cloche.cli.results import print_json, show_prompt
from cloche.cli.words import meant, read_words
from cloche.client import Client, GetPromptResult
from cloche.errors import ConfigurationError, shorten
from cloche.wire.types import Prompt


@click.command(cls=TakesCommand)
@words_argument("SERVER PROMPT [NAME=TEXT…] | PROMPT [NAME=TEXT…] -- COMMAND…", kind="prompt")
@access_options
@conversation_options
def prompt(words: Sequence[str], access: Access, output: str, timeout: float | None, verbose: bool) -> None:
    """Fill in a prompt and print its messages."""
    server, rest = server_and_rest(words, "prompt")

    async def work(client: Client, _: object) -> GetPromptResult:
        chosen = find_prompt(await client.list_prompts() if "prompts" in client.server_capabilities else [], rest)
        return await client.get_prompt(chosen.name, read_words(rest[1:], schema_of(chosen), chosen.name))

    doing = f"{shorten(rest[0], 60)} …" if rest else "Asking the server …"
    found = talk(server, access, work, timeout=timeout, verbose=verbose, doing=doing)
    if wants_json(output):
        described = {} if found.description is None else {"description": found.description}
        print_json({**described, "messages": found.messages})
    else:
        show_prompt(found)


def find_prompt(prompts: Sequence[Prompt], rest: Sequence[str]) -> Prompt:
    """The prompt that was named; raises with those there are."""
    names = [one.name for one in prompts]
    if not rest:
        raise ConfigurationError(f"name a prompt: {meant('', names)}")
    found = next((one for one in prompts if one.name == rest[0]), None)
    if found is None:
        raise ConfigurationError(f"the server has no prompt {shorten(rest[0])!r}: {meant(rest[0], names)}")
    return found


def schema_of(prompt: Prompt) -> dict[str, object]:
    """The arguments of a prompt as a schema: they are all text."""
    arguments = prompt.arguments or []
    return {
        "type": "object",
        "properties": {one.name: {"type": "string"} for one in arguments},
        "required": [one.name for one in arguments if one.required],
    }
