// @ts-check
import { blockOf } from "../../../src/cloche/web/dev/blocks.js";
import { ProgressBar } from "../../../src/cloche/web/dev/progress.js";
import { tree } from "../../../src/cloche/web/dev/tree.js";
import { make } from "../../../src/cloche/web/elements.js";
import { FormError, SchemaForm } from "../../../src/cloche/web/form/form.js";

/**
 * A tool of a server: its form, filled in with its examples, how far a call is, and what came of it.
 *
 * @param {import("./server.js").Tool} tool
 * @param {() => import("../../../src/cloche/web/client.js").McpClient | undefined} client of the server, while it is connected
 * @param {boolean} isOpen
 */
export function toolCard({ name, title, description = "", inputSchema }, client, isOpen) {
  const fields = new SchemaForm(inputSchema);
  const call = make("button", { class: "main", type: "submit" }, "Call");
  const stop = make("button", { type: "button", hidden: true }, "Cancel");
  const status = make("span", { class: "status", role: "status" });
  const progress = new ProgressBar();
  const outcome = make("div", { class: "outcome", hidden: true });
  const actions = make("div", "actions", call, stop, status);
  const form = make("form", { noValidate: true, "aria-label": title ?? name }, fields.element, actions);
  /** @type {AbortController | undefined} */
  let running;

  /** @param {string} text @param {boolean} [isBad] */
  function say(text, isBad = false) {
    status.textContent = text;
    status.classList.toggle("failed", isBad);
  }

  /** @param {Record<string, any>} values */
  async function run(values) {
    const started = performance.now();
    const { signal } = running = new AbortController();
    call.disabled = true;
    stop.hidden = false;
    say("Running …");
    try {
      const options = { signal, onProgress: (/** @type {any} */ told) => progress.show(told) };
      const result = await client()?.callTool(name, values, options);
      if (!result) throw new Error("The server is not connected");
      say(`${result.isError ? "Failed" : "Done"} in ${Math.round(performance.now() - started)} ms`, result.isError);
      outcome.replaceChildren(...shown(result));
      outcome.hidden = false;
    } catch (error) {
      say(signal.aborted ? "Cancelled" : String(/** @type {any} */ (error)?.message ?? error), !signal.aborted);
    }
    progress.clear();
    call.disabled = false;
    stop.hidden = true;
  }

  form.onsubmit = (event) => {
    event.preventDefault();
    if (call.disabled) return;
    try {
      run(fields.read());
    } catch (error) {
      if (!(error instanceof FormError)) throw error; // else the form says it
    }
  };
  stop.onclick = () => running?.abort();
  const [first, ...more] = description.split(/\n\s*\n/);
  return make(
    "details",
    { class: "tool", open: isOpen, "data-tool": name },
    make("summary", {}, make("h3", {}, title ?? name), make("span", "first-line", first)),
    make("p", { class: "description", title: more.join("\n") }, first),
    form,
    progress.element,
    outcome,
  );
}

/** Text and pictures; what repeats the structured content as JSON is left out. @param {any} result */
function shown({ content = [], structuredContent }) {
  const told = structuredContent && JSON.stringify(structuredContent);
  const blocks = content.filter((/** @type {any} */ one) => one.type !== "text" || !told || !isSame(one.text, told));
  const parts = blocks.map((/** @type {any} */ one) => blockOf(one));
  if (structuredContent === undefined) return parts;
  // Where there is text for people, the rest is for programs.
  const isFolded = parts.length > 0;
  const structured = tree(structuredContent);
  return isFolded
    ? [...parts, make("details", {}, make("summary", "about", "Structured content"), structured)]
    : [structured];
}

/** @param {string} text @param {string} told */
function isSame(text, told) {
  try {
    return JSON.stringify(JSON.parse(text)) === told;
  } catch {
    return false;
  }
}
