"""What a person reads before they decide: one sentence of ours, and what it is about. Everything that a server or a
view chose is shown as `plain_text` has it.
"""

from __future__ import annotations

from typing import Any

from cloche.host.plain_text import Details, quoted
from cloche.host.policy import OF_AGENTS, Question, Request, is_destructive, link_host
from cloche.wire.types import Json

NAMED = 3
"""Names in a sentence; all of them are in the details."""


def question_for(request: Request, seconds: float) -> Question:
    """The question that a request comes to."""
    title, text, accept = _words(request)
    details = Details(_subject_matter(request))
    if not details.complete:
        text += " It is too long to be shown in full."
    return Question(
        kind=request.kind,
        user=request.user,
        server=request.server,
        tool=request.tool,
        view=request.view,
        title=title,
        text=text,
        details=details.shown,
        accept=accept,
        seconds=seconds,
        lasting=_lasting(request),
    )


def _words(request: Request) -> tuple[str, str, str]:
    """Title, sentence, and the word for yes."""
    details, view = request.details, f"The view of {quoted(request.server)}"
    if request.kind == "link" and details.get("own") is True:
        text = "wants to open a page of this site, which may act in your name. Open it only if you expected this."
        return "Open a page of this site?", f"{view} {text}", "Open"
    return {
        "tool": ("Run this tool?", f"{view} wants to run {quoted(details.get('name'))}.", "Run"),
        "link": ("Open this link?", f"{view} wants to open {link_host(str(details.get('url')))}.", "Open"),
        "download": ("Save these files?", f"{view} wants to save {_names(details.get('files'))}.", "Save"),
        "permission": ("Give access?", f"{view} wants to use: {_names(details.get('permissions'))}.", "Allow"),
        "sampling": ("Ask the model?", f"{view} wants to ask the model something.", "Allow"),
        "message": ("Send this message?", f"{view} wants to say this in your name.", "Send"),
        "context": ("Tell the model?", f"{view} wants to tell the model something.", "Allow"),
        "display-mode": ("Show it in full screen?", f"{view} wants to fill the window.", "Allow"),
        "sign-in": (
            "Sign in?",
            f"{quoted(request.server)} wants you to sign in at {quoted(details.get('site'))}.",
            "Sign in",
        ),
        "server-sampling": (
            "Let it use the model?",
            f"The server {quoted(request.server)} wants to ask the assistant's model this, at your expense.",
            "Allow once",
        ),
        "agent-tool": (
            "Let the agent do this?",
            f"An agent in your browser wants to run {quoted(details.get('name'))} of {quoted(request.server)}.",
            "Allow once",
        ),
        "agent-view-tool": (
            "Let the agent use this app?",
            f"An agent in your browser wants to run {quoted(details.get('name'))} of the app {quoted(request.server)}.",
            "Allow once",
        ),
        "copilot-tool": (
            "Let the copilot do this?",
            f"{_asker(details)} wants to run {quoted(details.get('name'))} of {quoted(request.server)}.",
            "Allow once",
        ),
        "tab-tool": (
            "Run this tool in your browser?",
            f"The assistant wants to run {quoted(details.get('name'))} of {quoted(request.server)} in this tab.",
            "Allow once",
        ),
    }[request.kind]


def _asker(details: Json) -> str:
    """A copilot by the name that the product gave it, and the site that it is from."""
    asker = details.get("asker") or {}
    return f"The copilot {quoted(asker.get('copilot'))} of {quoted(asker.get('origin'))}"


def _subject_matter(request: Request) -> Json:
    """What of the details a person needs for the decision."""
    details = request.details
    if request.kind in OF_AGENTS:
        return details.get("arguments") or {}
    if request.kind == "message":
        blocks = [_block(block) for block in details.get("content") or ()]
        return {"content": blocks[0] if len(blocks) == 1 else blocks}
    hidden = {"tool": ("visibility",), "link": ("own",), "display-mode": ("mode",)}.get(request.kind, ())
    return {name: value for name, value in details.items() if name not in hidden}


def _block(block: Any) -> Any:
    """A block of a message: its text, or what it is."""
    if not isinstance(block, dict):
        return block
    data = block.get("data")
    if isinstance(data, str):
        return f"({block.get('type')}, {len(data) * 3 // 4:,} bytes)"
    return block["text"] if block.get("type") == "text" and isinstance(block.get("text"), str) else block


def _lasting(request: Request) -> str | None:
    """What destroys something is asked about each time, whatever the user has allowed."""
    details = request.details
    lasts = request.kind in OF_AGENTS and details.get("lasting") is not False
    if not lasts or is_destructive(details.get("annotations")):
        return None
    return "Allow on this page"


def _names(given: object) -> str:
    if not isinstance(given, list):
        return quoted(given)
    more = f" and {len(given) - NAMED} more" if len(given) > NAMED else ""
    return ", ".join(quoted(one) for one in given[:NAMED]) + more
