"""A page that invents a server, a tool, an argument or a ticket gets nothing."""

from __future__ import annotations

import base64
import json
import zlib

import msgspec
import pytest

from cloche.errors import ConfigurationError, InvalidParamsError, LocalProtocolError
from cloche.host import Host, HostLimits
from cloche.host.tickets import Ticket, Tickets
from cloche.wire.signing import Signer
from tests.host.servers import Weather
from tests.support.host_page import CONTEXT, ORIGIN, SECRET, Page, hosting, opened, ticket_in


def ticket(**changes: object) -> Ticket:
    made = Ticket(
        kind="call", session="s", user="ann", server="weather", tool="forecast", call="c", born=0, expires=100
    )
    return msgspec.structs.replace(made, **changes)


def test_a_ticket_says_what_was_signed_until_it_expires() -> None:
    now = 50.0
    tickets = Tickets(Signer(b"x" * 16), lambda: now, life=1000)
    text = tickets.make(ticket())
    assert tickets.open(text) == ticket()
    now = 101.0
    with pytest.raises(InvalidParamsError, match="expired"):
        tickets.open(text)


@pytest.mark.parametrize("field", ["s", "u", "n", "t", "c", "b", "e", "k"])
def test_a_ticket_that_was_changed_opens_nothing(field: str) -> None:
    tickets = Tickets(Signer(b"x" * 16), lambda: 0, life=1000)
    body, _, mac = tickets.make(ticket()).partition(".")
    said = json.loads(zlib.decompress(base64.urlsafe_b64decode(body + "==")))
    said[field] = {"e": 10**9, "b": 10**9, "k": "record"}.get(field, "other")
    forged = base64.urlsafe_b64encode(zlib.compress(json.dumps(said).encode())).decode().rstrip("=")
    for text in (f"{forged}.{mac}", f"{forged}.", forged, f"{body}.{mac[:-2]}xx"):
        with pytest.raises(InvalidParamsError, match="not one of this host"):
            tickets.open(text)


def test_other_secrets_and_other_purposes_open_nothing() -> None:
    signer = Signer(b"x" * 16)
    tickets = Tickets(signer, lambda: 0, life=1000)
    payload = zlib.compress(msgspec.json.encode(ticket()))
    assert tickets.open(signer.sign("ticket", payload)) == ticket()
    for text in (
        Signer(b"y" * 16).sign("ticket", payload),
        signer.sign("sandbox", payload),
        signer.sign("ticket", b"{}"),
    ):
        with pytest.raises(InvalidParamsError):
            tickets.open(text)


@pytest.mark.parametrize("text", ["", ".", "a.b", "x" * 400_000, None, 7, {"ticket": 1}], ids=lambda v: repr(v)[:20])
async def test_what_is_no_ticket_opens_nothing(text: object) -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        with pytest.raises(InvalidParamsError) as refused:
            await host.open_view(text, context={}, page_origin=ORIGIN, send=print)
        assert len(str(refused.value)) < 200
        assert weather.calls == []


async def test_a_ticket_is_for_its_host_and_its_session() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as one, hosting({"weather": weather.server}) as two:
        call = await one.session("ann").start("weather.forecast", {"city": "Paris"})
        text = ticket_in(call.embed())
        await two.session("ann").run("weather.forecast", {"city": "Rome"})
        with pytest.raises(InvalidParamsError, match="show its record"):
            await Page().open(two, text)
        await Page().open(one, text)
        await one.session("ann").close()
        with pytest.raises(InvalidParamsError, match="withdrawn"):
            await Page().open(one, text)


async def test_a_ticket_can_be_used_again_while_it_is_good() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}, limits=HostLimits(ticket_seconds=3600)) as host:
        page = await opened(host, "weather.forecast", {"city": "Paris"})
        text = page.view.call.ticket()
        for _ in range(3):
            await Page().open(host, text)
        assert weather.calls == [("forecast", "Paris")]


async def test_only_listed_tools_can_be_opened_by_a_page_itself() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}, page_tools=["weather.forecast"]) as host:
        page = Page()
        given = {"context": CONTEXT, "page_origin": ORIGIN, "send": page.send}
        page._view = await host.open_page_tool("weather", "forecast", {"city": "Paris"}, **given)
        page.greet()
        assert (await page.told("ui/notifications/tool-result"))["structuredContent"]["city"] == "Paris"
        for server, tool, arguments in [
            ("weather", "slow", {"steps": 0}),
            ("weather", "refresh", {}),
            ("weather.forecast", "", {}),
            ("weather", "forecast", [1]),
            (["weather"], "forecast", {}),
            ("elsewhere", "forecast", {}),
        ]:
            with pytest.raises(InvalidParamsError, match="cannot open"):
                await host.open_page_tool(server, tool, arguments, **given)
        assert weather.calls == [("forecast", "Paris")]


async def test_no_tool_can_be_opened_by_a_page_itself_unless_somebody_said_so() -> None:
    weather = Weather()
    async with hosting({"weather": weather.server}) as host:
        with pytest.raises(InvalidParamsError, match="page_tools"):
            await host.open_page_tool("weather", "forecast", {"city": "x"}, context={}, page_origin=ORIGIN, send=print)
        assert weather.calls == []


def test_secrets_and_options_that_do_not_work() -> None:
    server = Weather().server
    with pytest.warns(UserWarning, match="secret"):
        Host({"weather": server})
    with pytest.raises(ConfigurationError, match="at least 16"):
        Host({"weather": server}, secret="short")
    for wrong in ("forecast", "elsewhere.forecast", "weather."):
        with pytest.raises(ConfigurationError, match="page_tools"):
            Host({"weather": server}, secret=SECRET, page_tools=[wrong])
    with pytest.raises(ConfigurationError, match="give a list"):
        Host({"weather": server}, secret=SECRET, page_tools="weather.forecast")


@pytest.mark.parametrize("user", ["", None, 7], ids=repr)
async def test_a_user_has_a_name(user: object) -> None:
    async with hosting({"weather": Weather().server}) as host:
        with pytest.raises(LocalProtocolError, match="named by a text"):
            host.session(user)  # type: ignore[arg-type]
