"""Large results, long sessions and slow pages: what is shown, what is left out, and that it is said."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Download, Locator, expect

from cloche.dev.gateway import Gateway
from cloche.dev.history import KEPT, WHOLE_BYTES, History, WholeBodies
from cloche.dev.page_queue import MAX_WAITING, PageQueue
from cloche.dev.playground import Playground
from cloche.dev.servers import DevServer
from cloche.errors import InvalidParamsError
from tests.support import talking
from tests.support.command import Running, started
from tests.support.playground import Screen, opened, until

ROOT = Path(__file__).parents[2]
GAPS = """() => {
  window.longest = 0;
  let last = performance.now();
  const look = () => {
    const now = performance.now();
    window.longest = Math.max(window.longest, now - last);
    last = now;
    setTimeout(look);
  };
  look();
}"""
"""Keeps how long the page could do nothing else."""


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    """20 servers; the first has a result of 5 MB and makes 20,000 messages at a call."""
    with started(["-m", "benchmarks.crowded_playground"], ROOT, deadline=300) as process:
        yield process


@pytest.fixture
def screen(browser: Browser, running: Running) -> Iterator[Screen]:
    with opened(browser, running.url) as screen:
        screen.page.get_by_role("button", name="flood").wait_for()
        yield screen


def saved(screen: Screen, button: Locator) -> str:
    with screen.page.expect_download() as waiting:
        button.click()
    download: Download = waiting.value
    return Path(download.path()).read_text("utf-8")


def test_5_mb_are_shown_folded_and_can_be_saved(screen: Screen) -> None:
    page, outcome = screen.page, screen.page.locator("#outcome")
    page.evaluate(GAPS)
    screen.choose_of("first", "big")
    screen.call()
    expect(screen.status).to_contain_text("Done")
    expect(outcome.locator("summary", has_text="rows:").first).to_contain_text("[ 23809 entries ]")
    assert outcome.locator(".leaf, details").count() < 1000
    assert page.evaluate("window.longest") < 5000  # the bench has the real bound
    structured = outcome.get_by_role("heading", name="Structured content")
    assert len(json.loads(saved(screen, structured.get_by_role("button", name="Save")))["rows"]) == 23809
    screen.tab("JSON")
    assert len(json.loads(saved(screen, outcome.get_by_role("button", name="Save")))["content"]) == 1
    row = screen.side("Messages").locator(".rows > li", has_text="big").last
    row.locator("summary").first.click()
    cut = row.locator(".cut")
    expect(cut).to_contain_text(re.compile(r"The beginning of \d+\.\d MB"))
    assert len(cut.locator("pre").inner_text()) < 3000
    whole = json.loads(saved(screen, cut.get_by_role("button", name="Save")))
    assert len(whole["structuredContent"]["rows"]) == 23809
    cut.get_by_role("button", name="Show all").click()
    expect(cut.locator("summary", has_text="rows:").first).to_contain_text("[ 23809 entries ]")
    row.get_by_role("link", name="Open, copy or send again").click()
    expect(page.locator("#page")).to_contain_text("The beginning of")


def test_a_long_text_is_shown_bit_by_bit(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "long.py").write_text(
        "from cloche import Server\n"
        "server = Server('long')\n"
        "@server.tool(annotations={'readOnlyHint': True})\n"
        "def book() -> str:\n"
        "    return '# Title\\n**bold**\\n' + 'word ' * 200_000\n",
        "utf-8",
    )
    command = ["-m", "cloche", "dev", "--no-open", "--port", "0", "long.py"]
    with started(command, tmp_path, deadline=120) as running, opened(browser, running.url) as screen:
        expect(screen.status).to_contain_text("Done")
        text = screen.page.locator("#outcome pre.text").first
        length = "(pre) => pre.textContent.length"
        assert text.evaluate(length) == 20_000
        screen.page.get_by_role("button", name="Show more of 1.0 MB").first.click()
        assert text.evaluate(length) == 220_000
        assert len(saved(screen, screen.page.locator("#outcome").get_by_role("button", name="Save").first)) > 1_000_000


def kept_and_lost(screen: Screen) -> tuple[int, int]:
    """Rows that are kept, and messages that are not."""
    text = screen.page.locator(".timeline > p").inner_text().replace(",", "")
    earlier, lost = re.search(r"(\d+) earlier rows", text), re.search(r"(\d+) messages are no longer kept", text)
    shown = screen.page.locator(".rows > li").count()
    return shown + (int(earlier[1]) if earlier else 0), int(lost[1]) if lost else 0


def test_messages_that_are_not_kept_are_counted(screen: Screen) -> None:
    page = screen.page
    screen.side("Messages")
    screen.choose_of("first", "flood")
    screen.call()
    expect(screen.status).to_contain_text("Done")
    page.get_by_label("Filter messages").fill("custom/ping")
    kept, lost = until(lambda: (found := kept_and_lost(screen))[1] > 10_000 and found, "the count of lost messages")
    assert 4000 <= kept <= 5000
    assert abs(2 * kept + lost - 20_000) < 1000  # two in a row; what else is said is not in the filter
    page.get_by_label("Filter messages").fill("")
    screen.choose_of("first", "flood")
    screen.call()
    expect(screen.status).to_contain_text("Done")
    assert until(lambda: (found := kept_and_lost(screen))[1] > 30_000 and found, "more lost messages")[0] <= 5000
    page.reload()
    expect(page.locator(".timeline > p")).to_contain_text("no longer kept")
    _, lost = kept_and_lost(screen)
    assert lost > 38_000
    page.get_by_role("button", name="Clear").click()
    expect(page.locator(".timeline > p")).not_to_contain_text("no longer kept")


async def test_a_slow_page_loses_messages_and_is_told_but_no_answer() -> None:
    queue = PageQueue()
    for number in range(1, MAX_WAITING + 11):
        queue.put({"event": "traffic", "number": number})
    queue.put({"event": "output", "line": "a line"})
    queue.put({"id": 1, "value": "an answer"})
    queue.put({"event": "result", "call": "c"})
    frames = [json.loads(await asyncio.wait_for(queue.next(), 20)) for _ in range(MAX_WAITING + 3)]
    assert [frame.get("number") for frame in frames[:MAX_WAITING]] == list(range(1, MAX_WAITING + 1))
    answer, result, dropped = frames[MAX_WAITING:]
    assert (answer["value"], result["call"]) == ("an answer", "c")
    assert dropped == {"event": "dropped", "number": MAX_WAITING + 10, "lines": 1}
    queue.put({"event": "traffic", "number": MAX_WAITING + 11})
    assert json.loads(await asyncio.wait_for(queue.next(), 20))["number"] == MAX_WAITING + 11


async def test_what_waits_for_a_page_is_weighed() -> None:
    queue = PageQueue()
    for number in range(1, 11):
        queue.put({"event": "traffic", "number": number, "body": "x" * 10_000_000})
    frames = [json.loads(await asyncio.wait_for(queue.next(), 20)) for _ in range(8)]
    assert frames[-1] == {"event": "dropped", "number": 10, "lines": 0}


def test_history_is_bounded_by_number_and_by_bytes() -> None:
    history = History()
    for number in range(KEPT + 500):
        history.add({"event": "traffic", "number": number, "size": 10})
    assert [event["number"] for event in history.after("", 0)] == list(range(500, KEPT + 500))
    assert [event["number"] for event in history.after(history.run, KEPT + 498)] == [KEPT + 498, KEPT + 499]
    assert len(history.after("another run", KEPT + 498)) == KEPT
    for number in range(1000):
        history.add({"event": "traffic", "number": number, "size": 60_000})
    assert len(history.after("", 0)) < 300


async def test_whole_messages_are_kept_within_bounds() -> None:
    bodies = WholeBodies()
    assert bodies.told(1, {"a": 1}) == {"size": 7, "body": {"a": 1}}
    told = bodies.told(2, {"name": "weigh", "isError": True, "text": "x" * 100_000})
    assert told["body"] == {"name": "weigh", "isError": True}
    assert told["size"] > 100_000
    assert len(told["cut"]) == 2000
    assert json.loads((await bodies.whole(2))["json"])["text"] == "x" * 100_000
    large = "x" * (WHOLE_BYTES // 3)
    for number in (3, 4, 5):
        bodies.told(number, large)
    assert len((await bodies.whole(5))["json"]) > WHOLE_BYTES // 3
    for number in (1, 2, 3):
        with pytest.raises(InvalidParamsError, match="is not kept any more"):
            await bodies.whole(number)


async def heard(played: Playground, hello: dict[str, Any]) -> list[dict[str, Any]]:
    """What a page gets that says this first, up to `ready`."""
    frames: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    gone = asyncio.Event()
    said = iter([{"type": "websocket.receive", "text": json.dumps({"token": "t", **hello})}])

    async def receive() -> dict[str, Any]:
        for event in said:
            return event
        await gone.wait()
        return {"type": "websocket.disconnect"}

    async def send(event: Any) -> None:
        frames.put_nowait(json.loads(event["text"]))

    page = asyncio.create_task(Gateway(played, "t").run(receive, send))
    found = [await asyncio.wait_for(frames.get(), 20)]
    while found[-1]["event"] != "ready":
        found.append(await asyncio.wait_for(frames.get(), 20))
    gone.set()
    await asyncio.wait_for(page, 20)
    return found


async def test_a_page_that_comes_back_gets_what_it_has_missed_and_nothing_twice() -> None:
    played = Playground([DevServer("lab", talking.of_cloche())])
    try:
        played.tell("output", server="lab", line="one")
        first = await heard(played, {})
        assert [frame["event"] for frame in first] == ["begin", "output", "ready"]
        played.tell("output", server="lab", line="two")
        again = await heard(played, {"run": first[0]["run"], "seq": first[1]["seq"]})
        assert [frame.get("line") for frame in again] == [None, "two", None]
        other = await heard(played, {"run": "of another playground", "seq": 99})
        assert [frame.get("line") for frame in other] == [None, "one", "two", None]
    finally:
        await played.close()
        await played.host.close()
