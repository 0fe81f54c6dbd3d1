"""The timeline: who, what, when, and who decided; to be read, followed, written away and exported."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import sys
from datetime import datetime

import pytest

from cloche.errors import ConfigurationError
from cloche.host import HostLimits, Policy
from cloche.host.timeline import ARGS_TEXT, FOLLOWING, Timeline
from tests.host.servers import Weather
from tests.support.host_page import hosting, opened


@pytest.mark.requirement(169)
async def test_an_entry_has_what_an_audit_needs() -> None:
    async with hosting({"weather": Weather().server}, policy=Policy(always_ask=["weather.refresh"])) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        number = page.post("tools/call", {"name": "refresh", "arguments": {"city": "Rome"}})
        page.view.answered((await page.asked())["ask"], True)
        await page.answer_to(number)
        lines = [json.loads(line) for line in host.timeline.export("jsonl").splitlines()]
        (entry,) = [line for line in lines if line["action"] == "tool"]
        assert {key: entry[key] for key in ("user", "server", "tool", "view", "decision", "decisionBy")} == {
            "user": "ann",
            "server": "weather",
            "tool": "forecast",
            "view": page.view.id,
            "decision": "approved",
            "decisionBy": "user",
        }
        assert datetime.fromisoformat(entry["timestamp"]).utcoffset() is not None
        assert json.loads(entry["args"])["name"] == "refresh"
        assert entry["durationMs"] >= 0


async def test_everything_that_happened_to_a_view_is_there_in_order() -> None:
    async with hosting({"weather": Weather().server}) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        page.view.event("violation", {"directive": "connect-src", "blocked": "https://evil.example"})
        await page.error("tools/call", {"name": "for_models"})
        await page.view.close("enough")
        actions = [entry.action for entry in host.timeline.entries(view=page.view.id)]
        assert actions == ["mounted", "initialized", "violation", "tools/call", "closed"]
        (call,) = host.timeline.entries(action="tools/call")
        assert (call.outcome, call.problem) == (
            "refused",
            "The tool for_models is not for views: its visibility lacks 'app'",
        )


async def test_following_gets_every_entry_as_it_comes() -> None:
    async with hosting({"weather": Weather().server}) as host:
        seen: list[str] = []

        async def follow() -> None:
            async for entry in host.timeline.follow():
                seen.append(f"{entry.user} {entry.action}")
                if entry.action == "call":
                    return

        following = asyncio.create_task(follow())
        await asyncio.sleep(0)
        await host.session("bob").run("weather.forecast", {"city": "Rome"})
        await asyncio.wait_for(following, 5)
        assert seen == ["bob call"]


async def test_who_follows_too_slowly_is_told_how_much_was_missed() -> None:
    timeline = Timeline(10)
    following = timeline.follow()
    first = asyncio.ensure_future(anext(following))
    await asyncio.sleep(0)
    timeline.note(user="ann", action="first")
    assert (await first).action == "first"
    for number in range(FOLLOWING + 5):
        timeline.note(user="ann", action=f"{number}")
    entry = await anext(following)
    assert (entry.action, entry.missed) == ("5", 5)
    assert (await anext(following)).missed == 0
    await following.aclose()  # type: ignore[attr-defined]
    assert len(timeline._listeners) == 0


def test_entries_that_are_not_kept_are_counted() -> None:
    whole = Timeline(3)
    ann, bob = Timeline(2, "ann", whole), Timeline(2, "bob", whole)
    for number in range(3):
        ann.note(action=f"a{number}")
    bob.note(action="b")
    assert [one.action for one in whole.entries()] == ["a1", "a2", "b"]
    assert (whole.dropped, ann.dropped, bob.dropped) == (1, 1, 0)


async def test_a_session_s_timeline_is_its_user_s() -> None:
    async with hosting({"weather": Weather().server}) as host:
        for user in ("ann", "bob"):
            await host.session(user).run("weather.forecast", {"city": user})
        assert [entry.user for entry in host.session("ann").timeline.entries()] == ["ann"]
        assert [entry.user for entry in host.timeline.entries(action="call")] == ["ann", "bob"]
        assert [entry.user for entry in host.timeline.entries(user="bob")] == ["bob"]


def test_lines_are_written_as_they_come_until_stopped() -> None:
    timeline, sink = Timeline(10), io.StringIO()
    stop = timeline.log_to(sink)
    timeline.note(user="ann", action="a", args={"text": "line\nbreak"})
    stop()
    timeline.note(user="ann", action="b")
    (line,) = sink.getvalue().splitlines()
    assert json.loads(line)["action"] == "a"


def test_long_parameters_are_shortened_and_strange_ones_do_no_harm() -> None:
    timeline = Timeline(10)
    assert len(timeline.note(user="a", action="x" * 500, args={"a": "x" * 10_000}).args or "") == ARGS_TEXT
    assert timeline.note(user="a", action="x", args={"a": object()}).args == "?"
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    refused = sys.version_info < (3, 14)  # from then on the encoder goes as deep as the values do
    assert timeline.note(user="a", action="x", args=deep).args == ("?" if refused else "[" * (ARGS_TEXT - 1) + "…")
    assert len(timeline.entries()[0].action) == 100


@pytest.mark.requirement(169)
def test_exports() -> None:
    timeline = Timeline(2)
    for number, action in enumerate(["forgotten", "=1+1", "b"]):
        timeline.note(user="ann", action=action, duration_ms=number)
    assert [entry["action"] for entry in json.loads(timeline.export("json"))] == ["=1+1", "b"]
    rows = list(csv.DictReader(io.StringIO(timeline.export("csv"))))
    assert [row["action"] for row in rows] == ["'=1+1", "b"]  # text stays text in a spreadsheet
    assert {"timestamp", "decisionBy", "durationMs"} <= set(rows[0])
    with pytest.raises(ConfigurationError, match="'jsonl', 'json' or 'csv'"):
        timeline.export("xml")  # type: ignore[arg-type]
    with pytest.raises(ConfigurationError, match="Entries have no 'colour'"):
        timeline.entries(colour="red")


@pytest.mark.parametrize("chatter", ["log", "violation", "misbehaved"])
async def test_one_view_cannot_push_the_others_off_the_timeline(chatter: str) -> None:
    async with hosting({"weather": Weather().server}, limits=HostLimits(burst=1000)) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        for _ in range(300):
            if chatter == "log":
                page.notify("notifications/message", {"level": "info", "data": "x"})
            elif chatter == "violation":
                page.view.event("violation", {"directive": "img-src"})
            else:
                page.say("nonsense")
        assert len(host.timeline.entries(action=chatter)) == 100
        await page.result("tools/call", {"name": "refresh"})
        assert len(host.timeline.entries(action="tools/call")) == 1
