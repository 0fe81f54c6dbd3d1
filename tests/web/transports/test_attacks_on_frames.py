"""Attacks by frames, popups and documents that come later. Each works on transports that lack one line, and fails on
ours, in the same run.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser

from tests.web.transports.scene import APP, HOST, OTHER, SLOW, Attack, Scene, transports

SOURCE = ("source && source === this.target && ", "")
"""Who speaks is asked for by origin alone."""
ORIGIN = ('(this.origin == "*" || origin === this.origin)', "true")
"""Who speaks is asked for by window alone."""

SERVE = """() => {
  const child = window.child = new T.IframeChildTransport({ parentOrigin: "https://host.example" });
  window.values = noted(child);
  child.onMessage(({ id, method }) => method == "ask" && child.send({ jsonrpc: "2.0", id, result: { value: "true" } }));
}"""
"""A frame that waits for its page, and answers what it is asked."""

SILENCE = "() => void (child.farewell = child.release = () => 0)"
"""Whoever sits in a frame need not say that it leaves."""

CONNECT = """async (origin) => {
  window.seen = [];
  const options = { targetOrigin: origin, onOriginViolation: (one) => seen.push(one) };
  window.transport = new T.IframeParentTransport(app, options);
  window.values = noted(transport);
  await transport.connect();
}"""


def sibling(scene: Scene) -> bool:
    """W07: two sandboxed frames, both with the origin "null"; one speaks as if it were the other."""
    scene.opaque("app")
    spy = scene.opaque("spy")
    scene.do("""() => {
      window.seen = [];
      const options = { origin: "null", onOriginViolation: (origin) => seen.push(origin) };
      window.transport = new T.WindowTransport(app.contentWindow, options);
      window.values = noted(transport);
    }""")
    spy.evaluate("() => post(parent, note('forged'))")
    told, seen = scene.do("async () => { await settled(); return [values, seen] }")
    assert seen == ([] if told else ["null"]), "who hears of it hears the origin"
    assert scene.do("() => transport.violations") == len(seen)
    return bool(told)


def own_popup(scene: Scene) -> bool:
    """W08: a window with the right origin, but not the window that is spoken to."""
    scene.frame("app")
    popup = scene.popup()
    scene.do("""() => {
      window.transport = new T.WindowTransport(app.contentWindow, { origin: "https://app.example" });
      window.values = noted(transport);
    }""")
    popup.evaluate("() => post(opener, note('forged'))")
    # It comes from another process, and is heard in one way or the other.
    scene.page.wait_for_function("() => values.length || transport.violations")
    told, violations = scene.do("async () => { await settled(); return [values, transport.violations] }")
    assert violations == (0 if told else 1)
    return bool(told)


def removed_frame(scene: Scene) -> bool:
    """W08: what a frame said before it was removed comes from nobody, as does a frame that is not there yet."""
    app = scene.frame("app")
    scene.do("""() => {
      window.transport = new T.WindowTransport(null, { origin: "https://app.example" });
      window.values = noted(transport);
      window.sources = [];
      addEventListener("message", ({ source, data }) => {
        if (data == "remove me") {
          // The page is busy until what was said afterwards has reached it, and waits in line.
          for (const end = performance.now() + 200; performance.now() < end;);
          app.remove();
        }
        if (data.type) sources.push(source === null);
      });
    }""")
    app.evaluate("""() => {
      parent.postMessage("remove me", "*");
      post(parent, note("forged"));
    }""")
    scene.page.wait_for_function("() => sources.length")
    told, sources = scene.do("() => [values, sources]")
    assert sources == [True], "the browser gives such a message no source"
    return bool(told)


def elsewhere(scene: Scene) -> bool:
    """W10: the window that is spoken to shows somebody else's page now."""
    scene.frame("app")
    scene.do("""() => {
      window.transport = new T.WindowTransport(app.contentWindow, { origin: "https://app.example" });
      window.values = noted(transport);
    }""")
    scene.do("() => new Promise((done) => { app.onload = done; app.src = 'https://other.example/' })")
    scene.content("app").evaluate("() => post(parent, note('forged'))")
    told, violations = scene.do("async () => { await settled(); return [values, transport.violations] }")
    assert violations == (0 if told else 1)
    return bool(told)


def first_answer(scene: Scene) -> bool:
    """W09: a sibling answers the handshake before the frame does, which is not ready yet."""
    scene.frame("app", prepared=False)
    spy = scene.frame("spy")
    scene.do("""() => {
      window.transport = new T.IframeParentTransport(app, { targetOrigin: "https://app.example" });
      transport.connect().catch(() => {});
    }""")
    spy.evaluate("() => parent.postMessage({ type: 'mcp:connected', capabilities: {}, version: '1' }, '*')")
    scene.do("() => settled()")
    connected, violations = scene.do("() => [transport.isConnected, transport.violations]")
    assert violations == (0 if connected else 1)
    return bool(connected)


def first_caller(scene: Scene) -> bool:
    """W09: a sibling calls a frame before its page does, with the page's own origin and with a port."""
    app = scene.frame("app")
    spy = scene.frame("spy", f"{HOST}/")
    app.evaluate(SERVE)
    spy.evaluate("""() => {
      const { port1, port2 } = new MessageChannel();
      parent.frames[0].postMessage({ type: "mcp:connect", nonce: "1" }, "*", [port2]);
    }""")
    scene.do("() => settled()")
    app.evaluate("() => settled()")
    connected, violations = app.evaluate("() => [child.isConnected, child.violations]")
    assert violations == (0 if connected else 1)
    return bool(connected)


def foreign_page(scene: Scene) -> bool:
    """W09: another page than the named one has put the frame into itself."""
    app = scene.frame("app")
    app.evaluate("""() => {
      window.seen = [];
      const parentOrigin = "https://trusted.example";
      window.child = new T.IframeChildTransport({ parentOrigin, onOriginViolation: (one) => seen.push(one) });
    }""")
    scene.do("""() => {
      const { port2 } = new MessageChannel();
      app.contentWindow.postMessage({ type: "mcp:connect", nonce: "1" }, "*", [port2]);
    }""")
    connected, seen = app.evaluate("async () => { await settled(); return [child.isConnected, seen] }")
    assert seen == ([] if connected else [HOST])
    return bool(connected)


def second_caller(scene: Scene) -> bool:
    """W09: a script in the page that was late tries to take the connection over."""
    app = scene.frame("app")
    app.evaluate(SERVE)
    scene.do(CONNECT, APP)
    scene.do("""() => {
      const { port1, port2 } = new MessageChannel();
      app.contentWindow.postMessage({ type: "mcp:connect", nonce: "mine" }, "*", [port2]);
      port1.postMessage({ type: "mcp", payload: note("forged") });
    }""")
    app.evaluate("async () => { await settled(); await settled() }")
    told, violations = app.evaluate("() => [values, child.violations]")
    if not told:
        assert violations == 1
        assert scene.do("() => closed_(transport)"), "neither of the two goes on"
    return bool(told)


def beside_the_port(scene: Scene) -> bool:
    """W09: the next document in a frame speaks for the one that shook hands, before it has loaded."""
    app = scene.opaque("app")
    app.evaluate(SERVE)
    scene.do(CONNECT, "null")
    app.evaluate(SILENCE)
    with scene.page.expect_event("framenavigated"):
        app.evaluate("(url) => void (location.href = url)", OTHER + SLOW)
    scene.content("app").evaluate("() => post(parent, note('forged'))")
    return bool(scene.do("async () => { await settled(); return values }"))


def forged_answer(scene: Scene) -> bool:
    """W11: a frame answers what another one was asked, with the id that it has somehow got to know."""
    scene.frame("app")
    spy = scene.frame("spy")
    scene.do("""() => {
      window.transport = new T.WindowTransport(app.contentWindow, { origin: "https://app.example" });
      window.answer = transport.request({ id: 1, method: "ask", params: {} });
    }""")
    spy.evaluate("() => post(parent, { jsonrpc: '2.0', id: 1, result: { value: 'forged' } })")
    scene.content("app").evaluate("() => post(parent, { jsonrpc: '2.0', id: 1, result: { value: 'true' } })")
    return bool(scene.do("async () => (await answer).result.value") == "forged")


def poison(scene: Scene) -> bool:
    """W12: a result with a key that changes every object of a page which copies it."""
    app = scene.frame("app")
    app.evaluate(SERVE)
    scene.do(CONNECT, APP)
    scene.do("""() => {
      const merge = (into, from) => {
        for (const key of Object.keys(from)) {
          if (Object(from[key]) === from[key]) merge(into[key] ??= {}, from[key]);
          else into[key] = from[key];
        }
      };
      transport.onMessage((message) => merge({}, message.params ?? {}));
    }""")
    app.evaluate("""() => {
      const params = JSON.parse('{"a": {"__proto__": {"polluted": 1}}}');
      child.post({ jsonrpc: "2.0", method: "notifications/note", params });
      child.send(note("last"));
    }""")
    scene.page.wait_for_function("() => values.includes('last')")
    return bool(scene.do("() => 'polluted' in {}"))


ODDITIES = {
    "cycle": "(() => { const cycle = {}; cycle.itself = cycle; return cycle })()",
    "bigint": "10n",
    "date": "new Date()",
    "buffer": "new ArrayBuffer(100_000_000)",
    "port": "window.kept.port2",
    "map": "new Map()",
    "deep": "JSON.parse('['.repeat(300) + ']'.repeat(300))",
    "long": "'x'.repeat(17_000_000)",
    "not a number": "NaN",
}
ODD_VALUES = "void (window.kept = new MessageChannel(), window.odd = () => [" + ", ".join(ODDITIES.values()) + "])"


def oddities(scene: Scene) -> bool:
    """W13: what structured clone carries and JSON does not, in messages that look right."""
    app = scene.frame("app")
    app.evaluate(SERVE)
    scene.do(CONNECT, APP)
    app.evaluate(ODD_VALUES)
    app.evaluate("""() => {
      const told = (given) => ({ jsonrpc: "2.0", method: "notifications/note", params: { value: "odd", given } });
      for (const value of odd()) child.post(told(value), value === kept.port2 ? [value] : []);
      child.send(note("last"));
    }""")
    scene.page.wait_for_function("() => values.includes('last')")
    odd, dropped = scene.do("() => [values.filter((value) => value == 'odd').length, transport.dropped]")
    assert odd + dropped == len(ODDITIES)
    assert odd in (0, len(ODDITIES))
    return bool(odd)


def reply_to_somebody_else(scene: Scene) -> bool:
    """M05: a server for several pages answers each with its own origin. It works when somebody gets no answer."""
    first, second = scene.frame("app"), scene.frame("second", f"{OTHER}/")
    stranger = scene.frame("stranger", "https://stranger.example/")
    scene.do(
        """(origins) => {
      window.refused = [];
      window.served = [];
      const onOriginViolation = (origin) => refused.push(origin);
      window.listener = T.listenForWindows({ origins, onOriginViolation }, (transport) => {
        served.push(transport.origin);
        transport.onMessage(({ id }) => transport.send({ jsonrpc: "2.0", id, result: { value: transport.origin } }));
      });
    }""",
        [APP, OTHER],
    )
    for frame in (first, second, stranger):
        frame.evaluate("""() => {
          addEventListener("message", ({ data, origin }) => heard.push([origin, data.payload?.result.value]));
          post(parent, { jsonrpc: "2.0", id: 7, method: "ask" });
        }""")
    scene.do("() => settled()")
    for frame in (first, second, stranger):
        frame.evaluate("() => settled()")
    assert scene.do("() => [refused, listener.violations]") == [["https://stranger.example"], 1]
    heard = [[value for _, value in frame.evaluate("() => heard") if value] for frame in (first, second, stranger)]
    assert heard[2] == []
    assert scene.do("() => served.length") == 2
    return heard != [[APP], [OTHER], []]


@dataclass(frozen=True)
class Case:
    """An attack, and the line that stops it with what stands there when it does not."""

    attack: Attack
    line: tuple[str, str]
    second: tuple[str, str] | None = None
    """What would stop it then, in this browser."""


CASES = {
    "W07 a sibling with the same null origin": Case(sibling, SOURCE),
    "W08 a popup with the right origin": Case(own_popup, SOURCE),
    "W08 a removed frame, which has no source": Case(removed_frame, ("source && source ===", "source ===")),
    "W09 a sibling answers the handshake first": Case(first_answer, SOURCE),
    "W09 a sibling calls the frame first": Case(first_caller, SOURCE),
    "W09 another page has the frame": Case(foreign_page, ORIGIN),
    "W09 a second caller takes over": Case(second_caller, ("if (!this.peer) {", "if (1) {")),
    "W09 the next document goes on": Case(
        beside_the_port, ("if (!this.peer || this.port)", "if (!this.peer)"), ("port == this.port && this.ended()", "0")
    ),
    "W10 the window shows another page": Case(elsewhere, ORIGIN),
    "W11 a sibling answers a request": Case(forged_answer, SOURCE),
    "W12 __proto__ in a message": Case(poison, ('key != "__proto__"', "true")),
    "W13 what JSON cannot say": Case(oddities, ("? weigh(message, this.limit, this.carriesBuffers).flaw", '? ""')),
    "M05 answers for several pages": Case(
        reply_to_somebody_else, ("(source, { ...options, origin })", "(source, { ...options, origin: self.origin })")
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_attack_works_without_the_line_and_not_with_it(browser: Browser, name: str) -> None:
    case = CASES[name]
    lines = [case.line] if case.second is None else [case.line, case.second]
    with Scene(browser, transports(*lines)) as weak:
        assert case.attack(weak), "the attack is not one: it fails without the protection too"
    with Scene(browser, transports()) as ours:
        assert not case.attack(ours)


LATER = """() => {
  addEventListener("message", ({ data }) => heard.push(data.payload?.params?.value ?? data.type));
}"""


@pytest.mark.parametrize("is_loaded", [True, False], ids=["after it has loaded", "while it loads"])
def test_w10_what_comes_into_a_frame_later_gets_nothing(browser: Browser, is_loaded: bool) -> None:
    """The control is a transport to the same window which knows nothing of frames: its message arrives."""
    with Scene(browser, transports()) as scene:
        app = scene.opaque("app")
        app.evaluate(SERVE)
        scene.do(CONNECT, "null")
        scene.do("""() => {
          window.control = new T.WindowTransport(app.contentWindow, { origin: "null" });
          window.pending = transport.request({ method: "never" }).catch((error) => error.code);
          window.loaded = new Promise((done) => app.addEventListener("load", () => done(), { once: true }));
        }""")
        app.evaluate(SILENCE)
        with scene.page.expect_event("framenavigated"):
            app.evaluate("(url) => void (location.href = url)", f"{OTHER}/" if is_loaded else OTHER + SLOW)
        later = scene.content("app")
        later.evaluate(LATER)
        if is_loaded:
            scene.do("() => loaded")
        scene.do("() => { transport.send(note('secret')); control.send(note('control')) }")
        later.wait_for_function("() => heard.includes('control')")
        scene.let_pictures_come()
        assert scene.do("() => closed_(transport)")
        assert scene.do("() => pending") == "TRANSPORT_CLOSED"
        assert scene.do("() => { try { transport.send(note('secret')) } catch (error) { return error.code } }")
        assert later.evaluate("async () => { await settled(); return heard.filter(Boolean) }") == ["control"]


def test_w10_a_frame_that_was_seen_loading_is_closed_after_the_next_load(browser: Browser) -> None:
    with Scene(browser, transports()) as scene:
        scene.do("""() => {
          window.app = document.createElement("iframe");
          app.id = "app";
          app.src = "https://app.example/";
          document.body.append(app);
          window.transport = new T.IframeParentTransport({ iframe: app, targetOrigin: "https://app.example" });
          window.ready = transport.connect();
          window.loaded = new Promise((done) => app.addEventListener("load", () => done(), { once: true }));
        }""")
        scene.do("() => loaded")
        app = scene.content("app")
        app.evaluate(SERVE)
        scene.do("() => ready")
        app.evaluate(SILENCE)
        states = scene.do("""() => new Promise((done) => {
          const states = [transport.isConnected];
          transport.onClose(() => done([...states, transport.isConnected]));
          app.src = "https://app.example/again";
        })""")
        assert states == [True, False]


def test_w10_a_frame_whose_load_was_seen_is_closed_with_the_next_one(browser: Browser) -> None:
    """The document answers before it has loaded, and once more after its `load`: the next one is another document's."""
    with Scene(browser, transports()) as scene:
        scene.do(
            """(url) => new Promise((done) => {
          window.app = document.createElement("iframe");
          app.id = "app";
          app.src = url;
          document.body.append(app);
          window.loaded = new Promise((done) => app.addEventListener("load", () => done(), { once: true }));
          setTimeout(done, 0);
        })""",
            APP + SLOW,
        )
        scene.page.wait_for_function("() => !app.contentDocument")
        app = scene.content("app")
        app.evaluate(SERVE)
        scene.do("""async () => {
          window.transport = new T.IframeParentTransport({ iframe: app, targetOrigin: "https://app.example" });
          await transport.connect();
        }""")
        scene.let_pictures_come()
        assert (
            scene.do("""async () => {
          await loaded;
          return (await transport.request({ method: "ask" })).result.value;
        }""")
            == "true"
        )
        states = scene.do("""() => new Promise((done) => {
          const states = [transport.isConnected];
          app.addEventListener("load", () => done([...states, transport.isConnected]), { once: true });
          app.src = "https://app.example/again";
        })""")
        assert states == [True, False]


def test_w10_a_frame_that_reloads_is_noticed_and_connects_anew_when_asked_to(browser: Browser) -> None:
    with Scene(browser, transports()) as scene:
        app = scene.frame("app")
        app.evaluate(SERVE)
        scene.do(CONNECT, APP)
        scene.do("() => void (window.over = closed_(transport))")
        with scene.page.expect_event("framenavigated"):
            app.evaluate("() => location.reload()")
        assert scene.do("() => over")
        scene.content("app").evaluate(SERVE)
        scene.do("() => transport.connect()")
        assert scene.do("async () => (await transport.request({ method: 'ask' })).result.value") == "true"


def test_w10_a_plain_peer_that_reloads_is_noticed(browser: Browser) -> None:
    plain = """() => addEventListener("message", ({ data }) => {
      if (data.type === "mcp:connect") parent.postMessage({ type: "mcp:connected", version: "0" }, "*");
      else if (data.type) heard.push(data.type);
    })"""
    with Scene(browser, transports()) as scene:
        app = scene.frame("app")
        app.evaluate(plain)
        scene.do(CONNECT, APP)
        assert scene.do("() => transport.peer.version") == "0"
        scene.do("() => void (window.over = closed_(transport))")
        app.evaluate("() => location.reload()")
        assert scene.do("() => over")
        later = scene.content("app")
        later.evaluate(plain)
        assert scene.do("() => { try { transport.send(note('secret')) } catch (error) { return error.code } }")
        assert later.evaluate("async () => { await settled(); return heard }") == []


def test_w10_a_frame_without_origin_has_to_take_the_port(browser: Browser) -> None:
    """What goes by window to "null" goes to whatever is in the frame, so nothing does."""
    plain = """() => addEventListener("message", ({ data }) => {
      if (data.type === "mcp:connect") parent.postMessage({ type: "mcp:connected" }, "*");
    })"""
    with Scene(browser, transports()) as scene:
        scene.opaque("app").evaluate(plain)
        message = scene.do(f"async (origin) => ({CONNECT})(origin).catch((error) => error.message)", "null")
        assert message == "A frame without origin has to take the port"


def test_w08_a_frame_or_a_popup_that_is_gone_closes_the_connection(browser: Browser) -> None:
    with Scene(browser, transports()) as scene:
        scene.frame("app").evaluate(SERVE)
        scene.frame("plain")
        scene.do(CONNECT, APP)
        popup = scene.popup()
        scene.do("""() => {
          const origin = "https://app.example";
          const others = [plain.contentWindow, other].map((target) => new T.WindowTransport(target, { origin }));
          window.ended = [transport, ...others];
          window.codes = ended.map((one) => one.request({ method: "never" }).catch((error) => error.code));
          app.remove();
          plain.remove();
        }""")
        popup.close()
        assert scene.do("() => Promise.all(codes)") == ["TRANSPORT_CLOSED"] * 3
        assert scene.do("() => ended.map((one) => one.isConnected)") == [False] * 3


def test_w11_a_late_answer_from_an_earlier_connection_counts_for_nothing(browser: Browser) -> None:
    with Scene(browser, transports()) as scene:
        app = scene.frame("app")
        app.evaluate("""() => {
          window.child = new T.IframeChildTransport({ parentOrigin: "https://host.example" });
          child.onMessage(({ id }) => heard.push(id));
          child.onClose(() => void child.connect());
        }""")
        scene.do(CONNECT, APP)
        scene.do("""async () => {
          transport.request({ method: "first" }).catch(() => {});
          transport.close();
          await transport.connect();
          window.answer = transport.request({ method: "second" });
        }""")
        app.wait_for_function("() => heard.length == 2")
        app.evaluate("""() => {
          const [late, id] = heard;
          child.send({ jsonrpc: "2.0", id: late, result: { value: "late" } });
          child.send({ jsonrpc: "2.0", id, result: { value: "true" } });
        }""")
        assert scene.do("async () => (await answer).result.value") == "true"


def test_w13_what_cannot_be_sent_is_refused_where_it_is_sent(browser: Browser) -> None:
    with Scene(browser, transports()) as scene:
        scene.frame("app").evaluate(SERVE)
        scene.do(CONNECT, APP)
        scene.do(ODD_VALUES)
        refused = scene.do("""() => odd().map((given) => {
          try { transport.send({ ...note(1), params: { given } }); } catch (error) { return error.code }
        })""")
        assert refused == ["INVALID_MESSAGE"] * len(ODDITIES)
