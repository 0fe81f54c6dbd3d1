// @ts-check
import { make } from "../elements.js";
import { blockOf } from "./blocks.js";
import { markdown } from "../markdown.js";
import { sampleOf } from "../form/sample.js";
import { recalled, remember } from "./memory.js";
import { firstItem } from "./opening.js";
import { tree } from "./tree.js";

/**
 * The chat: what the person, the model and views say, and the tools that are called in between, with their views.
 *
 * @typedef {Record<string, any>} Json
 */

const HOW = "Set OPENAI_API_KEY, ANTHROPIC_API_KEY or another provider's key, or CLOCHE_MODEL=ollama:qwen3, or " +
  "CLOCHE_MODEL_URL and CLOCHE_MODEL for any OpenAI-compatible address, and start cloche dev again.";

/** @param {import("./router.js").Visit} visit */
export function drawChat({ place, app }) {
  const page = new ChatPage(app);
  place.append(page.element);
  page.open();
  return () => page.close();
}

class ChatPage {
  /** @type {Map<number, {element: HTMLElement, entry: Json}>} */
  #shown = new Map();
  #log = make("div", { class: "chat-log", role: "log", "aria-label": "Conversation", tabIndex: 0 });
  #goes = make("p", { class: "about chat-goes" });
  #text = make("textarea", { rows: 2, "aria-label": "Message", placeholder: "Write a message" });
  #send = make("button", { class: "main" }, "Send");
  #stop = make("button", { type: "button", hidden: true }, "Stop");
  #problem = make("p", { class: "problem", role: "alert" });
  #who = make("select", { "aria-label": "Who answers" });
  #script = make("textarea", { rows: 5, id: "chat-script", spellcheck: false });
  #steps = make(
    "details",
    { class: "chat-steps" },
    make("summary", {}, "Script"),
    make("label", { htmlFor: "chat-script", class: "about" }, "“say TEXT” or “call TOOL {arguments}” on each line"),
    this.#script,
  );
  /** @type {(() => void)[]} */
  #stops = [];

  /** @param {any} app */
  constructor(app) {
    this.app = app;
    const clear = make("button", { type: "button", class: "quiet", onclick: () => this.#ask("chat-clear") }, "Clear");
    const form = make(
      "form",
      { class: "chat-form", onsubmit: (/** @type {Event} */ event) => (event.preventDefault(), this.#say()) },
      this.#text,
      this.#problem,
      make("div", "actions", this.#send, this.#stop, this.#who, clear),
    );
    this.element = make("div", "chat", make("h2", {}, "Chat"), this.#goes, this.#log, this.#steps, form);
    this.#stop.onclick = () => this.#ask("chat-stop");
    this.#text.onkeydown = (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      this.#say();
    };
    this.#script.value = recalled("script") ?? exampleFor(app.list);
    this.#script.oninput = () => remember("script", this.#script.value);
    this.#who.onchange = () => (remember("who", this.#who.value), this.#choose());
  }

  async open() {
    this.#stops = [
      this.app.api.on("chat", (/** @type {Json} */ told) => this.#heard(told)),
      this.app.api.on("ready", () => this.#load()),
    ];
    await this.#load().catch(() => {}); // "ready" comes when the playground is there
    this.#text.focus();
  }

  close() {
    for (const stop of this.#stops) stop();
  }

  async #load() {
    const { entries, busy, model, problem } = await this.app.api.ask("chat");
    this.model = model;
    this.#who.replaceChildren(
      ...(model ? [new Option(model.name, "model")] : []),
      new Option("Script, without a model", "script"),
    );
    this.#who.value = model ? recalled("who") ?? "model" : "script";
    this.#goes.dataset.problem = problem ?? "";
    this.#choose();
    this.#shown.clear();
    this.#log.replaceChildren();
    if (!entries.length) {
      this.#log.append(make("p", "about chat-empty", "The conversation appears here, with the tools and views."));
    }
    for (const entry of entries) this.#put(entry);
    this.#setBusy(busy);
  }

  #choose() {
    const isScript = this.#who.value !== "model";
    this.#steps.hidden = !isScript;
    if (!isScript) {
      this.#goes.textContent = `${this.model.name} answers. What is said here goes to ${this.model.goesTo}.`;
    } else {
      const problem = this.#goes.dataset.problem;
      const why = this.model ? "" : problem ? ` No model: ${problem}.` : ` No model is configured. ${HOW}`;
      this.#goes.textContent = `A script answers, and nothing is sent anywhere.${why}`;
      if (!this.model) this.#steps.open = true;
    }
  }

  /** @param {string} what @param {Json} [given] */
  async #ask(what, given = {}) {
    this.#problem.textContent = "";
    try {
      await this.app.api.ask(what, given);
      return true;
    } catch (error) {
      this.#problem.textContent = /** @type {Error} */ (error).message;
      return false;
    }
  }

  async #say() {
    const text = this.#text.value;
    if (!text.trim()) return;
    const script = this.#who.value === "model" ? null : this.#script.value;
    if (await this.#ask("chat-say", { text, script })) this.#text.value = "";
  }

  /** @param {Json} told */
  #heard({ what, entry, id, text, busy }) {
    if (what === "entry") this.#put(entry);
    else if (what === "text") this.#grow(id, text);
    else if (what === "busy") this.#setBusy(busy);
    else if (what === "cleared") this.#load();
  }

  /** @param {boolean} busy */
  #setBusy(busy) {
    this.#stop.hidden = !busy;
    this.#send.disabled = busy;
    this.#log.ariaBusy = String(busy);
  }

  /** @param {Json} entry */
  #put(entry) {
    const isAtEnd = this.#log.scrollHeight - this.#log.scrollTop - this.#log.clientHeight < 40;
    this.#log.querySelector(".chat-empty")?.remove();
    const before = this.#shown.get(entry.id);
    if (before) fill(before.element, entry);
    else {
      const element = make("article", { class: `said-by ${entry.role}` });
      fill(element, entry);
      this.#shown.set(entry.id, { element, entry });
      this.#log.append(element);
    }
    const known = this.#shown.get(entry.id);
    if (known) known.entry = entry;
    if (isAtEnd) this.#log.scrollTop = this.#log.scrollHeight;
  }

  /** @param {number} id @param {string} text */
  #grow(id, text) {
    const known = this.#shown.get(id);
    if (known) this.#put({ ...known.entry, text: known.entry.text + text });
  }
}

/** Show an entry; a view that is there stays where it is. @param {HTMLElement} element @param {Json} entry */
function fill(element, entry) {
  if (entry.role === "tool") return fillTool(element, entry);
  const who = entry.source ? `View of ${entry.source}` : { user: "You", assistant: "Answer", problem: "Problem" }[
    /** @type {"user" | "assistant" | "problem"} */ (entry.role)
  ];
  const text = entry.role === "assistant" ? markdown(entry.text ?? "") : make("p", {}, entry.text ?? "");
  const tokens = entry.tokens && make("p", "about", `${entry.tokens[0]} tokens sent, ${entry.tokens[1]} received`);
  element.replaceChildren(make("h3", {}, who), text, ...(tokens ? [tokens] : []));
}

/** @param {HTMLElement} element @param {Json} entry */
function fillTool(element, entry) {
  const isOver = entry.status !== "running";
  const state = { running: "Running …", done: "Done", failed: "Failed", cancelled: "Cancelled" }[
    /** @type {"running" | "done" | "failed" | "cancelled"} */ (entry.status)
  ];
  const time = isOver && entry.milliseconds !== undefined ? ` in ${entry.milliseconds} ms` : "";
  const blocks = (entry.result?.content ?? []).map((/** @type {Json} */ one) => blockOf(one));
  const details = make(
    "details",
    {},
    make("summary", {}, make("code", {}, entry.tool), make("span", `about ${entry.status}`, ` ${state}${time}`)),
    tree(entry.arguments ?? {}, "arguments", 1),
    ...(entry.text ? [make("p", "problem", entry.text)] : blocks),
  );
  const before = element.querySelector("details");
  if (before) {
    details.open = before.open;
    before.replaceWith(details);
  } else element.append(details);
  if (entry.ticket && !element.querySelector("mcp-app")) {
    const view = document.createElement("mcp-app");
    view.setAttribute("ticket", entry.ticket);
    element.append(view);
  }
}

/** A script to begin with: it greets, and then calls the first tool with values that fit. @param {any} list */
function exampleFor(list) {
  const first = firstItem(list.servers);
  const lines = [
    "# Each paragraph answers one message.",
    "say Hello. Write another message to see a tool at work.",
    "",
  ];
  if (first?.kind === "tool") {
    const sample = sampleOf(list.entry(first)?.inputSchema ?? {});
    lines.push("say Here it is.", `call ${first.server}.${first.name} ${JSON.stringify(sample)}`, "");
  }
  return lines.join("\n");
}
