// @ts-check
/** What is tried in a browser, with real pages: each case in the outer page, alone. */
import { ATTACKS } from "./attacks.js";
import { createServer } from "../../../../src/cloche/web/server.js";
import { call, F, KINDS, Lab, sites, thrown, until } from "./lab.js";
import { peerOuter, peerServer } from "./peer-outer.js";

/** @param {unknown} actual @param {unknown} expected */
function same(actual, expected) {
  const [a, b] = [actual, expected].map((value) => JSON.stringify(value));
  if (a !== b) throw new Error(`${a} is not ${b}`);
}

/** @param {unknown} value @param {RegExp} pattern */
function matches(value, pattern) {
  if (!pattern.test(String(value))) throw new Error(`${value} does not match ${pattern}`);
}

const QUICK = { handshake: 300 };

/** @type {Record<string, (lab: Lab) => Promise<unknown>>} */
export const CASES = {};

export { ATTACKS, Lab };

for (const kind of Object.keys(KINDS)) {
  CASES[`both phases: ${kind}`] = async (lab) => {
    const visibility = { requirement: "optional", description: "A board" };
    const { transport, told, url } = lab.open(kind, { visibility });
    const states = /** @type {string[]} */ ([]);
    transport.onStateChange = (state) => states.push(state);
    const result = await transport.setup();
    const origin = kind.startsWith("opaque") ? "null" : url.origin;
    matches(result.sessionId, /^mcp-[0-9a-f-]{36}$/);
    same(result, {
      sessionId: result.sessionId,
      protocolVersion: "1.0",
      origin,
      displayName: "Demo",
      transportVisibility: visibility,
      ephemeralMessage: "Saved",
      permissions: [],
    });
    await transport.prepareToConnect();
    const who = await call(transport, "whoami");
    const isStored = !kind.startsWith("opaque") && kind != "another site";
    same(
      { ...who, camera: 0, geolocation: 0 },
      {
        ...{ sessionId: result.sessionId, pinned: location.origin, origin, name: isStored ? "Ada" : null },
        ...{ isPersistent: isStored, hasPort: true, camera: 0, geolocation: 0 },
      },
    );
    same(states, ["loading setup", "deciding", "configuring", "configured", "loading", "replied", "connected"]);
    transport.close();
    await told((report) => report.closed);
    same(transport.state, "closed");
  };

  CASES[`inverted, the inner page is the client: ${kind}`] = async (lab) => {
    const { transport, told } = lab.open(kind, { role: "client" });
    const server = createServer({ name: "dashboard", version: "1" });
    server.registerTool("get_current_user", {}, () => "ada");
    await transport.prepareToConnect();
    server.connect(transport);
    same((await told((report) => report.answered)).answered, "ada");
  };
}

CASES["what was set up is there when the outer page is loaded again"] = async (lab) => {
  const saved = JSON.parse(sessionStorage.getItem("saved") ?? "null");
  const { transport } = lab.open("another origin", { needs: "hard" }, { ...saved });
  const result = saved ?? await transport.setup();
  await transport.prepareToConnect();
  const { name, sessionId } = await call(transport, "whoami");
  same([name, sessionId], ["Ada", result.sessionId]);
  sessionStorage.setItem("saved", JSON.stringify({ sessionId: result.sessionId }));
};

/** @param {string} kind @param {string} page */
const late = (kind, page) => async (/** @type {Lab} */ lab) => {
  const one = async () => {
    const { transport } = lab.open(kind, {}, {}, { page });
    await transport.setup();
    await transport.prepareToConnect();
    return transport.state;
  };
  const found = [];
  if (kind == "popup") { for (let i = 0; i < 10; i++) found.push(await one()); }
  else found.push(...await Promise.all(Array.from({ length: 10 }, one)));
  same(found, Array(10).fill("connected"));
};
for (const kind of Object.keys(KINDS)) {
  CASES[`a picture that comes late, 10 of 10: ${kind}`] = late(kind, "slow-server.html");
}
CASES["a picture that comes late, 10 of 10: a peer that announces itself once"] = late(
  "another origin",
  "slow-peer-inner.html",
);

CASES["who listens after the page has loaded hears nothing of such a peer, 0 of 10"] = async (lab) => {
  const { url } = lab.open("another origin", {}, {}, { page: "slow-peer-inner.html" });
  const heard = await Promise.all(Array.from({ length: 10 }, async () => {
    const { iframe } = lab.frame({});
    // On a busy machine its words may still be on their way from the other process when it has loaded.
    const spoken = new Promise((resolve) => {
      addEventListener("message", ({ source }) => source === iframe.contentWindow && resolve(source));
    });
    const loaded = new Promise((resolve) => iframe.onload = resolve);
    iframe.src = url.href;
    await Promise.all([spoken, loaded]);
    let count = 0;
    const hear = (/** @type {MessageEvent} */ { source }) => count += Number(source === iframe.contentWindow);
    addEventListener("message", hear);
    // Whatever the page had to say when it loaded has been said.
    await new Promise((resolve) => setTimeout(resolve, 50));
    removeEventListener("message", hear);
    return count;
  }));
  same(heard, Array(10).fill(0));
};

CASES["an inner page that somebody else wrote"] = async (lab) => {
  const told = /** @type {any[]} */ ([]);
  const options = { onSetupRequired: (/** @type {any} */ what) => told.push(what) };
  const { transport, control } = lab.open("another origin", {}, options, { page: "peer-inner.html" });
  const result = await transport.setup();
  same([result.displayName, result.transportVisibility.description], ["Peer", "A peer"]);
  await transport.prepareToConnect();
  const { result: answer } = await transport.request({
    method: "tools/call",
    params: { name: "hello", arguments: {} },
  });
  same([answer.content[0].text, transport.port], ["hello in configured", undefined]);
  transport.send({ jsonrpc: "2.0", method: "expire" });
  await until(() => told.length);
  same(told, [{ reason: "AUTH_EXPIRED", message: "Sign in again", canContinue: true }]);
  same([transport.isConnected, /** @type {any} */ (control).iframe.hidden], [true, true]);
};

CASES["a peer that is refused learns it at once, though it knows no errors"] = async (lab) => {
  const query = { min: "2.0", max: "3.1" };
  const { transport, told } = lab.open("another origin", query, {}, { page: "peer-inner.html" });
  const error = await thrown(() => transport.setup());
  same(error.code, "VERSION_MISMATCH");
  same(error.message, "No compatible protocol version. Server supports: 2.0-3.1, Client supports: 1.0");
  matches((await told((report) => report.failed)).failed, /Incompatible/);
};

CASES["a peer without origin has to take the port"] = async (lab) => {
  const { transport } = lab.open("opaque of another origin", {}, {}, { page: "peer-inner.html" });
  const error = await thrown(() => transport.prepareToConnect());
  same([error.code, error.message], [
    "CONFIG_ERROR",
    "A frame without origin has to use the port that came with the reply",
  ]);
};

CASES["an outer page that somebody else wrote"] = async (lab) => {
  const { url } = lab.open("another origin", {
    visibility: { requirement: "required" },
    options: { maxProtocolVersion: "1.4" },
  });
  const { setup, answer, log } = /** @type {any} */ (await peerOuter(url.href, "peer-session"));
  same(setup, {
    ...{ type: "MCP_SETUP_COMPLETE", status: "success", displayName: "Demo" },
    ...{ transportVisibility: { requirement: "required" }, ephemeralMessage: "Saved" },
  });
  same([answer.structuredContent.sessionId, answer.structuredContent.name], ["peer-session", "Ada"]);
  same([...new Set(log)], [
    ...["MCP_SETUP_HANDSHAKE", "MCP_SETUP_COMPLETE"],
    ...["MCP_TRANSPORT_HANDSHAKE", "MCP_TRANSPORT_ACCEPTED", "MCP_MESSAGE"],
  ]);
};

CASES["inverted, a client in the frame that somebody else wrote"] = async (lab) => {
  const { transport, told } = lab.open("another origin", {}, {}, { page: "peer-copilot.html" });
  const server = createServer({ name: "dashboard", version: "1" });
  server.registerTool("get_current_user", {}, () => "ada");
  await transport.prepareToConnect();
  server.connect(transport);
  same([(await told((report) => report.answered)).answered, transport.port], ["ada", undefined]);
};

CASES["inverted, such a client that names another session is refused, and its late picture loses none"] = async (
  lab,
) => {
  const { transport } = lab.open("another origin", { session: "mcp-other" }, {}, { page: "peer-copilot.html" });
  const error = await thrown(() => transport.prepareToConnect());
  same([error.code, error.message], ["CONFIG_ERROR", "Session ID mismatch: mcp-other"]);
  const ten = Array.from({ length: 10 }, async () => {
    const { transport } = lab.open("another site", {}, {}, { page: "peer-copilot.html" });
    await transport.prepareToConnect();
    return transport.state;
  });
  same(await Promise.all(ten), Array(10).fill("connected"));
};

CASES["inverted, a server around the frame that somebody else wrote"] = async (lab) => {
  const { url, told } = lab.open("another origin", { role: "client" });
  const { log, leave } = /** @type {any} */ (await peerServer(url.href, "peer-session"));
  lab.later(leave);
  same((await told((report) => report.answered)).answered, "ada, asked for get_current_user");
  same((await told((report) => report.session)).session, "peer-session");
  same([log[0], log[1], log.at(-1)], ["MCP_TRANSPORT_HANDSHAKE", "MCP_TRANSPORT_ACCEPTED", "tools/call"]);
};

CASES["somebody else's outer page is told of a failed setup, and of one that is required"] = async (lab) => {
  const { url } = lab.open("another origin", { fail: "AUTH_FAILED" });
  const { setup } = /** @type {any} */ (await peerOuter(url.href, "peer-fails"));
  same([setup.status, setup.error], ["error", { code: "AUTH_FAILED", message: "It was not to be" }]);
  const blocked = lab.open("another site", { needs: "hard" });
  const { answer } = /** @type {any} */ (await peerOuter(blocked.url.href, "peer-forgets"));
  same(answer, {
    type: "MCP_SETUP_REQUIRED",
    reason: "CONFIG_CHANGED",
    message: "No name is stored",
    canContinue: false,
  });
};

CASES["visibility"] = async (lab) => {
  const seen = /** @type {boolean[]} */ ([]);
  const query = { options: { requiresVisibleSetup: true } };
  /** @param {string} requirement */
  const visited = async (requirement) => {
    const { transport, control } = lab.open("another origin", { ...query, visibility: { requirement } });
    const { iframe } = /** @type {any} */ (control);
    let during;
    transport.onVisibilityChange = (isVisible) => seen.push(isVisible);
    transport.onStateChange = (state) => state == "configured" && (during = iframe.hidden);
    await transport.setup();
    await transport.prepareToConnect();
    return { transport, iframe, during };
  };
  const hidden = await visited("hidden");
  same([hidden.during, hidden.iframe.hidden, seen.splice(0)], [false, true, [true, false]]);
  same(
    (await thrown(() => hidden.transport.setVisible(true))).message,
    "The visibility of this server is hidden: it cannot be changed",
  );
  const optional = await visited("optional");
  same(optional.iframe.hidden, true);
  optional.transport.setVisible(true);
  same([optional.iframe.hidden, optional.transport.isVisible, seen.splice(0)], [false, true, [true, false, true]]);
  const required = await visited("required");
  same([required.iframe.hidden, seen], [false, [true, false, true]]);
  matches((await thrown(() => required.transport.setVisible(false))).message, /is required/);
};

CASES["each reason for a failed setup reaches the outer page"] = async (lab) => {
  await Promise.all(F.SETUP_ERROR_CODES.map(async (code) => {
    const { transport } = lab.open("another origin", { fail: code });
    const error = await thrown(() => transport.setup());
    same([error.code, error.message, transport.state], [code, "The setup failed: It was not to be", "failed"]);
  }));
};

CASES["failures of the outer page reach the inner one"] = async (lab) => {
  const versions = ["1.9", "1.10", "2.0"];
  const newest = lab.open("another origin", { options: { minProtocolVersion: "1.2", maxProtocolVersion: "1.10" } }, {
    versions,
  });
  same((await newest.transport.setup()).protocolVersion, "1.10");
  same((await newest.told((report) => report.version)).version, "1.10");
  const none = lab.open("another origin", { options: { minProtocolVersion: "1.0", maxProtocolVersion: "1.8" } }, {
    versions,
  });
  const error = await thrown(() => none.transport.setup());
  same(error.message, "No compatible protocol version. Server supports: 1.0-1.8, Client supports: 1.9, 1.10, 2.0");
  const told = await none.told((report) => report.failed);
  same([told.failed, told.message], ["VERSION_MISMATCH", "The page around this one refused: " + error.message]);
  const transport = lab.open("another origin", {}, { versions });
  same((await thrown(() => transport.transport.prepareToConnect())).message, "Incompatible protocol version: 1.0");
  same((await transport.told((report) => report.failed)).failed, "VERSION_MISMATCH");
  const cancelled = lab.open("another origin", { wait: "1" });
  const stop = new AbortController();
  const outcome = thrown(() => cancelled.transport.setup({ signal: stop.signal }));
  await until(() => cancelled.transport.state == "configuring");
  stop.abort();
  same((await outcome).code, "USER_CANCELLED");
  same((await cancelled.told((report) => report.failed)).failed, "USER_CANCELLED");
  const slow = lab.open("another origin", { wait: "1" }, { timeouts: { setup: 300 } });
  same((await thrown(() => slow.transport.setup())).message, "The setup was not completed within 0.3 s");
  same((await slow.told((report) => report.failed)).failed, "TIMEOUT");
};

CASES["a page that is not a server, and none at all"] = async (lab) => {
  const { transport } = lab.open("another origin", {}, { timeouts: QUICK }, { page: "empty.html" });
  const error = await thrown(() => transport.setup());
  same([error.code, error.message], [
    "TIMEOUT",
    `No page at ${sites.port} announced itself as an MCP server within 0.3 s`,
  ]);
  for (const url of ["javascript:alert(1)", "data:text/html,x"]) {
    const odd = lab.open("another origin", {}, {});
    same(
      (await thrown(() => odd.make({ url }).setup())).message,
      "The URL of a server begins with https:// or http://",
    );
  }
  const { transport: refused } = lab.open("another origin", {}, { timeouts: QUICK }, { page: "top.html" });
  same((await thrown(() => refused.prepareToConnect())).code, "TIMEOUT");
};

CASES["an origin that is not allowed is named on both sides"] = async (lab) => {
  const allow = "https://else.example";
  for (const phase of ["setup", "prepareToConnect"]) {
    const { transport, told, url } = lab.open("another origin", { allow });
    const error = await thrown(() => /** @type {any} */ (transport)[phase]());
    same(error.code, "CONFIG_ERROR");
    matches(error.message, new RegExp(`does not allow the origin ${location.origin}$`));
    if (phase != "setup") matches(error.message, new RegExp(`^${url.origin} gave up`));
    const report = await told((one) => one.failed);
    same(report.failed, "ORIGIN_MISMATCH");
    matches(report.message, new RegExp(`has the origin ${location.origin}, and only https://else.example is allowed`));
  }
};

CASES["a page of another origin than the URL is named, and told"] = async (lab) => {
  for (const phase of ["setup", "prepareToConnect"]) {
    const { make, url, told } = lab.open("another origin");
    const redirect = new URL("/redirect.html", sites.own);
    redirect.searchParams.set("to", url.href);
    const transport = make({ url: redirect.href });
    /** @type {any} */ (transport.control).sandbox = null;
    const error = await thrown(() => /** @type {any} */ (transport)[phase]());
    same(error.code, "ORIGIN_MISMATCH");
    matches(error.message, new RegExp(`has the origin ${sites.port}, and ${sites.own} was expected`));
    same((await told((report) => report.failed)).failed, "CONFIG_ERROR");
  }
};

CASES["an inner page that reloads is taken up with its session"] = async (lab) => {
  for (const kind of ["another origin", "opaque", "popup"]) {
    const { transport, control } = lab.open(kind);
    const { sessionId } = await transport.setup();
    await transport.prepareToConnect();
    const over = new Promise((resolve) => transport.onClose(() => resolve(transport.isConnected)));
    const navigations = /** @type {string[]} */ ([]);
    /** @type {any} */ (control).onNavigate = (/** @type {string} */ url) => navigations.push(url);
    await call(transport, "run", { script: "reload" });
    same(await over, false);
    await until(() => transport.state == "reloaded");
    await transport.prepareToConnect();
    const who = await call(transport, "whoami");
    same([who.sessionId, who.name], [sessionId, kind == "opaque" ? null : "Ada"]);
    // Of a frame without an origin nobody knows what is in it by now: it is loaded again.
    same(navigations.length, kind == "opaque" ? 1 : 0);
  }
};

CASES["an inner page that leaves, closes or is removed ends the connection"] = async (lab) => {
  for (const how of ["leave", "close", "remove"]) {
    const { transport, control } = lab.open("another origin");
    await transport.prepareToConnect();
    const over = new Promise((resolve) => transport.onClose(() => resolve(transport.state)));
    if (how == "remove") /** @type {any} */ (control).iframe.remove();
    else call(transport, "run", { script: how }).catch(() => {});
    same([how, await over], [how, "lost"]);
  }
};

CASES["a server that has to be set up again"] = async (lab) => {
  const told = /** @type {any[]} */ ([]);
  const { transport } = lab.open("another origin", { needs: "hard" }, {
    onSetupRequired: (/** @type {any} */ what) => told.push(what),
  });
  await transport.prepareToConnect().catch(() => {});
  await until(() => transport.state == "setup required");
  same(told, [{ reason: "CONFIG_CHANGED", message: "No name is stored", canContinue: false }]);
  same(transport.error?.code, "SETUP_REQUIRED");
  await transport.setup();
  await transport.prepareToConnect();
  same((await call(transport, "whoami")).name, "Ada");
  await call(transport, "run", { script: "expire" }).catch(() => {});
  await until(() => transport.state == "setup required");
  same(told[1], { reason: "AUTH_EXPIRED", message: "The token has expired", canContinue: false });
  const soft = lab.open("another origin", { needs: "soft" }, {
    onSetupRequired: (/** @type {any} */ what) => told.push(what),
  });
  await soft.transport.prepareToConnect();
  await until(() => told[2]?.canContinue);
  same((await call(soft.transport, "whoami")).name, null);
};

CASES["storage: kept where the browser allows it, else for one load"] = async (lab) => {
  const kept = lab.open("another origin", { needs: "hard" });
  await kept.transport.setup();
  await kept.transport.prepareToConnect();
  same((await call(kept.transport, "whoami")).isPersistent, true);
  const other = kept.make({ sessionId: "another-session" });
  await other.prepareToConnect().catch(() => {});
  await until(() => other.state == "setup required");
  const blocked = lab.open("another site", { needs: "hard" });
  await blocked.transport.setup();
  await blocked.transport.prepareToConnect().catch(() => {});
  await until(() => blocked.transport.state == "setup required");
};

const CAMERA = { name: "camera", phase: ["transport"], required: true, purpose: "To take a picture" };
const PLACE = { name: "geolocation", phase: ["setup"], required: false, purpose: "To find the nearest shop" };
const wants = (/** @type {any[]} */ ...requestedPermissions) => ({ options: { requestedPermissions } });

CASES["permissions: by phase, with consent, from the moment that the page is loaded"] = async (lab) => {
  const asked = /** @type {any[]} */ ([]);
  const onPermissionRequest = (/** @type {any} */ wanted) => (asked.push(wanted), true);
  const { transport, control, told, make } = lab.open("another origin", wants(CAMERA, PLACE), { onPermissionRequest });
  const { iframe } = /** @type {any} */ (control);
  const allowed = /** @type {string[]} */ ([]);
  /** @type {any} */ (control).onNavigate = () => allowed.push(iframe.allow);
  const result = await transport.setup();
  const setup = await told((report) => report.phase == "setup" && report.camera !== undefined);
  same([setup.camera, setup.geolocation], [false, true]);
  same(asked, [[CAMERA, PLACE]]);
  same(result.permissions, [{ name: "camera", phase: ["transport"] }, { name: "geolocation", phase: ["setup"] }]);
  await transport.prepareToConnect();
  const who = await call(transport, "whoami");
  same([who.camera, who.geolocation], [true, false]);
  same(allowed, ["", `geolocation ${sites.port}`, `camera ${sites.port}`]);
  transport.close();
  // What was allowed when it was set up is allowed when it is connected to later, by another transport.
  const later = make({ sessionId: result.sessionId, permissions: result.permissions });
  await later.prepareToConnect();
  same((await call(later, "whoami")).camera, true);
};

CASES["permissions that are denied"] = async (lab) => {
  for (
    const onPermissionRequest of [() => false, undefined, () => ["microphone"], () => Promise.reject(new Error("no"))]
  ) {
    const denied = lab.open("another origin", wants(CAMERA), { onPermissionRequest });
    const error = await thrown(() => denied.transport.setup());
    same([error.code, error.message], ["INSUFFICIENT_PERMISSIONS", "Required permissions were not approved: camera"]);
    same((await denied.told((report) => report.failed)).failed, "INSUFFICIENT_PERMISSIONS");
  }
  const silent = lab.open("another origin", wants(CAMERA), {
    onPermissionRequest: () => new Promise(() => {}),
    timeouts: { consent: 100 },
  });
  same((await thrown(() => silent.transport.setup())).code, "INSUFFICIENT_PERMISSIONS");
  const optional = lab.open("another origin", wants(PLACE), { onPermissionRequest: () => false });
  same((await optional.transport.setup()).permissions, []);
  const opaque = lab.open("opaque", wants(CAMERA), { onPermissionRequest: () => true });
  matches((await thrown(() => opaque.transport.setup())).message, /^A frame without origin cannot be given camera/);
};

CASES["popups: blocked, closed, and one for each server"] = async (lab) => {
  const { transport } = lab.open("popup", wants(CAMERA), { timeouts: { setup: 0 } });
  // In a popup the browser itself asks.
  same((await transport.setup()).permissions, []);
  const closed = /** @type {number[]} */ ([]);
  const waiting = lab.open("popup", { wait: "1" }, {}, { control: { onClose: () => closed.push(1) } });
  const outcome = thrown(() => waiting.transport.setup());
  await until(() => waiting.transport.state == "configuring");
  const popup = /** @type {any} */ (waiting.control).target;
  if (popup === /** @type {any} */ (transport.control).target) throw new Error("two servers share a window");
  popup.close();
  same((await outcome).code, "WINDOW_GONE");
  await until(() => closed.length);
  const sandboxed = document.createElement("iframe");
  sandboxed.setAttribute("sandbox", "allow-scripts allow-same-origin");
  sandboxed.src = "/outer.html";
  document.body.append(sandboxed);
  lab.later(() => sandboxed.remove());
  await new Promise((resolve) => sandboxed.onload = resolve);
  const inside = /** @type {any} */ (sandboxed.contentWindow);
  const own = open;
  window.open = (...given) => inside.open(...given);
  lab.later(() => window.open = own);
  const blocked = await thrown(() => lab.open("popup").transport.setup());
  same([blocked.code, blocked.message], [
    "POPUP_BLOCKED",
    "The browser blocked the popup: open it when the user clicks",
  ]);
};

CASES["calls too early and too late"] = async (lab) => {
  const { transport, make, control } = lab.open("another origin");
  const told = async (/** @type {() => any} */ call) => (await thrown(call)).message;
  matches(await told(() => transport.send({ jsonrpc: "2.0", method: "x" })), /^Transport not ready/);
  await transport.prepareToConnect();
  matches(await told(() => transport.setup()), /^Transport already in use/);
  transport.close();
  matches(await told(() => transport.prepareToConnect()), /^Transport already closed/);
  control.destroy?.();
  matches(await told(() => make().setup()), /^WindowControl has been destroyed/);
};

CASES["nothing is left behind"] = async (lab) => {
  const counts = new Map();
  for (const [add, remove] of [["setInterval", "clearInterval"], ["setTimeout", "clearTimeout"]]) {
    const [begin, end] = [/** @type {any} */ (window)[add], /** @type {any} */ (window)[remove]];
    /** @type {any} */ (window)[add] = (
      /** @type {any} */ run,
      /** @type {number} */ wait,
      /** @type {any[]} */ ...rest
    ) => {
      const id = begin(
        (/** @type {any} */ ...given) => {
          if (add == "setTimeout") counts.delete(id);
          run(...given);
        },
        wait,
        ...rest,
      );
      counts.set(id, wait);
      return id;
    };
    /** @type {any} */ (window)[remove] = (/** @type {any} */ id) => (counts.delete(id), end(id));
    lab.later(() => Object.assign(window, { [add]: begin, [remove]: end }));
  }
  let listeners = 0;
  const { addEventListener: listen } = globalThis;
  globalThis.addEventListener = (
    /** @type {string} */ kind,
    /** @type {any} */ handler,
    /** @type {any} */ options,
  ) => {
    listeners++;
    options?.signal?.addEventListener("abort", () => listeners--, { once: true });
    listen.call(window, kind, handler, options);
  };
  lab.later(() => globalThis.addEventListener = listen);
  const { transport } = lab.open("another origin");
  await transport.setup();
  same([[...counts.values()], listeners], [[], 0]);
  await transport.prepareToConnect();
  transport.close();
  const failing = lab.open("another origin", { fail: "AUTH_FAILED" });
  await failing.transport.setup().catch(() => {});
  await until(() => counts.size == 0);
  same(listeners, 0);
};
