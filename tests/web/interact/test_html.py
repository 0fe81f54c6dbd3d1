"""The HTML builder: escaped by default, for the place where it stands."""

from __future__ import annotations

import json
import re

import jinja2
import markupsafe
import pytest

from cloche.views import Html, h, json_script, raw
from cloche.views.html import escape, is_safe_url, tag


def test_text_and_attributes_are_escaped() -> None:
    assert h.p("<b> & \"q\" 'a'", title="\"><script>'") == (
        '<p title="&quot;&gt;&lt;script&gt;&#x27;">&lt;b&gt; &amp; &quot;q&quot; &#x27;a&#x27;</p>'
    )
    assert h.p(h.b("x"), raw("<i>"), 3, None, [h.u("y"), "<"], (one for one in "ab")) == (
        "<p><b>x</b><i>3<u>y</u>&lt;ab</p>"
    )


def test_attributes_are_written_as_html_has_them() -> None:
    made = h.input(
        {"data-x:y": 1}, class_=["a", None, "b"], for_="z", data_args={"id": 3}, aria_hidden=True, data_on=False,
        checked=True, disabled=False, value=None, stroke_width=2, viewBox="0 0 1 1",
    )  # fmt: skip
    assert made == (
        '<input class="a b" for="z" data-args="{&quot;id&quot;:3}" aria-hidden="true" data-on="false" checked '
        'stroke-width="2" viewBox="0 0 1 1" data-x:y="1">'
    )
    assert h.my_element() == "<my-element></my-element>"
    assert h.textarea("\nfirst") == "<textarea>\n\nfirst</textarea>"


def test_html_stays_html_when_it_is_put_together() -> None:
    assert h.b("x") + "<" == "<b>x</b>&lt;"
    assert "<" + h.b("x") == "&lt;<b>x</b>"
    assert Html(", ").join(["<", h.i("y")]) == "&lt;, <i>y</i>"
    assert type(h.b("x") + "<") is type("<" + h.b("x")) is type(Html("").join([])) is type(h.b("x") * 2) is Html
    assert h("a<", h.b("c")) == "a&lt;<b>c</b>"
    assert escape(h.b("x").upper()) == "&lt;B&gt;X&lt;/B&gt;"  # what is no longer known to be HTML is text


@pytest.mark.parametrize(
    "call",
    [
        lambda: h.p(onclick="x"),
        lambda: h.p(ONLOAD="x"),
        lambda: h.iframe(srcdoc="x"),
        lambda: h.script("alert(1)"),
        lambda: h.style("</style>"),
        lambda: h.br("text"),
        lambda: tag("p><script"),
        lambda: h.p({'x="y" onclick': "z"}),
        lambda: h.p({"a b": "z"}),
    ],
    ids=["handler", "HANDLER", "srcdoc", "script", "style", "void", "element", "attribute", "space"],
)
def test_what_cannot_be_made_safe_is_refused(call: object) -> None:
    with pytest.raises(ValueError, match=r".+"):
        call()  # type: ignore[operator]


UNSAFE = [
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    " java\nscript:alert(1)",
    "\x01javascript:alert(1)",
    "java\tscript\t:alert(1)",
    "vbscript:x",
    "data:text/html,<script>",
    "data:image/svg+xml,<svg onload=alert(1)>",
    "blob:null/x",
    "file:///etc/passwd",
    "\ufeffjavascript:1",
]


@pytest.mark.requirement(161)
@pytest.mark.parametrize("url", UNSAFE, ids=ascii)
def test_urls_that_run_something_are_left_out(url: str, caplog: pytest.LogCaptureFixture) -> None:
    for name in ("href", "formaction", "xlink:href", "HREF"):
        assert h.a("x", {name: url}) == "<a>x</a>"
    assert h.iframe(src=url) == "<iframe></iframe>"
    assert "not a URL that a page may follow" in caplog.text


def test_urls_that_do_not_are_kept() -> None:
    for url in ("https://example.com/a:b", "mailto:a@b.example", "#part", "page?x=a:b", "/a:b", "//host/x", ""):
        assert is_safe_url(url), url
    assert h.img(src="data:image/svg+xml,<svg>") == '<img src="data:image/svg+xml,&lt;svg&gt;">'
    assert not is_safe_url("data:text/html,x", element="img")
    assert "href=" in h.a("csv", href="data:text/csv,a", download="a.csv")


def test_json_in_a_page_cannot_leave_it() -> None:
    data = {"a": "</script><!--<script>]]>&\u2028\u2029"}
    made = json_script("data", data)
    inside = re.fullmatch(r'<script type="application/json" id="data">(.*)</script>', made)
    assert inside is not None
    assert not set("<>&\u2028\u2029") & set(inside[1])
    assert json.loads(inside[1]) == data


@pytest.mark.requirement(160)
def test_jinja_and_the_builder_trust_each_other_and_nobody_else() -> None:
    environment = jinja2.Environment(autoescape=True)
    page = environment.from_string("{{ made }}{{ text }}").render(made=h.b("<"), text="<")
    assert page == "<b>&lt;</b>&lt;"
    assert h.p(markupsafe.Markup("<i>x</i>"), "<") == "<p><i>x</i>&lt;</p>"
