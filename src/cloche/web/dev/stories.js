// @ts-check
import { make } from "../elements.js";
import { remember } from "./memory.js";
import { runsAtOnce } from "./opening.js";
import { addressOf } from "./router.js";
import { contentOf } from "./results.js";
import { miniature, pictureOf, Pictures, viewOf } from "./story-view.js";
import { tree } from "./tree.js";

/**
 * The pages of stories: a card for each, and one of them at work.
 *
 * @typedef {Record<string, any>} Json
 * @typedef {import("./router.js").Visit} Visit
 * @typedef {import("./story-view.js").Story} Story
 */

const ABOUT =
  "Stories are inputs worth seeing again: the usual case, the empty list, the very long name. They stand in a " +
  "text file beside your server, tests open them, and cloche check runs them all.";

/** All stories of all servers. @param {Visit} visit */
export function drawStories({ place, app }) {
  const pictures = new Pictures();
  const cards = make("div", { class: "story-lists", "aria-busy": "true" });
  place.append(make("h2", {}, "Stories"), make("p", "about", ABOUT), cards);
  let drawn = "";
  const draw = async () => {
    const { servers } = await app.api.ask("stories");
    const listed = servers.map((/** @type {Json} */ one) => app.list.isListed(one.server));
    const now = JSON.stringify([servers, listed]);
    cards.removeAttribute("aria-busy");
    if (now === drawn) return;
    drawn = now;
    cards.replaceChildren(...listsOf(servers, app, pictures));
  };
  draw();
  const stops = ["stories-changed", "listed", "restarted"].map((name) => app.api.on(name, draw));
  return () => {
    for (const stop of stops) stop();
    pictures.stop();
  };
}

/** @param {Json[]} servers @param {any} app @param {Pictures} pictures */
function listsOf(servers, app, pictures) {
  const filled = servers.filter(({ stories, problem }) => stories.length || problem);
  if (!filled.length) return [nothing(servers)];
  return filled.map(({ server, file, stories, problem }) =>
    make(
      "section",
      { "aria-label": `Stories of ${server}` },
      make("h3", "story-file", server, make("small", {}, ` ${file}`)),
      problem && make("p", { class: "problem", role: "alert" }, problem),
      make("div", "cards", ...stories.map((/** @type {Story} */ story) => cardOf(server, story, app, pictures))),
    )
  );
}

/** @param {Json[]} servers */
function nothing(servers) {
  if (!servers.length) {
    const why = "Stories are kept beside a server's own file. Start the playground with one: cloche dev server.py";
    return make("p", "about", why);
  }
  const file = servers[0].file;
  return make(
    "p",
    "about",
    `No stories yet. Fill in a tool's form and choose “Save as story”, or write ${file} yourself.`,
  );
}

/** @param {string} server @param {Story} story @param {any} app @param {Pictures} pictures */
function cardOf(server, story, app, pictures) {
  const picture = make("div", { class: "picture", "aria-hidden": "true" });
  const why = whyNotAtOnce(server, story, app);
  if (why) {
    picture.append(...Object.keys(story.arguments ?? {}).length ? [inputOf(story)] : [], make("p", "about", why));
  } else {
    pictures.add(picture, async () => {
      const { ticket, call, result } = await app.api.ask("open-story", { server, name: story.name });
      if (ticket) return pictureOf(ticket, story);
      return miniature(...shownOf(result ? { result } : await outcomeOf(call, app.api), server));
    });
  }
  const link = make("a", { href: addressOf("story", server, story.name) }, story.name);
  return make("article", "card", picture, make("h4", {}, link), make("p", "about", factsOf(story)));
}

/** What a tool would be called with, as a picture. @param {Story} story */
function inputOf({ arguments: given = {} }) {
  const entries = Object.entries(given).map(([name, value]) =>
    make("p", "leaf", make("span", "key", `${name}: `), typeof value === "string" ? value : JSON.stringify(value))
  );
  return miniature(...entries);
}

/** What came of a call. @param {string} call @param {import("./api.js").Api} api @returns {Promise<Json>} */
async function outcomeOf(call, api) {
  let stop = () => {};
  const told = new Promise((go) => stop = api.on("result", (one) => one.call === call && go(one)));
  const known = await api.ask("recall", { call });
  const outcome = known.call && !known.pending ? known : await told;
  stop();
  return outcome;
}

/** What a person sees of a call without a view. @param {Json} outcome @param {string} server */
function shownOf({ result, error }, server) {
  return error === undefined ? contentOf(result, server) : [make("p", "problem", error)];
}

/** @param {Story} story */
function factsOf({ tool, profile, theme, width, height, hasResult }) {
  const size = width && height ? `${width} × ${height} px` : width ? `${width} px` : height ? `${height} px high` : "";
  return [tool, profile !== "strict" && profile, theme, size, hasResult && "recorded"].filter(Boolean).join(" · ");
}

/** Why looking at a story might change something; empty when it cannot. @param {string} server @param {Story} story @param {any} app */
export function whyNotAtOnce(server, { tool, hasResult }, app) {
  const entry = app.list.entry({ server, kind: "tool", name: tool });
  if (!entry) return app.list.isListed(server) ? `There is no tool ${tool}.` : "Starting …";
  const known = app.list.servers.find((/** @type {Json} */ one) => one.name === server) ?? {};
  return hasResult || runsAtOnce(entry, known) ? "" : `Calls ${tool} when you open it.`;
}

/** One story. @param {Visit} visit */
export function drawStory({ place, params: { server, name }, app }) {
  const stage = make("div", { class: "story-stage" });
  const head = make("div", {});
  place.append(head, stage);
  let isHere = true;
  let drawn = "";

  const draw = async () => {
    const { servers } = await app.api.ask("stories");
    const home = servers.find((/** @type {Json} */ one) => one.server === server);
    const story = home?.stories.find((/** @type {Story} */ one) => one.name === name);
    const now = JSON.stringify([story, home?.problem, app.list.isListed(server)]);
    if (!isHere || now === drawn) return;
    drawn = now;
    if (!story) {
      const said = home?.problem ?? `${home?.file ?? server} has no story of this name.`;
      head.replaceChildren(make("h2", {}, "Not found"), make("p", "about", said));
      return stage.replaceChildren();
    }
    head.replaceChildren(...headOf(server, home.file, story, app, () => open(story, true)));
    const why = whyNotAtOnce(server, story, app);
    if (!why) return open(story, false);
    const call = make(
      "button",
      { type: "button", class: "main", onclick: () => open(story, false) },
      `Call ${story.tool}`,
    );
    const asks = why.startsWith("Calls");
    stage.replaceChildren(make("p", "about", asks ? "This tool may change something." : why), asks ? call : "");
  };

  /** @param {Story} story @param {boolean} anew whether the tool is called though its result was recorded */
  const open = async (story, anew) => {
    stage.replaceChildren(make("p", { class: "about", role: "status" }, "Opening …"));
    try {
      const shown = await app.api.ask("open-story", { server, name, anew });
      if (!isHere) return;
      if (shown.ticket) stage.replaceChildren(viewOf(shown.ticket, story));
      else stage.replaceChildren(...shownOf(shown.result ? shown : await outcomeOf(shown.call, app.api), server));
    } catch (error) {
      stage.replaceChildren(make("p", { class: "problem", role: "alert" }, /** @type {Error} */ (error).message));
    }
  };

  draw();
  const stops = ["stories-changed", "listed", "restarted"].map((event) => app.api.on(event, draw));
  return () => {
    isHere = false;
    for (const stop of stops) stop();
  };
}

/** @param {string} server @param {string} file @param {Story} story @param {any} app @param {() => void} callNow */
function headOf(server, file, story, app, callNow) {
  const edit = make("a", { href: addressOf("tool", server, story.tool), class: "button" }, "Open in the tool's form");
  edit.onclick = () => remember(`values ${server} tool ${story.tool}`, story.arguments ?? {});
  const again = make(
    "button",
    { type: "button", onclick: callNow },
    story.hasResult ? "Call the tool now" : "Call again",
  );
  const compare = make("a", { href: addressOf("compare", "story", server, story.name) }, "Compare hosts");
  const remove = make("button", { type: "button", class: "quiet" }, "Remove");
  remove.onclick = async () => {
    if (!confirm(`Remove the story “${story.name}” from ${file}?`)) return;
    await app.api.ask("remove-story", { server, name: story.name });
    app.go(addressOf("stories"));
  };
  return [
    make("p", "crumbs", make("a", { href: addressOf("stories") }, "Stories"), ` / ${server}`),
    make("h2", {}, story.name),
    make(
      "p",
      "about",
      `${factsOf(story)}${story.hasResult ? ": the result in the file is shown, the tool is not called" : ""}`,
    ),
    make("div", "story-arguments", tree(story.arguments ?? {}, "arguments", 1)),
    make("div", "actions", edit, compare, again, remove),
  ];
}
