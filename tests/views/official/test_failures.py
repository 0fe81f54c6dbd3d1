"""A view that fails says so: the official host hears why, as a log."""

from __future__ import annotations

import pytest

from tests.support.official_app.harness import Theatre
from tests.support.official_app.views import our_view

FAILING = {
    "a script that throws": ("<script>undefinedThing()</script>", "undefinedThing is not defined"),
    "a promise that nobody caught": ("<script>Promise.reject(new Error('lost it'))</script>", "lost it"),
    "an image that the policy forbids": ("<img src='https://blocked.example/a.png'>", "img-src"),
    "a script that the policy forbids": ("<script src='https://blocked.example/a.js'></script>", "script-src"),
    "code from text": ("<script>eval('1 + 1')</script>", "unsafe-eval"),
}


@pytest.mark.parametrize("what", FAILING)
def test_the_host_is_told(stage: Theatre, what: str) -> None:
    more, reason = FAILING[what]
    with stage.hosted(our_view(more=more), "2.0.4", "proxy") as hosted:
        told = (
            "reason => host.handled.find(([name, log]) => "
            "name === 'loggingmessage' && JSON.stringify(log).includes(reason))"
        )
        _, log = hosted.until(told, reason)
        assert log["level"] == "error"


def test_a_view_that_does_not_fail_says_nothing(stage: Theatre) -> None:
    with stage.hosted(our_view(), "2.0.4", "proxy") as hosted:
        hosted.until_ready()
        hosted.script(echo={"echo": True})
        hosted.act("callTool", "echo", {})
        assert [name for name, _ in hosted.kept("handled") if name == "loggingmessage"] == []
        assert hosted.view.evaluate("() => seen.filter(([name]) => name === 'bridge:error')") == []
