// @ts-check
import { Api } from "./api.js";
import { HostControls } from "./controls.js";
import { make } from "../elements.js";
import { byId, tabs } from "./elements.js";
import { itemForm } from "./item.js";
import { recalled, remember } from "./memory.js";
import { problemOf, Trouble } from "./problems.js";
import { blockOf, Results } from "./results.js";
import { isSame, ServerList } from "./servers.js";
import { TimelineView } from "./timeline.js";
import { tree } from "./tree.js";

/**
 * The playground's page: servers on the left, what is tried in the middle, what was said on the right.
 *
 * @typedef {Record<string, any>} Json
 * @typedef {import("./servers.js").Item} Item
 */

const api = new Api();
const list = new ServerList((item) => select(item, { focus: true }));
const timeline = new TimelineView();
/** A panel on the right. @param {"div" | "pre"} name @param {string} empty what it says while nothing is in it */
const panel = (name, empty) => make(name, { class: "said", "data-empty": empty });
const model = panel("div", "What a view tells the model or the conversation appears here.");
const problems = panel("div", "No problems so far. Errors, logs and blocked requests of views appear here.");
const output = panel("pre", "What servers print and log appears here.");
output.tabIndex = 0;
const trouble = new Trouble();
const controls = new HostControls(async (name) => {
  controls.setHosts(await api.ask("profile", { name }));
  showAgain();
});
const results = new Results(byId("outcome"), trouble, controls, () => shown && api.ask("cancel", { call: shown }));

/** The call whose result is shown. @type {string | null} */
let shown = null;
/** What went wrong with a call before this page knew its number. @type {Json[]} */
const early = [];
/** @type {(() => void) | null} */
let callAgain = null;
/** What can be read wrong in the tools of a server. @type {Map<string, Record<string, Json[]>>} */
const findings = new Map();
/** Resources that are followed. @type {Set<string>} */
const followed = new Set();

list.countOf = (/** @type {Item} */ item) => findingsOf(item).length;

/** @param {Item} item @returns {Json[]} */
const findingsOf = (item) => item.kind === "tool" ? findings.get(item.server)?.[item.name] ?? [] : [];

// Servers

/** Each is shown when it is there: one that starts slowly keeps nobody waiting. @param {string[]} names */
async function refresh(names) {
  await Promise.all(names.map(async (name) => {
    const found = await api.ask("list", { server: name });
    list.servers = list.servers.map((one) => one.name === name ? found : one);
    showServers();
  }));
}

function showServers() {
  const before = list.item ?? recalled("item");
  const isComing = list.servers.some((one) => one.tools === undefined && one.name === before?.server);
  const known = before && list.entry(before) ? before : isComing ? undefined : list.first();
  if (known && !isSame(known, list.item)) select(known, { focus: false });
  else if (known) renew(known);
  else list.draw();
  const broken = list.servers.filter((one) => one.problem);
  showBroken(broken);
  if (!known && !broken.length && list.servers.every((one) => one.tools)) {
    const nothing = "The server offers no tools, resources or prompts.";
    byId("item").replaceChildren(make("h2", {}, "Nothing here yet"), make("p", "about", nothing));
  }
}

/** What keeps a server from starting stands over everything, until it is repaired. @param {Json[]} broken */
function showBroken(broken) {
  byId("broken").hidden = broken.length === 0;
  byId("broken").replaceChildren(...broken.map((one) =>
    make(
      "div",
      {},
      make("h2", {}, `${one.file ?? one.name} does not run`),
      make("pre", "problem", one.problem),
      make("p", "about", "Save the file to try again."),
    )
  ));
}

// What is tried

/** The same item after its server was listed again: its form is made anew only when there is something new. @param {Item} item */
function renew(item) {
  list.draw();
  const entry = list.entry(item) ?? {};
  if (JSON.stringify(entry) !== drawn) select(item, { focus: false });
}

/** The entry that the form was made from. */
let drawn = "";

/** @param {Item} item @param {{focus: boolean}} options */
function select(item, { focus }) {
  if (!isSame(item, list.item)) {
    if (list.item) remember("shown", null);
    shown = null;
    trouble.clear();
    byId("outcome").hidden = true;
  }
  list.item = item;
  remember("item", item);
  list.draw();
  const entry = list.entry(item) ?? {};
  drawn = JSON.stringify(entry);
  const { element, submit } = itemForm(item, entry, { call, ask, follow });
  callAgain = submit;
  byId("item").replaceChildren(
    make("h2", {}, entry.title ?? entry.annotations?.title ?? item.name),
    make("p", "about description", entry.description ?? ""),
    make("div", { id: "findings" }),
    element,
  );
  showFindings();
  const first = element.querySelector("input, select, textarea, button");
  if (focus && first instanceof HTMLElement) first.focus();
}

function showFindings() {
  const found = list.item ? findingsOf(list.item) : [];
  byId("findings")?.replaceChildren(...found.map((one) => problemOf(/** @type {any} */ (one))));
}

/** @param {Item} item @param {Json} values */
async function call(item, values) {
  early.length = 0;
  const { call, ticket } = await api.ask("call", { server: item.server, tool: item.name, arguments: values });
  shown = call;
  remember("shown", call);
  trouble.clear();
  results.show({ ticket, pending: true });
  for (const told of early.splice(0)) if (told.call === call) trouble.add(/** @type {any} */ (told));
}

/** @param {Item} item @param {string} method @param {Json} params */
async function ask(item, method, params) {
  shown = null;
  remember("shown", null);
  const started = performance.now();
  const value = await api.ask("ask", { server: item.server, method, arguments: params });
  showValue(method, value, Math.round(performance.now() - started));
}

/** @param {string} method @param {Json} value @param {number} [milliseconds] */
function showValue(method, value, milliseconds) {
  const content = method === "resources/read"
    ? (value.contents ?? []).map((/** @type {Json} */ resource) => ({ type: "resource", resource }))
    : (value.messages ?? []).map((/** @type {Json} */ message) => message.content);
  results.show({ result: { ...value, content }, milliseconds });
}

/** @param {Item} item @param {string} uri @param {boolean} on */
async function follow(item, uri, on) {
  await api.ask("follow", { server: item.server, uri, on });
  if (!on) return void followed.delete(uri);
  followed.add(uri);
  await ask(item, "resources/read", { uri });
}

/** The same call in the page or the host as it is now; the tool is not called. */
async function showAgain() {
  if (!shown || !results.outcome?.ticket || results.outcome.pending) return;
  const { ticket } = await api.ask("again", { call: shown });
  trouble.clear();
  if (ticket) results.reopen(ticket);
}

/** After a reload: what was shown before. */
async function showBefore() {
  const before = recalled("shown");
  if (shown || !before) return;
  const outcome = await api.ask("recall", { call: before });
  if (!outcome.call || shown) return;
  shown = outcome.call;
  results.show(outcome);
}

// What was said

/** @param {HTMLElement} place @param {string} title @param {...Node} parts */
function saidIn(place, title, ...parts) {
  const time = new Date().toLocaleTimeString();
  place.prepend(make("article", {}, make("h3", {}, title, make("small", {}, time)), ...parts));
  while (place.childElementCount > 100) place.lastElementChild?.remove();
}

const showSide = tabs(
  byId("side-tabs"),
  [["timeline", "Messages"], ["model", "Model"], ["problems", "Problems"], ["output", "Output"]],
  (name) => {
    remember("side", name);
    const panels = { timeline: timeline.element, model, problems, output };
    byId("side-body").replaceChildren(panels[/** @type {keyof typeof panels} */ (name)] ?? timeline.element);
  },
);

/** @param {string} name @param {(told: Json) => void} handle */
function on(name, handle) {
  api.addEventListener(name, (event) => handle(/** @type {CustomEvent} */ (event).detail));
}

on("traffic", (told) => timeline.add(told));
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
on("problem", (told) => {
  saidIn(problems, told.tool, problemOf(/** @type {any} */ (told)));
  if (told.known) return; // it stands beside the tool
  if (told.call === shown) trouble.add(/** @type {any} */ (told));
  else early.push(told);
});
on("output", ({ server, line }) => {
  output.append(`${list.servers.length > 1 && server ? `${server}: ` : ""}${line}\n`);
  while (output.childNodes.length > 1000) output.firstChild?.remove();
});
on("spoke", ({ call }) => call === shown && trouble.retract("L01"));
on("findings", (told) => {
  findings.set(told.server, told.tools);
  list.draw();
  showFindings();
});
on("result", (told) => {
  if (told.call !== shown) return;
  results.show({ ...told, ticket: results.outcome?.ticket ?? told.ticket ?? null });
});
on("updated", ({ server, uri, value, error }) => {
  if (list.item?.server !== server || !followed.has(uri) || shown) return;
  if (error === undefined) showValue("resources/read", value);
  else results.show({ error });
});
on("view-changed", showAgain);
on("lists-changed", ({ server }) => refreshSoon(server));
on("restarted", ({ server }) => refreshSoon(server));
on("ready", async (told) => {
  byId("connection").textContent = "";
  document.body.classList.remove("lost");
  controls.setHosts(told.hosts);
  list.servers = told.servers;
  list.draw();
  await refresh(told.servers.map((/** @type {Json} */ one) => one.name));
  await showBefore();
});
on("lost", ({ reason }) => {
  document.body.classList.add("lost");
  byId("connection").textContent = reason === "token"
    ? "This address has no valid token. Open the one that cloche dev printed."
    : "The playground is not running. Reconnecting …";
});

/** @type {Map<string, ReturnType<typeof setTimeout>>} */
const refreshing = new Map();

/** Once for many changes. @param {string} server */
function refreshSoon(server) {
  clearTimeout(refreshing.get(server));
  refreshing.set(server, setTimeout(() => refresh([server]), 100));
}

// The page itself

const look = document.documentElement.dataset;
const kept = localStorage.getItem("theme");
if (kept) look.theme = kept;

function toggleTheme() {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  look.theme = (look.theme ?? (isDark ? "dark" : "light")) === "dark" ? "light" : "dark";
  localStorage.setItem("theme", look.theme);
}

function toggleSide() {
  const isOpen = document.body.classList.toggle("no-side");
  byId("side-toggle").setAttribute("aria-pressed", String(!isOpen));
}

/** @type {Record<string, (event: KeyboardEvent) => void>} */
const KEYS = {
  "/": (event) => (event.preventDefault(), byId("search").focus()),
  t: toggleTheme,
  r: () => callAgain?.(),
  f: () => controls.enlarge(),
  m: toggleSide,
};

showSide(recalled("side") ?? "timeline");
byId("theme").onclick = toggleTheme;
byId("side-toggle").onclick = toggleSide;
if (innerWidth < 1000) toggleSide();
addEventListener("keydown", (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const isTyping = target instanceof HTMLElement && /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  if (key === "Enter" && (ctrlKey || metaKey)) callAgain?.();
  else if (!isTyping && !ctrlKey && !metaKey && !altKey) KEYS[key]?.(event);
});
api.connect();
