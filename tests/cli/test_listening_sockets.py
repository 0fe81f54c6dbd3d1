"""`--http HOST:PORT`: what it may be, what it resolves to, and H09."""

from __future__ import annotations

import errno
import socket

import pytest

from cloche.errors import ConfigurationError, LocalError
from cloche.serve.uvicorn import listening_sockets
from cloche.serve.uvicorn.listening_sockets import bind, check_exposure, own_hosts, parse_address, resolve, url_of
from cloche.serve.uvicorn.run import public_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("8000", ("127.0.0.1", 8000)),
        (":8000", ("127.0.0.1", 8000)),
        ("0", ("127.0.0.1", 0)),
        ("localhost:8000", ("localhost", 8000)),
        ("localhost", ("localhost", 8000)),
        ("[::1]:9000", ("::1", 9000)),
        ("[::1]", ("::1", 8000)),
        ("0.0.0.0:80", ("0.0.0.0", 80)),
        ("my-host.example:65535", ("my-host.example", 65535)),
    ],
)
def test_addresses(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("65536", "has no valid port"),
        ("localhost:", "has no valid port"),
        ("localhost:http", "has no valid port"),
        ("localhost:-1", "has no valid port"),
        ("localhost:٣", "has no valid port"),
        ("1" * 5000, "has no valid port"),
        ("::1", "in brackets"),
        ("::1:8000", "in brackets"),
        ("[::1", "[::1]:8000"),
        ("[::1]8000", "[::1]:8000"),
        ("http://localhost:8000", "not a URL"),
        ("localhost:8000/mcp", "not a URL"),
    ],
)
def test_bad_addresses(text: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_address(text)
    assert said in str(caught.value)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost", "::ffff:127.0.0.1"])
def test_H09_loopback_is_not_public(host: str) -> None:
    assert not public_address(host)


@pytest.mark.parametrize(
    "host", ["", "0.0.0.0", "::", "192.0.2.1", "2001:db8::1", "::ffff:192.0.2.1", "0", "169.254.0.1"]
)
def test_H09_everything_else_is_public(host: str) -> None:
    assert public_address(host)


def test_H09_a_name_counts_as_what_it_resolves_to(monkeypatch: pytest.MonkeyPatch) -> None:
    loopback, public = ("127.0.0.1", 0), ("192.0.2.1", 0)
    answers = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", address) for address in (loopback, public)]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers)
    assert public_address("localhost")
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers[:1])
    assert not public_address("printer.example")


def test_H09_the_refusal_names_both_ways_out() -> None:
    addresses = resolve("0.0.0.0", 0)
    with pytest.raises(ConfigurationError) as caught:
        check_exposure("0.0.0.0", addresses, safe=False)
    for way_out in ("--token-file", "auth=", "--allow-public", "allow_public=True"):
        assert way_out in str(caught.value)
    check_exposure("0.0.0.0", addresses, safe=True)
    check_exposure("127.0.0.1", resolve("127.0.0.1", 0), safe=False)


def test_a_host_that_does_not_resolve(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "no")

    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(ConfigurationError, match=r"the host 'nowhere.example' cannot be resolved: use 127.0.0.1"):
        resolve("nowhere.example", 80)


@pytest.mark.parametrize("host", ["x" * 300, "a..b", "\udcff"])
def test_a_host_that_is_no_name(host: str) -> None:
    with pytest.raises(ConfigurationError, match="cannot be resolved"):
        resolve(host, 80)


def test_a_free_port_is_the_same_for_all_addresses() -> None:
    addresses = [(socket.AF_INET, ("127.0.0.1", 0)), (socket.AF_INET, ("127.0.0.2", 0))]
    sockets = bind("localhost", addresses)
    try:
        first, second = (sock.getsockname() for sock in sockets)
        assert (first[0], second[0]) == ("127.0.0.1", "127.0.0.2")
        assert first[1] == second[1] != 0
    finally:
        for sock in sockets:
            sock.close()


def test_a_taken_port_closes_what_was_opened() -> None:
    with socket.create_server(("127.0.0.2", 0)) as other:
        port = other.getsockname()[1]
        addresses = [(socket.AF_INET, ("127.0.0.1", port)), (socket.AF_INET, ("127.0.0.2", port))]
        with pytest.raises(LocalError, match=f"port {port} on localhost is taken: stop what uses it, choose another"):
            bind("localhost", addresses)
        socket.create_server(("127.0.0.1", port)).close()


def test_a_family_the_machine_lacks_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    listen = listening_sockets._listen

    def without_v6(family: socket.AddressFamily, address: tuple[object, ...]) -> socket.socket:
        if family == socket.AF_INET6:
            raise OSError(errno.EAFNOSUPPORT, "no")
        return listen(family, address)

    monkeypatch.setattr(listening_sockets, "_listen", without_v6)
    v6, v4 = (socket.AF_INET6, ("::1", 0, 0, 0)), (socket.AF_INET, ("127.0.0.1", 0))
    (sock,) = bind("localhost", [v6, v4])
    assert sock.getsockname()[0] == "127.0.0.1"
    sock.close()
    with pytest.raises(LocalError, match="cannot listen on ::1"):
        bind("::1", [v6])
    with pytest.raises(LocalError, match="cannot listen on localhost"):
        bind("localhost", [v6, v6])


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (errno.EACCES, "this user may not listen on port 80: choose one above 1023"),
        (errno.EADDRNOTAVAIL, "192.0.2.1 is not an address of this machine"),
        (errno.ENOBUFS, "cannot listen on 192.0.2.1 port 80: so it is"),
    ],
)
def test_what_the_system_refuses_in_a_sentence(monkeypatch: pytest.MonkeyPatch, number: int, said: str) -> None:
    def refuse(*_: object) -> socket.socket:
        raise OSError(number, "so it is")

    monkeypatch.setattr(listening_sockets, "_listen", refuse)
    with pytest.raises(LocalError) as caught:
        bind("192.0.2.1", [(socket.AF_INET, ("192.0.2.1", 80))])
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("host", "hosts"),
    [
        ("127.0.0.2", ["127.0.0.2:8000"]),
        ("mcp.example", ["mcp.example:8000"]),
        ("2001:db8::1", ["[2001:db8::1]:8000"]),
        ("0.0.0.0", []),
        ("::", []),
        ("fe80::1%eth0", []),
    ],
)
def test_one_may_be_called_by_the_address_one_listens_on(host: str, hosts: list[str]) -> None:
    assert own_hosts(host, 8000) == hosts


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000/mcp"),
        ("localhost", "http://localhost:8000/mcp"),
        ("::1", "http://[::1]:8000/mcp"),
        ("0.0.0.0", "http://127.0.0.1:8000/mcp"),
        ("::", "http://[::1]:8000/mcp"),
    ],
)
def test_urls(host: str, url: str) -> None:
    assert url_of(host, 8000) == url
