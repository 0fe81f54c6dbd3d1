"""Whom a view believes: its parent window, of a trusted origin where one is named, and nobody else."""

from __future__ import annotations

import pytest

from tests.support.official_app.harness import Hosted, Theatre
from tests.support.official_app.views import our_view

NAIVE = """<!doctype html><script>
  window.seen = [];
  addEventListener("message", ({ data }) => {
    if (data.method === "ui/notifications/tool-result") seen.push(["tool:result", data.params]);
  });
  parent.postMessage({ jsonrpc: "2.0", id: 1, method: "ui/initialize", params: {} }, "*");
</script>"""
"""A view that believes everybody, which shows that the forged message arrives."""

FORGE = """() => new Promise((resolve) => {
  const attacker = document.createElement("iframe");
  attacker.setAttribute("sandbox", "allow-scripts");
  addEventListener("message", ({ data }) => data === "forged" && resolve());
  attacker.srcdoc = `<script>
    const params = { content: [{ type: "text", text: "forged" }] };
    parent.frames[0].postMessage({ jsonrpc: "2.0", method: "ui/notifications/tool-result", params }, "*");
    parent.postMessage("forged", "*");
  <\\/script>`;
  document.body.append(attacker);
})"""
"""Another frame on the host's page says to the view what only the host may say."""


def results(hosted: Hosted) -> list[str]:
    """The texts of the results that reached the view, the last of them the host's own."""
    hosted.page.evaluate("() => host.tell('result', { content: [{ type: 'text', text: 'genuine' }] })")
    genuine = "() => seen.some(([name, result]) => name === 'tool:result' && result.content[0].text === 'genuine')"
    shown = hosted.page.frames[1]
    shown.wait_for_function(genuine)
    return list(
        shown.evaluate("() => seen.filter(([name]) => name === 'tool:result').map(([, r]) => r.content[0].text)")
    )


@pytest.mark.parametrize(
    ("view", "believed"), [(NAIVE, ["forged", "genuine"]), (our_view(), ["genuine"])], ids=["naive", "ours"]
)
def test_what_another_frame_says_is_not_believed(stage: Theatre, view: str, believed: list[str]) -> None:
    with stage.of_old(view, "camel") as hosted:
        hosted.until("() => host.received.some(({ method }) => method === 'ui/initialize')")
        hosted.page.evaluate(FORGE)
        assert results(hosted) == believed


@pytest.mark.requirement(103)
def test_a_host_of_a_trusted_origin_is_spoken_to(stage: Theatre) -> None:
    view = our_view(trusted_origins=["https://host.example", stage.host_site.url])
    with stage.hosted(view, "2.0.4", "one frame") as hosted:
        hosted.until_ready()
        hosted.script(echo={"echo": True})
        assert hosted.act("callTool", "echo", {"n": 1})["structuredContent"] == {"n": 1}


@pytest.mark.requirement(103)
def test_a_host_of_another_origin_hears_and_says_nothing(stage: Theatre) -> None:
    with stage.of_old(our_view(trusted_origins=["https://host.example"]), "camel") as hosted:
        hosted.view.wait_for_function("() => window.cloche")
        hosted.page.evaluate("() => host.tell('result', { content: [] })")
        hosted.view.wait_for_function("() => seen.some(([name]) => name === 'bridge:error')")
        assert hosted.view.evaluate("() => seen.filter(([name]) => name === 'tool:result')") == []
        assert hosted.kept("received") == []
