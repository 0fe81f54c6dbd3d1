"""How tasks behave over a transport, whichever it is: cases as those of `cases.py`."""

from __future__ import annotations

from cloche.testing.behaviour.link import Link
from cloche.testing.behaviour.runner import cases_in
from cloche.wire.versions import FEATURES


async def waits_for_a_tool_that_runs_as_a_task(link: Link) -> None:
    """A call that becomes a task has its result in the end, and its steps are told, where the era has tasks."""
    if not _has_tasks(link):
        return
    told: list[float] = []
    result = await link.client.call_tool("labour", {"count": 3}, progress=lambda *step: told.append(step[0]))
    assert result.text == "3"
    assert told == sorted(set(told))
    assert not told or told[-1] == 3
    result = await (await link.client.start_task("labour", {"count": 2})).result()
    assert result.text == "2"


async def cancels_a_task(link: Link) -> None:
    """The function is told, and the task stays cancelled."""
    if not _has_tasks(link):
        return
    task = await link.client.start_task("toil", {"name": "toil"})
    assert (await task.status()).status == "working"
    await task.cancel()
    assert (await link.client.call_tool("rest", {"name": "toil"})).text == "1"
    assert [update.status async for update in link.client.task(task.id)] == ["cancelled"]


async def asks_the_user_from_within_a_task(link: Link) -> None:
    """A task that has a question waits for the answer."""
    if not _has_tasks(link) or not link.has_way_back:
        return
    task = await link.client.start_task("consult", {"question": "Who?"})
    statuses = [update.status async for update in task]
    assert statuses[-1] == "completed", statuses
    assert (await task.result()).text == "accept Ada"


TASK_CASES = cases_in(vars())


def _has_tasks(link: Link) -> bool:
    features = FEATURES[link.client.protocol_version]
    return features.task_requests or features.task_results
