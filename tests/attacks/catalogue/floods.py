"""Too much: messages, requests, sizes, questions; and keys that poison what they are copied into."""

from __future__ import annotations

from typing import Any

from tests.attacks.attack import Attack
from tests.attacks.scene import Attempt, Scene
from tests.support.controls import Control, Edit, Patch

KIND, POLLUTION = "floods", "prototype pollution"

MANY = 600
"""Messages at the host that no view within its limits can bring about in the time of a test."""

UNLIMITED = Control(
    "unlimited",
    "rate limits, in the sandbox and at the host, and the limit of requests at a time",
    (
        Patch("cloche.wire.token_bucket:TokenBucket.take", lambda original, self, *_: True),
        Patch(
            "cloche.host.limits:HostLimits.for_page",
            lambda original, self: {**original(self), "rate": 1e9, "burst": 1e9, "pending": 1e9},
        ),
        Patch("cloche.wire.apps.peer:ViewPeer._check_room", lambda original, self, key: None),
        Patch("cloche.host.view_requests:check_content", lambda original, *args, **limits: None),
    ),
)


ANY_SIZE = Control(
    "any-size",
    "the clamp on a view's size",
    (),
    (
        Edit(
            "host/mount.js",
            'if (typeof value === "number" && value >= 0) sane[name] = Math.min(Math.ceil(value), most[name]);',
            "sane[name] = value;",
        ),
    ),
)
ANY_QUESTION = Control(
    "any-question",
    "the limit of open questions",
    (Patch("cloche.host.consent:Consent._decide", lambda original, self, request, *_: _asked(self, request)),),
)
POISON_PASSES = Control(
    "poison-passes",
    'the refusal of keys called "__proto__"',
    (),
    (Edit("json.js", 'return key != "__proto__" && isJson(', "return isJson("),),
)


async def _asked(self: Any, request: Any) -> tuple[str, str]:
    from cloche.host.questions import question_for

    await self._policy.ask(question_for(request, 1.0))
    return "denied", "user"


def counting(what: str, enough: int = MANY) -> Any:
    """Succeeds when the diary has so many entries that begin like this."""

    async def watch(scene: Scene, attempt: Attempt) -> None:
        count = 0

        def read(entry: str, value: Any) -> None:
            nonlocal count
            count += entry.startswith(what) and (entry != "log" or value[0] == attempt.attack.name)
            if count >= enough:
                attempt.win(f"{count} × {what}")

        scene.diary.on_entry(read)

    return watch


async def see_height(scene: Scene, attempt: Attempt) -> None:
    """Succeeds when the element becomes taller than any view may be."""
    scene.on_told("grew", lambda height: attempt.win(f"{height} px"))
    await scene.page.evaluate(
        """() => {
          const app = document.querySelector("mcp-app");
          new ResizeObserver(() => app.offsetHeight > 20_000 && grew(app.offsetHeight)).observe(app);
        }"""
    )


async def watch_poison(scene: Scene, attempt: Attempt) -> None:
    """Succeeds when the key reaches the product or a server."""

    def read(entry: str, value: Any) -> None:
        found = repr(getattr(value, "__dict__", value))
        if "'__proto__'" in found and f"'{attempt.attack.name}'}}" in found:
            attempt.win(f"{entry}: {found}")

    scene.diary.on_entry(read)


ALONE: dict[str, Any] = {"alone": True, "apart": True, "silent": True}


def flood(name: str, case: str, control: Control, watcher: Any, **options: Any) -> Attack:
    return Attack(
        name=name, kind=KIND, case=case, control=control, script="floods", watcher=watcher, **ALONE, **options
    )


def poison(name: str) -> Attack:
    return Attack(
        name=name,
        kind=POLLUTION,
        case="W12",
        control=POISON_PASSES,
        script="pollution",
        watcher=watch_poison,
        silent=True,
        agrees_to=("message",),
    )


ATTACKS = [
    flood("notifications", "W24", UNLIMITED, counting("log")),
    flood("requests", "W24", UNLIMITED, counting("evil.touch", 240)),
    flood("steady", "W24", UNLIMITED, counting("log")),
    flood("context-updates", "W24", UNLIMITED, counting("context from")),
    flood("pending-requests", "W24", UNLIMITED, counting("evil.wait", 100)),
    flood("questions", "W24", ANY_QUESTION, counting("asked about link", 20)),
    flood("huge-message", "W18", UNLIMITED, None, signs=("message from evil",), agrees_to=("message",)),
    flood("huge-context", "W18", UNLIMITED, None, signs=("context from evil",)),
    flood("huge-height", "W19", ANY_SIZE, None, driver=see_height),
    *(
        poison(name)
        for name in (
            "tool-arguments",
            "tool-arguments-in-a-list",
            "model-context",
            "message-content",
            "log-data",
            "request-meta",
        )
    ),
]
