"""`Heartbeat`: a dead connection is noticed, a live one is left alone."""

from __future__ import annotations

import asyncio
import logging

import pytest

from cloche import Client, Server
from cloche.errors import ConfigurationError, HeartbeatTimeoutError, LocalProtocolError
from cloche.transports.resilience import Heartbeat, Reconnecting
from tests.conftest import pending_tasks
from tests.support.resilience_peers import Gate, Naps, Silent, Wires, turns, until

SHORT = 0.005


@pytest.mark.requirement(64)
async def test_it_pings_once_per_interval() -> None:
    peer, gate = Silent(), Gate()
    async with Heartbeat(peer.near, sleep=gate):
        for beat in range(1, 4):
            await gate.open()
            await until(lambda beat=beat: len(peer.heard) == beat)
            await peer.answer(result={})
    assert peer.methods() == ["ping"] * 3


@pytest.mark.requirement(64)
async def test_no_answer_is_a_heartbeat_timeout_and_it_stops() -> None:
    peer, told = Silent(), []
    heartbeat = Heartbeat(peer.near, timeout=SHORT, on_timeout=told.append, sleep=Naps())
    heartbeat.start()
    await until(lambda: told)
    (error,) = told
    assert isinstance(error, HeartbeatTimeoutError)
    assert (str(error), error.code) == ("Heartbeat timeout", "HEARTBEAT_TIMEOUT")
    assert not heartbeat.is_running
    await turns()
    assert peer.methods() == ["ping"]
    assert not pending_tasks()


async def test_an_error_that_is_answered_proves_life() -> None:
    peer, told, gate = Silent(), [], Gate()
    async with Heartbeat(peer.near, on_timeout=told.append, sleep=gate) as heartbeat:
        for beat in (1, 2):
            await gate.open()
            await until(lambda beat=beat: len(peer.heard) == beat)
            await peer.answer(error={"code": -32601, "message": "Method not found: ping"})
        await until(lambda: gate.waiting)
        assert heartbeat.is_running
    assert told == []


async def test_there_are_never_two_pings_at_a_time() -> None:
    peer, naps = Silent(), Naps()
    async with Heartbeat(peer.near, interval=0.001, sleep=naps):
        await turns(50)
        assert (len(peer.heard), len(naps.seconds)) == (1, 1)
        await peer.answer(result={})
        await until(lambda: len(peer.heard) == 2)
        await turns(50)
        assert len(peer.heard) == 2


async def test_stop_leaves_no_task_and_calls_nobody() -> None:
    peer, told = Silent(), []
    heartbeat = Heartbeat(peer.near, timeout=SHORT, on_timeout=told.append, sleep=Naps())
    heartbeat.start()
    await until(lambda: peer.heard)
    heartbeat.stop()
    heartbeat.stop()
    await turns()
    assert not pending_tasks()
    assert told == []
    assert len(peer.near._read_answers()) == 0


async def test_stop_may_be_called_from_inside_on_timeout() -> None:
    peer, told = Silent(), []

    def on_timeout(error: HeartbeatTimeoutError) -> None:
        heartbeat.stop()
        told.append(error)

    heartbeat = Heartbeat(peer.near, timeout=SHORT, on_timeout=on_timeout, sleep=Naps())
    heartbeat.start()
    await until(lambda: told)
    await turns()
    assert not pending_tasks()


async def test_on_timeout_may_start_it_again() -> None:
    peer, told = Silent(), []

    def on_timeout(error: HeartbeatTimeoutError) -> None:
        told.append(error)
        if len(told) < 3:
            heartbeat.start()

    heartbeat = Heartbeat(peer.near, timeout=SHORT, on_timeout=on_timeout, sleep=Naps())
    heartbeat.start()
    await until(lambda: len(told) == 3)
    assert not heartbeat.is_running
    await turns()
    assert not pending_tasks()


async def test_an_on_timeout_that_fails_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    def on_timeout(error: HeartbeatTimeoutError) -> None:
        raise RuntimeError("from on_timeout")

    with caplog.at_level(logging.ERROR, "cloche.transports"):
        heartbeat = Heartbeat(Silent().near, timeout=SHORT, on_timeout=on_timeout, sleep=Naps())
        heartbeat.start()
        await until(lambda: not heartbeat.is_running)
    assert "from on_timeout" in caplog.text


async def test_starting_twice_is_starting_once() -> None:
    peer, gate = Silent(), Gate()
    heartbeat = Heartbeat(peer.near, sleep=gate)
    heartbeat.start()
    heartbeat.start()
    await gate.open()
    await until(lambda: peer.heard)
    await turns()
    assert len(peer.heard) == 1
    heartbeat.stop()


async def test_the_end_of_the_connection_stops_it_without_a_timeout() -> None:
    peer, told = Silent(), []
    heartbeat = Heartbeat(peer.near, timeout=SHORT, on_timeout=told.append, sleep=Naps())
    heartbeat.start()
    await until(lambda: peer.heard)
    await peer.far.close()
    assert not heartbeat.is_running
    await turns()
    assert not pending_tasks()
    assert told == []


async def test_on_a_closed_transport_it_does_not_even_begin() -> None:
    peer = Silent()
    await peer.near.close()
    heartbeat = Heartbeat(peer.near)
    heartbeat.start()
    assert not heartbeat.is_running
    await turns()
    assert not pending_tasks()


async def test_a_send_that_hangs_is_a_timeout_too() -> None:
    peer, told = Silent(), []

    async def stuck(data: bytes) -> None:
        await asyncio.get_running_loop().create_future()

    peer.near.send = stuck  # type: ignore[method-assign]
    heartbeat = Heartbeat(peer.near, timeout=SHORT, on_timeout=told.append, sleep=Naps())
    heartbeat.start()
    await until(lambda: told)
    await turns()
    assert not pending_tasks()


async def test_a_network_error_is_a_missed_beat_and_its_cause_is_kept() -> None:
    peer, told = Silent(), []

    async def unreachable(data: bytes) -> None:
        raise ConnectionResetError("reset")

    peer.near.send = unreachable  # type: ignore[method-assign]
    heartbeat = Heartbeat(peer.near, on_timeout=told.append, sleep=Naps())
    heartbeat.start()
    await until(lambda: told)
    assert isinstance(told[0].__cause__, ConnectionResetError)


@pytest.mark.requirement(64)
async def test_a_custom_notification_takes_the_place_of_ping() -> None:
    peer, told, gate = Silent(), [], Gate()
    async with Heartbeat(
        peer.near, notification="custom/alive", timeout=0.5, on_timeout=told.append, sleep=gate
    ) as heartbeat:
        await gate.open()
        await until(lambda: peer.heard)
        await peer.tell(method="custom/alive")
        await until(lambda: gate.waiting)
        assert heartbeat.is_running
    assert (peer.methods(), told) == (["custom/alive"], [])
    assert "id" not in peer.heard[0]


async def test_a_custom_notification_that_is_not_returned_is_a_timeout() -> None:
    peer, told = Silent(), []
    Heartbeat(peer.near, notification="custom/alive", timeout=SHORT, on_timeout=told.append, sleep=Naps()).start()
    await until(lambda: told)
    assert peer.methods() == ["custom/alive"]


async def test_a_bare_transport_of_the_stateless_era_is_asked_with_a_method_of_its_own() -> None:
    server, gate, answers = Server("s"), Gate(), []
    wires = Wires(server, greeting=False)
    transport = await wires.open()
    transport.on_message(answers.append)
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    async with Heartbeat(transport, method="server/discover", params={"_meta": meta}, sleep=gate):
        await gate.open()
        await until(lambda: answers)
    assert b'"supportedVersions"' in answers[0]
    await server.close()


@pytest.mark.requirement(64)
@pytest.mark.parametrize("version", ["2025-11-25", "2026-07-28"])
async def test_a_client_is_asked_with_its_own_ping_in_either_era(version: str) -> None:
    told, gate = [], Gate()
    async with Client(Server("s"), version=version) as client:
        async with Heartbeat(client, on_timeout=told.append, sleep=gate) as heartbeat:
            for _ in range(3):
                await gate.open()
                await until(lambda: gate.waiting)
            assert heartbeat.is_running
        assert client.is_connected
    assert told == []


def test_a_client_that_is_not_connected_says_so() -> None:
    async def case() -> None:
        with pytest.raises(LocalProtocolError, match="not connected"):
            Heartbeat(Client(Server("s"))).start()
        await turns()
        assert not pending_tasks()

    asyncio.run(case())


@pytest.mark.requirement(62, 64)
async def test_a_dead_connection_is_dropped_and_replaced_and_the_heart_beats_on() -> None:
    """The whole of it: no answer, drop, a new connection, and the next beat is answered."""
    server, dead, gate = Server("s"), Silent(), Gate()
    wires = Wires(server)

    async def open_dead_first() -> object:
        return dead.near if not dead.heard else await wires.open()

    transport = Reconnecting(open_dead_first, sleep=Naps())  # type: ignore[arg-type]
    heartbeat = Heartbeat(transport, timeout=SHORT, on_timeout=lambda _: transport.drop(), sleep=gate)
    transport.on_restored(heartbeat.start)
    await transport.connect()
    heartbeat.start()
    await gate.open()
    await until(lambda: wires.ours)
    await gate.open()
    await until(lambda: gate.waiting)
    assert (dead.methods(), transport.is_connected, heartbeat.is_running) == (["ping"], True, True)
    assert not dead.near.is_connected
    heartbeat.stop()
    await transport.close()
    await server.close()


async def test_beats_are_left_out_while_there_is_no_connection() -> None:
    server, told, gate, beats = Server("s"), [], Gate(), Gate()
    wires = Wires(server)
    transport = Reconnecting(wires.open, sleep=gate)
    await transport.connect()
    async with Heartbeat(transport, timeout=SHORT, on_timeout=told.append, sleep=beats) as heartbeat:
        await wires.cut()
        for _ in range(3):
            await beats.open()
            await until(lambda: beats.waiting)
        assert heartbeat.is_running
    await transport.close()
    await server.close()
    assert told == []


@pytest.mark.parametrize("options", [{"interval": 0}, {"timeout": -1}, {"method": "a", "notification": "b"}], ids=str)
def test_options_that_cannot_work_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError, match="heartbeat"):
        Heartbeat(Silent().near, **options)  # type: ignore[arg-type]
