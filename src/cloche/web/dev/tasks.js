// @ts-check
import { make } from "../elements.js";
import { copyButton } from "./files.js";
import { ProgressBar } from "./progress.js";
import { addressOf } from "./router.js";

/**
 * Calls that a server goes on with as tasks: what each one is, how far, and for how long.
 *
 * @typedef {{call: string, server: string, tool: string, task: string | null, status: string, message: string | null,
 *   progress: number | null, total: number | null, started: number, ended: number | null}} Task
 */

/** What a task can be, for people. @type {Record<string, string>} */
const STATES = {
  working: "Working",
  input_required: "Input required",
  completed: "Completed",
  failed: "Failed",
  cancelled: "Cancelled",
};

/** Every task that the playground knows of. */
export class Tasks {
  /** By the calls that they came from. @type {Map<string, Task>} */
  #all = new Map();
  #heard = new EventTarget();

  /** @param {import("./api.js").Api} api */
  constructor(api) {
    api.on("task", (told) => this.#add(/** @type {Task} */ (/** @type {unknown} */ (told))));
    api.on("ready", async () => {
      const { tasks } = await api.ask("tasks");
      for (const one of tasks.reverse()) this.#add(one);
    });
  }

  /** @param {Task} task */
  #add(task) {
    this.#all.set(task.call, task);
    this.#heard.dispatchEvent(new CustomEvent("change", { detail: task }));
  }

  /** @param {string | null} call */
  find(call) {
    return call === null ? undefined : this.#all.get(call);
  }

  /** Those of a server, the newest first. @param {string} server */
  of(server) {
    return [...this.#all.values()].filter((one) => one.server === server).reverse();
  }

  /** How many a server has under way. @param {string} server */
  running(server) {
    return this.of(server).filter((one) => one.ended === null).length;
  }

  /** @param {(task: Task) => void} handle @returns {() => void} stops it */
  on(handle) {
    const heard = (/** @type {Event} */ event) => handle(/** @type {CustomEvent} */ (event).detail);
    this.#heard.addEventListener("change", heard);
    return () => this.#heard.removeEventListener("change", heard);
  }
}

/** The state of one task: what it is, what the server says of it, and for how long it has run. */
export class TaskState {
  /** @type {Task | null} */
  task = null;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  #ticking;

  /** @param {{isBeside?: boolean}} [options] `isBeside` a bar that says the same as the server's message */
  constructor({ isBeside = false } = {}) {
    this.isBeside = isBeside;
    this.state = make("span", { class: "task-state", role: "status" });
    this.message = make("span", "about task-message");
    this.time = make("span", "about task-time");
    this.element = make("div", { class: "task", hidden: true }, this.state, this.message, this.time);
  }

  /** @param {Task | null | undefined} task */
  show(task) {
    this.task = task ?? null;
    this.element.hidden = !task;
    clearInterval(this.#ticking);
    if (!task) return;
    this.state.className = `task-state ${task.status}`;
    if (this.state.textContent !== wordFor(task)) this.state.textContent = wordFor(task);
    this.message.textContent = task.message ?? "";
    this.message.hidden = !task.message || (this.isBeside && task.ended === null && task.progress !== null);
    this.#tick();
    if (task.ended === null) this.#ticking = setInterval(() => this.#tick(), 1000);
  }

  #tick() {
    if (!this.task) return;
    this.time.textContent = elapsed(this.task);
    this.time.title = `Started at ${new Date(this.task.started * 1000).toLocaleTimeString()}`;
  }

  /** Nobody looks any more. */
  stop() {
    clearInterval(this.#ticking);
  }
}

/** @param {Task} task */
const wordFor = ({ status }) => `Task: ${STATES[status] ?? status}`;

/** @param {Task} task */
function elapsed({ started, ended }) {
  const seconds = Math.max(0, Math.floor((ended ?? Date.now() / 1000) - started));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The tasks of a server, on its page. */
export class TaskSection {
  /** @type {Map<string, TaskRow>} */
  #rows = new Map();

  /** @param {string} server @param {any} app */
  constructor(server, app) {
    this.server = server;
    this.app = app;
    this.title = make("h3", "with-actions");
    this.list = make("ul", "tasks");
    this.element = make("section", { hidden: true, "aria-label": "Tasks" }, this.title, this.list);
    for (const task of app.tasks.of(server).reverse()) this.#show(task);
    this.leave = app.tasks.on((/** @type {Task} */ task) => task.server === server && this.#show(task));
  }

  /** @param {Task} task */
  #show(task) {
    let row = this.#rows.get(task.call);
    if (!row) {
      row = new TaskRow(task, this.app);
      this.#rows.set(task.call, row);
      this.list.prepend(row.element);
    }
    row.show(task);
    this.element.hidden = false;
    this.title.textContent = `Tasks (${this.#rows.size})`;
  }

  stop() {
    this.leave();
    for (const row of this.#rows.values()) row.state.stop();
  }
}

class TaskRow {
  /** @param {Task} task @param {any} app */
  constructor({ call, server, tool, task }, app) {
    this.state = new TaskState();
    this.progress = new ProgressBar();
    const address = `${addressOf("tool", server, tool)}?call=${encodeURIComponent(call)}`;
    this.link = make("a", { href: address }, tool);
    const onclick = () => app.api.ask("cancel", { call });
    this.cancel = make("button", { type: "button", class: "small", onclick, "aria-label": `Cancel ${tool}` }, "Cancel");
    const copy = copyButton(() => String(task), "Copy id");
    const head = make("div", "task-head", this.link, make("span", "task-actions", this.cancel, copy));
    this.element = make("li", {}, head, this.state.element, this.progress.element);
  }

  /** @param {Task} task */
  show(task) {
    this.state.show(task);
    const isOver = task.ended !== null;
    this.cancel.hidden = isOver;
    this.link.title = isOver ? "Open the result" : "Open the call";
    if (isOver || task.progress === null) this.progress.clear();
    else this.progress.show({ progress: task.progress, total: task.total });
  }
}
