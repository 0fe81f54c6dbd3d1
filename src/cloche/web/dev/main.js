// @ts-check
import { Api } from "./api.js";
import { byId, make, tabs } from "./elements.js";
import { FormError, SchemaForm } from "./form.js";
import { blockOf, Results } from "./results.js";
import { TimelineView } from "./timeline.js";
import { tree } from "./tree.js";

/**
 * The playground's page: servers on the left, what is tried in the middle, what was said on the right.
 *
 * @typedef {Record<string, any>} Json
 * @typedef {{server: string, kind: "tool" | "resource" | "template" | "prompt", name: string}} Item
 */

const api = new Api();
/** @type {Json[]} */
let servers = [];
/** @type {Item | null} */
let item = null;
/** @type {SchemaForm | null} */
let form = null;
/** The call whose result is shown. @type {string | null} */
let shown = null;
/** @type {(() => void) | null} */
let callAgain = null;

const timeline = new TimelineView();
const model = make("div", { class: "said" });
const problems = make("div", { class: "said" });
const results = new Results(byId("outcome"), {
  cancel: () => shown && api.ask("cancel", { call: shown }),
  width: () => recalled("width") ?? "full",
  setWidth: (width) => remember("width", width),
});

// What survives a reload

/** @param {string} key @returns {any} */
function recalled(key) {
  try {
    return JSON.parse(sessionStorage.getItem(`dev ${key}`) ?? "null");
  } catch {
    return null;
  }
}

/** @param {string} key @param {any} value */
function remember(key, value) {
  sessionStorage.setItem(`dev ${key}`, JSON.stringify(value));
}

// Servers

async function list() {
  servers = await api.ask("list");
  drawServers();
  const before = item ?? recalled("item");
  const first = servers.flatMap(itemsOf).find((one) => one.kind === "tool");
  const known = before && entryOf(before) ? before : first;
  if (known) select(known, { focus: false });
  else if (!servers.some((one) => one.problem)) showNothing();
  showBroken(servers.filter((one) => one.problem));
}

/** @param {Json} server @returns {Item[]} */
function itemsOf(server) {
  return [
    ...server.tools.map((/** @type {Json} */ one) => ({ server: server.name, kind: "tool", name: one.name })),
    ...(server.resources ?? []).map((/** @type {Json} */ one) => ({
      server: server.name,
      kind: "resource",
      name: one.uri,
    })),
    ...(server.resourceTemplates ?? []).map((/** @type {Json} */ one) => ({
      server: server.name,
      kind: "template",
      name: one.uriTemplate,
    })),
    ...(server.prompts ?? []).map((/** @type {Json} */ one) => ({
      server: server.name,
      kind: "prompt",
      name: one.name,
    })),
  ];
}

/** @param {Item} one @returns {Json | undefined} */
function entryOf({ server, kind, name }) {
  const found = servers.find((one) => one.name === server);
  const lists = { tool: "tools", resource: "resources", template: "resourceTemplates", prompt: "prompts" };
  return (found?.[lists[kind]] ?? []).find((/** @type {Json} */ one) =>
    (one.uri ?? one.uriTemplate ?? one.name) === name
  );
}

/** @param {Item} one */
const isForViews = (one) => one.kind === "tool" && entryOf(one)?.visibility?.includes("model") === false;
/** @param {Item} one */
const isView = (one) => one.kind === "resource" && one.name.startsWith("ui://");

/** What stands under which title. @type {[string, (one: Item) => boolean][]} */
const GROUPS = [
  ["Tools", (one) => one.kind === "tool" && !isForViews(one)],
  ["Resources", (one) => (one.kind === "resource" || one.kind === "template") && !isView(one)],
  ["Prompts", (one) => one.kind === "prompt"],
  ["Tools that only views call", isForViews],
  ["Pages of views", isView],
];
/** Those at the end are for the curious. */
const CLOSED = ["Tools that only views call", "Pages of views"];

/** @param {string} server @param {string} title @param {Item[]} items @param {boolean} found */
function group(server, title, items, found) {
  if (!items.length) return null;
  const list = make("ul", {}, ...items.map(entryButton));
  if (!CLOSED.includes(title)) return make("div", {}, make("h3", {}, title), list);
  const key = `open ${server} ${title}`;
  const holdsIt = items.some((one) =>
    item && one.kind === item.kind && one.name === item.name && one.server === item.server
  );
  const details = make("details", { open: found || holdsIt || recalled(key) === true });
  details.addEventListener("toggle", () => remember(key, details.open));
  details.append(make("summary", {}, `${title} (${items.length})`), list);
  return details;
}

function drawServers() {
  const wanted = /** @type {HTMLInputElement} */ (byId("search")).value.trim().toLowerCase();
  const parts = servers.map((server) => {
    const head = make("h2", {}, server.name);
    if (server.problem) return make("section", {}, head, make("p", { class: "problem" }, "does not run"));
    const entries = itemsOf(server).filter((one) => one.name.toLowerCase().includes(wanted));
    const lists = GROUPS.map(([title, holds]) => group(server.name, title, entries.filter(holds), !!wanted));
    const nothing = make("p", { class: "about" }, wanted ? "Nothing fits." : "This server offers nothing.");
    return make("section", {}, head, ...(lists.some(Boolean) ? lists : [nothing]));
  });
  byId("servers").replaceChildren(...parts);
}

/** @param {Item} one */
function entryButton(one) {
  const entry = entryOf(one) ?? {};
  const isIt = item && item.server === one.server && item.kind === one.kind && item.name === one.name;
  const button = make("button", { type: "button", onclick: () => select(one, { focus: true }) }, one.name);
  if (isIt) button.setAttribute("aria-current", "true");
  if (entry._meta?.ui?.resourceUri || entry._meta?.["ui/resourceUri"]) button.append(make("small", {}, "view"));
  return make("li", {}, button);
}

/** What keeps a server from starting stands over everything, until it is repaired. @param {Json[]} broken */
function showBroken(broken) {
  const place = byId("broken");
  place.hidden = broken.length === 0;
  place.replaceChildren(...broken.map((one) =>
    make(
      "div",
      {},
      make("h2", {}, `${one.file ?? one.name} does not run`),
      make("pre", { class: "problem" }, one.problem),
      make("p", { class: "about" }, "Save the file again, and it is tried again."),
    )
  ));
}

// What is tried

/** @param {Item} one @param {{focus: boolean}} options */
function select(one, { focus }) {
  const same = item && item.server === one.server && item.name === one.name && item.kind === one.kind;
  item = one;
  remember("item", one);
  drawServers();
  if (!same) {
    shown = null;
    byId("outcome").hidden = true;
  }
  const entry = entryOf(one) ?? {};
  const heading = make("h2", {}, entry.title ?? entry.annotations?.title ?? one.name);
  const about = make("p", { class: "about description" }, entry.description ?? "");
  const parts = [heading, about, one.kind === "tool" ? toolForm(one, entry) : otherForm(one, entry)];
  byId("item").replaceChildren(...parts);
  const first = byId("item").querySelector("input, select, textarea, button");
  if (focus && first instanceof HTMLElement) first.focus();
}

/** @param {Item} one @param {Json} entry */
function toolForm(one, entry) {
  return schemaForm(one, entry.inputSchema ?? { type: "object" }, "Call", async (values) => {
    const { call, ticket } = await api.ask("call", { server: one.server, tool: one.name, arguments: values });
    shown = call;
    results.show({ tool: one.name, ticket, pending: true });
  });
}

/** @param {Item} one @param {Json} entry */
function otherForm(one, entry) {
  if (one.kind === "prompt") {
    const properties = Object.fromEntries(
      (entry.arguments ?? []).map((
        /** @type {Json} */ given,
      ) => [given.name, { type: "string", description: given.description }]),
    );
    const required = (entry.arguments ?? []).filter((/** @type {Json} */ one) => one.required).map((
      /** @type {Json} */ one,
    ) => one.name);
    return schemaForm(
      one,
      { type: "object", properties, required },
      "Get",
      (values) => ask(one, "prompts/get", { name: one.name, arguments: values }),
    );
  }
  const names = one.kind === "template"
    ? [...one.name.matchAll(/\{[+#./;?&]?([^}]+)\}/g)].flatMap(([, name]) => name.split(","))
    : [];
  const properties = Object.fromEntries(names.map((name) => [name.replace(/[*:].*/, ""), { type: "string" }]));
  return schemaForm(one, { type: "object", properties, required: Object.keys(properties) }, "Read", (values) => {
    const uri = one.name.replace(
      /\{[+#./;?&]?([^}]+)\}/g,
      (_, name) => encodeURIComponent(values[name.replace(/[*:].*/, "")] ?? ""),
    );
    return ask(one, "resources/read", { uri });
  });
}

/** @param {Item} one @param {string} method @param {Json} params */
async function ask(one, method, params) {
  shown = null;
  const started = performance.now();
  const value = await api.ask("ask", { server: one.server, method, arguments: params });
  const content = method === "resources/read"
    ? (value.contents ?? []).map((/** @type {Json} */ resource) => ({ type: "resource", resource }))
    : (value.messages ?? []).map((/** @type {Json} */ message) => message.content);
  results.show({
    tool: one.name,
    result: { ...value, content },
    milliseconds: Math.round(performance.now() - started),
  });
}

/**
 * @param {Item} one @param {Json} schema @param {string} verb @param {(values: Json) => unknown} run
 */
function schemaForm(one, schema, verb, run) {
  const made = new SchemaForm(schema);
  form = made;
  const key = `values ${one.server} ${one.kind} ${one.name}`;
  const kept = recalled(key);
  if (kept) made.write(kept);
  const problem = make("p", { class: "problem", role: "alert" });
  const element = make("form", { noValidate: true });
  const submit = async () => {
    problem.textContent = "";
    try {
      const values = made.read();
      remember(key, values);
      await run(values);
    } catch (error) {
      if (!(error instanceof FormError) || !error.element) problem.textContent = /** @type {Error} */ (error).message;
    }
  };
  callAgain = submit;
  element.onsubmit = (event) => (event.preventDefault(), submit());
  const raw = make("button", { type: "button", class: "quiet", "aria-pressed": "false" }, "Edit as JSON");
  raw.onclick = () => {
    try {
      made.setRaw(!made.isRaw);
      raw.setAttribute("aria-pressed", String(made.isRaw));
    } catch { /* the field says what is wrong */ }
  };
  const hasFields = Object.keys(schema.properties ?? {}).length > 0 || verb === "Call";
  element.append(
    made.element,
    problem,
    make("div", { class: "actions" }, make("button", { class: "main" }, verb), hasFields && raw),
  );
  return element;
}

function showNothing() {
  byId("item").replaceChildren(
    make("h2", {}, "Nothing to try"),
    make("p", { class: "about" }, "The server offers no tools, resources or prompts."),
  );
}

// What was said

/** @param {HTMLElement} place @param {string} title @param {...Node} parts */
function saidIn(place, title, ...parts) {
  const time = new Date().toLocaleTimeString();
  place.prepend(make("article", {}, make("h3", {}, title, make("small", {}, time)), ...parts));
  while (place.childElementCount > 100) place.lastElementChild?.remove();
}

/** @param {HTMLElement} place @param {string} text */
function emptyText(place, text) {
  place.dataset.empty = text;
}

emptyText(model, "What a view tells the model or the conversation appears here.");
emptyText(problems, "Nothing has gone wrong: errors, logs and blocked requests of views appear here.");

const showSide = tabs(
  byId("side-tabs"),
  [["timeline", "Messages"], ["model", "Model"], ["problems", "Problems"]],
  (name) => {
    remember("side", name);
    byId("side-body").replaceChildren({ timeline: timeline.element, model, problems }[name] ?? timeline.element);
  },
);

/** @param {string} name @param {(told: Json) => void} handle */
function on(name, handle) {
  api.addEventListener(name, (event) => handle(/** @type {CustomEvent} */ (event).detail));
}

on("traffic", (told) => {
  timeline.add(told);
  if (told.lane === "page" && told.what === "violation") {
    const { directive, blocked } = told.body ?? {};
    const fix =
      `Blocked by the CSP: ${directive} does not allow ${blocked}. Declare its origin with Csp(…), or put it into the page.`;
    saidIn(problems, "Blocked", make("p", {}, fix));
  }
});
on("message", ({ tool, content }) => saidIn(model, `${tool} says to the conversation`, ...content.map(blockOf)));
on("context", ({ tool, content, structured }) => {
  const parts = content.map(blockOf);
  if (structured) parts.push(tree(structured));
  saidIn(model, `${tool} tells the model`, ...parts);
});
on(
  "log",
  ({ tool, level, data }) =>
    saidIn(problems, `${tool}: ${level}`, typeof data === "string" ? make("pre", {}, data) : tree(data)),
);
on("problem", ({ tool, problem }) => saidIn(problems, `${tool} failed`, make("p", { class: "problem" }, problem)));
on("result", ({ call, result, error, ticket, milliseconds }) => {
  if (call !== shown) return;
  const before = results.outcome?.ticket;
  results.show({ tool: "", result, error, milliseconds, ticket: before ?? ticket ?? null });
});
on("view-changed", async () => {
  if (!shown || !results.outcome?.ticket || results.outcome.pending) return;
  const { ticket } = await api.ask("again", { call: shown });
  if (ticket) results.reopen(ticket);
});
on("restarted", () => list());
on("ready", () => {
  byId("connection").textContent = "";
  document.body.classList.remove("lost");
  list();
});
on("lost", ({ reason }) => {
  document.body.classList.add("lost");
  byId("connection").textContent = reason === "token"
    ? "This address has no valid token: open the one that cloche dev printed."
    : "The playground is not running. Trying again …";
});

// The page itself

/** @param {string | null} theme */
function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  if (theme) localStorage.setItem("theme", theme);
}

function toggleTheme() {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (isDark ? "dark" : "light");
  setTheme(now === "dark" ? "light" : "dark");
}

function toggleSide() {
  const isOpen = document.body.classList.toggle("no-side");
  byId("side-toggle").setAttribute("aria-pressed", String(!isOpen));
}

setTheme(localStorage.getItem("theme"));
showSide(recalled("side") ?? "timeline");
byId("theme").onclick = toggleTheme;
byId("side-toggle").onclick = toggleSide;
byId("search").oninput = drawServers;
if (innerWidth < 1000) toggleSide();
addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey } = event;
  const isTyping = target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  if (key === "Enter" && (ctrlKey || metaKey)) callAgain?.();
  else if (isTyping || ctrlKey || metaKey) return;
  else if (key === "/") (event.preventDefault(), byId("search").focus());
  else if (key === "t") toggleTheme();
  else if (key === "r") callAgain?.();
});
api.connect();
export { form };
