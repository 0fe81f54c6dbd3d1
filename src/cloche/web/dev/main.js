// @ts-check
import { make } from "../elements.js";
import { Activity } from "./activity.js";
import { Api } from "./api.js";
import { byId } from "./elements.js";
import { bindFold, unfold } from "./fold.js";
import { Keys } from "./keys.js";
import { recalled } from "./memory.js";
import { firstItem, hasView } from "./opening.js";
import { PAGES } from "./pages.js";
import { showQuestions } from "./questions.js";
import { Router } from "./router.js";
import { ServerList } from "./servers.js";
import { bindShare } from "./share.js";
import { showSignIns } from "./sign-ins.js";
import { Tasks } from "./tasks.js";
import { addressOfItem, Trial } from "./trial.js";

/**
 * The playground's page: servers on the left, what is tried in the middle, what was said on the right.
 *
 * @typedef {Record<string, any>} Json
 */

const api = new Api();
const list = new ServerList((item) => {
  wantsFocus = true;
  app.go(addressOfItem(item));
});
const activity = new Activity(api, () => list.servers.length > 1);
const tasks = new Tasks(api);
const trial = new Trial(api, list, tasks);
list.runningOf = (/** @type {string} */ server) => tasks.running(server);
tasks.on(() => list.drawRunning());
const keys = new Keys();
/** Whether the next page puts the cursor into its first field: it was chosen by hand. */
let wantsFocus = false;

/** What pages are given: see `pages.js`. */
const app = { api, list, activity, tasks, trial, keys, go: (/** @type {string} */ address) => router.go(address) };

const router = new Router(PAGES, (entry, { params, query }) => {
  const place = byId("page");
  place.replaceChildren();
  showLinks();
  if (!entry && router.address) {
    place.append(
      make("h2", {}, "Not found"),
      make("p", "about", "There is no such page. Choose a tool from the list."),
    );
  }
  const leave = entry?.draw({ place, params, query, app });
  list.mark();
  if (wantsFocus) trial.focus();
  wantsFocus = false;
  return leave;
});

/** Links to the pages that are worth a visit here. */
function showLinks() {
  const shown = PAGES.filter((one) => one.title && one.isShown?.(app) !== false);
  byId("pages").replaceChildren(...shown.map(({ pattern, title, about = "" }) => {
    const link = make("a", { href: `#${pattern}`, title: about }, title);
    if (router.address === link.hash) link.setAttribute("aria-current", "page");
    return link;
  }));
  byId("pages").hidden = !shown.length;
}

// Servers

const opened = performance.now();

/** What a person would wait for a server that is listed first. */
const PATIENCE = 2000;
setTimeout(() => router.address || !list.servers.length || showServers(), PATIENCE + 1);

/** @param {import("./servers.js").Item} item */
const isWorthSeeing = (item) => item.kind === "tool" && hasView(list.entry(item) ?? {});

/** Each is shown when it is there: one that starts slowly keeps nobody waiting. @param {string[]} names */
async function refresh(names) {
  await Promise.all(names.map(async (name) => {
    const found = await api.ask("list", { server: name });
    list.servers = list.servers.map((one) => one.name === name ? found : one);
    showServers();
    api.dispatchEvent(new CustomEvent("listed", { detail: found }));
  }));
}

function showServers() {
  list.draw();
  const broken = list.servers.filter((one) => one.problem);
  showBroken(broken);
  if (router.address) return trial.renew();
  // A server that starts slowly is waited for a little, so that the page opens on the same thing each time.
  const waiting = list.servers.findIndex((one) => one.tools === undefined);
  const isLate = performance.now() - opened > PATIENCE;
  const first = firstItem(waiting < 0 || isLate ? list.servers : list.servers.slice(0, waiting));
  if (first && (waiting < 0 || isLate || isWorthSeeing(first))) {
    trial.begin(first);
    return router.go(addressOfItem(first), { replace: true });
  }
  if (!broken.length && list.servers.every((one) => one.tools)) {
    const nothing = "The server offers no tools, resources or prompts.";
    byId("page").replaceChildren(make("h2", {}, "Nothing here yet"), make("p", "about", nothing));
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
      make(
        "p",
        "actions",
        make("button", { type: "button", onclick: () => api.ask("restart", { server: one.name }) }, "Try again"),
        make("span", "about", one.file ? "Saving the file tries again, too." : ""),
      ),
    )
  ));
}

api.on("lists-changed", ({ server }) => refreshSoon(server));
api.on("restarted", ({ server }) => refreshSoon(server));
api.on("ready", async (told) => {
  byId("connection").textContent = "";
  document.body.classList.remove("lost");
  trial.controls.setHosts(told.hosts);
  list.servers = told.servers;
  list.draw();
  showLinks();
  const before = recalled("address");
  if (router.address) router.draw();
  else if (before) router.go(before, { replace: true });
  await refresh(told.servers.map((/** @type {Json} */ one) => one.name));
});
api.on("lost", ({ reason }) => {
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

keys.add("/", "Find a tool; Enter opens the first match", (event) => {
  event.preventDefault();
  unfold();
  byId("search").focus();
});
keys.add("↑ ↓", "Move in the list of servers, or in the messages");
keys.add("Enter", "Call, from a field (Shift+Enter begins a new line)");
keys.add("Ctrl+Enter", "Call again, from anywhere", () => trial.again());
keys.add("r", "Call again", () => trial.again());
keys.add("f", "Show the view in the whole window; Esc takes it back", () => trial.controls.enlarge());
keys.add("m", "Show or hide the right side", () => activity.toggle());
keys.add("t", "Light or dark", toggleTheme);
byId("theme").onclick = toggleTheme;
byId("help-button").onclick = () => keys.help();
showQuestions(api);
showSignIns(api);
bindShare(api);
bindFold();
api.connect();
