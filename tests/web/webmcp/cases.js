// @ts-nocheck: values of every kind, the wrong ones above all
// The same cases for the browser's own `document.modelContext` and for the polyfill: each gives back what was seen.

/** What becomes of a promise, or of a call that throws. */
const outcome = async (work) => {
  try {
    return { ok: (await (typeof work == "function" ? work() : work)) ?? null };
  } catch (error) {
    return { rejected: error?.name ?? String(error) };
  }
};
const outcomes = (...work) => Promise.all(work.map(outcome));
const soon = (milliseconds = 30) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const happened = (target, type) => new Promise((resolve) => target.addEventListener(type, resolve, { once: true }));
const context = () => document.modelContext;
const tool = (more = {}) => ({ name: "echo", description: "says it again", execute: (input) => input, ...more });
const register = (more, options) => context().registerTool(tool(more), options);
const found = async (name = "echo", options) => (await context().getTools(options)).find((one) => one.name == name);
const call = async (input, name = "echo", options) => await context().executeTool(await found(name), input, options);
const shown = ({ window: where, origin, ...rest }) => ({ ...rest, here: where === window, own: origin == self.origin });
const put = (html) => {
  const holder = document.createElement("div");
  holder.innerHTML = html;
  document.body.append(holder);
  return holder;
};

/** A frame with frame.js in it; `ask` has it do something. */
async function frame(url, attributes = {}) {
  const made = document.createElement("iframe");
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
  made.src = url;
  const loaded = happened(made, "load");
  document.body.append(made);
  await loaded;
  const ask = (action, ...values) =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data: { message: _, ...said } }) => resolve(said);
      made.contentWindow.postMessage({ action, values }, "*", [port2]);
    });
  return { made, ask };
}

export const registration = {
  "what a tool looks like": async () => {
    const nothing = await register();
    await register({
      name: "all",
      title: "All",
      inputSchema: { type: "object", properties: { a: { type: "number" } } },
      annotations: { readOnlyHint: true, extra: 1 },
    });
    return [nothing === undefined, (await context().getTools()).map(shown)];
  },
  "members that are missing or wrong": () =>
    outcomes(
      context().registerTool(),
      context().registerTool(null),
      context().registerTool("echo", {}),
      context().registerTool({}),
      register({ name: undefined }),
      register({ description: undefined }),
      register({ execute: undefined }),
      register({ execute: {} }),
      register({ name: "s1", inputSchema: "x" }),
      register({ name: "s2", inputSchema: null }),
      register({ name: "s3", annotations: 1 }),
      register({ name: Symbol() }),
      register({ name: "s4" }, { signal: {} }),
      register({ name: "s5" }, { exposedTo: 5 }),
      register({ name: "s6" }, "x"),
    ),
  "what is turned into text": async () => {
    await register({ name: 5, title: null, description: ["d"] });
    return (await context().getTools()).map(shown);
  },
  "names and descriptions": async () =>
    await outcomes(
      ...["", "a b", "ä", "a/b", "x".repeat(129), "x".repeat(128), "A-z_0.9", "\u0430dmin", "a\n"].map((name) =>
        register({ name })
      ),
      register({ name: "empty", description: "" }),
    ),
  "a name that is taken": async () => {
    await register();
    return await outcomes(register(), register({ name: "Echo" }));
  },
  "schemas": async () => {
    const circular = {};
    circular.self = circular;
    const results = await outcomes(
      ...[circular, { type: "bogus" }, { type: "string" }, { $ref: "#/nowhere" }, [1], { a: 1n }].map((
        inputSchema,
        at,
      ) => register({ name: `s${at}`, inputSchema })),
    );
    return [results, (await context().getTools()).map(({ name, inputSchema }) => [name, inputSchema])];
  },
  "a schema is a copy each time": async () => {
    const inputSchema = { type: "object", properties: {} };
    await register({ inputSchema });
    inputSchema.changed = true;
    const first = await found();
    first.inputSchema.spoilt = true;
    return [(await found()).inputSchema, first === await found()];
  },
  "origins it is exposed to": () =>
    outcomes(
      ...[
        "*",
        "null",
        "nonsense",
        "http://shop.example",
        "https://shop.example",
        "https://shop.example/path",
        "http://localhost:1",
        "http://127.0.0.2",
        "http://[::1]:9",
        "data:,x",
        "about:blank",
        "file:///x",
        "ftp://a.example",
        "",
      ]
        .map((one, at) => register({ name: `e${at}` }, { exposedTo: [one] })),
    ),
  "origins that are asked for": () =>
    outcomes(
      ...["*", "nonsense", "http://shop.example", "https://shop.example"].map((one) =>
        context().getTools({ fromOrigins: [one] })
      ),
    ),
  "listing is by name": async () => {
    for (const name of ["b", "a", "B", "a.b", "_"]) await register({ name });
    return (await context().getTools()).map(({ name }) => name);
  },
  "an object without a constructor": async () =>
    await outcomes(
      () => new ModelContext(),
      () => [
        String(context()),
        context() === context(),
        context() instanceof EventTarget,
        Object.getOwnPropertyNames(ModelContext.prototype).sort(),
      ],
    ),
  "a document that is gone": async () => {
    const { made } = await frame("/frame.html");
    const { modelContext } = made.contentDocument;
    made.remove();
    return await outcomes(modelContext.registerTool(tool()), modelContext.getTools());
  },
};

export const abort = {
  "unregisters": async () => {
    const own = new AbortController();
    await register({}, { signal: own.signal });
    const before = await found();
    const heard = happened(context(), "toolchange");
    own.abort();
    await heard;
    return [
      (await context().getTools()).length,
      await outcome(context().executeTool(before, {})),
      await outcome(register()),
    ];
  },
  "before it begins": () =>
    outcomes(register({}, { signal: AbortSignal.abort() }), register({}, { signal: AbortSignal.abort("why") })),
  "does not stop a call that runs": async () => {
    const own = new AbortController();
    let go, seen;
    await register({
      execute: (_, { signal }) =>
        new Promise((resolve) => {
          go = resolve;
          seen = signal;
        }),
    }, { signal: own.signal });
    const running = call({});
    while (!go) await soon(5);
    own.abort();
    go("done");
    return [await running, seen.aborted];
  },
};

export const execution = {
  "arguments": async () => {
    await register({
      execute: (input, options) => [input, Object.keys(options), options.signal instanceof AbortSignal],
    });
    return await outcomes(call(), call({ a: [1, { b: null }] }), call([1]), call({ a: undefined, d: new Date(0) }));
  },
  "arguments that are none": async () => {
    await register();
    const circular = {};
    circular.self = circular;
    return await outcomes(call(5), call(null), call(true), call(circular), call({ n: 1n }));
  },
  "tools that are none": async () => {
    await register();
    const real = await found();
    return await outcomes(
      context().executeTool("echo", {}),
      context().executeTool(),
      context().executeTool({ name: "echo" }, {}),
      context().executeTool({ ...real, window: {} }, {}),
      context().executeTool({ ...real, window: undefined }, {}),
      context().executeTool({ ...real, name: "other" }, {}),
      context().executeTool({ ...real, origin: "https://other.example" }, {}),
      context().executeTool({ ...real, origin: "null" }, {}),
      context().executeTool({ ...real, description: "changed", inputSchema: {} }, {}),
    );
  },
  "results of every kind": async () => {
    const circular = {};
    circular.self = circular;
    const values = [
      undefined,
      null,
      5,
      NaN,
      true,
      "s",
      "",
      { a: 1 },
      [1, "x"],
      new Date(0),
      () => 1,
      10n,
      document.body,
      circular,
      new Map([[1, 2]]),
      { toJSON: () => 7 },
      { content: [{ type: "text", text: "x" }] },
    ];
    const seen = [];
    for (const [at, value] of values.entries()) {
      await register({ name: `r${at}`, execute: () => value });
      seen.push(await outcome(call({}, `r${at}`)));
    }
    return seen;
  },
  "tools that fail or are not asynchronous": async () => {
    const works = [
      () => "now",
      () => {
        throw new Error("at once");
      },
      () => Promise.reject(new Error("later")),
      () => Promise.reject(),
      () => Promise.reject(new DOMException("own", "AbortError")),
    ];
    const seen = [];
    for (const [at, execute] of works.entries()) {
      await register({ name: `f${at}`, execute });
      seen.push(await outcome(call({}, `f${at}`)));
    }
    return seen;
  },
  "a tool that registers and unregisters while it runs": async () => {
    const own = new AbortController();
    await register({
      execute: async () => {
        own.abort();
        await register({ name: "next" });
        return "both";
      },
    }, { signal: own.signal });
    return [await call({}), (await context().getTools()).map(({ name }) => name)];
  },
  "each call is one": async ({ other }) => {
    let near = 0;
    await register({ execute: () => ++near });
    const beside = await frame("/frame.html");
    await beside.ask("registerCounting", "beside");
    const far = await frame(`${other}/frame.html`, { allow: "tools" });
    await far.ask("registerCounting", "far", { exposedTo: [origin] });
    const [counting] = await context().getTools({ fromOrigins: [other] }).then((all) =>
      all.filter(({ name }) => name == "far")
    );
    const seen = [];
    for (let times = 0; times < 3; times++) {
      seen.push([await call({}), await call({}, "beside"), await context().executeTool(counting, {})]);
    }
    const both = await Promise.all([call({}), call({})]);
    return [seen, both.sort(), near];
  },
  "the signal of a call": async () => {
    let seen;
    await register({
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          seen = signal;
          signal.onabort = () => reject(signal.reason);
        }),
    });
    const own = new AbortController();
    const running = outcome(call({}, "echo", { signal: own.signal }));
    while (!seen) await soon(5);
    own.abort("enough");
    const result = await running;
    while (!seen.aborted) await soon(5);
    return [
      result,
      await outcome(call({}, "echo", { signal: AbortSignal.abort() })),
      await outcome(call({}, "echo", { signal: 5 })),
    ];
  },
};

export const events = {
  "toolchange": async () => {
    const own = new AbortController();
    const heard = [];
    context().ontoolchange = (event) =>
      heard.push([event.constructor.name, event.type, event.bubbles, event.target === context()]);
    await register({}, { signal: own.signal });
    const before = heard.length;
    const again = happened(context(), "toolchange");
    own.abort();
    await again;
    return [before, heard, typeof context().ontoolchange, (context().ontoolchange = 5, context().ontoolchange)];
  },
  "toolactivated and toolcancel": async () => {
    const heard = [];
    for (const type of ["toolactivated", "toolcancel"]) {
      context()[`on${type}`] = (event) =>
        heard.push([event.constructor.name, event.toolName, event.bubbles, event.cancelable]);
      addEventListener(type, () => heard.push("at the window"));
    }
    await register({
      execute: (_, { signal }) => new Promise((_resolve, reject) => signal.onabort = () => reject(signal.reason)),
    });
    const own = new AbortController();
    const activated = happened(context(), "toolactivated");
    const running = outcome(call({}, "echo", { signal: own.signal }));
    await activated;
    const cancelled = happened(context(), "toolcancel");
    own.abort();
    const result = await running;
    await cancelled;
    return [result, heard];
  },
  "events made by hand": () =>
    outcomes(
      () => new ToolActivatedEvent("x").toolName,
      () => new ToolCancelEvent("x", { toolName: 5, bubbles: true }).toolName,
      () => String(new ToolCancelEvent("x")),
      () => new ToolActivatedEvent(),
    ),
};

export const frames = {
  "same origin": async () => {
    const { made, ask } = await frame("/frame.html");
    const heard = happened(context(), "toolchange");
    const registered = await ask("register", "child");
    await heard;
    await register({ name: "above" });
    const child = await found("child");
    return [
      registered,
      [child.window === made.contentWindow, child.origin == origin],
      await call({ a: 1 }, "child"),
      await ask("tools"),
      await ask("execute", "above", { up: 1 }),
    ].map(anonymous);
  },
  "same name in two frames": async () => {
    const { ask } = await frame("/frame.html");
    await ask("register", "echo");
    await register();
    return (await context().getTools()).map(({ name, window: where }) => [name, where === window]);
  },
  "a frame that goes away while its tool runs": async () => {
    const { made, ask } = await frame("/frame.html");
    await ask("registerEndless", "endless");
    const running = outcome(call({}, "endless"));
    await ask("until", "called");
    made.remove();
    return [await running, (await context().getTools()).length];
  },
  "a same-origin frame that may not": async () => {
    const { ask } = await frame("/frame.html", { allow: "tools 'none'" });
    return [await ask("has"), await ask("register", "child"), await ask("tools")];
  },
  "another origin, not allowed": async ({ other }) => {
    const { ask } = await frame(`${other}/frame.html`);
    return [
      await ask("has"),
      await ask("register", "child", { exposedTo: [origin] }),
      (await context().getTools({ fromOrigins: [other] })).length,
      await ask("tools", { fromOrigins: [origin] }),
    ];
  },
  "another origin, allowed and exposed": async ({ other }) => {
    const { made, ask } = await frame(`${other}/frame.html`, { allow: "tools" });
    const heard = happened(context(), "toolchange");
    const registered = [
      await ask("register", "child", { exposedTo: [origin] }),
      await ask("register", "hidden"),
      await ask("register", "elsewhere", { exposedTo: ["https://shop.example"] }),
    ];
    await heard;
    const far = await context().getTools({ fromOrigins: [other] });
    const seen = far.map((one) => [one.name, one.origin == other, one.window === made.contentWindow]);
    const result = JSON.parse(await context().executeTool(far[0], { a: 1 }));
    return [
      registered,
      (await context().getTools()).length,
      seen,
      [result.from == other, result.input],
      await outcome(context().executeTool({ ...far[0], name: "hidden" }, {})),
    ];
  },
  "another origin sees only what is exposed to it": async ({ other }) => {
    const { ask } = await frame(`${other}/frame.html`, { allow: "tools" });
    await register({ name: "for-it" }, { exposedTo: [other] });
    await register({ name: "not-for-it" });
    return [
      await ask("tools"),
      await ask("tools", { fromOrigins: [origin] }),
      await ask("execute", "for-it", { a: 1 }, { fromOrigins: [origin] }),
    ].map(anonymous);
  },
  "a frame of another origin that is loaded again": async ({ other }) => {
    const { made, ask } = await frame(`${other}/frame.html`, { allow: "tools" });
    await ask("register", "child", { exposedTo: [origin] });
    await register({ name: "for-it" }, { exposedTo: [other] });
    const again = happened(made, "load");
    made.src = `${other}/frame.html?again`;
    await again;
    const registered = await ask("register", "later", { exposedTo: [origin] });
    const far = await context().getTools({ fromOrigins: [other] });
    return [registered, far.map(({ name }) => name), await ask("tools", { fromOrigins: [origin] })].map(anonymous);
  },
  "a call of another origin that is given up, and one that fails": async ({ other }) => {
    const { ask } = await frame(`${other}/frame.html`, { allow: "tools *" });
    await ask("registerEndless", "endless", { exposedTo: [origin] });
    await ask("registerFailing", "failing", { exposedTo: [origin] });
    const [endless, failing] = await context().getTools({ fromOrigins: [other] });
    const own = new AbortController();
    const running = outcome(context().executeTool(endless, {}, { signal: own.signal }));
    await ask("until", "called");
    own.abort();
    return [await running, await ask("until", "aborted"), await outcome(context().executeTool(failing, {}))];
  },
  "a frame of another origin that goes away": async ({ other }) => {
    const { made, ask } = await frame(`${other}/frame.html`, { allow: "tools" });
    await ask("registerEndless", "endless", { exposedTo: [origin] });
    const [endless] = await context().getTools({ fromOrigins: [other] });
    const running = outcome(context().executeTool(endless, {}));
    await ask("until", "called");
    made.remove();
    return [await running, (await context().getTools({ fromOrigins: [other] })).length];
  },
  "frames in frames": async ({ other }) => {
    const seen = [];
    for (const outer of [{}, { allow: "tools" }, { allow: "tools *", sandbox: "allow-scripts" }]) {
      for (const allowed of [{}, { allow: "tools" }, { allow: "tools *" }, { allow: "tools 'none'" }]) {
        for (const inner of [origin, other]) {
          const { made, ask } = await frame(`${other}/frame.html`, outer);
          await ask("frame", `${inner}/frame.html`, allowed);
          const { ok: { message: _, ...said } } = await ask("inside", "register", "child", { exposedTo: [origin] });
          const listed = await context().getTools({ fromOrigins: [other] });
          seen.push([outer, allowed, inner == origin, said, listed.map(({ name }) => name)]);
          made.remove();
        }
      }
    }
    return seen;
  },
  "frames of the same origin in frames that may not": async ({ other }) => {
    const { ask } = await frame(`${other}/frame.html`);
    await ask("frame", `${other}/frame.html`, {});
    return [await ask("inside", "register", "child"), await ask("inside", "tools")].map(({ ok }) => ok.rejected);
  },
  "an opaque origin, not allowed": async () => {
    const { ask } = await frame("/frame.html", { sandbox: "allow-scripts" });
    return [await ask("has"), await ask("register", "child"), await ask("tools"), (await context().getTools()).length];
  },
  "an opaque origin, allowed": async () => {
    const seen = [];
    for (const allow of ["tools", "tools *"]) {
      const { made, ask } = await frame("/frame.html", { sandbox: "allow-scripts", allow });
      seen.push([
        await ask("register", "child", { exposedTo: [origin] }),
        await ask("tools", { fromOrigins: [origin] }),
        await ask("execute", "child", {}),
        (await context().getTools({ fromOrigins: [origin] })).length,
      ]);
      made.remove();
    }
    return seen;
  },
};

/** Origins have ports, which differ. */
const anonymous = (value) => JSON.parse(JSON.stringify(value ?? null).replace(/http:[^"\\]*/g, "ORIGIN"));

/** Fill in a form through its tool; what the page saw, and what became of it. */
async function fillIn(html, input, { onSubmit = () => {}, after, signal } = {}) {
  const form = put(html).querySelector("form");
  const heard = [];
  for (const type of ["input", "change"]) {
    form.addEventListener(type, ({ target, bubbles }) => heard.push([type, target.name, bubbles]));
  }
  form.addEventListener("submit", (event) => {
    heard.push(["submit", event.agentInvoked, event.submitter?.name ?? null]);
    onSubmit(event, heard);
  });
  while (!await found("form")) await soon(5);
  const activated = happened(context(), "toolactivated");
  const running = outcome(call(input, "form", { signal }));
  if (after) {
    await activated;
    after(form, heard);
  }
  const result = await running;
  return [result, heard, [...new FormData(form)]];
}
const wrap = (inner, more = "") =>
  `<form toolname=form tooldescription=d ${more}>${inner}<button name=go>Go</button></form>`;
const auto = (inner) => wrap(inner, "toolautosubmit");
const respond = (value) => (event) => {
  event.preventDefault();
  event.respondWith(value);
};

export const forms = {
  "every kind of control": async () => {
    put(`<form id=f toolname=every tooldescription="All controls" tooltitle=T>
      <label>Labelled <input name=text></label><label for=t2>L</label><input id=t2 name=text2 placeholder=P title=T value=v toolparamdescription=Desc>
      <input name=req required minlength=2 maxlength=5 pattern="[a-z]+"><input name=badpattern pattern="["><textarea name=area required></textarea>
      <input type=search name=search><input type=tel name=tel><input type=url name=url><input type=email name=email><input type=password name=password>
      <input type=number name=n1><input type=number name=n2 min=1 max=10 step=2><input type=number name=n3 step=any><input type=number name=n4 step=0.5 value=3>
      <input type=number name=n5 min=0.1 step=0.1><input type=number name=n6 min=-3 step=3><input type=number name=n7 value=1 step=2><input type=number name=n8 min=x max=5 step=-1>
      <input type=range name=r1><input type=range name=r2 min=5 max=50 step=5><input type=range name=r3 value=3 step=2><input type=range name=r4 min=10 max=5 step=any>
      <input type=date name=d1><input type=date name=d2 toolparamdescription=Day required><input type=month name=month><input type=week name=week>
      <input type=time name=time><input type=time name=time2 step=1><input type=time name=time3 step=0.5><input type=time name=time4 step=any><input type=time name=time5 step=3600>
      <input type=datetime-local name=l1><input type=datetime-local name=l2 step=30><input type=color name=color>
      <input type=checkbox name=c1 toolparamdescription=C><label>CC<input type=checkbox name=c2 required value=yes></label>
      <input type=checkbox name=group value=a><label><input type=checkbox name=group value=b>Bee</label>
      <fieldset toolparamdescription=FS><legend>no</legend><label>Red <input type=radio name=radio value=r></label><input type=radio name=radio required></fieldset>
      <input type=radio name=radio1 value=only><input type=radio name=radio2 value=a disabled><input type=radio name=radio2 value=b>
      <label>Sel <select name=select><option value=1>One</option><option>Two</option><option value="" disabled>none</option><option value=3 label=L>3</option></select></label>
      <select name=select2 required><option value="">choose</option><optgroup label=G><option value=g>gee</option></optgroup></select>
      <select name=multi multiple><option value=a>A</option><option value=b>B</option></select><select name=none></select>
      <input type=hidden name=hidden><input type=file name=file><input type=submit name=submit2><input type=image name=image><input type=reset name=reset2><input type=button name=button><button name=button2>b</button>
      <input name=disabled disabled><input name=readonly readonly><input><input name=""><fieldset disabled><input name=inside></fieldset><output name=output></output><object name=object></object>
      <input name=twice><input name=twice><textarea name=mixed></textarea><select name=mixed></select><input name=bogus type=bogus><input name="a b"><input name=__proto__><input name=constructor>
      <input name=a1 aria-label=AL aria-description=AD><label>x<input name=a2 aria-description=AD></label><label for=two>one</label><label>two <input id=two name=a3></label><label>  sp   aced <b>bold</b><input name=a4> tail</label>
      </form><input form=f name=outside>`);
    while (!await found("every")) await soon(5);
    return JSON.stringify(
      shown(await found("every")),
      (_, value) =>
        value && typeof value == "object" && !Array.isArray(value)
          ? Object.fromEntries(Object.entries(value).sort())
          : value,
    );
  },
  "which forms are tools": async () => {
    put(
      `<form toolname=nodescription></form><form tooldescription=noname></form><form toolname="bad name" tooldescription=d></form>
      <form toolname="" tooldescription=d></form><form toolname=emptydescription tooldescription=""></form><form toolname=good tooldescription=d></form>
      <form toolname=twice tooldescription=first></form><form toolname=twice tooldescription=second></form><div toolname=div tooldescription=d></div>`,
    );
    const root = put("").attachShadow({ mode: "open" });
    root.innerHTML = "<form toolname=shadow tooldescription=d><input name=a></form>";
    await register();
    put("<form toolname=echo tooldescription=taken></form>");
    return [
      (await context().getTools()).map(({ name, description }) => [name, description]),
      await outcome(register({ name: "good" })),
    ];
  },
  "forms in shadow trees": async () => {
    let heard = 0;
    context().addEventListener("toolchange", () => heard++);
    const seen = [];
    const changes = async (change, ...expected) => {
      const before = heard;
      const result = change();
      const names = async () => (await context().getTools()).map(({ name }) => name).join();
      while (heard == before || await names() != expected.join()) await soon(5);
      seen.push(expected);
      return result;
    };
    const inner = await changes(() => {
      const outer = put("").attachShadow({ mode: "open" });
      outer.innerHTML = "<section></section>";
      const inner = outer.firstChild.attachShadow({ mode: "open" });
      inner.innerHTML = "<form toolname=deep tooldescription=d toolautosubmit><input name=a></form>";
      return inner;
    }, "deep");
    const form = inner.firstChild;
    form.addEventListener("submit", (event) => respond([event.agentInvoked, form.a.value])(event));
    seen.push(await call({ a: "x" }, "deep"));
    await changes(() => form.setAttribute("toolname", "renamed"), "renamed");
    const late = Object.assign(document.createElement("div"), { innerHTML: "<form toolname=late tooldescription=d>" });
    await changes(() => inner.append(late), "late", "renamed");
    await changes(() => form.remove(), "late");
    await changes(() => inner.host.parentNode.host.remove());
    return seen;
  },
  "forms that come, change and go": async () => {
    const changed = () => happened(context(), "toolchange");
    const seen = [];
    let heard = changed();
    const form = put("<form toolname=one tooldescription=d></form>").querySelector("form");
    await heard;
    seen.push((await context().getTools()).map(({ name }) => name));
    for (
      const change of [
        () => form.setAttribute("toolname", "two"),
        () => form.setAttribute("tooldescription", "new"),
        () => form.remove(),
      ]
    ) {
      heard = changed();
      change();
      await heard;
      seen.push((await context().getTools()).map(({ name, description }) => [name, description]));
    }
    return seen;
  },
  "values of every kind": () =>
    fillIn(
      auto(
        `<input name=t value=old><input name=same value=same><input name=n type=number min=1 max=9><input type=checkbox name=c><input type=checkbox name=g value=a checked><input type=checkbox name=g value=b>
      <input type=radio name=r value=x checked><input type=radio name=r value=y><select name=s><option value=1>One<option value=2>Two</select><select multiple name=m><option>a<option>b<option>c</select>
      <input type=date name=d><input type=time name=ti><input type=month name=mo><input type=week name=we><input type=datetime-local name=dt><textarea name=ta></textarea><input type=range name=ra min=0 max=10><input type=color name=co>
      <input type=email name=em><input type=url name=ur><input type=password name=pa><input name=left value=alone>
      <input type=search name=se><input type=tel name=te><input type=bogus name=bo>`,
      ),
      {
        t: "new",
        same: "same",
        n: 5,
        c: true,
        g: ["b"],
        r: "y",
        s: "2",
        m: ["a", "c"],
        d: "2020-01-02",
        ti: "10:30",
        mo: "2020-01",
        we: "2020-W05",
        dt: "2020-01-02T10:30",
        ta: "x\ny",
        ra: 4,
        co: "#112233",
        em: "a@b.example",
        ur: "https://a.example",
        pa: "p",
        se: "words",
        te: "+1",
        bo: "b",
      },
      { onSubmit: respond(Promise.resolve({ a: 1 })) },
    ),
  "choices that stay and go": () =>
    fillIn(
      auto(
        `<input type=checkbox name=c checked><input type=checkbox name=d checked><select multiple name=m><option selected>a<option>b</select><input type=checkbox name=g value=1 checked><input type=checkbox name=g value=2>`,
      ),
      { c: false, d: true, m: [], g: [] },
      { onSubmit: respond("ok") },
    ),
  "responses": async () => {
    const seen = [];
    for (const value of ["text", undefined, 7, { a: 1 }, Promise.resolve("later"), Promise.reject(new Error("no"))]) {
      seen.push(await fillIn(auto(""), {}, { onSubmit: respond(value) }));
      document.body.replaceChildren();
    }
    return seen;
  },
  "a submit event that is only cancelled": () => fillIn(auto(""), {}, { onSubmit: (event) => event.preventDefault() }),
  "a response twice": () =>
    fillIn(auto(""), {}, {
      onSubmit: (event) => {
        event.preventDefault();
        event.respondWith(1);
        event.respondWith(2);
      },
    }),
  "a response without preventDefault": () =>
    fillIn(
      auto("<input name=a>").replace("<form", "<iframe name=hidden></iframe><form target=hidden action=/empty.html"),
      {},
      {
        onSubmit: (event, heard) => {
          try {
            event.respondWith(1);
          } catch (error) {
            heard.push(error.name);
          }
        },
      },
    ),
  "a form that leads to another page": () =>
    fillIn(
      auto("<input name=a>").replace("<form", "<iframe name=hidden></iframe><form target=hidden action=/empty.html"),
      { a: "x" },
    ),
  "a person submits": () =>
    fillIn(wrap("<input name=a required>"), { a: "agent" }, {
      onSubmit: (event) => respond(event.target.a.value)(event),
      after: (form, heard) => {
        heard.push(document.activeElement.name);
        form.a.value = "person";
        form.go.click();
      },
    }),
  "a person submits an ordinary form": () => {
    const form = put("<form><button>Go</button></form>").firstChild;
    const seen = [];
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      seen.push(event.agentInvoked, typeof event.respondWith);
    });
    form.firstChild.click();
    return seen;
  },
  "a form that is reset": () => fillIn(wrap("<input name=a>"), { a: "x" }, { after: (form) => form.reset() }),
  "a form that changes": () =>
    fillIn(wrap("<input name=a>"), { a: "x" }, { after: (form) => form.setAttribute("tooldescription", "new") }),
  "a form that goes": () => fillIn(wrap("<input name=a>"), { a: "x" }, { after: (form) => form.remove() }),
  "a call that is given up": async () => {
    const own = new AbortController();
    const cancelled = happened(context(), "toolcancel");
    const seen = await fillIn(wrap("<input name=a>"), { a: "x" }, { signal: own.signal, after: () => own.abort() });
    return [seen, (await cancelled).toolName];
  },
  "the form has the value already": () =>
    fillIn(auto("<input name=a required value=there>"), {}, { onSubmit: respond("ok") }),
};

/** What the polyfill refuses and the browser lets through, or refuses later and with another name. */
export const checks = {
  "arguments that do not fit": async () => {
    const seen = [];
    await register({
      inputSchema: {
        type: "object",
        properties: {
          a: { type: "number", maximum: 5 },
          tags: { type: "array", items: { enum: ["x", "y"] }, uniqueItems: true },
        },
        required: ["a"],
        additionalProperties: false,
      },
      execute: (input) => {
        seen.push(input);
        return "called";
      },
    });
    return [
      await outcomes(
        call({ a: 1, tags: ["x"] }),
        call({ a: "1" }),
        call({}),
        call({ a: 9 }),
        call({ a: 1, tags: ["x", "x"] }),
        call({ a: 1, tags: ["z"] }),
        call({ a: 1, more: 1 }),
      ),
      seen.length,
    ];
  },
  "arguments as text": async () => {
    await register();
    return await outcomes(call('{"a": 1}'), call("[1]"), call("{"), call("5"), call(""));
  },
  "schemas that cannot be checked": async () => {
    const seen = [];
    for (
      const [at, inputSchema] of [
        { type: "bogus" },
        {
          pattern: "(",
          type: "object",
          properties: { a: { pattern: "(" } },
        },
        { $ref: "#" },
        { $ref: "#/nowhere" },
        { properties: { a: 5 } },
        { properties: { a: { extends: {} } } },
        {
          unevaluatedProperties: false,
        },
        { $dynamicRef: "#x" },
        { properties: { a: { minLength: true } } },
      ].entries()
    ) {
      await register({ name: `s${at}`, inputSchema });
      seen.push(await outcome(call({ a: "x" }, `s${at}`)));
    }
    return seen;
  },
  "values that a form does not take": async () => {
    const seen = [];
    for (
      const input of [
        { n: "abc" },
        { c: "yes" },
        { t: null },
        { t: 5 },
        { unknown: 1 },
        { s: "nope" },
        { r: "nope" },
        { g: ["nope"] },
        { g: "b" },
        { d: "bogus" },
        { ra: 99 },
        { co: "zzz" },
        { n: 50 },
        { req: "" },
        { em: "x" },
        { go: "x" },
        [1],
      ]
    ) {
      seen.push([
        input,
        ...await fillIn(
          auto(
            "<input name=t value=old><input type=number name=n max=9><input type=checkbox name=c><input type=checkbox name=g value=a><input type=checkbox name=g value=b><input type=radio name=r value=x><select name=s><option>1</select><input type=date name=d><input type=range name=ra max=10><input type=color name=co><input name=req required value=q><input type=email name=em>",
          ),
          input,
          { onSubmit: respond("ok") },
        ),
      ]);
      document.body.replaceChildren();
    }
    return seen;
  },
};
