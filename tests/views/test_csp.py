"""`Csp`: what is an origin gets through, rebuilt; what is not is refused with a sentence (W03, W04)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cloche import Csp
from cloche.errors import RegistrationError
from cloche.wire.apps.origins import MAX_ENTRIES, MAX_TEXT, parse_source

GOOD = {
    "https://api.example.com": "https://api.example.com",
    "https://api.example.com/": "https://api.example.com",
    "HTTPS://API.Example.COM": "https://api.example.com",
    "https://api.example.com:443": "https://api.example.com",
    "https://api.example.com:8443": "https://api.example.com:8443",
    "https://api.example.com:08443": "https://api.example.com:8443",
    "api.example.com": "https://api.example.com",
    "api.example.com:8443": "https://api.example.com:8443",
    "https://*.example.com": "https://*.example.com",
    "*.example.com": "https://*.example.com",
    "wss://live.example.com": "wss://live.example.com",
    "wss://*.example.com:9000": "wss://*.example.com:9000",
    "https://xn--bcher-kva.example": "https://xn--bcher-kva.example",
    "https://192.0.2.7:8443": "https://192.0.2.7:8443",
    "https://intranet": "https://intranet",
    "http://localhost:3000": "http://localhost:3000",
    "http://127.0.0.1:3000": "http://127.0.0.1:3000",
    "ws://localhost:3000": "ws://localhost:3000",
    "localhost:3000": "https://localhost:3000",
}

HOSTILE = {
    "semicolon": "https://a.example; script-src *",
    "semicolon without space": "https://a.example;script-src",
    "newline": "https://a.example\nX-Evil: 1",
    "carriage return": "https://a.example\r\nX-Evil: 1",
    "trailing newline": "https://a.example\n",
    "quote": "'unsafe-eval'",
    "quoted origin": "https://a.example'self'",
    "double quote": '"https://a.example"',
    "space": "https://a.example https://evil.example",
    "leading space": " https://a.example",
    "tab": "https://a.example\thttps://evil.example",
    "form feed": "https://a.example\fhttps://evil.example",
    "vertical tab": "https://a.example\vhttps://evil.example",
    "no-break space": "https://a.example\u00a0https://evil.example",
    "line separator": "https://a.example\u2028https://evil.example",
    "null": "https://a.example\0",
    "comma": "https://a.example,https://evil.example",
    "star": "*",
    "scheme alone": "https:",
    "scheme and slashes": "https://",
    "wss alone": "wss:",
    "http star": "http://*",
    "https star": "https://*",
    "star of a whole top level": "https://*.com",
    "bare star of a top level": "*.com",
    "two stars": "https://*.*.example.com",
    "star inside": "https://a.*.example.com",
    "star in a label": "https://a*.example.com",
    "star port": "https://a.example:*",
    "data": "data:",
    "data url": "data:text/html,x",
    "blob": "blob:",
    "filesystem": "filesystem:",
    "file": "file:///etc/passwd",
    "javascript": "javascript:alert(1)",
    "javascript with slashes": "javascript://a.example/%0aalert(1)",
    "relative to the scheme": "//evil.example",
    "backslash": "https:\\\\evil.example",
    "user": "https://a.example@evil.example",
    "user and password": "https://user:pass@evil.example",
    "path": "https://a.example/v1",
    "query": "https://a.example?x",
    "fragment": "https://a.example#x",
    "not encrypted": "http://a.example",
    "not encrypted socket": "ws://a.example",
    "loopback as a name's end": "http://127.0.0.1.evil.example",
    "keyword": "self",
    "none": "none",
    "unsafe": "unsafe-inline",
    "nonce": "'nonce-abc'",
    "strict dynamic": "'strict-dynamic'",
    "empty": "",
    "dot": ".",
    "leading dot": "https://.example.com",
    "trailing dot": "https://example.com.",
    "double dot": "https://a..example",
    "dash": "https://-a.example",
    "underscore": "https://a_b.example",
    "percent": "https://a%2eexample",
    "other alphabet": "https://bücher.example",
    "look-alike slash": "https://a.example\u2044evil",
    "full-width dot": "https://a\uff0eexample",
    "numbers": "https://1",
    "hexadecimal": "https://0x7f.1",
    "octal": "https://0177.0.0.1",
    "short address": "https://127.1",
    "star address": "https://*.0.0.1",
    "address in brackets": "https://[::1]",
    "port zero": "https://a.example:0",
    "port too high": "https://a.example:65536",
    "port too long": "https://a.example:00000443",
    "other digits": "https://a.example:\u0664\u0664\u0663",
    "long": "https://" + "a" * 300 + ".example",
    "long label": "https://" + "a" * 64 + ".example",
}


@pytest.mark.requirement(86)
@pytest.mark.parametrize("entry", GOOD)
def test_an_origin_is_written_out_from_its_parts(entry: str) -> None:
    assert Csp(connect=[entry]).as_meta() == {"connectDomains": [GOOD[entry]]}


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("which", ["connect", "resources", "frames", "base"])
def test_what_is_no_origin_is_refused_with_a_sentence(which: str, name: str) -> None:
    with pytest.raises(
        RegistrationError, match=rf"^Csp\({which}=…\): .* is not taken: .+ look like 'https://"
    ) as raised:
        Csp(**{which: [HOSTILE[name]]})
    assert len(str(raised.value)) < 400
    assert re.search(r"[\x00-\x1f\u2028]", str(raised.value)) is None


def lenient(entries: list[str]) -> list[str]:
    """A filter as hosts have it: a list of forbidden characters."""
    return [entry for entry in entries if not re.search(r"[;\r\n'\" ]", entry)]


def allowed(policy: str) -> set[str]:
    """What a browser takes the sources of connect-src to be: policies end at commas, directives at semicolons."""
    directives = [part.split() for whole in policy.split(",") for part in whole.split(";")]
    return {source for words in directives if words and words[0] == "connect-src" for source in words[1:]}


@pytest.mark.parametrize("name", ["tab", "form feed", "star", "scheme alone", "http star", "star of a whole top level"])
def test_what_slips_through_a_list_of_bad_characters_does_not_get_past_the_parser(name: str) -> None:
    attack = HOSTILE[name]
    opened = allowed(f"default-src 'none'; connect-src {' '.join(lenient([attack]))}")
    assert opened - {"https://a.example"}, "without the parser the policy lets in more than one origin"
    with pytest.raises(RegistrationError):
        Csp(connect=[attack])


def test_every_rebuilt_entry_is_one_source() -> None:
    entries = Csp(connect=list(GOOD)).as_meta()["connectDomains"]
    assert allowed(f"default-src 'none'; connect-src {' '.join(entries)}; img-src data:") == set(GOOD.values())


ENTRIES = st.one_of(
    st.text(max_size=40),
    st.text(alphabet="aA0.-*:/@;, \t\n'\"\\?#[]%\u00a0\u2028", max_size=40),
    st.tuples(st.sampled_from(["https://", "wss://", "http://", "", "//"]), st.text(max_size=30)).map("".join),
    st.tuples(st.sampled_from(sorted(GOOD)), st.text(max_size=3)).map("".join),
)


@settings(max_examples=1500, deadline=None, derandomize=True)
@given(ENTRIES)
def test_whatever_is_taken_is_one_origin_and_stays_the_same(entry: str) -> None:
    try:
        rebuilt = parse_source(entry)
    except RegistrationError:
        return
    assert re.fullmatch(r"(?:https|wss|http|ws)://(?:\*\.)?[a-z0-9\-]+(?:\.[a-z0-9\-]+)*(?::[1-9][0-9]{0,4})?", rebuilt)
    assert parse_source(rebuilt) == rebuilt


@pytest.mark.parametrize(
    ("entries", "sentence"),
    [
        ("https://a.example", r"connect=…\) is one text: give a list, such as \['https://a.example'\]"),
        ({"a": "https://a.example"}, "is a dict: give a list of origins"),
        (5, "is a int: give a list of origins"),
        (None, "is a NoneType: give a list of origins"),
        ([["https://a.example"]], "an entry is a text, and this is a list"),
        ([None], "an entry is a text, and this is a NoneType"),
        ([b"https://a.example"], "an entry is a text, and this is a bytes"),
        (["https://a.example"] * 10_000, f"has 10000 entries, and at most {MAX_ENTRIES}"),
    ],
    ids=["text", "dict", "number", "none", "nested", "null", "bytes", "many"],
)
def test_what_is_no_list_of_texts_is_refused(entries: Any, sentence: str) -> None:
    with pytest.raises(RegistrationError, match=sentence):
        Csp(connect=entries)


def test_all_lists_together_fit_into_a_header() -> None:
    many = [f"https://{'a' * 60}{number}.{'b' * 60}.example" for number in range(MAX_ENTRIES)]
    with pytest.raises(RegistrationError, match=f"keep it under {MAX_TEXT}"):
        Csp(connect=many)


def test_the_same_entry_counts_once_and_empty_lists_are_left_out() -> None:
    csp = Csp(connect=["a.example", "https://a.example", "https://a.example:443/"], frames=("b.example",))
    assert csp.as_meta() == {"connectDomains": ["https://a.example"], "frameDomains": ["https://b.example"]}
    assert Csp().as_meta() == {}


@pytest.mark.requirement(86)
def test_a_dictionary_in_the_wires_spelling_is_checked_in_the_same_way() -> None:
    assert Csp.of({"connectDomains": ["a.example"], "base": ["b.example"]}) == Csp(
        connect=["https://a.example"], base=["https://b.example"]
    )
    with pytest.raises(
        RegistrationError, match="csp has no 'scriptDomains': it takes connect, resources, frames, base"
    ):
        Csp.of({"scriptDomains": ["a.example"]})
    with pytest.raises(RegistrationError, match=r"csp is a list: write csp=Csp\(connect="):
        Csp.of(["a.example"])  # type: ignore[arg-type]
