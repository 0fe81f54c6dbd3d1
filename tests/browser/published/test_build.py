"""What `cloche build` writes, and what keeps it from writing. No browser."""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from cloche.browser import write_site
from cloche.browser.static_hosts import checked_origins
from cloche.errors import ConfigurationError, LoadError
from tests.browser.published.conftest import HERE, Places, sent_with

SECONDS = 120


def files_of(folder: Path) -> dict[str, str]:
    """The digest of every file."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def test_the_same_server_makes_the_same_bytes(places: Places, runtime: Path, tmp_path: Path) -> None:
    again = write_site(HERE / "greeter.py", tmp_path / "again", allow_origins=[places.outer], runtime=runtime)
    assert files_of(again.folder) == files_of(places.site.folder)
    assert sum(again.sizes.values()) == sum(file.stat().st_size for file in again.folder.rglob("*") if file.is_file())


def test_mcp_json_describes_the_server(places: Places) -> None:
    about = json.loads((places.site.folder / "mcp.json").read_text())
    assert (about["name"], about["title"], about["version"]) == ("greeter", "Greeter", "1.2")
    assert (about["phases"], about["allowedOrigins"]) == (["setup", "transport"], [places.outer])
    assert [tool["name"] for tool in about["tools"]] == ["greet", "blab", "expire"]
    assert about["tools"][0]["inputSchema"]["properties"] == {"times": {"type": "integer", "default": 1}}
    assert about["setup"]["secrets"] == ["key"]
    assert about["setup"]["schema"]["properties"]["key"]["format"] == "password"


def test_the_policy_stands_in_the_page_and_in_the_files_of_hosts(places: Places) -> None:
    folder = places.site.folder
    sent = sent_with(folder)["Content-Security-Policy"]
    assert sent.endswith(f"; frame-ancestors {places.outer}")
    assert not re.search(r"unsafe-inline|unsafe-eval(?<!wasm-unsafe-eval)|\*", sent)
    page = (folder / "index.html").read_text().replace("&#x27;", "'")
    assert sent.removesuffix(f"; frame-ancestors {places.outer}") in page
    assert sent in json.loads((folder / "vercel.json").read_text())["headers"][0]["headers"][0]["value"]
    azure = json.loads((folder / "staticwebapp.config.json").read_text())
    assert azure["globalHeaders"]["Content-Security-Policy"] == sent
    assert sent in (folder / ".htaccess").read_text()


@pytest.mark.parametrize(
    "given", ["app.example", "https://app.example/page", "ftp://app.example", "https://a b", "x:y:z"]
)
def test_what_is_no_origin_is_refused(given: str) -> None:
    with pytest.raises(ConfigurationError, match="is not an origin: write it as in"):
        checked_origins([given])


def test_every_origin_has_to_be_written_out() -> None:
    assert checked_origins(["https://App.example:443/"]) == ["https://app.example"]
    assert checked_origins(["*"]) == ["*"]
    with pytest.raises(ConfigurationError, match="name no other beside it"):
        checked_origins(["*", "https://app.example"])


SERVER = "from cloche import Server\nserver = Server('x</script><!--')\n"


@pytest.mark.parametrize(
    ("code", "error", "sentence"),
    [
        ("import no_such_package\n" + SERVER, LoadError, r"No module named 'no_such_package'.*install it here too"),
        ("import js\n" + SERVER, LoadError, r"^server\.py is imported once .* import js in a function$"),
        ("raise RuntimeError('broken')\n" + SERVER, LoadError, r"RuntimeError: broken \(line 1\)"),
        (SERVER + "import yaml\n", ConfigurationError, r"server\.py line 3 imports 'yaml'.*add -r "),
    ],
)
def test_a_server_that_cannot_be_published_fails_the_build(
    code: str, error: type[Exception], sentence: str, tmp_path: Path, runtime: Path
) -> None:
    (tmp_path / "server.py").write_text(code)
    with pytest.raises(error, match=sentence):
        write_site(tmp_path / "server.py", tmp_path / "site", runtime=runtime, snapshot=False)


def test_a_name_cannot_break_out_of_the_page(tmp_path: Path, runtime: Path) -> None:
    (tmp_path / "server.py").write_text(SERVER)
    site = write_site(tmp_path / "server.py", tmp_path / "site", runtime=runtime, snapshot=False)
    page = (site.folder / "index.html").read_text()
    assert page.count("</script>") == 3
    assert "x&lt;/script&gt;" in page
    assert site.about["allowedOrigins"] == []
    assert sent_with(site.folder)["Content-Security-Policy"].endswith("frame-ancestors 'none'")
    (site.folder / "mcp.json").unlink()
    with pytest.raises(ConfigurationError, match="that no build wrote: name an empty folder"):
        write_site(tmp_path / "server.py", site.folder, runtime=runtime, snapshot=False)


def command(*words: Any) -> subprocess.CompletedProcess[str]:
    """`cloche build …`."""
    given = [sys.executable, "-m", "cloche", "build", *map(str, words)]
    return subprocess.run(given, capture_output=True, text=True, timeout=SECONDS, check=False)


def test_the_command_says_how_large_it_is(tmp_path: Path, runtime: Path) -> None:
    (tmp_path / "server.py").write_text(SERVER)
    where = ["--runtime", runtime, "--no-snapshot"]
    done = command(tmp_path / "server.py", "-o", tmp_path / "site", *where)
    assert done.returncode == 0, done.stderr
    assert re.search(r"\d MB  in all\n", done.stderr)
    assert "--allow-origin https://app.example lets one" in done.stderr
    assert done.stdout.strip() == str(tmp_path / "site")
    bare = command(tmp_path / "server.py", "-o", tmp_path / "bare", "--bundle-only", *where)
    assert bare.returncode == 0, bare.stderr
    assert (tmp_path / "bare" / "python.json").is_file()
    assert not (tmp_path / "bare" / "index.html").exists()
    wrong = command(tmp_path / "server.py", "-o", tmp_path / "site", "--allow-origin", "app.example", *where)
    assert (wrong.returncode, wrong.stderr.splitlines()[-1]) == (
        2,
        "Error: 'app.example' is not an origin: write it as in https://app.example",
    )


def test_serve_gives_the_folder_out_with_its_headers(tmp_path: Path, runtime: Path) -> None:
    (tmp_path / "server.py").write_text(SERVER)
    words = [
        *(sys.executable, "-m", "cloche", "build", "server.py", "-o", "site", "--no-snapshot"),
        "--runtime",
        runtime,
    ]
    given = [*map(str, words), "--serve", "--port", "0", "--allow-origin", "https://app.example"]
    with subprocess.Popen(given, cwd=tmp_path, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True) as process:
        assert process.stderr is not None
        try:
            url = next(line.strip() for line in process.stderr if line.startswith("http://127.0.0.1:"))
            with urllib.request.urlopen(f"{url}page.js", timeout=SECONDS) as answer:
                assert answer.headers["Content-Type"].startswith("text/javascript")
                policy = answer.headers["Content-Security-Policy"]
        finally:
            process.terminate()
    assert policy == sent_with(tmp_path / "site")["Content-Security-Policy"]
    assert policy.endswith("frame-ancestors https://app.example")
