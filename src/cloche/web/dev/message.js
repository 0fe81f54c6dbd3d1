// @ts-check
import { make } from "../elements.js";
import { bodyOf, wholeOf } from "./bodies.js";
import { size } from "./elements.js";
import { copyButton } from "./files.js";
import { asCurl, asJson, asPython, takesCurl } from "./snippets.js";
import { tree } from "./tree.js";

/**
 * The page of one exchange: all of it, to copy, to change and to send again.
 *
 * @typedef {import("./exchanges.js").Exchange} Exchange
 */

/** Words for what became of it. */
const STATES = {
  open: "No answer yet",
  done: "Answered",
  failed: "Failed",
  cancelled: "Cancelled",
  notice: "Notification",
};

/** @param {import("./router.js").Visit} visit */
export function drawMessage({ place, params: { id }, app }) {
  const draw = () => {
    const found = app.activity.timeline.find(Number(id));
    place.replaceChildren(...found ? partsOf(found, app) : missing());
    return found;
  };
  const isOver = (/** @type {Exchange | undefined} */ one) => one && one.state !== "open";
  if (isOver(draw())) return;
  const stop = app.api.on("traffic", () => isOver(app.activity.timeline.find(Number(id))) && (stop(), draw()));
  return stop;
}

const missing = () => [
  make("h2", {}, "Not found"),
  make("p", "about", "The playground keeps the last messages only. Choose one from Messages on the right."),
];

/** @param {Exchange} one @param {any} app @returns {HTMLElement[]} */
function partsOf(one, app) {
  const { method, name, state, milliseconds, lane, server, request, answer } = one;
  const known = app.list.servers.find((/** @type {any} */ known) => known.name === server) ?? {};
  const tool = known.tools?.find((/** @type {any} */ one) => one.name === name);
  const target = known.target ?? null, version = known.version ?? "2026-07-28";
  const facts = [
    `${lane === "server" ? "Host and server" : lane === "view" ? "Host and view of" : "Host and page of"} ${server}`,
    new Date(one.at * 1000).toLocaleTimeString(),
    STATES[state],
    milliseconds !== undefined && `${milliseconds} ms`,
    one.size && size(one.size),
  ].filter(Boolean).join(" · ");
  const said = async () => ({ method, params: request ? await wholeOf(request, app.api) : {} });
  const isAsked = lane === "server" && state !== "notice" && request !== null;
  const parts = [
    make("h2", {}, name ? `${method}: ${name}` : method),
    make("p", "about description", facts),
    heading(
      state === "notice" ? "Message" : "Request",
      copyButton(async () => asJson(await said()), "Copy JSON"),
      isAsked && takesCurl(target) &&
        copyButton(async () => asCurl(await said(), target, version, tool), "Copy as curl"),
      isAsked && copyButton(async () => asPython(await said(), target), "Copy as Python"),
    ),
    request ? bodyOf(request, app.api, 3) : tree({}),
  ];
  if (one.between.length) {
    parts.push(
      heading(`Progress (${one.progress})`),
      ...one.between.slice(-20).map((told) => bodyOf(told, app.api, 1)),
    );
  }
  if (answer) {
    const copy = copyButton(async () => JSON.stringify(await wholeOf(answer, app.api), null, 2));
    parts.push(heading("Answer", copy), bodyOf(answer, app.api, 3));
  }
  if (lane === "server" && state !== "notice" && one.direction === "out") parts.push(...again(one, app));
  return parts;
}

/** @param {string} text @param {...(HTMLElement | false)} buttons */
const heading = (text, ...buttons) => make("h3", "with-actions", text, make("span", "actions", ...buttons));

/** The request to change and to send again. @param {Exchange} one @param {any} app */
function again({ method, server, request }, app) {
  if (request?.cut !== undefined) {
    return [heading("Edit and send again"), make("p", "about", "It is too large to be edited here: save it instead.")];
  }
  const { _meta: _, ...params } = request?.body ?? {};
  const text = make("textarea", { class: "code tall", spellcheck: false, "aria-label": "Parameters as JSON" });
  text.value = JSON.stringify(params, null, 2);
  const outcome = make("div", { role: "status" });
  const onsubmit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const started = performance.now();
    try {
      const value = await app.api.ask("ask", { server, method, arguments: JSON.parse(text.value) });
      const took = Math.round(performance.now() - started);
      outcome.replaceChildren(make("p", "about", `Answered in ${took} ms`), tree(value, "", 3));
    } catch (error) {
      const { name, message } = /** @type {Error} */ (error);
      outcome.replaceChildren(make("p", "problem", name === "SyntaxError" ? `This is not JSON: ${message}` : message));
    }
  };
  const send = make("button", "main", "Send");
  return [heading("Edit and send again"), make("form", { onsubmit }, text, make("div", "actions", send), outcome)];
}
