// @ts-check
import { make } from "../elements.js";
import { HostControls } from "./controls.js";
import { byId } from "./elements.js";
import { itemForm } from "./item.js";
import { recalled, remember } from "./memory.js";
import { runsAtOnce } from "./opening.js";
import { problemOf, Trouble } from "./problems.js";
import { Results } from "./results.js";
import { addressOf } from "./router.js";
import { storyButtons } from "./save-story.js";
import { isSame } from "./servers.js";

/**
 * The page of a tool, a resource or a prompt: its form, and what came of the last call. Other pages hide it instead of taking
 * it down, because a view whose frame is moved loads again.
 *
 * @typedef {Record<string, any>} Json
 * @typedef {import("./servers.js").Item} Item
 */

/** @param {Item} item */
export const addressOfItem = ({ kind, server, name }) => addressOf(kind, server, name);

/** The entry of `pages.js` for one kind of item. @param {Item["kind"]} kind */
export function drawTrial(kind) {
  return (/** @type {import("./router.js").Visit} */ { params: { server, name }, query, place, app }) => {
    place.hidden = true;
    app.trial.element.hidden = false;
    app.list.isAway = false;
    app.trial.open({ kind, server, name }, { reads: query.has("read"), call: query.get("call") });
    return () => {
      place.hidden = false;
      app.trial.element.hidden = true;
      app.list.isAway = true;
    };
  };
}

export class Trial {
  element = byId("trial");
  /** The call whose result is shown. @type {string | null} */
  shown = null;
  /** What went wrong with a call before this page knew its number. @type {Json[]} */
  #early = [];
  /** @type {(() => void) | null} */
  #submit = null;
  /** The entry that the form was made from. */
  #drawn = "";
  /** The resource that was read last on this page. */
  #uri = "";
  /** What can be read wrong in the tools of a server. @type {Map<string, Record<string, Json[]>>} */
  #findings = new Map();
  #trouble = new Trouble();
  /** What is to be called without a click. @type {Item | null} */
  #begins = null;
  /** The resource that is to be read without a click: somebody followed a link to it. @type {Item | null} */
  #reads = null;

  /** Whether the next call is to run as a task, where that is for us to say. @type {HTMLInputElement | null} */
  #asTask = null;

  /**
   * @param {import("./api.js").Api} api @param {import("./servers.js").ServerList} list
   * @param {import("./tasks.js").Tasks} tasks
   */
  constructor(api, list, tasks) {
    this.api = api;
    this.list = list;
    this.tasks = tasks;
    this.controls = new HostControls(async (name) => {
      this.controls.setHosts(await api.ask("profile", { name }));
      this.#showAgain();
    });
    const cancel = () => this.shown && api.ask("cancel", { call: this.shown });
    this.results = new Results(byId("outcome"), this.#trouble, this.controls, cancel);
    list.countOf = (item) => this.#findingsOf(item).length;
    this.#listen();
  }

  /** Show this item first, filled in, and call it where that is safe: nobody has chosen anything yet. @param {Item} item */
  begin(item) {
    this.#begins = item;
  }

  /** Call again what is shown. */
  again() {
    if (!this.element.hidden) this.#submit?.();
  }

  /**
   * Show this item; one whose server has not been listed yet comes later.
   *
   * @param {Item} item
   * @param {{reads?: boolean, call?: string | null}} [options] `reads` reads the resource at once, `call` is the call to show
   */
  open(item, { reads = false, call = null } = {}) {
    if (call) {
      remember(`shown ${addressOfItem(item)}`, call);
      history.replaceState(null, "", addressOfItem(item)); // the next call is another
    }
    const isOther = !isSame(item, this.list.item) || (call !== null && call !== this.shown);
    this.#reads = isOther && reads ? item : null;
    if (isOther) {
      this.shown = null;
      this.#uri = "";
      this.element.ariaBusy = null;
      this.#trouble.clear();
      this.results.clear();
    }
    this.list.item = item;
    remember("address", addressOfItem(item));
    // Who comes back to what is open finds it as it was.
    if (isOther || JSON.stringify(this.#entryOf(item)) !== this.#drawn) this.#draw(item, isOther);
    if (isOther) this.#showBefore(item);
  }

  /** The servers were listed again: the form is made anew only when there is something new. */
  renew() {
    if (this.element.hidden || !this.list.item) return;
    const entry = this.#entryOf(this.list.item);
    if (JSON.stringify(entry) !== this.#drawn) this.#draw(this.list.item, false);
  }

  /** Where a person begins to write. */
  focus() {
    const all = /** @type {NodeListOf<HTMLElement>} */ (
      byId("item").querySelectorAll("form :is(input, select, textarea, button)")
    );
    [...all].find((one) => one.checkVisibility())?.focus();
  }

  /** @param {Item} item @param {boolean} isOther */
  #draw(item, isOther) {
    const entry = this.#entryOf(item);
    this.#drawn = JSON.stringify(entry);
    this.#submit = null;
    if (!entry) {
      if (isOther || this.list.isListed(item.server)) byId("item").replaceChildren(...this.#missing(item));
      return;
    }
    const { element, submit, attempt, fill } = itemForm(item, entry, {
      call: (...given) => this.#call(...given),
      ask: (...given) => this.#ask(...given),
      follow: (...given) => this.#follow(...given),
      isFollowed: ({ server }, uri) => this.#serverOf(server).followed?.includes(uri) ?? false,
      suggest: this.#serverOf(item.server).capabilities?.completions ? (...given) => this.#suggest(...given) : null,
    });
    if (this.list.changed.delete(`${item.server} ${item.name}`)) this.list.draw();
    this.#submit = submit;
    byId("item").replaceChildren(
      make("h2", {}, entry.title ?? entry.annotations?.title ?? item.name),
      make("p", "about description", entry.description ?? ""),
      make("div", { id: "findings" }),
      element,
    );
    this.#asTask = asTaskBox(entry, this.#serverOf(item.server));
    element.querySelector(".actions")?.append(
      ...this.#asTask ? [make("label", "as-task", this.#asTask, "Run as a task")] : [],
      ...storyButtons(item, this, attempt),
    );
    this.#showFindings();
    if (isSame(item, this.#reads)) {
      this.#reads = null;
      return void submit();
    }
    if (!isSame(item, this.#begins)) return;
    this.#begins = null;
    fill();
    if (item.kind !== "tool" || !runsAtOnce(entry, this.#serverOf(item.server))) return;
    // On a phone the list and the form fill the first screen: what came of it is what to see.
    submit().then(() => innerWidth < 640 && byId("outcome").scrollIntoView({ block: "start" }));
  }

  /** Servers list some of their resources, and can have more: one that a link leads to is read like the others. @param {Item} item */
  #entryOf(item) {
    const known = this.#serverOf(item.server);
    const isUnlisted = item.kind === "resource" && known.tools && !known.problem;
    return this.list.entry(item) ??
      (isUnlisted ? { name: item.name, description: "Not in the server's list." } : undefined);
  }

  /** @param {Item} item */
  #missing({ kind, server, name }) {
    if (!this.list.isListed(server)) return [make("p", { class: "about", role: "status" }, `${server} is starting …`)];
    const known = this.list.servers.some((one) => one.name === server);
    const what = known ? `${server} has no ${kind} ${name}.` : `There is no server ${server} here.`;
    return [make("h2", {}, "Not found"), make("p", "about", `${what} Choose something from the list of servers.`)];
  }

  /** @param {Item} item @returns {Json[]} */
  #findingsOf(item) {
    return item.kind === "tool" ? this.#findings.get(item.server)?.[item.name] ?? [] : [];
  }

  #showFindings() {
    const found = this.list.item ? this.#findingsOf(this.list.item) : [];
    byId("findings")?.replaceChildren(...found.map((one) => problemOf(/** @type {any} */ (one))));
  }

  /** @param {Item} item @param {string | null} call what was called last, to show it again after a reload */
  #keep(item, call) {
    this.shown = call;
    remember(`shown ${addressOfItem(item)}`, call);
  }

  /** @param {Item} item @param {Json} values */
  async #call(item, values) {
    this.#early.length = 0;
    this.element.ariaBusy = "true";
    const asked = { server: item.server, tool: item.name, arguments: values, task: this.#asTask?.checked ?? false };
    const { call, ticket } = await this.api.ask("call", asked)
      .catch((error) => {
        this.element.ariaBusy = null;
        throw error;
      });
    if (!isSame(item, this.list.item)) return remember(`shown ${addressOfItem(item)}`, call);
    this.#keep(item, call);
    this.#trouble.clear();
    this.results.show({ ticket, pending: true });
    this.results.task.show(this.tasks.find(call));
    for (const told of this.#early.splice(0)) if (told.call === call) this.#trouble.add(/** @type {any} */ (told));
  }

  /** @param {Item} item @param {string} method @param {Json} params */
  async #ask(item, method, params) {
    this.#keep(item, null);
    this.#uri = params.uri ?? "";
    this.results.task.show(null);
    const started = performance.now();
    const value = await this.api.ask("ask", { server: item.server, method, arguments: params });
    const milliseconds = Math.round(performance.now() - started);
    if (isSame(item, this.list.item)) this.results.show({ result: value, milliseconds, server: item.server });
  }

  /** @param {Item} item @param {string} uri @param {boolean} on */
  async #follow(item, uri, on) {
    const { followed } = await this.api.ask("follow", { server: item.server, uri, on });
    this.#serverOf(item.server).followed = followed;
    this.list.draw();
    if (on) await this.#ask(item, "resources/read", { uri });
  }

  /** What a server suggests for an argument. @param {Item} item @param {string} name @param {string} value @param {Json} values */
  async #suggest(item, name, value, values) {
    const { [name]: _, ...others } = values;
    const ref = item.kind === "prompt"
      ? { type: "ref/prompt", name: item.name }
      : { type: "ref/resource", uri: item.name };
    const asked = { ref, argument: { name, value }, context: { arguments: others } };
    const found = await this.api.ask("ask", { server: item.server, method: "completion/complete", arguments: asked });
    return found.completion?.values ?? [];
  }

  /** @param {string} name @returns {Json} */
  #serverOf(name) {
    return this.list.servers.find((one) => one.name === name) ?? {};
  }

  /** The same call in the page or the host as it is now; the tool is not called. */
  async #showAgain() {
    if (!this.shown || !this.results.outcome?.ticket || this.results.outcome.pending) return;
    const { ticket } = await this.api.ask("again", { call: this.shown });
    this.#trouble.clear();
    if (ticket) this.results.reopen(ticket);
  }

  /** What came of the last call of this item, after a reload and on the way back. @param {Item} item */
  async #showBefore(item) {
    const before = recalled(`shown ${addressOfItem(item)}`);
    if (!before) return;
    const outcome = await this.api.ask("recall", { call: before });
    if (!outcome.call || this.shown || !isSame(item, this.list.item)) return;
    this.shown = outcome.call;
    if (outcome.pending) this.element.ariaBusy = "true";
    this.results.show({ ...outcome, server: item.server });
    this.results.task.show(this.tasks.find(outcome.call));
    if (outcome.progress) this.results.progress.show(outcome.progress);
  }

  /** What came of a call while the page had lost the playground. */
  async #catchUp() {
    const call = this.shown;
    if (!call || !this.results.outcome?.pending) return;
    const outcome = await this.api.ask("recall", { call });
    if (call !== this.shown || !outcome.call || outcome.pending || !this.results.outcome?.pending) return;
    this.element.ariaBusy = null;
    this.results.show({ ...outcome, server: this.list.item?.server });
  }

  #listen() {
    this.api.on("ready", () => this.#catchUp());
    this.api.on("problem", (told) => {
      if (told.known) return; // it stands beside the tool
      if (told.call === this.shown) this.#trouble.add(/** @type {any} */ (told));
      else this.#early.push(told);
    });
    this.api.on("spoke", ({ call }) => call === this.shown && this.#trouble.retract("L01"));
    this.api.on("findings", (told) => {
      this.#findings.set(told.server, told.tools);
      this.list.draw();
      this.#showFindings();
    });
    this.api.on("result", (told) => {
      if (told.call !== this.shown) return;
      this.element.ariaBusy = null;
      const ticket = this.results.outcome?.ticket ?? told.ticket ?? null;
      this.results.show({ ...told, ticket, server: this.list.item?.server });
    });
    this.api.on("progress", (told) => told.call === this.shown && this.results.progress.show(told));
    this.tasks.on((task) => task.call === this.shown && this.results.task.show(task));
    this.api.on("updated", ({ server, uri, value, error }) => {
      if (!this.#serverOf(server).followed?.includes(uri)) return;
      const isShown = this.list.item?.server === server && !this.list.isAway && this.#uri === uri;
      if (!isShown) {
        this.list.changed.add(`${server} ${uri}`);
        return this.list.draw();
      }
      if (error === undefined) this.results.show({ result: value, server });
      else this.results.show({ error });
    });
    this.api.on("view-changed", () => this.#showAgain());
  }
}

/**
 * In 2025-11-25 the client says whether a tool that can run as a task does; later, the server decides.
 *
 * @param {Json} entry @param {Json} server
 */
function asTaskBox({ execution }, { era, capabilities }) {
  if (execution?.taskSupport !== "optional" || era !== "handshake" || !capabilities?.tasks?.requests?.tools?.call) {
    return null;
  }
  const box = make("input", { type: "checkbox", checked: recalled("as task") !== false });
  box.onchange = () => remember("as task", box.checked);
  return box;
}
