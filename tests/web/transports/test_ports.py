"""Every behaviour case over an emitter, a MessageChannel and a dedicated worker."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.support.page_cases import run_cases


@pytest.mark.requirement(25, 26, 37, 38, 39, 43, 44, 69)
@pytest.mark.parametrize("way", ["event", "channel", "worker"])
def test_the_cases_pass_over(way: str, page: Page) -> None:
    run_cases(page, "ports", way)


WHAT_CROSSES = """async () => {
    const { PortTransport } = await import("/src/cloche/web/transports/port.js");
    const { port1, port2 } = new MessageChannel();
    const [here, there] = [new PortTransport(port1), new PortTransport(port2)];
    const send = (value, options) => new Promise((resolve) => {
        const stop = there.onMessage(({ params }) => (stop(), resolve(params.a[0].value)));
        try {
            here.send({ jsonrpc: "2.0", method: "take", params: { a: [{ value }] } }, options);
        } catch (error) {
            stop();
            resolve(error.code + " " + error.message);
        }
    });
    const each = async (values) => {
        const told = [];
        for (const value of values) told.push(await send(value));
        return told;
    };
    const buffer = new Uint8Array([1, 2, 3]).buffer;
    const copied = await send(buffer);
    const moved = await send(buffer, { transfer: [buffer] });
    const cycle = {};
    cycle.again = cycle;
    return {
        crosses: await each([null, true, 1.5, "text", [1, [2]], { deep: { er: {} } }]),
        buffers: [copied.byteLength, moved.byteLength, buffer.byteLength],
        refused: await each([
            () => 1, document.body, Symbol("s"), new WeakMap(), new WeakSet(), new Error("e"), new Map(), new Set(),
            new Date(0), /x/, 1n, NaN, Infinity, new Blob([]), new Uint8Array(1), port1,
        ]),
        cycle: await send(cycle),
        poison: await send(JSON.parse('{"__proto__": 1}')),
        next: await send("works"),
    };
}"""
"""What is sent lies in `params.a[0].value`, and the errors say so."""


@pytest.mark.requirement(68)
def test_a_message_is_json_and_buffers_and_what_is_not_is_refused_with_the_path_to_it(page: Page) -> None:
    told = page.evaluate(WHAT_CROSSES)
    assert told["crosses"] == [None, True, 1.5, "text", [1, [2]], {"deep": {"er": {}}}]
    assert told["buffers"] == [3, 3, 0], "copied, then moved, so that nothing is left of it here"
    kinds = (
        *("Function", "HTMLBodyElement", "Symbol", "WeakMap", "WeakSet", "Error", "Map", "Set", "Date", "RegExp"),
        *("BigInt", "NaN", "Infinity", "Blob", "Uint8Array", "MessagePort"),
    )
    path = "INVALID_MESSAGE A message is plain JSON: params.a.0.value"
    assert told["refused"] == [f"{path} is a {kind}" for kind in kinds]
    assert told["cycle"] == "INVALID_MESSAGE A message is plain JSON: deeper than 256"
    assert told["poison"] == f"{path}.__proto__ is not a name"
    assert told["next"] == "works"
