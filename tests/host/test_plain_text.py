"""What a person reads before they decide: nothing of it is hidden, turned around, or behind something long."""

from __future__ import annotations

import json
import random
import unicodedata
from typing import Any

import pytest

from cloche.host import Policy, Request
from cloche.host.plain_text import MAX_ENTRIES, MAX_NAME, MAX_TOTAL, Details, middle_cut, name, quoted, visible
from cloche.host.questions import question_for
from cloche.host.view_requests import file_name
from tests.host.servers import Weather
from tests.support.host_page import hosting, opened

HIDDEN = [
    *"\x00\x07\x1b\x7f\x85\xad",
    *"\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u2028\u2029\u2060\ufeff",
    *"\u00a0\u2003\u3000\u115f\u1160\u3164\uffa0\u2800\u034f\u180b\u17b4\ufe00\ufe0f\U000e0041\U000e0100\ue000\U0010ffff",
    "\ud800",
]


def strings(seed: int, count: int) -> list[str]:
    """Texts of letters, pictures, and everything that hides, at random."""
    chance = random.Random(seed)
    plain = "abcXYZ 0189.-_/éßжя中あ한ع🙂❤👩"
    made = []
    for _ in range(count):
        letters = [
            chance.choice(HIDDEN) if chance.random() < 0.3 else chance.choice(plain)
            if chance.random() < 0.8 else chr(chance.choice((chance.randrange(0x3000), chance.randrange(0x110000))))
            for _ in range(chance.randrange(1, 80))
        ]  # fmt: skip
        made.append("".join(letters))
    return made


def hidden_in(text: str) -> list[str]:
    """What of a text would not be seen; pictures may be joined."""
    return [
        letter
        for at, letter in enumerate(text)
        if (unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") or letter in HIDDEN)
        and not (letter in "\u200d\ufe0f" and at and unicodedata.category(text[at - 1]) in ("So", "Sk", "Mn"))
    ]


@pytest.mark.parametrize("seed", range(5))
def test_nothing_that_does_not_print_is_left(seed: int) -> None:
    for text in strings(seed, 400):
        shown = visible(text)
        assert hidden_in(shown) == []
        assert shown.encode("utf-8")  # no halves of characters
        assert visible(shown) == shown
        for kept in (quoted(text), name(text), file_name(f"file:///x/{text}")):
            assert hidden_in(kept) == []
            assert "  " not in kept


@pytest.mark.parametrize("letter", HIDDEN, ids=lambda letter: f"U+{ord(letter):04X}")
def test_each_shows_by_its_number(letter: str) -> None:
    assert visible(f"a{letter}b") == f"a⟨U+{ord(letter):04X}⟩b"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain text, “quoted” and naïve", "plain text, “quoted” and naïve"),
        ("один 二 ثلاثة", "один 二 ثلاثة"),
        ("❤️ 👩‍👩‍👧 👍🏽", "❤️ 👩‍👩‍👧 👍🏽"),
        ("two\nlines\r\nand\ttab", "two↵lines↵and⇥tab"),
        ("z" + "\u0301" * 9, "z" + "\u0301" * 3 + "⟨U+0301⟩" * 6),
    ],
)
def test_what_people_write_stays_readable(text: str, shown: str) -> None:
    assert visible(text) == shown


@pytest.mark.parametrize("seed", range(3))
def test_a_cut_keeps_head_and_tail(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(300):
        text = "".join(chance.choice("abcdef.") for _ in range(chance.randrange(400)))
        limit = chance.randrange(10, 200)
        cut = middle_cut(text, limit)
        assert len(cut) <= limit
        assert cut == text or (text.startswith(cut[:4]) and text.endswith(cut[-4:]) and "…" in cut)


@pytest.mark.parametrize(
    "uri",
    [
        "file:///x/report.pdf" + "%20" * 200 + ".exe",
        "file:///x/report.pdf" + "%E2%80%83" * 50 + ".exe",
        "file:///x/report%E2%80%AEfdp.exe",
        "file:///x/" + "report" * 100 + ".exe",
        "file:///x/report.pdf" + "%E3%85%A4" * 60 + ".exe",
        "file:///x/report.pdf%0A%0A%0A.exe",
    ],
)
def test_the_ending_of_a_file_is_seen(uri: str) -> None:
    named = file_name(uri)
    assert named.endswith(".exe")
    question = question_for(Request("download", "ann", "evil", "t", "v", {"files": [named]}), 30)
    assert question.text.endswith(".exe”.")
    assert len(question.text) < MAX_NAME + 60
    assert question.details == {"files": [named]}


def test_the_names_of_many_files_are_in_the_details() -> None:
    files = [f"{number}.txt" for number in range(19)] + ["payload.exe"]
    question = question_for(Request("download", "ann", "evil", "t", "v", {"files": files}), 30)
    assert question.text == "The view of “evil” wants to save “0.txt”, “1.txt”, “2.txt” and 17 more."
    assert question.details == {"files": files}


def arguments(**given: Any) -> Request:
    return Request("tool", "ann", "files", "t", "v", {"name": "move", "arguments": given})


def test_a_dangerous_argument_is_seen_behind_a_long_one() -> None:
    question = question_for(arguments(a="x" * 500_000, recursive=True, target="/etc/" + "y" * 50_000 + "/passwd"), 30)
    shown = question.details["arguments"]
    assert list(shown) == ["recursive", "a", "target"]  # the long ones last: what is short is seen without scrolling
    assert shown["recursive"] is True
    assert (shown["target"][:5], shown["target"][-7:]) == ("/etc/", "/passwd")
    assert (shown["a"][0], shown["a"][-1]) == ("x", "x")
    assert len(json.dumps(question.details)) < 2 * MAX_TOTAL
    assert question.text.endswith("It is too long to be shown in full.")


def test_a_value_cannot_look_like_another_line_or_hide_in_a_key() -> None:
    question = question_for(arguments(**{"a": "1\nrecursive: false", "b\u202e\nc": "2"}), 30)
    assert question.details["arguments"] == {"a": "1↵recursive: false", "b⟨U+202E⟩↵c": "2"}
    assert question.text == "The view of “files” wants to run “move”."


def test_many_values_show_the_first_and_the_last_and_say_how_many_more() -> None:
    shown = Details({str(number): number for number in range(1000)})
    assert not shown.complete
    assert len(shown.shown) == MAX_ENTRIES + 1
    assert ("0" in shown.shown, "999" in shown.shown, shown.shown["…"]) == (True, True, "… 960 more …")
    keys = Details({"k" * 100 + str(number) + "k" * 100: number for number in range(5)})
    assert sorted(keys.shown.values()) == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("seed", range(5))
def test_any_arguments_can_be_shown(seed: int) -> None:
    chance = random.Random(seed)
    words = strings(seed, 50)

    def made(depth: int) -> Any:
        kind = chance.randrange(6 if depth else 4)
        if kind == 4:
            return [made(depth - 1) for _ in range(chance.randrange(60))]
        if kind == 5:
            return {chance.choice(words): made(depth - 1) for _ in range(chance.randrange(60))}
        return [chance.choice(words) * chance.randrange(200), chance.randrange(10**9), None, True][kind]

    for _ in range(10):
        found = Details({"arguments": made(3)})
        text = json.dumps(found.shown, ensure_ascii=False)
        assert hidden_in(text) == []
        assert len(text) < 5 * MAX_TOTAL


def test_a_message_is_shown_as_people_read_it() -> None:
    text = {"type": "text", "text": "Book it\u200b\nnow"}
    picture = {"type": "image", "mimeType": "image/png", "data": "iVBO" * 1000}
    link = {"type": "resource_link", "uri": "https://example.com/", "name": "n"}
    asked = [
        question_for(Request("message", "ann", "weather", "t", "v", {"content": content}), 30).details["content"]
        for content in ([text], [text, picture, link], [])
    ]
    assert asked == ["Book it⟨U+200B⟩↵now", ["Book it⟨U+200B⟩↵now", "(image, 3,000 bytes)", link], []]


async def test_a_title_is_visible_and_keeps_its_end() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}, policy=Policy()) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        page.view.call.tool_entry["title"] = "Forecast\u202e\n" + "x" * 300 + " of evil"
        assert page.view.title.startswith("Forecast⟨U+202E⟩↵xxx")
        assert page.view.title.endswith(" of evil")
        assert len(page.view.title) == 100
