// @ts-check
import { RecordedAnswers } from "./answers.js";
import { OWN } from "./view-script.js";

/**
 * The recorded view that is shown, alive: it gets its messages, the answers to its requests and the person's deeds from the
 * recording, up to the step that is looked at.
 *
 * @typedef {import("./moments.js").Moment} Moment
 * @typedef {import("./moments.js").Recording} Recording
 */

/** Milliseconds until a view that does not begin, ask or react is left behind. */
const PATIENCE = 4000;

/** Pixels that a view gets at least and at most. */
const LOWEST = 80;
const HIGHEST = 4000;

export class LiveView extends EventTarget {
  /** The view that is open. @type {number | null} */
  current = null;
  /** How many moments of the recording the view has gone through. */
  #applied = -1;
  /** Whether somebody has used the view since: then it is not where the recording is. */
  isTouched = false;
  #answers = new RecordedAnswers([]);
  /** The number by which the stage knows the view, another one each time that it is opened. */
  #shown = 0;
  /** Counts what the view is told to do. */
  #deeds = 0;
  /** Which wish is the latest; earlier ones stop. */
  #wish = 0;
  /** One thing after another: a step that is under way is finished before the next begins. @type {Promise<void>} */
  #working = Promise.resolve();
  /** @type {Map<string, (value: any) => void>} */
  #waiting = new Map();

  /** @param {HTMLIFrameElement} stage @param {Recording} recording */
  constructor(stage, recording) {
    super();
    this.stage = stage;
    this.recording = recording;
    addEventListener("message", ({ source, data }) => source === stage.contentWindow && this.#hear(data));
  }

  /** Show what there was to see after this step; -1 for the beginning. @param {number} position @returns {Promise<void>} */
  goTo(position) {
    const wish = ++this.#wish;
    return this.#working = this.#working.then(() => this.#advance(position, wish));
  }

  /** @param {number} position @param {number} wish */
  async #advance(position, wish) {
    if (wish !== this.#wish) return;
    const { moments } = this.recording;
    const view = moments.slice(0, position + 1).findLast((one) => one.view !== undefined)?.view;
    if (view === undefined) return this.#close();
    const isNew = view !== this.current || position < this.#applied || this.isTouched;
    if (isNew) await this.#open(view);
    for (let at = isNew ? 0 : this.#applied + 1; at <= position; at++) {
      if (wish !== this.#wish) return;
      if (moments[at].view === view) await this.#apply(moments[at]);
      this.#applied = at;
    }
    if (wish !== this.#wish) return;
    this.#answers.isOver = !moments.slice(position + 1).some((one) => one.view === view && one.kind === "got");
  }

  /** What the view asked and nobody recorded. */
  get unknown() {
    return this.#answers.unknown;
  }

  #close() {
    this.current = null;
    this.#applied = -1;
    this.#shown += 1;
    this.#tell("view");
  }

  /** @param {number} view */
  async #open(view) {
    const { views, moments, pages, script } = this.recording;
    const { page, seed, time, theme, width, height, tool } = views[view];
    const { before, after, policy } = pages[page];
    this.current = view;
    this.#applied = -1;
    this.isTouched = false;
    this.#shown += 1;
    this.#answers = new RecordedAnswers(moments.filter((one) => one.view === view));
    this.stage.style.width = `${width}px`;
    this.#setHeight(height);
    this.#tell("view");
    const setup = `window.clocheShared=${JSON.stringify({ seed, time })};`;
    const first = `<meta http-equiv="Content-Security-Policy" content="${policy}">` +
      `<meta http-equiv="x-dns-prefetch-control" content="off"><script>${setup}${script}</` + `script>`;
    const begun = this.#wait("ready");
    this.#post({ html: before + first + after, theme, title: `View of ${tool}` });
    await begun;
  }

  /** @param {Moment} moment */
  async #apply(moment) {
    const { kind, gesture, message } = moment;
    if (kind === "user" && gesture) return this.#do(gesture);
    if (kind !== "got" || !message) return;
    const slot = this.#answers.slot(moment);
    if (!slot) this.#post({ message });
    else {
      if (!slot.isAsked) await this.#until(() => slot.isAsked);
      this.#answers.release(slot);
    }
    await this.#do(null);
  }

  /** The view acts on what it has, and on a gesture if there is one. @param {import("./gestures.js").Gesture | null} gesture */
  async #do(gesture) {
    const number = ++this.#deeds;
    this.#post({ message: { jsonrpc: "2.0", method: OWN + "do", params: { number, gesture } } });
    const done = await this.#wait(`done ${number}`);
    this.#tell("acted");
    if (done?.problem) this.#tell("problem", `The recorded step could not be repeated here: ${done.problem}.`);
  }

  /** @param {Record<string, any>} what */
  #post(what) {
    this.stage.contentWindow?.postMessage({ view: this.#shown, ...what }, "*");
  }

  /** @param {any} data of the stage */
  #hear(data) {
    if (data?.view !== this.#shown) return;
    if (data.flood) return this.#tell("problem", "The view sent too many messages and was ended.");
    const { id, method, params } = data.message ?? {};
    if (typeof method !== "string") return;
    if (method === OWN + "ready") return this.#settle("ready", {});
    if (method === OWN + "done") return this.#settle(`done ${params?.number}`, params);
    if (method === OWN + "touched") return void (this.isTouched = true);
    if (method === "ui/notifications/size-changed") return this.#setHeight(params?.height);
    if (id === undefined || method.startsWith(OWN)) return;
    this.#answers.take(method, params, (outcome) => this.#post({ message: { jsonrpc: "2.0", id, ...outcome } }));
    this.#settle("asked", true);
    if (this.#answers.unknown.length) {
      this.#tell("problem", `The view asked for something that is not in the recording: ${this.#answers.unknown[0]}.`);
    }
  }

  /** @param {unknown} height */
  #setHeight(height) {
    if (typeof height !== "number" || !(height > 0)) return;
    this.stage.style.height = `${Math.min(HIGHEST, Math.max(LOWEST, Math.ceil(height)))}px`;
  }

  /** @param {string} what @returns {Promise<any>} nothing when it does not come */
  #wait(what) {
    return new Promise((resolve) => {
      this.#waiting.set(what, resolve);
      setTimeout(() => resolve(undefined), PATIENCE);
    });
  }

  /** @param {string} what @param {any} value */
  #settle(what, value) {
    this.#waiting.get(what)?.(value);
    this.#waiting.delete(what);
  }

  /** @param {() => boolean} condition */
  async #until(condition) {
    const end = performance.now() + PATIENCE;
    while (!condition() && performance.now() < end) await this.#wait("asked");
  }

  /** @param {string} event @param {string} [detail] */
  #tell(event, detail) {
    this.dispatchEvent(new CustomEvent(event, { detail }));
  }
}
