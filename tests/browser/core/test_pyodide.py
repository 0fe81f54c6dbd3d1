"""The core runs unchanged in the browser's Python: same wheel, same tests, in a worker under a strict policy."""

from __future__ import annotations

import asyncio
import json
import sys
from collections import Counter
from contextlib import ExitStack
from importlib import resources
from pathlib import Path

import pytest

from tests.browser.core.inside import covers
from tests.browser.core.report import Report, reports
from tests.browser.core.selection import CANNOT_RUN, FLOORS, ROOT, is_left_out, modules, paths
from tests.server.test_hostile_messages import HOSTILE
from tests.support.file_site import POLICY, Site, zipped
from tools.browser_wheels import browser_wheels
from tools.npm_tools import node_modules

HERE = Path(__file__).parent

SILENCE_SECONDS = 240
"""A page gives its Python up after this long without a word: longer than one case may take."""

BLOCKED_SECONDS = 15
"""The same where nothing will ever be heard; starting takes a third of it."""

HARNESS = ("iniconfig-", "msgspec-", "packaging-", "pluggy-", "pygments-", "pytest-")
"""The wheels that suffice for a test that needs nothing itself."""

BROKEN = """
import msgspec

def test_passes():
    pass

def test_fails():
    assert "inside" == "outside"

async def test_fails_on_the_loop():
    raise LookupError("on the loop")

def test_ends_the_worker():
    msgspec.json.decode(b"[" * 5_000 + b"]" * 5_000)
"""


def project(*, broken: bool) -> bytes:
    """The tests as an archive; or the harness with a few cases that go wrong."""
    if not broken:
        return zipped({path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sources()})
    return zipped(
        {
            **{name: (ROOT / name).read_bytes() for name in ("pyproject.toml", "tests/browser/core/inside.py")},
            "tests/test_broken.py": BROKEN.encode(),
            "tests/conftest.py": (ROOT / "tests" / "conftest.py").read_bytes(),
        }
    )


def sources() -> list[Path]:
    tests = ROOT / "tests"
    return [ROOT / "pyproject.toml", tests / "web" / "json_schema_suite.json", *tests.rglob("*.py")]


def site(policy: str = POLICY, *, broken: bool = False) -> Site:
    """Everything a page needs to run the selection."""
    built = list((Path(sys.prefix) / "wheel").glob("cloche-*.whl"))
    assert len(built) == 1, "there is no wheel to load into the browser: run the tests with make"
    made = Site(policy)
    made.add_folder("", HERE / "page")
    web = Path(str(resources.files("cloche.web")))
    for script in web.glob("*.js"):
        made.add(f"/web/{script.name}", script)
    made.add_folder("/web/transports", web / "transports")
    made.add_folder("/pyodide", node_modules(HERE / "node") / "pyodide")
    others = browser_wheels(HERE / "packages.txt").iterdir()
    made.add_wheels([*built, *(one for one in others if not broken or one.name.startswith(HARNESS))])
    made.add("/project.zip", project(broken=broken))
    plan = {"paths": ["tests"], "left_out": []} if broken else {"paths": paths(), "left_out": list(CANNOT_RUN)}
    made.add("/plan.json", json.dumps(plan).encode())
    return made


class Visit:
    """What came of the three pages: the selection, the same where WebAssembly is forbidden, and cases that go wrong."""

    def __init__(self) -> None:
        with ExitStack() as stack:
            sites = [
                stack.enter_context(one)
                for one in (site(), site(POLICY.replace(" 'wasm-unsafe-eval'", "")), site(broken=True))
            ]
            seconds = [SILENCE_SECONDS, BLOCKED_SECONDS, SILENCE_SECONDS]
            urls = [f"{one.url}/index.html?silence-seconds={limit}" for one, limit in zip(sites, seconds, strict=True)]
            self.whole, self.blocked, self.broken = asyncio.run(reports(urls))
            self.missed = [path for one in sites for path in one.missed]


@pytest.fixture(scope="module")
def visit() -> Visit:
    return Visit()


@pytest.fixture
def whole(visit: Visit) -> Report:
    return visit.whole


@pytest.mark.requirement(1)
def test_it_is_the_browsers_python_with_the_wheel_in_a_worker(whole: Report) -> None:
    assert whole.python is not None, whole.failure
    assert whole.python.platform == "emscripten"
    assert whole.python.version == (3, 14)
    assert whole.python.scope == "DedicatedWorkerGlobalScope"
    assert whole.python.cloche == "/lib/python3.14/site-packages/cloche/__init__.py"


def test_it_comes_to_an_orderly_end(whole: Report) -> None:
    assert whole.failure is None, f"during {whole.running}: {whole.failure}"
    assert whole.status == pytest.ExitCode.OK, whole.output[-3000:]


@pytest.mark.requirement(1)
@pytest.mark.parametrize("module", modules())
def test_the_module_passes_in_the_browser(module: str, whole: Report) -> None:
    inside = [one for one in whole.outcomes if covers(module, one.name)]
    failed = [f"{one.name} {one.outcome} in the browser:\n{one.text}" for one in inside if one.outcome != "passed"]
    if failed:
        pytest.fail("\n\n".join(failed), pytrace=False)
    assert inside, f"no case of it ran; the worker was last heard of in {whole.running}: {whole.failure}"


def test_every_case_that_is_not_left_out_runs_once(whole: Report) -> None:
    wanted = Counter(name for name in whole.collected if not is_left_out(name))
    assert wanted == Counter(one.name for one in whole.outcomes)


@pytest.mark.parametrize("entry", FLOORS)
def test_no_fewer_cases_run_than_before(entry: str, whole: Report) -> None:
    ran = [one for one in whole.outcomes if one.name.startswith((f"{entry}/", f"{entry}::"))]
    assert len(ran) >= FLOORS[entry]


@pytest.mark.parametrize("entry", CANNOT_RUN)
def test_what_is_left_out_exists(entry: str, whole: Report) -> None:
    assert [name for name in whole.collected if covers(entry, name)], "remove it from CANNOT_RUN"


def test_hostile_messages_are_among_the_cases(whole: Report) -> None:
    """Their tests call again after each, so the worker lived on; `test_a_worker_dies_of_…` shows that it need not."""
    test = "tests/server/test_hostile_messages.py::test_it_is_answered_with_an_error_and_the_next_call_works"
    assert {f"{test}[{what}]" for what in HOSTILE} <= {one.name for one in whole.outcomes if one.outcome == "passed"}


def test_nothing_is_forbidden_and_nothing_is_missing(visit: Visit) -> None:
    assert visit.whole.violations == []
    assert visit.missed == []


def test_without_leave_for_webassembly_python_does_not_start(visit: Visit) -> None:
    assert visit.blocked.python is None
    assert visit.blocked.failure == f"nothing was heard from Python for {BLOCKED_SECONDS} s"
    assert "script-src wasm-eval" in visit.blocked.violations


def test_a_failure_inside_is_seen_outside(visit: Visit) -> None:
    outcomes = {one.name.partition("::")[2]: one for one in visit.broken.outcomes}
    assert {name: one.outcome for name, one in outcomes.items()} == {
        "test_passes": "passed",
        "test_fails": "failed",
        "test_fails_on_the_loop": "failed",
    }
    assert "AssertionError: assert 'inside' == 'outside'" in outcomes["test_fails"].text
    assert "LookupError: on the loop" in outcomes["test_fails_on_the_loop"].text


def test_a_worker_dies_of_deep_json_that_is_not_checked_and_the_case_is_named(visit: Visit) -> None:
    assert visit.broken.running == "tests/test_broken.py::test_ends_the_worker"
    assert visit.broken.status is None
    assert "Maximum call stack size exceeded" in (visit.broken.failure or "")
